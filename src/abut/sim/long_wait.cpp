#include "abut/sim/long_wait.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "abut/sim/runs.hpp"

namespace abut {

namespace {

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
    const std::string name = book.describe_patch(patch);
    reason =
        spring <= friction
            ? fmt::format("the spring of {} ({:.2g} s) limits them; a lower stiffness or method = \"lcp\" would do",
                          name, spring)
            : fmt::format("the friction of {} ({:.2g} s) limits them; {} or method = \"lcp\" would do", name, friction,
                          std::holds_alternative<CoulombParameters>(model.rules[patch.rule].friction)
                              ? "a larger v_eps"
                              : "a smaller sigma_1");
  }
  return fmt::format("the run {}: steps are {:.2g} s long, and {}", length, step, reason);
}

}  // namespace abut
