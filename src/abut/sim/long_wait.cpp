#include "abut/sim/long_wait.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "abut/sim/combination.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

/// Steps shorter than this part of every time constant have another reason.
constexpr double kExplained = 1e-4;

/// Time in which the friction of a sliding or sticking patch follows a change of speed [s].
double calc_friction_time(const FrictionParameters& friction, const Patch& patch, double normal_force) {
  if (const auto* coulomb = std::get_if<CoulombParameters>(&friction)) {
    return coulomb->v_eps * patch.effective_mass / (coulomb->mu_s * normal_force);
  }
  if (const auto* bristle = std::get_if<BristleParameters>(&friction)) {
    return patch.effective_mass / (bristle->sigma_1 * normal_force);
  }
  return std::numeric_limits<double>::infinity();
}

/// What would take a contact in less time, as far as its shapes allow it.
std::string suggest_other(const Model& model, const Patch& patch) {
  const Collider &a = model.colliders[patch.key.collider_a], &b = model.colliders[patch.key.collider_b];
  const auto make_side = [](const Collider& collider) {
    const auto* mesh = std::get_if<Mesh>(&collider.shape);
    return CombinationSide{collider.shape, mesh == nullptr || mesh->solid != nullptr};
  };
  const CombinationSide side_a = make_side(a), side_b = make_side(b);
  const auto is_possible = [&](ContactRegion region, ContactMethod method) {
    return find_obstacle(region, method).empty() && find_obstacle(side_a, side_b, region, method).empty();
  };
  if (is_possible(ContactRegion::point, ContactMethod::lcp))
    return patch.is_volume ? "region = \"point\" with method = \"lcp\"" : "method = \"lcp\"";
  if (is_possible(ContactRegion::perimeter, ContactMethod::explicit_))
    return "region = \"perimeter\" with method = \"explicit\"";
  return "method = \"explicit\" with the step that abut check gives";
}

}  // namespace

std::string describe_long_wait(const Model& model, const State& state, const std::vector<PatchResponse>& responses,
                               const RunBook& book, double wait, double step) {
  const std::string length = std::isfinite(wait) ? fmt::format("will take about {:.2g} h more", wait / 3600.0)
                                                 : std::string("makes no headway");
  double shortest = std::numeric_limits<double>::infinity();
  std::string reason = "no contact is active: what moves fast in free motion limits them";
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const Patch& patch = state.pool.patches[state.pool.active[i]];
    const double spring = calc_time_constant(patch, -responses[i].gap);
    const double friction = calc_friction_time(model.rules[patch.rule].friction, patch, responses[i].normal_force);
    if (!(std::min(spring, friction) < shortest)) continue;
    shortest = std::min(spring, friction);
    const std::string name = book.describe_patch(patch), other = suggest_other(model, patch);
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
                               std::holds_alternative<CoulombParameters>(model.rules[patch.rule].friction)
                                   ? "a larger v_eps"
                                   : "a smaller sigma_1",
                               other);
  }
  return fmt::format("the run {}: steps are {:.2g} s long, and {}", length, step, reason);
}

}  // namespace abut
