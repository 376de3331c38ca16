#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "abut/contact/region/point_advance.hpp"
#include "abut/contact/region/region_class.hpp"
#include "abut/geometry/sphere_kernels.hpp"

namespace abut {

/// Contact at the points where two bodies are nearest to each other, each with a spring over its depth; what a region
/// is asked for stands in region_class.hpp.   [docs/theory/normal.md]
class PointRegion : public RegionDefaults {
 public:
  static constexpr RegionKind kKind = RegionKind::point;
  using Rule = PointRule;

  explicit PointRegion(ContactTable& table);

  static std::optional<Candidate> propose(const std::vector<Collider>& colliders, const ContactRule& rule,
                                          const RuleMatch& match, int collider_a, int collider_b);
  static bool has_several_points(const std::vector<Collider>& colliders, const ContactRule& rule, const PatchKey& key);

  void make_room() { link_begin_.clear(); }
  void take_candidates();
  void remember(ContactMemory& memory) const;
  void recall(const ContactMemory& memory);
  template <class Archive>
  void visit(Archive& archive) {
    archive(memories_, manifolds_, manifold_pairs_);
  }

  void detect(int candidate, const BodyMotion& motion, const PatchPool&, Gaps) {
    calc_geometry(candidate, motion, &table_.geometry[table_.candidates[candidate].first_point]);
  }
  double calc_approach_rate(int point, const BodyMotion& motion) const { return -table_.calc_gap_rate(point, motion); }

  double calc_hidden_measure(int point) const { return -table_.geometry[point].gap; }
  void begin(int, const BodyMotion&, Patch&) {}
  void inherit(int point, const Patch& kin, double share, Patch& patch) const;
  /// Of two capsules: the point whose part this one takes over.
  PatchKin find_kin(int point, const BodyMotion& motion, PatchPool& pool) const;
  void follow_begin(int point, double time, const PatchKin& kin, const CalcEffectiveMass& effective_mass,
                    PatchPool& pool) const;
  /// Bristles that touch in slip are bent.   [contact/law/friction_law.hpp]
  void begin_numbers(int point, int place, const BodyMotion& motion, double time, const PatchPool& pool,
                     const PatchNumbers& numbers) const;
  void split(int place, const PatchKin& kin, const BodyMotion& motion, const PatchPool& pool,
             const PatchNumbers& numbers) const;
  int respond(const ResponseInput& input, int begin, int end, std::vector<PatchResponse>& responses,
              const ConsumeResponse& consume) const;

  double calc_grip(int point, const Patch& patch, const BodyMotion& motion, double time) const;

  double calc_elastic_energy(int place, const PatchResponse& response, const PatchWork&, double time,
                             const PatchPool& pool) const {
    return calc_unbooked_energy(pool.patches[place], response.gap, time);
  }
  double calc_start_energy(int place, const PatchResponse& response, const PatchWork& work, double time,
                           const PatchPool& pool) const {
    return calc_elastic_energy(place, response, work, time, pool);
  }
  double calc_unbooked_energy(const Patch& patch, double gap, double time) const;
  double calc_bristle_energy(int place, const PatchResponse& response, const PatchPool& pool, const double* states,
                             int stride) const;

  bool describe(const Patch& patch, const BodyMotion& motion, const PatchResponse& response, PatchShape& shape) const;
  void describe_peak(const Patch& patch, const PatchShape& shape, PatchPeak& peak) const;
  std::optional<HertzEllipse> find_hertz_ellipse(const Patch& patch, const BodyMotion& motion,
                                                 const PatchResponse& response, double time) const;

  // The fused step: one pass over the candidates where the general way makes several. See ContactSet.
  void advance_points(int begin_link, int end_link, const BodyMotion& motion, const PointAdvance& advance,
                      PatchPool& pool, std::vector<unsigned char>& waits, PointOutcome& outcome);
  void advance_point(int point, const BodyMotion& motion, const PointAdvance& advance, PatchPool& pool,
                     PointOutcome& outcome);
  void list_points_of_links();
  bool has_points_of_links() const { return !link_begin_.empty(); }
  void add_loads(int link, const Vec3& center_of_mass, Vec3& force, Vec3& torque) const;

 private:
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

  void calc_geometry(int candidate, const BodyMotion& motion, PointContact* out);
  void calc_manifold_geometry(int candidate, const BodyMotion& motion, PointContact* out);
  bool calc_carried_geometry(const Candidate& candidate, const BodyMotion& motion, PointContact* out) const;
  /// Two spheres about their links' centres of mass, most of a pile: inline. False where they are something else.
  bool calc_plain_spheres(const Candidate& candidate, const BodyMotion& motion, PointContact* out) const {
    if (candidate.pair.kind != PointPairKind::kSphereSphere) return false;
    const SphereSite& a = spheres_[candidate.collider_a];
    const SphereSite& b = spheres_[candidate.collider_b];
    if (a.link < 0 || b.link < 0) return false;
    *out = sphere_sphere(motion.p_WCm[a.link], a.radius, motion.p_WCm[b.link], b.radius);
    return true;
  }
  Vec3 calc_center(int collider, const BodyMotion& motion) const;
  /// After the candidates were made anew: manifolds of pairs that were candidates before keep their memory.
  void match_manifolds();
  /// Where the point whose patch has just begun strikes together with others between the same two links, each gets its
  /// share of the mass that they stop.
  void share_impact(int point, double time, const CalcEffectiveMass& effective_mass, PatchPool& pool) const;
  bool has_several_colliders(int link) const { return num_moving_colliders_[link] > 1; }
  template <class Friction>
  void advance_run(int begin, int end, const Friction& friction, const BodyMotion& motion, const PointAdvance& advance,
                   PatchPool& pool, std::vector<unsigned char>& waits, PointOutcome& outcome);
  template <class Friction>
  void advance_patch(int point, const PointContact& geometry, const Friction& friction, const BodyMotion& motion,
                     const PointAdvance& advance, PatchPool& pool, PointOutcome& outcome);

  ContactTable& table_;
  std::vector<SphereSite> spheres_;        ///< one for each collider, of use where it is a sphere
  std::vector<int> num_moving_colliders_;  ///< of each link; fixed ones do not count
  /// Warm starts of closest-point searches, one for each candidate; they change no result beyond rounding.
  std::vector<PointPairMemory> memories_;
  /// Of manifolds: which corner of the overlap is which point. One for each candidate, or empty where there are none.
  std::vector<ManifoldMemory> manifolds_;
  std::vector<std::pair<int, int>> manifold_pairs_;  ///< the colliders of each of these
  // Of scenes that advance all points at once; empty in others.
  std::vector<PointLoad> loads_;
  std::vector<unsigned char> acts_;  ///< whether a point's load counts
  std::vector<int> link_begin_;      ///< of each link in points_of_link_
  std::vector<int> points_of_link_;  ///< 2 point + (the link is b)
};

}  // namespace abut
