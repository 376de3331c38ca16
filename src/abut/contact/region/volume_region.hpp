#pragma once

#include <optional>
#include <vector>

#include "abut/contact/region/region_class.hpp"
#include "abut/contact/region/volume_contact.hpp"
#include "abut/contact/region/volume_site.hpp"

namespace abut {

/// Contact over the volumes that two bodies share, each connected piece a patch that may break up and be joined to
/// others; what a region is asked for stands in region_class.hpp.   [docs/theory/volume.md]
class VolumeRegion : public RegionDefaults {
 public:
  static constexpr RegionKind kKind = RegionKind::volume;
  using Rule = VolumeRule;

  explicit VolumeRegion(ContactTable& table) : table_(table) {}

  static std::optional<Candidate> propose(const std::vector<Collider>& colliders, const ContactRule& rule,
                                          const RuleMatch& match, int collider_a, int collider_b);
  static bool has_several_points(const std::vector<Collider>& colliders, const ContactRule& rule, const PatchKey& key);

  void make_room();
  void remember(ContactMemory& memory) const;
  void recall(const ContactMemory& memory);
  template <class Archive>
  void visit(Archive& archive) {
    for (VolumeSite& site : sites_) archive(site);
  }

  void detect(int candidate, const BodyMotion& motion, const PatchPool& pool, Gaps gaps);
  /// Of a depth field its own, otherwise that of the gap.
  double calc_approach_rate(int point, const BodyMotion& motion) const;

  double calc_hidden_measure(int point) const;
  void begin(int point, const BodyMotion& motion, Patch& patch);
  void inherit(int point, const Patch& kin, double share, Patch& patch) const;
  /// When a piece begins its own patch, the one it breaks off from takes note of where it is now, without it.
  PatchKin find_kin(int point, const BodyMotion& motion, PatchPool& pool) const;
  void follow_begin(int point, double time, const PatchKin& kin, const CalcEffectiveMass& effective_mass,
                    PatchPool& pool) const;
  void begin_numbers(int point, int place, const BodyMotion& motion, double time, const PatchPool& pool,
                     const PatchNumbers& numbers) const;
  void split(int place, const PatchKin& kin, const BodyMotion& motion, const PatchPool& pool,
             const PatchNumbers& numbers) const;
  void merge(const Patch& patch, int place, int heir, const BodyMotion& motion, PatchPool& pool,
             const PatchNumbers& numbers) const;

  /// Patches take note of their normal and their place, by which they know themselves and their axis again; springs
  /// without a potential give back no more than they hold.
  void note_step(const BodyMotion& motion, const double* works, PatchPool& pool) const;
  int respond(const ResponseInput& input, int begin, int end, std::vector<PatchResponse>& responses,
              const ConsumeResponse& consume) const;

  bool grips_surely(int point, const Patch& patch, const BodyMotion& motion, double time, const PatchPool& pool);
  bool presses(int point, const Patch& patch, const PatchResponse& response) const;
  double calc_grip(int point, const Patch& patch, const BodyMotion& motion, double time) const;

  double calc_elastic_energy(int, const PatchResponse& response, const PatchWork& work, double,
                             const PatchPool&) const {
    return response.stored + work.elastic;  // with a potential the one, without the other
  }
  double calc_start_energy(int place, const PatchResponse& response, const PatchWork& work, double time,
                           const PatchPool& pool) const {
    return calc_elastic_energy(place, response, work, time, pool);
  }
  double calc_bristle_energy(int place, const PatchResponse& response, const PatchPool& pool, const double* states,
                             int stride) const;
  double calc_overdraft(const PatchWork& work) const { return std::max(0.0, -work.elastic); }

  bool describe(const Patch& patch, const BodyMotion& motion, const PatchResponse& response, PatchShape& shape) const;
  void describe_peak(const Patch& patch, const PatchShape& shape, PatchPeak& peak) const;
  std::optional<PatchOverlap> find_overlap(int point) const;

 private:
  const VolumeContact& volume_at(int point) const {
    const Candidate& candidate = table_.candidates.candidate_of_point(point);
    return volumes_[candidate.first_own_point + point - candidate.first_point];
  }
  const VolumeSite& site_at(int point) const { return sites_[table_.candidates.candidate_of_point(point).site]; }
  void note_patch(int point, const BodyMotion& motion, Patch& patch) const;
  double calc_last_radius(const Patch& patch, const BodyMotion& motion) const;

  ContactTable& table_;
  std::vector<VolumeSite> sites_;
  std::vector<VolumeContact> volumes_;
};

}  // namespace abut
