#include "abut/sim/weak_damping.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "abut/contact/law/normal_law.hpp"

namespace abut {

namespace {

/// Below this ratio of damping to critical damping a body keeps a sixth of its swing after ten periods [1].
constexpr double kRings = 0.03;
/// So many periods after the touch what the touch has set off has come to rest under the law [1].
constexpr double kPeriods = 10.0;
/// Speed worth a word, in parts of that of a body set down on the spring, g / omega [1].
constexpr double kNoticeable = 0.1;
/// Ratio at which a body that is set down has come to rest within a period or two [1].
constexpr double kWellDamped = 0.3;
constexpr std::size_t kMostNotes = 3;

}  // namespace

/// Whether the law would damp stronger than the step allows, at a speed that matters [m/s].
bool WeakDamping::is_weakened(const Patch& patch, double load, double speed, double damping) const {
  const NormalLawParameters& law = model_.rules[patch.rule].normal;
  const NormalCoefficients c = make_normal_coefficients(law, law.stiffness.value(), speed, patch.effective_mass);
  return c.damping / c.stiffness * load > damping;
}

void WeakDamping::note(const Patch& patch, const PerimeterHold& hold, double time) {
  const double gravity = model_.scene.gravity.norm(), load = hold.elastic.force.norm();
  if (!(gravity > 0.0) || !(load > 0.0) || !(hold.time_constant > 0.0)) return;
  const double stiffness = patch.effective_mass / (hold.time_constant * hold.time_constant);
  // A contact that lasts carries what weighs on it.
  const double mass = load / gravity, omega = std::sqrt(stiffness / mass);
  const double damping = kFollowedDamping * patch.effective_mass / step_;
  const double ratio = damping / (2.0 * std::sqrt(stiffness * mass));
  if (ratio >= kRings || omega * (time - patch.touch_time) < 2.0 * std::numbers::pi * kPeriods) return;
  const double speed = std::abs(hold.elastic_power) / load;
  if (speed < kNoticeable * gravity / omega || !is_weakened(patch, load, speed, damping)) return;
  const auto [known, is_new] = worst_.try_emplace(book_.describe_patch(patch), Ring{ratio, speed});
  if (!is_new && ratio < known->second.ratio) known->second = {ratio, speed};
}

void WeakDamping::tell(std::vector<std::string>& notes) const {
  std::size_t count = 0;
  for (const auto& [name, ring] : worst_) {
    if (++count > kMostNotes) return;
    notes.push_back(fmt::format(
        "{}: rings on, with {:.2g} m/s long after its touch, and friction holds less meanwhile: where a light body "
        "carries a heavy one a step of {:.3g} s follows {:.2g} % of critical damping. step <= {:.1g} damps it",
        name, ring.speed, step_, 100.0 * ring.ratio, step_ * ring.ratio / kWellDamped));
  }
}

}  // namespace abut
