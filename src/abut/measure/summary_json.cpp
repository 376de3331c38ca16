#include "abut/measure/summary_json.hpp"

#include <nlohmann/json.hpp>

namespace abut {

namespace {

using Json = nlohmann::ordered_json;

const char* status_name(RunStatus status) {
  switch (status) {
    case RunStatus::done:
      return "done";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::failed:
      return "failed";
  }
  return "?";
}

Json pair_to_json(const PairSummary& pair) {
  return {{"body_a", pair.body_a},
          {"body_b", pair.body_b},
          {"rule", pair.rule},
          {"touches", pair.touches},
          {"in_contact", pair.in_contact},
          {"contact_since", pair.in_contact ? Json(pair.contact_since) : Json()},
          {"sticking", pair.sticking},
          {"peak_force", pair.peak_force},
          {"peak_time", pair.peak_time},
          {"peak_depth", pair.peak_depth},
          {"peak_duration", pair.peak_duration},
          {"flatness", pair.flatness},
          {"patch_ratio", pair.patch.ratio},
          {"patch_half_axes", {pair.patch.short_axis, pair.patch.long_axis}},
          {"mean_pressure", pair.patch.mean_pressure},
          {"peak_pressure", pair.patch.peak_pressure},
          {"damping", pair.damping},
          {"friction", pair.friction},
          {"viscous_friction", pair.viscous}};
}

Json realtime_to_json(const RealtimeReport& report) {
  Json histogram = Json::array();
  for (std::size_t i = 0; i < RealtimeReport::kNumBins; ++i) {
    const double end = RealtimeReport::bin_end(i);
    histogram.push_back({{"from", report.step * RealtimeReport::bin_start(i)},
                         {"to", i + 1 < RealtimeReport::kNumBins ? Json(report.step * end) : Json()},
                         {"steps", report.counts[i]}});
  }
  return {{"step", report.step},
          {"steps", report.num_steps},
          {"late", report.num_late},
          {"worst_lateness", report.worst_lateness},
          {"worst_time", report.worst_time},
          {"mean_load", report.mean_load},
          {"worst_load", report.worst_load},
          {"has_priority", report.has_priority},
          {"ready_after_due", histogram}};
}

}  // namespace

std::string summary_to_json(const RunSummary& summary, const Model& model, const std::string& name,
                            const std::string& version) {
  Json energy;
  for (int i = 0; i < kNumEnergies; ++i)
    energy[std::string(kEnergyNames[static_cast<std::size_t>(i)])] = summary.energy.values[static_cast<std::size_t>(i)];
  Json pairs = Json::array();
  for (const PairSummary& pair : summary.pairs) pairs.push_back(pair_to_json(pair));
  Json json = {
      {"name", name},
      {"title", model.scene.title},
      {"version", version},
      {"status", status_name(summary.status)},
      {"message", summary.message},
      {"advice", summary.advice},
      {"method", enum_name(model.scene.run.method)},
      {"time_reached", summary.time_reached},
      {"duration", model.scene.run.duration},
      {"wall_time", summary.wall_time},
      {"bodies", model.scene.body.size()},
      {"steps",
       {{"accepted", summary.work.accepted},
        {"rejected", summary.work.rejected},
        {"events", summary.work.events},
        {"rate_evaluations", summary.work.rate_evaluations},
        {"jacobians", summary.work.jacobians},
        {"contact_evaluations", summary.work.contact_evaluations}}},
      {"energy_at_start", summary.energy_at_start},
      {"energy", energy},
      {"energy_residual", summary.residual},
      {"energy_worst_residual", summary.worst_residual},
      {"energy_turnover", summary.energy_turnover},
      {"volume_energy_made", summary.volume_made},
      {"contacts", pairs},
      {"notes", summary.notes},
  };
  for (const SensorPeak& peak : summary.sensors) {
    json["sensors"].push_back({{"sensor", peak.sensor},
                               {"channel", peak.channel},
                               {"unit", peak.unit},
                               {"peak", peak.value},
                               {"peak_time", peak.time}});
  }
  if (summary.realtime) json["realtime"] = realtime_to_json(*summary.realtime);
  return json.dump(2) + "\n";
}

}  // namespace abut
