#include "summary_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/sim/method_row.hpp"
#include "text.hpp"

namespace abut {

namespace {

constexpr std::size_t kMaxPairsShown = 10;

std::string describe_friction(const FrictionParameters& friction) {
  return std::holds_alternative<NoFriction>(friction) ? "no friction" : std::string(friction_law_name(friction));
}

std::string describe_pair(const PairSummary& pair, std::size_t width) {
  std::string state;
  if (pair.touches == 1 && pair.in_contact && pair.contact_since == 0.0) {
    state = "in contact from the start";
  } else {
    state = format_plural(pair.touches, "touch", "touches");
    if (pair.in_contact) state += fmt::format(", lasting from {:.4g} s", pair.contact_since);
  }
  if (pair.in_contact) state += pair.sticking ? ", sticking" : "";
  return fmt::format("{:<{}}   {}   peak {:.4g} N at {:.4g} s   deepest {}", pair.body_a + "-" + pair.body_b, width,
                     state, pair.peak_force, pair.peak_time, format_length(pair.peak_depth));
}

std::string describe_pairs(const std::vector<PairSummary>& pairs) {
  if (pairs.empty()) return "  contacts   none\n";
  std::string text;
  std::size_t width = 0;
  for (std::size_t i = 0; i < std::min(pairs.size(), kMaxPairsShown); ++i) {
    width = std::max(width, pairs[i].body_a.size() + pairs[i].body_b.size() + 1);
  }
  std::vector<PairSummary> ordered = pairs;
  if (ordered.size() > kMaxPairsShown) {
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& x, const auto& y) { return x.peak_force > y.peak_force; });
    const auto touching = std::count_if(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.in_contact; });
    text += fmt::format("  contacts   {} have touched, {} touch at the end; the {} with the largest forces:\n",
                        format_plural(static_cast<long>(pairs.size()), "pair", "pairs"), format_count(touching),
                        kMaxPairsShown);
    ordered.resize(kMaxPairsShown);
  }
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const bool has_heading = i == 0 && text.empty();
    text += fmt::format("  {:<10} {}\n", has_heading ? "contacts" : "", describe_pair(ordered[i], width));
  }
  return text;
}

constexpr std::size_t kMaxSensorsShown = 10;

/// For each sensor its largest number, and when.
std::string describe_sensors(const std::vector<SensorPeak>& peaks) {
  std::string text;
  std::size_t shown = 0, all = 0;
  for (std::size_t i = 0; i < peaks.size();) {
    std::size_t end = i;
    while (end < peaks.size() && peaks[end].sensor == peaks[i].sensor) ++end;
    if (++all <= kMaxSensorsShown) {
      std::string numbers;
      // Of each quantity the number of largest magnitude; names end in the part: force_x.
      std::map<std::string, const SensorPeak*> largest;
      std::vector<std::string> order;
      for (std::size_t k = i; k < end; ++k) {
        const std::string quantity = peaks[k].channel.substr(0, peaks[k].channel.rfind('_'));
        const auto [place, is_new] = largest.emplace(quantity, &peaks[k]);
        if (is_new) order.push_back(quantity);
        if (std::abs(peaks[k].value) > std::abs(place->second->value)) place->second = &peaks[k];
      }
      for (const std::string& quantity : order) {
        const SensorPeak& peak = *largest.at(quantity);
        if (peak.unit == "1") continue;  // directions
        numbers += fmt::format("{}{} {:.4g} {} at {:.4g} s", numbers.empty() ? "" : ", ", peak.channel, peak.value,
                               peak.unit, peak.time);
      }
      text += fmt::format("  {:<10} {}: {}\n", shown++ == 0 ? "sensors" : "", peaks[i].sensor, numbers);
    }
    i = end;
  }
  if (all > kMaxSensorsShown) text += fmt::format("             and {} more (summary.json)\n", all - kMaxSensorsShown);
  return text;
}

/// "39.24 J at start = 11.02 kinetic + 7.31 gravitational + ... - 1.2 put in by motor".
std::string describe_energy(const RunSummary& summary) {
  const double largest = std::max(summary.energy_turnover, 1e-300);
  std::string sum;
  for (int i = 0; i < kNumEnergies; ++i) {
    const Energy energy = static_cast<Energy>(i);
    const double value = summary.energy[energy];
    const bool is_always_shown = energy == Energy::kinetic || energy == Energy::gravitational;
    if (!is_always_shown && std::abs(value) < 1e-12 * largest) continue;
    std::string name(kEnergyNames[static_cast<std::size_t>(i)]);
    std::replace(name.begin(), name.end(), '_', ' ');
    const bool is_supplied = energy_kind(energy) == EnergyKind::supplied;
    const double shown = is_supplied ? -value : value;
    sum += sum.empty() ? (shown < 0.0 ? "-" : "") : (shown < 0.0 ? " - " : " + ");
    sum += fmt::format("{:.5g} {}", std::abs(shown), name);
  }
  std::string text = fmt::format("  energy     {:.6g} J at start = {}\n", summary.energy_at_start, sum);
  // The worst of the run: an error that comes and goes may have left no trace at the end.
  text += fmt::format("             balance closes to {:.1e} J ({:.0e} of the energy turned over) at worst\n",
                      std::abs(summary.worst_residual), std::abs(summary.worst_residual) / largest);
  return text;
}

