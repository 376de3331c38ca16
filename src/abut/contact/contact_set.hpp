#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "abut/base/thread_pool.hpp"
#include "abut/contact/contact_table.hpp"
#include "abut/contact/region/region_list.hpp"

namespace abut {

/// A patch that begins or ends.
struct PatchChange {
  int point = -1;  ///< candidate point
  int place = -1;
  bool begins = false;
  double gap_rate = 0.0;  ///< [m/s]
  Patch patch;            ///< as it was, when it ends
  PatchKin kin;
};

/// The contacts of a model at run time: finds which colliders are near each other, which of their points touch, and
/// what forces act. Holds only what can be computed anew from poses (candidates, their geometry); memory is in
/// PatchPool. Everything about bodies, curves and forces is the regions' (region/region_class.hpp): this class keeps
/// the list and the patches, and hands each region its candidates, once for each run of equal ones.
class ContactSet {
 public:
  using EffectiveMass = CalcEffectiveMass;
  using FindRule = CandidateList::FindRule;
  using Consume = ConsumeResponse;

  ContactSet(const std::vector<Collider>& colliders, const std::vector<ContactRule>& rules, FindRule find_rule,
             ThreadPool* pool);
  ContactSet(const ContactSet&) = delete;
  ContactSet& operator=(const ContactSet&) = delete;

  /// Whether some pair that could touch may be missing among the candidates.
  bool needs_refresh(const BodyMotion& motion) const { return table_.candidates.needs_refresh(motion); }
  const CandidateList& candidates() const { return table_.candidates; }
  /// Makes the list of candidates anew if it needs to be, and matches the pool's patches to it; true when it did.
  /// Patches that have come apart must have been ended before.
  bool refresh_candidates(const BodyMotion& motion, PatchPool& pool);
  /// Finds the candidate points of the pool's patches again after it was compacted or replaced.
  void rematch(PatchPool& pool) { match_patches(pool); }
  /// The same for what was swept; see CandidateList.
  bool cover_sweep(bool must, PatchPool& pool);
  CandidateList& candidates() { return table_.candidates; }

  /// Calls use(region) with the object of one region.
  template <class Use>
  decltype(auto) with_region(RegionKind kind, const Use& use) {
    return regions_.with(kind, use);
  }
  template <class Use>
  decltype(auto) with_region(RegionKind kind, const Use& use) const {
    return regions_.with(kind, use);
  }
  /// With that of a point's candidate.
  template <class Use>
  decltype(auto) with_region_of(int point, const Use& use) {
    return regions_.with(candidate_of_point(point).region, use);
  }
  template <class Use>
  decltype(auto) with_region_of(int point, const Use& use) const {
    return regions_.with(candidate_of_point(point).region, use);
  }

  /// Gap, normal and point of every candidate point, at this motion. `Gaps::sign` allows volumetric pairs that are
  /// apart to say only that; it is enough for fixed steps, and cheaper. `Gaps::alone` leaves the
  /// forces of depth fields out; normals of volumes are the geometric ones then.
  void calc_geometry(const BodyMotion& motion, const PatchPool& pool, Gaps gaps = Gaps::exact);
  /// The same, of pairs of which some point is wanted.
  void calc_geometry(const BodyMotion& motion, const PatchPool& pool, Gaps gaps, std::span<const char> is_point_wanted);
  /// All about the pair that one point belongs to, after Gaps::alone at the same motion.
  void complete_geometry(int point, const BodyMotion& motion, const PatchPool& pool);
  /// The same, of those that have patches only.
  void calc_active_geometry(const BodyMotion& motion, const PatchPool& pool);
  /// Once a step, after patches have begun and ended by the geometry of this motion: regions that hold their forces
  /// over the step find them. `works`: kNumPatchWorks for each place of the pool [J].
  void begin_step(const BodyMotion& motion, double time, const double* works, PatchPool& pool);
  /// At the end of a step, with the geometry of its last instant: patches take note of what their next one goes by.
  void note_step(const BodyMotion& motion, const double* works, PatchPool& pool) const;
  /// Length of fixed steps [s]: perimeter contact looks half a step ahead, manifolds as far as bodies come in some.
  void set_step(double step) { table_.step = step; }
  /// Whether some pair has forces that are held over a step.
  bool holds_forces() const;
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
  /// The kin of a point whose patch is about to begin or to end, by the geometry computed last. A kin that stays takes
  /// note of where it is now, without the part that broke off.
  PatchKin find_kin(int point, const BodyMotion& motion, PatchPool& pool) const;

