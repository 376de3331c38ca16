#include "abut/sim/rebound_watch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/contact/law/impact.hpp"
#include "abut/contact/region/perimeter_memory.hpp"

namespace abut {

namespace {

constexpr double kNoticeable = 0.05;  ///< of the speed of approach
constexpr double kOverdamped = 30.0;  ///< dimensionless: nothing rebounds
constexpr int kMostSteps = 1000000;

/// Whether an approach is fast enough to rebound at all, and its damper lets it.
bool can_rebound(const NormalCoefficients& law, double v_small, double speed, double mass, const Model& model) {
  const double slow = std::max(v_small, 2.0 * model.scene.run.step.value() * model.scene.gravity.norm());
  return speed > slow && law.damping <= kOverdamped * calc_damping_scale(law, speed, mass);
}

}  // namespace

double calc_stepped_restitution(const NormalCoefficients& law, double mass, double speed, double h) {
  double depth = 0.5 * h * speed, rate = speed;
  for (int k = 0; k < kMostSteps && depth > 0.0; ++k) {
    // As LcpStepper::set_normal_row.
    const double expected = std::max(depth + h * rate, 1e-12);
    const NormalForceGradient slope = calc_normal_force_gradient(law, expected, rate);
    const double stiff = h * h * std::max(slope.by_depth, 1e-300) + h * std::max(slope.by_rate, 0.0);
    const double force = calc_normal_force(law, expected, rate).total;
    const double constant = h * (force + slope.by_depth * (depth - expected) - std::max(slope.by_rate, 0.0) * rate);
    // m (v+ - v) = -x,  x = max(0, constant + stiff v+)
    const double impulse = std::max(0.0, (constant + stiff * rate) / (1.0 + stiff / mass));
    rate -= impulse / mass;
    depth += h * rate;
    if (std::abs(rate) < 1e-9 * speed && impulse < 1e-9 * mass * speed) break;
  }
  return std::max(0.0, -rate / speed);
}

double calc_held_restitution(const NormalCoefficients& law, double mass, double speed, double h) {
  double depth = -0.5 * h * speed, rate = speed;
  for (int k = 0; k < kMostSteps; ++k) {
    const double middle = depth + 0.5 * h * rate;  // as PerimeterSite::calc foresees it
    if (rate < 0.0 && !(middle > 0.0)) break;
    const double elastic = law.stiffness * std::max(0.0, middle);
    // As PerimeterSite::push.
    const double damping = std::min(law.damping / law.stiffness * elastic, kFollowedDamping * mass / h);
    const double force = std::max(0.0, elastic + damping * rate);
    depth += h * rate - 0.5 * h * h * force / mass;
    rate -= h * force / mass;
    if (std::abs(rate) < 1e-9 * speed) break;
  }
  // The guard of energy lets nothing out that was not put in.
  return std::clamp(-rate / speed, 0.0, 1.0);
}

void ReboundWatch::note(const std::string& pair, const Rebound& rebound) {
  if (std::abs(rebound.by_steps - rebound.by_law) < kNoticeable) return;
  Rebound& worst = worst_[pair];
  if (std::abs(rebound.by_steps - rebound.by_law) > std::abs(worst.by_steps - worst.by_law)) worst = rebound;
}

void ReboundWatch::look(const std::string& pair, const Patch& patch, double approach, const Model& model) {
  const double mass = patch.effective_mass, h = model.scene.run.step.value();
  if (!can_rebound(patch.normal, model.rules[patch.rule].normal.v_small, approach, mass, model)) return;
  const ImpactOutcome exact = calc_impact(patch.normal, approach, mass);
  const double stepped = calc_stepped_restitution(patch.normal, mass, approach, h);
  note(pair, {approach, exact.restitution, stepped, 0.01 * exact.duration});
}

void ReboundWatch::look_held(const std::string& pair, const Patch& patch, double stiffness, const Model& model) {
  const NormalLawParameters& rule = model.rules[patch.rule].normal;
  const double speed = patch.touch_speed, mass = patch.effective_mass;
  const NormalCoefficients law = make_normal_coefficients(rule, stiffness, speed, mass);
  if (!can_rebound(law, rule.v_small, speed, mass, model)) return;
  const double exact = calc_impact(law, speed, mass).restitution;
  double h = model.scene.run.step.value();
  const double stepped = calc_held_restitution(law, mass, speed, h);
  if (std::abs(stepped - exact) < kNoticeable) return;
  constexpr int kMostHalvings = 20;
  constexpr double kFollows = 0.5 * kNoticeable;
  for (int i = 0; i < kMostHalvings && std::abs(calc_held_restitution(law, mass, speed, h) - exact) > kFollows; ++i)
    h *= 0.5;
  note(pair, {speed, exact, stepped, h});
}

std::vector<std::string> ReboundWatch::make_notes(const std::string& otherwise) const {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> notes;
  for (const auto& [pair, rebound] : worst_) {
    if (notes.size() == kMost) break;
    notes.push_back(
        fmt::format("{}: an impact at {:.3g} m/s rebounds with {:.2g} of its speed at this step, where its law says "
                    "{:.2g}: the step "
                    "does not resolve it. A step below {:.1g} s does{}",
                    pair, rebound.speed, rebound.by_steps, rebound.by_law, rebound.step, otherwise));
  }
  return notes;
}

}  // namespace abut
