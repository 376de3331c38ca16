#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "audit/audit.hpp"
#include "text.hpp"

namespace abut {

namespace {

std::string name_of(const PairAudit& pair) { return pair.body_a + "-" + pair.body_b; }

constexpr std::size_t kMostPairsShown = 10, kMostFindingsShown = 20;

std::string number(double value, const char* unit) {
  return std::isfinite(value) ? fmt::format("{:.4g}{}", value, unit) : "-";
}

std::string list_impacts(const PairAudit& pair) {
  if (pair.impacts.empty()) return {};
  std::string text = fmt::format("    {:>10} {:>12} {:>11} {:>8} {:>8} {:>11} {:>11} {:>12}\n", "blow at", "speed",
                                 "restitution", "law", "asked", "depth", "law", "energy");
  for (const ImpactAudit& impact : pair.impacts) {
    text += fmt::format("    {:>8.5g} s {:>8.4g} m/s {:>11} {:>8} {:>8.3f} {:>11} {:>11} {:>10.3g} J{}\n", impact.time,
                        impact.speed,
                        std::isfinite(impact.restitution) ? fmt::format("{:.3f}", impact.restitution) : "stays",
                        !impact.has_law                         ? "-"
                        : std::isfinite(impact.law_restitution) ? fmt::format("{:.3f}", impact.law_restitution)
                                                                : "stays",
                        impact.asked, impact.is_resolved ? format_length(impact.depth) : "-",
                        impact.has_law ? format_length(impact.law_depth) : "-", impact.energy_change,
                        !impact.is_one_blow  ? "  (not one blow)"
                        : impact.is_resolved ? ""
                                             : "  (between samples)");
  }
  if (pair.impacts_left_out > 0)
    text += fmt::format("    {} slower, or not alone on their bodies, left out\n",
                        format_plural(pair.impacts_left_out, "other blow", "other blows"));
  return text;
}

std::string describe_force(const char* what, const ForceAudit& force) {
  if (force.count == 0) return {};
  return fmt::format(
      "  {:<11} normal {:.5g} N in the mean, the law along the same motion {:.5g} N: {:.4f} times; apart by "
      "{:.3g} N (r.m.s., {} values)\n",
      what, force.host, force.law, force.ratio(), force.difference, format_count(force.count));
}

std::string describe_pair(const PairAudit& pair) {
  std::string text = fmt::format("{}   {}, {} in contact, deepest {} at {:.5g} s\n", name_of(pair),
                                 format_plural(pair.touches, "touch", "touches"), format_duration(pair.time_in_contact),
                                 format_length(pair.deepest), pair.deepest_time);
  if (pair.share_attributed > 0.0) {
    text += fmt::format("  energy      {:.4g} J taken and not given back, {:.3g} J made", pair.energy_lost,
                        pair.energy_made);
    if (pair.share_attributed < 0.9995)
      text +=
          fmt::format(" (in the {:.0f} % of the time in which nothing else touches)", 100.0 * pair.share_attributed);
    text += "\n";
    if (pair.resolved > 0)
      text += fmt::format(
          "              of it {:.4g} J for good in {} that samples resolve; the law dissipates {:.4g} J along "
          "the same motion\n",
          pair.resolved_lost, format_plural(pair.resolved, "touch", "touches"), pair.law_lost);
  } else {
    text += "  energy      not known: other contacts or drives act on these bodies all the time\n";
  }
  if (!pair.is_comparable) text += "  held over steps: its figures are shown, and not judged against the law\n";
  text += list_impacts(pair);
  text += describe_force("forces", pair.given);
  text += describe_force("by motion", pair.inferred);
  if (pair.given_against_motion.count > 0)
    text += fmt::format("  given       forces of the file are {:.4f} times those that move the bodies\n",
                        pair.given_against_motion.ratio());
  if (pair.rest)
    text += fmt::format("  at rest     {} deep under {:.5g} N; the law carries them at {}\n",
                        format_length(pair.rest->depth), pair.rest->load,
                        pair.rest->law_depth ? format_length(*pair.rest->law_depth) : "no depth");
  if (pair.law_friction > 0.0 && pair.time_sliding > 0.0)
    text += fmt::format("  sliding     {} with tangential over normal force {:.4f}; the scene has {:.4g}\n",
                        format_duration(pair.time_sliding), pair.friction, pair.law_friction);
  if (pair.law_friction > 0.0 && pair.creep.time > 0.0)
    text += fmt::format("  creep       {} in {} where friction is not used up: {:.3g} m/s; the law yields {}\n",
                        format_length(pair.creep.distance), format_duration(pair.creep.time),
                        pair.creep.distance / pair.creep.time, format_length(pair.creep.allowed));
  if (pair.law_friction > 0.0 && !pair.has_creep) text += "  creep       not known: no forces to judge friction by\n";
  return text;
}

}  // namespace

std::vector<const PairAudit*> order_pairs(const Audit& audit) {
  std::vector<const PairAudit*> order;
  for (const PairAudit& pair : audit.pairs) order.push_back(&pair);
  std::stable_sort(order.begin(), order.end(), [](const PairAudit* x, const PairAudit* y) {
    return std::abs(x->energy_lost) > std::abs(y->energy_lost);
  });
  return order;
}

std::string audit_to_text(const Audit& audit) {
  std::string text = fmt::format("{} \u00b7 {} samples, {:.5g} s to {:.5g} s, every {}\n\n", audit.name,
                                 format_count(static_cast<long>(audit.samples)), audit.start, audit.end,
                                 format_duration(audit.interval));
  if (audit.findings.empty()) {
    text += "nothing found: what can be judged is as the laws of the scene have it\n";
  }
  const std::size_t num_shown = std::min(audit.findings.size(), kMostFindingsShown);
  for (std::size_t i = 0; i < num_shown; ++i) text += fmt::format("! {}\n", audit.findings[i]);
  if (num_shown < audit.findings.size())
    text += fmt::format("! and {} more, in --json and --html\n", audit.findings.size() - num_shown);
  text += fmt::format("\nenergy        {} J at the start, {} J at the end (kinetic and gravitational)\n",
                      number(audit.energy_start, ""), number(audit.energy_end, ""));
  text += fmt::format("  in flight   {:.3g} J made, {:.3g} J lost\n", audit.made_in_flight, audit.lost_in_flight);
  if (audit.time_apart > 0.0)
    text += fmt::format(
        "  pushed      {:.4g} J taken, {:.3g} J made where bodies are pushed though nothing overlaps, {} in all\n",
        audit.lost_apart, audit.made_apart, format_duration(audit.time_apart));
  if (audit.lost_together != 0.0 || audit.made_together != 0.0)
    text += fmt::format("  together    {:.4g} J taken, {:.3g} J made while several contacts act on one body\n",
                        audit.lost_together, audit.made_together);
  const std::vector<const PairAudit*> pairs = order_pairs(audit);
  for (std::size_t i = 0; i < std::min(pairs.size(), kMostPairsShown); ++i)
    text += fmt::format("\n{}", describe_pair(*pairs[i]));
  if (pairs.size() > kMostPairsShown)
    text += fmt::format("\n{} that took less energy: --json has them all\n",
                        format_plural(static_cast<long>(pairs.size() - kMostPairsShown), "other pair", "other pairs"));
  if (audit.pairs.empty()) text += "\nno two bodies touch\n";
  for (const std::string& note : audit.notes) text += fmt::format("\nnote: {}", note);
  if (!audit.notes.empty()) text += "\n";
  return text;
}

}  // namespace abut
