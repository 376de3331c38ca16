#include "abut/sim/rebound_watch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/contact/law/impact.hpp"

namespace abut {

double calc_stepped_restitution(const NormalCoefficients& law, double mass, double speed, double h) {
  constexpr int kMostSteps = 1000000;
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

void ReboundWatch::look(const std::string& pair, const Patch& patch, double approach, const Model& model) {
  constexpr double kNoticeable = 0.05;  // of the speed of approach
  constexpr double kOverdamped = 30.0;  // dimensionless: nothing rebounds
  const double h = model.scene.run.step.value();
  const double slow = std::max(model.rules[patch.rule].normal.v_small, 2.0 * h * model.scene.gravity.norm());
  if (!(approach > slow)) return;
  const double scale = calc_damping_scale(patch.normal, approach, patch.effective_mass);
  if (patch.normal.damping > kOverdamped * scale) return;
  const ImpactOutcome exact = calc_impact(patch.normal, approach, patch.effective_mass);
  const double stepped = calc_stepped_restitution(patch.normal, patch.effective_mass, approach, h);
  const double difference = std::abs(stepped - exact.restitution);
  if (difference < kNoticeable) return;
  Rebound& worst = worst_[pair];
  if (difference > std::abs(worst.by_steps - worst.by_law)) {
    worst = {approach, exact.restitution, stepped, exact.duration};
  }
}

std::vector<std::string> ReboundWatch::make_notes() const {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> notes;
  for (const auto& [pair, rebound] : worst_) {
    if (notes.size() == kMost) break;
    notes.push_back(
        fmt::format("{}: an impact at {:.3g} m/s rebounds with {:.2g} of its speed at this step, where its law says "
                    "{:.2g}: the step "
                    "does not resolve it. A step below {:.1g} s does, or lcp.normal = \"hard\"",
                    pair, rebound.speed, rebound.by_steps, rebound.by_law, 0.01 * rebound.duration));
  }
  return notes;
}

}  // namespace abut
