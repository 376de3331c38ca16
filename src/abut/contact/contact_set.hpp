#pragma once

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "abut/base/function_view.hpp"
#include "abut/base/thread_pool.hpp"
#include "abut/contact/body_motion.hpp"
#include "abut/contact/candidate_list.hpp"
#include "abut/contact/contact_rule.hpp"
#include "abut/contact/patch.hpp"
#include "abut/contact/region/perimeter_memory.hpp"
#include "abut/contact/region/volume_site.hpp"
#include "abut/geometry/manifold/contact_manifold.hpp"
#include "abut/geometry/sphere_kernels.hpp"

namespace abut {

class PerimeterSite;

/// Which patches exist, and their memory. Copyable: together with the integrator's vector it is the state of all
/// contacts. Patches sit in a pool with stable places, so that the continuous states of a patch keep their place in the
/// integrator's vector while others come and go.
struct PatchPool {
  std::vector<Patch> patches;               ///< some not in use
  std::vector<int> active;                  ///< places of those in use, in the order of the candidates' points
  std::vector<int> free_places;             ///< to be reused, last in first out
  std::vector<PerimeterMemory> perimeters;  ///< of the places of perimeter patches; empty where there are none

  /// Puts the active patches first, without gaps; returns the old place of each.
  std::vector<int> compact();
};

/// A patch that another one broke off from, and where both are now; or that another one was joined to.
struct PatchKin {
  int place = -1;                ///< of the kin, -1 where there is none
  double share = 0.0;            ///< of the kin's volume that broke off [1]
  double gyration_radius = 0.0;  ///< of the kin before [m]
  Vec3 arm = Vec3::Zero();       ///< from where the kin was to the part that broke off [m]
  Vec3 retreat = Vec3::Zero();   ///< from where the kin was to where it is now [m]
};

/// A patch that begins or ends.
struct PatchChange {
  int point = -1;  ///< candidate point
  int place = -1;
  bool begins = false;
  double gap_rate = 0.0;  ///< [m/s]
  Patch patch;            ///< as it was, when it ends
  PatchKin kin;
};

/// What the point contacts need to advance by one explicit step.
struct PointAdvance {
  double time = 0.0;                  ///< at its beginning [s]
  double step = 0.0;                  ///< [s]
  double* friction_states = nullptr;  ///< `stride` numbers for each place of the pool
  int stride = 0;
  double* works = nullptr;  ///< kNumPatchWorks for each place of the pool [J]
  double max_rate = 0.0;    ///< fastest relaxation the step can follow [1/s]
};

/// What came of advancing some points.
struct PointOutcome {
  bool is_finite = true;
  double deepest = 0.0;      ///< [m]
  std::vector<int> changed;  ///< points that overlap and have no patch, or have one and do not; not advanced
};

/// What looks at the geometry begin with: warm starts, which corner of an overlap is which point, and how far pairs are
/// known to be apart. It hardly changes what is found, but it does change its last bits.
struct ContactMemory {
  std::vector<PointPairMemory> pairs;     ///< one for each candidate
  std::vector<ManifoldMemory> manifolds;  ///< one for each candidate, or none
  std::vector<ApartWatch> watches;        ///< of the pairs of cells of volumetric sites
};

/// The contacts of a model at run time: finds which colliders are near each other, which of their points touch, and
/// what forces act. Holds only what can be computed anew from poses (candidates, their geometry); memory is in
/// PatchPool.
class ContactSet {
 public:
  /// Effective mass seen by a contact between two links at a point along a normal [kg].
  using EffectiveMass = FunctionView<double(int link_a, int link_b, const Vec3& point, const Vec3& normal)>;
  using FindRule = CandidateList::FindRule;

  ContactSet(const std::vector<Collider>& colliders, const std::vector<ContactRule>& rules, FindRule find_rule,
             ThreadPool* pool);
  ~ContactSet();

  /// Whether some pair that could touch may be missing among the candidates.
  bool needs_refresh(const BodyMotion& motion) const { return candidates_.needs_refresh(motion); }
  const CandidateList& candidates() const { return candidates_; }
  /// Makes the list of candidates anew if it needs to be, and matches the pool's patches to it; true when it did.
  /// Patches that have come apart must have been ended before.
  bool refresh_candidates(const BodyMotion& motion, PatchPool& pool);
  /// Finds the candidate points of the pool's patches again after it was compacted or replaced.
  void rematch(PatchPool& pool) { match_patches(pool); }
  /// The same for what was swept; see CandidateList.
  bool cover_sweep(bool must, PatchPool& pool);
  CandidateList& candidates() { return candidates_; }

