#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "abut/contact/region/region_class.hpp"

namespace abut {

class PerimeterSite;

/// Contact along the curve in which the surfaces of two bodies cross, with forces that are found once a step and held
/// until the next; what a region is asked for stands in region_class.hpp.   [docs/theory/perimeter.md]
class PerimeterRegion : public RegionDefaults {
 public:
  static constexpr RegionKind kKind = RegionKind::perimeter;
  using Rule = PerimeterRule;

  explicit PerimeterRegion(ContactTable& table);
  ~PerimeterRegion();

  static std::optional<Candidate> propose(const std::vector<Collider>&, const ContactRule&, const RuleMatch& match,
                                          int collider_a, int collider_b) {
    return Candidate{collider_a, collider_b, match.rule, {}, kKind};
  }
  static bool has_several_points(const std::vector<Collider>&, const ContactRule&, const PatchKey&) { return false; }

  void make_room();

  void detect(int candidate, const BodyMotion& motion, const PatchPool&, Gaps);
  double calc_approach_rate(int point, const BodyMotion& motion) const { return -table_.calc_gap_rate(point, motion); }

  /// Its memory begins with nothing whenever it is found.
  double calc_hidden_measure(int) const { return 0.0; }
  void begin(int point, const BodyMotion& motion, Patch& patch);
  void take_place(int place, PatchPool& pool) const;
  double end(int place, const PatchPool& pool, PatchWork& work) const;

  void begin_step(const BodyMotion& motion, double time, const double* works, PatchPool& pool);
  int respond(const ResponseInput& input, int begin, int end, std::vector<PatchResponse>& responses,
              const ConsumeResponse& consume) const;

  double calc_elastic_energy(int place, const PatchResponse& response, const PatchWork& work, double time,
                             const PatchPool& pool) const;
  /// The forces of the first step are not known yet: by its law of depth.
  double calc_start_energy(int place, const PatchResponse& response, const PatchWork& work, double time,
                           const PatchPool& pool) const;
  double calc_bristle_energy(int place, const PatchResponse& response, const PatchPool& pool, const double* states,
                             int stride) const;

  void list_curve(int point, std::vector<std::array<Vec3, 2>>& out) const;

 private:
  ContactTable& table_;
  std::vector<std::unique_ptr<PerimeterSite>> sites_;
};

}  // namespace abut
