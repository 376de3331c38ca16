#include "abut/geometry/point_pair.hpp"
#include "abut/sim/assumptions.hpp"
#include "abut/sim/method_row.hpp"
#include "abut/sim/region_row.hpp"

namespace abut {

namespace {

std::string find_point_obstacle(const CombinationSide& a, const CombinationSide& b, ContactMethod method) {
  if (!a.has_inside || !b.has_inside) return describe_missing_inside();
  if (const auto find_own = method_row(method).find_point_obstacle) return find_own(a.shape, b.shape);
  return find_point_pair(a.shape, b.shape) ? std::string() : describe_missing_point_pair(a.shape, b.shape);
}

void judge_points(const PairSummary& pair, const ContactRule* rule, double, std::vector<std::string>& notes) {
  take_note(judge_patch(pair.patch.short_axis, pair.patch.long_axis, pair.patch.ratio, pair.patch.conforms), notes);
  if (rule != nullptr) take_note(judge_pressure(*rule, pair.patch.peak_pressure, true), notes);
}

}  // namespace

const RegionRow kPointRow = {
    .kind = RegionKind::point,
    .count_trial_steps = [](bool) { return 400'000.0; },
    .make_rule = [](const ContactDefaultSpec&) { return RegionRule(PointRule{}); },
    .resolve_normal = [](const NormalSpec& spec, const ContactDefaultSpec&) { return resolve_normal(spec); },
    .find_pair_obstacle = find_point_obstacle,
    .judge_pair = judge_points,
};

}  // namespace abut