  /// Gap, normal and point of every candidate point, at this motion. `Gaps::sign` allows volumetric pairs that are
  /// apart to say only that; it is enough for fixed steps, and cheaper. `Gaps::alone` leaves the
  /// forces of depth fields out; normals of volumes are the geometric ones then.
  void calc_geometry(const BodyMotion& motion, const PatchPool& pool, Gaps gaps = Gaps::exact);
  /// The same, of pairs of which some point is wanted.
  void calc_geometry(const BodyMotion& motion, const PatchPool& pool, Gaps gaps, std::span<const char> is_point_wanted);
  /// All about the pair that one point belongs to, after Gaps::alone at the same motion.
  void complete_geometry(int point, const BodyMotion& motion, const PatchPool& pool) {
    calc_candidate_geometry(candidates_.candidate_index_of_point(point), motion, pool, Gaps::exact);
  }
  /// The same, of those that have patches only.
  void calc_active_geometry(const BodyMotion& motion, const PatchPool& pool);
  /// At the end of a step, with the geometry of its last instant: volumetric patches take note of their normal and
  /// their place, by which they know themselves and their axis again. `works`: kNumPatchWorks for each place of the
  /// pool [J]; springs without a potential give back no more than they hold.
  void note_step(const BodyMotion& motion, const double* works, PatchPool& pool) const;
  /// Length of fixed steps [s]: perimeter contact looks half a step ahead, manifolds as far as bodies come in some.
  void set_step(double step) { step_ = step; }
  bool has_perimeters() const { return !perimeters_.empty(); }
  /// Once a step, after patches have begun and ended by the geometry of this motion: perimeter patches find the forces
  /// that they hold until the next. `works`: kNumPatchWorks for each place of the pool [J].
  void advance_perimeters(const BodyMotion& motion, double time, const double* works, PatchPool& pool);
  /// Pieces of the curve at the point of a perimeter patch, as found last.
  void list_curve(int point, std::vector<std::array<Vec3, 2>>& out) const;
  /// Whether some patch's normal may turn as the bodies move: all but those on a plane that is fixed.
  bool has_turning_normals(const PatchPool& pool) const;

  /// Compares the geometry with the pool: points that overlap and have no patch begin one, patches whose point has a
  /// gap end. `is_located`: the touch was found exactly, so nothing of it is hidden by relaxation; otherwise the depth
  /// at detection is.
  void update_patches(const BodyMotion& motion, double time, bool is_located, const EffectiveMass& effective_mass,
                      PatchPool& pool, std::vector<PatchChange>& changes);
  /// The same where it is known which points change, in ascending order; their geometry must be current.
  void update_patches(std::span<const int> changed_points, const BodyMotion& motion, double time, bool is_located,
                      const EffectiveMass& effective_mass, PatchPool& pool, std::vector<PatchChange>& changes);
  /// A patch as it would begin at a candidate point now; changes nothing. `kin`: the patch it broke off from, whose
  /// impact it goes on with.
  Patch make_patch(int point, const BodyMotion& motion, double time, bool is_located,
                   const EffectiveMass& effective_mass, const Patch* kin = nullptr, double share = 0.0);
  /// Begins a patch at a candidate point whether or not it overlaps yet (its gap is zero to rounding); returns its
  /// place.
  int begin_patch(int point, const BodyMotion& motion, double time, bool is_located,
                  const EffectiveMass& effective_mass, PatchPool& pool, const PatchKin& kin = {});
  void end_patch(int point, PatchPool& pool);
  /// The kin of a volumetric point whose patch is about to begin or to end, by the geometry computed last. When one
  /// begins, the kin takes note of where it is now, without the part that broke off. Points of two capsules that are
  /// about to begin have one too: the one whose part they take over.
  PatchKin find_kin(int point, const BodyMotion& motion, PatchPool& pool) const;

  /// Handed each response right after it was computed, possibly on several threads at once: may write only to what
  /// belongs to this place.
  using Consume = FunctionView<void(int place, const PatchResponse&)>;