  /// Response of each active patch, with the geometry already computed for this motion or computed here.
  void calc_responses(const ResponseInput& input, bool geometry_is_current, std::vector<PatchResponse>& responses,
                      const Consume& consume = {});
  /// Of one active patch, with its pair looked at for this motion; `scratch` is written to.
  PatchResponse calc_response(int index, const ResponseInput& input, std::vector<PatchResponse>& scratch);
  /// Calls add(link, force, point, torque) for both sides of every patch, in the fixed order of the active patches, so
  /// that sums over them do not depend on the number of threads.
  template <class AddForce>
  static void for_each_force(const std::vector<PatchResponse>& responses, const AddForce& add) {
    for (const PatchResponse& response : responses) {
      add(response.link_a, response.force, response.point, response.torque);
      add(response.link_b, Vec3(-response.force), response.point, Vec3(-response.torque));
    }
  }

  /// A whole explicit step of the contacts that links begin <= link < end own, for scenes whose regions all have a
  /// fused step and candidates in the order of owners: geometry, and for points whose patch goes on the response, the
  /// friction states and the works after the step. Forces wait in the points until add_loads(). Links of points that
  /// change are marked in `waits` where they are not yet: their loads are not complete. May be called for several
  /// ranges at once, as long as `waits` marks every link of a range that has contacts owned in another.
  void advance_points(int begin_link, int end_link, const BodyMotion& motion, const PointAdvance& advance,
                      PatchPool& pool, std::vector<unsigned char>& waits, PointOutcome& outcome) {
    regions_.fused().advance_points(begin_link, end_link, motion, advance, pool, waits, outcome);
  }
  /// The same for one point whose patch has just begun; its geometry must be current.
  void advance_point(int point, const BodyMotion& motion, const PointAdvance& advance, PatchPool& pool,
                     PointOutcome& outcome) {
    regions_.fused().advance_point(point, motion, advance, pool, outcome);
  }
  /// Makes the geometry of some points current.
  void calc_point_geometry(std::span<const int> points, const BodyMotion& motion, const PatchPool& pool) {
    for (const int point : points) complete_geometry(point, motion, pool);
  }
  /// Lists for add_loads(), once after the candidates were made.
  void list_points_of_links() { regions_.fused().list_points_of_links(); }
  bool has_points_of_links() const { return regions_.fused().has_points_of_links(); }
  /// Adds what the points advanced last do to a link, in the order of the points: as for_each_force() would.
  void add_loads(int link, const Vec3& center_of_mass, Vec3& force, Vec3& torque) const {
    regions_.fused().add_loads(link, center_of_mass, force, torque);
  }

  bool has_patch(int point) const { return table_.patch_at[point] >= 0; }
  int num_points() const { return static_cast<int>(table_.geometry.size()); }
  const PointContact& point_geometry(int point) const { return table_.geometry[point]; }
  /// Place of the patch at a candidate point, -1 when there is none.
  int patch_at(int point) const { return table_.patch_at[point]; }
  /// Candidate point of the i-th active patch.
  int active_point(int index) const { return table_.active_points[index]; }
  /// Of the active patch at a place of the pool, -1 where there is none.
  int find_active_point(int place, const PatchPool& pool) const;
  const Candidate& candidate_of_point(int point) const { return table_.candidates.candidate_of_point(point); }
  const Collider& collider(int index) const { return table_.colliders[index]; }
  const ContactRule& rule(int index) const { return table_.rules[index]; }
  /// Rate of the gap at a candidate point, from the geometry computed last [m/s].
  double calc_gap_rate(int point, const BodyMotion& motion) const { return table_.calc_gap_rate(point, motion); }

  /// What the next look depends on beside poses and patches. After reading, the patches must be matched and the
  /// geometry computed.
  template <class Archive>
  void visit(Archive& archive) {
    archive(table_.candidates);
    if constexpr (Archive::kIsReading) make_room();
    regions_.for_each([&](auto& region) { region.visit(archive); });
  }

  /// Looks between remember() and recall(), at the same candidates, leave no trace in looks to come.
  void remember(ContactMemory& memory) const;
  void recall(const ContactMemory& memory);

 private:
  /// Calls use(region, c) for the candidates c = candidate_at(i), begin <= i < end, once for each run of one region.
  template <class CandidateAt, class Use>
  void for_runs(int begin, int end, const CandidateAt& candidate_at, const Use& use);
  void take_candidates(PatchPool& pool);
  void make_room();
  void match_patches(PatchPool& pool);
  void list_active(PatchPool& pool);
  /// Brings the lists of active patches up to date after a point has got or lost its patch.
  void relist_active(int point, PatchPool& pool);
  int take_place(int point, Patch patch, PatchPool& pool);
  int take_patch(int point, const BodyMotion& motion, double time, bool is_located, const EffectiveMass& effective_mass,
                 PatchPool& pool, const PatchKin& kin);
  void give_back_place(int point, PatchPool& pool);

  ContactTable table_;
  RegionList regions_;
  ThreadPool* threads_;
  std::vector<unsigned char> overlaps_;  ///< of each point, so that looking for changes reads little
  std::vector<int> changed_points_;
  std::vector<int> active_candidates_;
};

}  // namespace abut