/// "ready with 90-100 % of the step left" or "late by 10-100 % of a step".
std::string describe_bin(std::size_t i) {
  const double from = 100.0 * RealtimeReport::bin_start(i), to = 100.0 * RealtimeReport::bin_end(i);
  if (to <= 0.0) return fmt::format("ready with {:.0f}-{:.0f} % of the step left", std::abs(to), -from);
  if (i + 1 == RealtimeReport::kNumBins) return fmt::format("late by more than {:.0f} steps", from / 100.0);
  if (from >= 100.0) return fmt::format("late by {:.0f}-{:.0f} steps", from / 100.0, to / 100.0);
  return fmt::format("late by {:.0f}-{:.0f} % of a step", from, to);
}

std::string describe_realtime(const RealtimeReport& report) {
  const double share =
      100.0 * static_cast<double>(report.num_late) / static_cast<double>(std::max(1L, report.num_steps));
  std::string text =
      fmt::format("  real time  {} steps of {:g} ms: ", format_count(report.num_steps), 1e3 * report.step);
  text += report.num_late == 0
              ? "none late"
              : fmt::format("{} late ({:.3g} %), the worst by {:.3g} ms at {:.4g} s", format_count(report.num_late),
                            share, 1e3 * report.worst_lateness, report.worst_time);
  text += fmt::format("; load {:.3g} %, at worst {:.3g} %\n", 100.0 * report.mean_load, 100.0 * report.worst_load);
  for (std::size_t i = 0; i < RealtimeReport::kNumBins; ++i) {
    if (report.counts[i] > 0)
      text += fmt::format("             {:>9} {}\n", format_count(report.counts[i]), describe_bin(i));
  }
  if (report.mean_load > 1.0) {
    text += "             a step takes longer than it lasts: use longer steps, fewer samples, or a simpler scene\n";
  } else if (report.num_late > 0 && report.mean_load < 0.5) {
    text += fmt::format("             other work on this machine held the steps up{}\n",
                        report.has_priority ? "" : "; the system refused real-time priority (ulimit -r)");
  }
  return text;
}

/// The law of the only rule, or what the method has in its place.
std::string_view name_normal(const Model& model) {
  if (model.uses_normal_laws()) return normal_law_name(model.rules[0].normal.law);
  return find_law_use(model.scene) == LawUse::coefficients ? "hard" : "layer";
}

}  // namespace

std::string describe_model(const std::string& name, const Model& model) {
  std::string contacts = "no contact";
  if (model.rules.size() == 1) {
    contacts = fmt::format("1 contact rule ({}, {}, {})", model.rules[0].traits().name, name_normal(model),
                           describe_friction(model.rules[0].friction));
  } else if (!model.rules.empty()) {
    std::vector<std::string> regions;
    for (const RegionTraits& region : kRegions) {
      const bool is_used = std::any_of(model.rules.begin(), model.rules.end(),
                                       [&](const ContactRule& rule) { return rule.kind() == region.kind; });
      if (is_used) regions.emplace_back(region.name);
    }
    contacts = fmt::format("{} contact rules ({})", model.rules.size(), fmt::join(regions, " and "));
  }
  return fmt::format("{} \u00b7 {} \u00b7 {} \u00b7 {}", name,
                     format_plural(static_cast<long>(model.scene.body.size()), "body", "bodies"), contacts,
                     method_row(model.scene.run.method).describe(model.scene));
}

std::string describe_summary(const RunSummary& summary, const Model& model) {
  std::string text =
      fmt::format("{:.6g} s simulated in {:.3g} s ({} real time)\n\n", summary.time_reached, summary.wall_time,
                  format_factor(summary.time_reached / std::max(summary.wall_time, 1e-9)));
  text += describe_pairs(summary.pairs);
  text += describe_sensors(summary.sensors);
  text += describe_energy(summary);
  text += fmt::format("  steps      {} accepted", format_count(summary.work.accepted));
  if (!has_fixed_step(model.scene.run.method)) {
    text += fmt::format(", {} rejected, {}", format_count(summary.work.rejected),
                        format_plural(summary.work.events, "event", "events"));
  }
  text += fmt::format("; {} evaluations\n", format_count(summary.work.rate_evaluations));
  if (summary.realtime) text += describe_realtime(*summary.realtime);
  for (std::size_t i = 0; i < summary.notes.size(); ++i)
    text += fmt::format("  {:<10} {}\n", i == 0 ? "notes" : "", summary.notes[i]);
  return text;
}

}  // namespace abut