  /// Response of each active patch, with the geometry already computed for this motion or computed here.
  /// `friction_states`: `stride` numbers for each place of the pool (z, then dwell).
  void calc_responses(const BodyMotion& motion, double time, bool geometry_is_current, const PatchPool& pool,
                      const double* friction_states, int stride, double max_rate, std::vector<PatchResponse>& responses,
                      const Consume& consume = {});
  /// Of one active patch, with its pair looked at for this motion.
  PatchResponse calc_response(int index, const BodyMotion& motion, double time, const PatchPool& pool,
                              const double* friction_states, int stride, double max_rate);
  /// Calls add(link, force, point, torque) for both sides of every patch, in the fixed order of the active patches, so
  /// that sums over them do not depend on the number of threads.
  template <class AddForce>
  static void for_each_force(const std::vector<PatchResponse>& responses, const AddForce& add) {
    for (const PatchResponse& response : responses) {
      add(response.link_a, response.force, response.point, response.torque);
      add(response.link_b, Vec3(-response.force), response.point, Vec3(-response.torque));
    }
  }

  /// A whole explicit step of the contacts that links begin <= link < end own, for scenes of points only and candidates
  /// in the order of owners: geometry, and for points whose patch goes on the response, the friction states and the
  /// works after the step. Forces wait in the points until add_loads(). Links of points that change are marked in
  /// `waits` where they are not yet: their loads are not complete. May be called for several ranges at once, as long as
  /// `waits` marks every link of a range that has contacts owned in another.
  void advance_points(int begin_link, int end_link, const BodyMotion& motion, const PointAdvance& advance,
                      PatchPool& pool, std::vector<unsigned char>& waits, PointOutcome& outcome);
  /// The same for one point whose patch has just begun; its geometry must be current.
  void advance_point(int point, const BodyMotion& motion, const PointAdvance& advance, PatchPool& pool,
                     PointOutcome& outcome);
  /// Makes the geometry of some points current.
  void calc_point_geometry(std::span<const int> points, const BodyMotion& motion, const PatchPool& pool);
  /// Lists for add_loads(), once after the candidates were made.
  void list_points_of_links();
  bool has_points_of_links() const { return !link_begin_.empty(); }
  /// Adds what the points advanced last do to a link, in the order of the points: as for_each_force() would.
  void add_loads(int link, const Vec3& center_of_mass, Vec3& force, Vec3& torque) const;

  bool has_patch(int point) const { return patch_at_[point] >= 0; }
  int num_points() const { return static_cast<int>(geometry_.size()); }
  const PointContact& point_geometry(int point) const { return geometry_[point]; }
  /// What a volumetric point has beyond that; null for other points.
  const VolumeContact* volume_geometry(int point) const;
  /// Whether a volumetric point should have a depth field and neither of its bodies has one.
  bool lacks_field(int point) const;
  /// Place of the patch at a candidate point, -1 when there is none.
  int patch_at(int point) const { return patch_at_[point]; }
  /// Candidate point of the i-th active patch.
  int active_point(int index) const { return active_points_[index]; }
  const Candidate& candidate_of_point(int point) const { return candidates_.candidate_of_point(point); }
  const Collider& collider(int index) const { return colliders_[index]; }
  const ContactRule& rule(int index) const { return rules_[index]; }
  /// Rate of the gap at a candidate point, from the geometry computed last [m/s].
  double calc_gap_rate(int point, const BodyMotion& motion) const;
  /// Speed of approach that the point's damper sees [m/s]: of a depth field its own, else minus the gap's rate.
  double calc_approach_rate(int point, const BodyMotion& motion) const;

  /// What the next look depends on beside poses and patches. After reading, the patches must be matched and the
  /// geometry computed.
  template <class Archive>
  void visit(Archive& archive) {
    archive(candidates_);
    if constexpr (Archive::kIsReading) make_room();
    archive(memories_, manifolds_, manifold_pairs_);
    for (VolumeSite& site : sites_) archive(site);
  }

  /// Looks between remember() and recall(), at the same candidates, leave no trace in looks to come.
  void remember(ContactMemory& memory) const;
  void recall(const ContactMemory& memory);

 private:
  PatchKin find_point_kin(int point, const BodyMotion& motion) const;
  bool calc_carried_geometry(const Candidate& candidate, const BodyMotion& motion, PointContact* out) const;
  /// What a pair of spheres needs to know of each, in one place: most contacts of a pile are such pairs.
  struct SphereSite {
    int link = -1;        ///< whose centre of mass is the sphere's centre, -1 where it is not
    int carrier = -1;     ///< the link, whatever the shape
    double radius = 0.0;  ///< [m]
  };

  /// Where a point's force acts; read once for each of its two links.
  struct PointLoad {
    Vec3 force = Vec3::Zero();  ///< on a [N]
    Vec3 point = Vec3::Zero();  ///< [m]
  };

