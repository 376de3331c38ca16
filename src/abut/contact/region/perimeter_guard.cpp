#include "abut/contact/region/perimeter_guard.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

/// What may be drawn too much without a further trial, in parts of the work the force alone would do on the bodies from
/// rest: a thousand roundings of a double [1].
constexpr double kTolerance = 1e-13;
/// A trial aims at this part of what is allowed, so that it need not hit it exactly [1].
constexpr double kAim = 0.9999;
/// Weakened contacts settle in two trials; with several at one body each changes the others' works. After this many the
/// forces of those that still draw too much are left out.
constexpr int kMostTrials = 6;

/// Work a force does on a mass from rest within a step [J].
double calc_self_work(double force, double mass, double step) { return 0.5 * step * step * force * force / mass; }

}  // namespace

void PerimeterGuard::begin(const PatchPool& pool, double h) {
  step_ = h;
  num_trials_ = 0;
  elastic_.assign(pool.active.size(), Trial{});
  friction_.assign(pool.active.size(), Trial{});
}

/// A force F held over h against a mass m returns -h F (v + dv / 2), where its own part of dv is h F / m: a quadratic
/// c1 s + c2 s^2 in its strength s. Two trials tell both coefficients; with one, c2 is taken for the effective mass.
bool PerimeterGuard::weaken_load(double reserve, double drawn, double force, double mass, Trial& last,
                                 double& strength) const {
  const double self = calc_self_work(force, mass, step_);
  if (!(drawn > 0.0) || reserve - drawn >= -kTolerance * self || strength == 0.0) return false;
  double c2 = self;
  if (last.drawn != 0.0 && last.strength != strength)
    c2 = (last.drawn / last.strength - drawn / strength) / (last.strength - strength);
  if (!(c2 > 0.0)) c2 = self;
  const double c1 = drawn / strength - c2 * strength, allowed = kAim * std::max(0.0, reserve);
  const double root = std::sqrt(c1 * c1 + 4.0 * c2 * allowed);
  // The larger root, written so that nothing cancels.
  const double best = c1 > 0.0 ? 2.0 * allowed / (c1 + root) : (root - c1) / (2.0 * c2);
  last = {strength, drawn};
  strength = num_trials_ < kMostTrials ? std::clamp(best, 0.0, strength * (1.0 - 1e-9)) : 0.0;
  return true;
}

bool PerimeterGuard::weaken(const std::vector<ContactRule>& rules, const double* before, const double* after,
                            PatchPool& pool) {
  bool is_weakened = false;
  ++num_trials_;
  for (std::size_t i = 0; i < pool.active.size(); ++i) {
    const int place = pool.active[i];
    const Patch& patch = pool.patches[place];
    if (!patch.is_perimeter || !rules[patch.rule].perimeter->energy_guard) continue;
    PerimeterMemory& memory = pool.perimeters[place];
    PerimeterHold& hold = memory.hold;
    const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(kNumPatchWorks) * place;
    const PatchWork old = PatchWork::read(before + offset), now = PatchWork::read(after + offset);
    const double push = hold.elastic.force.norm(), mass = patch.effective_mass;
    if (now.damping - old.damping < -kTolerance * calc_self_work(push, mass, step_) && hold.damping_strength > 0.0) {
      hold.damping_strength = 0.0;
      is_weakened = true;
    }
    is_weakened |= weaken_load(memory.calc_elastic_energy(old.elastic), old.elastic - now.elastic, push, mass,
                               elastic_[i], hold.strength);
    is_weakened |= weaken_load(memory.bristle_energy, old.friction - now.friction, hold.friction.force.norm(), mass,
                               friction_[i], hold.friction_strength);
  }
  if (is_weakened) ++num_weakened_;
  return is_weakened;
}

}  // namespace abut
