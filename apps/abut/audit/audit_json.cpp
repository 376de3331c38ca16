#include <cmath>

#include <nlohmann/json.hpp>

#include "audit/audit.hpp"

namespace abut {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json force_to_json(const ForceAudit& force) {
  if (force.count == 0) return {};
  return {{"values", force.count},
          {"mean [N]", force.host},
          {"law [N]", force.law},
          {"ratio", force.ratio()},
          {"rms difference [N]", force.difference}};
}

Json impact_to_json(const ImpactAudit& impact) {
  Json json{{"time [s]", impact.time},
            {"speed [m/s]", impact.speed},
            {"restitution", number(impact.restitution)},
            {"asked", impact.asked},
            {"energy change [J]", impact.energy_change},
            {"one blow", impact.is_one_blow},
            {"resolved", impact.is_resolved}};
  if (impact.is_resolved) json["depth [m]"] = impact.depth;
  if (impact.has_law)
    json["law"] = {{"restitution", number(impact.law_restitution)},
                   {"depth [m]", impact.law_depth},
                   {"peak force [N]", impact.law_force},
                   {"duration [s]", impact.law_duration}};
  return json;
}

Json pair_to_json(const PairAudit& pair) {
  Json impacts = Json::array();
  for (const ImpactAudit& impact : pair.impacts) impacts.push_back(impact_to_json(impact));
  Json json{{"body_a", pair.body_a},
            {"body_b", pair.body_b},
            {"comparable", pair.is_comparable},
            {"touches", pair.touches},
            {"time in contact [s]", pair.time_in_contact},
            {"deepest [m]", pair.deepest},
            {"deepest at [s]", pair.deepest_time},
            {"share attributed", pair.share_attributed},
            {"energy lost [J]", pair.energy_lost},
            {"energy made [J]", pair.energy_made},
            {"touches resolved", pair.resolved},
            {"energy lost in these [J]", pair.resolved_lost},
            {"law dissipates in these [J]", pair.law_lost},
            {"impacts", impacts},
            {"impacts left out", pair.impacts_left_out},
            {"forces given", force_to_json(pair.given)},
            {"forces by motion", force_to_json(pair.inferred)},
            {"given over motion", force_to_json(pair.given_against_motion)}};
  json["rest"] = pair.rest ? Json{{"depth [m]", pair.rest->depth},
                                  {"load [N]", pair.rest->load},
                                  {"law depth [m]", pair.rest->law_depth ? Json(*pair.rest->law_depth) : Json()}}
                           : Json();
  json["sliding"] = {{"time [s]", pair.time_sliding}, {"friction", pair.friction}, {"law", pair.law_friction}};
  json["creep"] = pair.has_creep ? Json{{"time [s]", pair.creep.time},
                                        {"distance [m]", pair.creep.distance},
                                        {"bristles yield [m]", pair.creep.allowed}}
                                 : Json();
  return json;
}

}  // namespace

std::string audit_to_json(const Audit& audit, const std::string& version) {
  Json pairs = Json::array();
  for (const PairAudit& pair : audit.pairs) pairs.push_back(pair_to_json(pair));
  const Json json{{"name", audit.name},
                  {"abut", version},
                  {"samples", audit.samples},
                  {"start [s]", audit.start},
                  {"end [s]", audit.end},
                  {"findings", audit.findings},
                  {"notes", audit.notes},
                  {"energy",
                   {{"start [J]", audit.energy_start},
                    {"end [J]", audit.energy_end},
                    {"turnover [J]", audit.turnover},
                    {"made in flight [J]", audit.made_in_flight},
                    {"lost in flight [J]", audit.lost_in_flight},
                    {"time pushed apart [s]", audit.time_apart},
                    {"impulse apart [N s]", audit.impulse_apart},
                    {"made apart [J]", audit.made_apart},
                    {"lost apart [J]", audit.lost_apart},
                    {"made together [J]", audit.made_together},
                    {"lost together [J]", audit.lost_together},
                    {"error of velocities [J]", audit.energy_error}}},
                  {"pairs", pairs}};
  return json.dump(2) + "\n";
}

}  // namespace abut