  /// Of active patch `index`, with the geometry as it is.
  void respond(int index, const BodyMotion& motion, double time, const PatchPool& pool, const double* friction_states,
               int stride, double max_rate, PatchResponse& response) const;
  void calc_candidate_geometry(int candidate, const BodyMotion& motion, const PatchPool& pool, Gaps gaps);
  void calc_point_geometry(int candidate, const BodyMotion& motion, PointContact* out);
  void calc_manifold_geometry(int candidate, const BodyMotion& motion, PointContact* out);
  /// After the candidates were made anew: manifolds of pairs that were candidates before keep their memory.
  void match_manifolds();
  /// Two spheres about their links' centres of mass, most of a pile: inline. False where they are something else.
  bool calc_plain_spheres(const Candidate& candidate, const BodyMotion& motion, PointContact* out) const {
    if (candidate.pair.kind != PointPairKind::kSphereSphere) return false;
    const SphereSite& a = spheres_[candidate.collider_a];
    const SphereSite& b = spheres_[candidate.collider_b];
    if (a.link < 0 || b.link < 0) return false;
    *out = sphere_sphere(motion.p_WCm[a.link], a.radius, motion.p_WCm[b.link], b.radius);
    return true;
  }
  template <class Friction>
  void advance_run(int begin, int end, const Friction& friction, const BodyMotion& motion, const PointAdvance& advance,
                   PatchPool& pool, std::vector<unsigned char>& waits, PointOutcome& outcome);
  template <class Friction>
  void advance_patch(int point, const PointContact& geometry, const Friction& friction, const BodyMotion& motion,
                     const PointAdvance& advance, PatchPool& pool, PointOutcome& outcome);
  void calc_volume_geometry(const Candidate& candidate, const BodyMotion& motion, const PatchPool& pool, Gaps gaps);
  void take_candidates(PatchPool& pool);
  void make_room();
  void make_sites();
  /// Takes note of a volumetric patch's normal, place and size.
  void note_patch(int point, const BodyMotion& motion, Patch& patch) const;
  Vec3 calc_center(int collider, const BodyMotion& motion) const;
  void match_patches(PatchPool& pool);
  void list_active(PatchPool& pool);
  /// Brings the lists of active patches up to date after a point has got or lost its patch.
  void relist_active(int point, PatchPool& pool);
  int take_place(int point, Patch patch, PatchPool& pool);
  int take_patch(int point, const BodyMotion& motion, double time, bool is_located, const EffectiveMass& effective_mass,
                 PatchPool& pool, const PatchKin& kin);
  void give_back_place(int point, PatchPool& pool);
  /// The normal law of a patch from its touch speed and effective mass, as one of depth.
  static void make_law(const NormalLawParameters& rule, double stiffness, Patch& patch);
  /// Where the point whose patch has just begun strikes together with others between the same two links, each gets its
  /// share of the mass that they stop.
  void share_impact(int point, double time, const EffectiveMass& effective_mass, PatchPool& pool) const;
  bool has_several_colliders(int link) const { return num_moving_colliders_[link] > 1; }

  const std::vector<Collider>& colliders_;
  const std::vector<ContactRule>& rules_;
  ThreadPool* threads_;
  std::vector<SphereSite> spheres_;        ///< one for each collider, of use where it is a sphere
  std::vector<int> num_moving_colliders_;  ///< of each link; fixed ones do not count
  CandidateList candidates_;
  /// Warm starts of closest-point searches, one for each candidate; they change no result beyond rounding.
  std::vector<PointPairMemory> memories_;
  /// Of manifolds: which corner of the overlap is which point. One for each candidate, or empty where there are none.
  std::vector<ManifoldMemory> manifolds_;
  std::vector<std::pair<int, int>> manifold_pairs_;  ///< the colliders of each of these
  std::vector<PointContact> geometry_;
  std::vector<VolumeSite> sites_;
  std::vector<std::unique_ptr<PerimeterSite>> perimeters_;
  double step_ = 0.0;  ///< [s]
  std::vector<VolumeContact> volumes_;
  std::vector<unsigned char> overlaps_;  ///< of each point, so that looking for changes reads little
  std::vector<int> changed_points_;
  std::vector<int> patch_at_;
  std::vector<int> active_points_;
  std::vector<int> active_candidates_;
  // Of scenes that advance all points at once; empty in others.
  std::vector<PointLoad> loads_;
  std::vector<unsigned char> acts_;  ///< whether a point's load counts
  std::vector<int> link_begin_;      ///< of each link in points_of_link_
  std::vector<int> points_of_link_;  ///< 2 point + (the link is b)
};

}  // namespace abut
