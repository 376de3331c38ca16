#include "abut/sim/long_wait.hpp"

#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "abut/sim/combination.hpp"
#include "abut/sim/method_row.hpp"
#include "abut/sim/region_row.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

/// Steps shorter than this part of every time constant have another reason.
constexpr double kExplained = 1e-4;

}  // namespace

bool takes_all(const Model& model, int rule, ContactRegion region, ContactMethod method) {
  const auto make_side = [](const Collider& collider) {
    const auto* mesh = std::get_if<Mesh>(&collider.shape);
    return CombinationSide{collider.shape, mesh == nullptr || mesh->solid != nullptr};
  };
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Collider &a = model.colliders[i], &b = model.colliders[j];
      if (a.link == b.link || (a.is_static && b.is_static)) continue;
      const int own = model.find_rule(a.link, b.link).rule;
      if (own < 0) continue;
      const ContactRegion wanted = rule < 0 || own == rule ? region : region_of(model.rules[own]);
      if (!find_obstacle(wanted, method).empty()) return false;
      if (!find_obstacle(make_side(a), make_side(b), wanted, method).empty()) return false;
    }
  }
  return true;
}

std::string suggest_faster(const Model& model, int rule) {
  const ContactRegion own = region_of(model.rules[rule]);
  for (const bool for_all : {true, false}) {
    for (const MethodRow* row : method_rows()) {
      if (!row->way_out || row->way_out->for_all != for_all) continue;
      const ContactRegion region = row->way_out->region;
      if (!takes_all(model, for_all ? -1 : rule, region, row->kind)) continue;
      const std::string method = fmt::format("method = \"{}\"", enum_name(row->kind));
      return own == region ? method : fmt::format("region = \"{}\" with {}", enum_name(region), method);
    }
  }
  return "method = \"explicit\" with the step that abut check gives";
}

std::string describe_long_wait(const Model& model, const State& state, const std::vector<PatchResponse>& responses,
                               const RunBook& book, double wait, double step) {
  const std::string length = std::isfinite(wait) ? fmt::format("will take about {:.2g} h more", wait / 3600.0)
                                                 : std::string("makes no headway");
  double shortest = std::numeric_limits<double>::infinity();
  std::map<int, std::string> faster;  // by rule: pairs are many
  std::string reason = "no contact is active: what moves fast in free motion limits them";
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const Patch& patch = state.pool.patches[state.pool.active[i]];
    const double spring = calc_time_constant(patch, -responses[i].gap);
    const FrictionPace pace =
        calc_friction_pace(model.rules[patch.rule].friction, responses[i].normal_force, patch.effective_mass);
    const double friction = pace.time;
    if (!(std::min(spring, friction) < shortest)) continue;
    shortest = std::min(spring, friction);
    const auto [known, is_new] = faster.try_emplace(patch.rule);
    if (is_new) known->second = suggest_faster(model, patch.rule);
    const std::string name = book.describe_patch(patch), &other = known->second;
    if (step < kExplained * shortest) {
      // Error control shrinks its steps without end only where a force jumps.
      reason =
          fmt::format("its springs and friction follow in {:.2g} s: the force of {} jumps where it is now; {} would do",
                      shortest, name, other);
      continue;
    }
    reason = spring <= friction
                 ? fmt::format("the spring of {} ({:.2g} s) limits them; a lower stiffness or {} would do", name,
                               spring, other)
                 : fmt::format("the friction of {} ({:.2g} s) limits them; {} or {} would do", name, friction,
                               pace.remedy, other);
  }
  return fmt::format("the run {}: steps are {:.2g} s long, and {}", length, step, reason);
}

}  // namespace abut
