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
/// A strength that draws no more than it may is good enough when the best is at most this much larger [1].
constexpr double kGoodEnough = 1.001;
/// Contacts settle in two or three trials; with several at one body each changes the others' works. After this many
/// none is strengthened any more, and those that still draw too much get what they were last granted; after twice as
/// many, nothing.
constexpr int kMostTrials = 8;
/// Springs along one line hold 1/2 of force times depth where they are linear, 2/5 where they are Hertz's; with less
/// than this part they lack something [1].
constexpr double kHealthy = 0.4;

/// Work a force does on a mass from rest within a step [J].
double calc_self_work(double force, double mass, double step) { return 0.5 * step * step * force * force / mass; }

/// Larger root of linear s + square s^2 = allowed, square > 0 and allowed >= 0; written so that nothing cancels.
double find_root(double linear, double square, double allowed) {
  const double root = std::sqrt(linear * linear + 4.0 * square * allowed);
  return linear > 0.0 ? 2.0 * allowed / (linear + root) : (root - linear) / (2.0 * square);
}

}  // namespace

void PerimeterGuard::begin(const PatchPool& pool, double h) {
  step_ = h;
  num_trials_ = 0;
  elastic_.assign(pool.active.size(), Trial{});
  friction_.assign(pool.active.size(), Trial{});
}

PerimeterGuard::Account PerimeterGuard::make_account(const PerimeterMemory& memory, const PatchWork& work,
                                                     double effective_mass) const {
  const PerimeterHold& hold = memory.hold;
  Account account;
  account.reserve = std::max(0.0, memory.calc_elastic_energy(work.elastic));
  account.begins = step_ * hold.elastic_power;
  account.self_work = calc_self_work(hold.elastic.force.norm(), effective_mass, step_);
  if (!(hold.lasting > 0.0) || !(hold.product > 0.0)) return account;
  const double due = kHealthy * hold.product;
  const double heat = work.damping + work.friction - memory.bristle_energy - memory.made;
  account.reserve += hold.lasting * std::clamp(due - account.reserve, 0.0, std::max(0.0, heat));
  const double lack = std::clamp(1.0 - account.reserve / due, 0.0, 1.0);
  account.credit = hold.lasting * lack * std::max(1.0, hold.time_constant / step_);
  return account;
}

/// What a load has returned, and besides what it would go on to return, on its own, with the speed at which the step
/// leaves the bodies [J]. A contact at rest whose springs hold less than their depth says (bodies have turned or slid
/// in contact, and depth times length has no potential) carries its load all the same: it must not throw, but nor may
/// it let go. If the work of the step alone counted, a step without a push and one with twice the load would follow
/// each other for ever. So the speed is taken of bodies that part on credit; where springs hold what they should, or
/// the contact's heat makes up for it, there is none.
double PerimeterGuard::calc_claim(const Account& account, double strength, double drawn) {
  // The force is held and the speed changes evenly: drawn = h (power at the beginning + power at the end) / 2.
  return drawn + account.credit * std::max(0.0, 2.0 * drawn - strength * account.begins);
}

/// The strength whose claim is what is held, if it draws linear s + square s^2 [1].
double PerimeterGuard::find_strength(const Account& account, double linear, double square) {
  const double allowed = kAim * account.reserve;
  const double all = find_root(linear, square, allowed);
  const double still = account.begins - 2.0 * linear;
  if (2.0 * square * all <= still) return all;  // the bodies do not part
  const double rest = std::max(0.0, still / (2.0 * square));
  const double part = find_root(linear - account.credit * still, (1.0 + 2.0 * account.credit) * square, allowed);
  return std::clamp(part, std::min(rest, all), all);
}

/// A force F held over h against a mass m returns -h F (v + dv / 2), where its own part of dv is h F / m: a quadratic
/// of its strength. Two trials tell both coefficients; with one, the linear one is that of the speed at the beginning.
bool PerimeterGuard::adjust(const Account& account, double drawn, Trial& last, double& strength) const {
  if (strength == 0.0) return false;
  const double claim = calc_claim(account, strength, drawn);
  const bool is_granted = !(claim > 0.0) || claim - account.reserve <= kTolerance * account.self_work;
  if (is_granted) {
    last.granted = std::max(last.granted, strength);
    if (strength == 1.0 || num_trials_ > kMostTrials) return false;
  }
  const double mean = drawn / strength;
  double square = last.strength > 0.0 && last.strength != strength
                      ? (last.drawn / last.strength - mean) / (last.strength - strength)
                      : (mean - account.begins) / strength;
  if (!(square > 0.0)) square = account.self_work;
  double best = std::clamp(find_strength(account, mean - square * strength, square), 0.0, 1.0);
  if (is_granted && best <= kGoodEnough * strength) return false;
  if (!is_granted) best = std::min(best, (1.0 - 1e-9) * strength);
  if (!is_granted && num_trials_ > kMostTrials)
    best = num_trials_ <= 2 * kMostTrials && last.granted < strength ? last.granted : 0.0;
  last.strength = strength;
  last.drawn = drawn;
  strength = best;
  return true;
}

bool PerimeterGuard::weaken(const std::vector<ContactRule>& rules, const double* before, const double* after,
                            PatchPool& pool) {
  bool is_weakened = false;
  ++num_trials_;
  for (std::size_t i = 0; i < pool.active.size(); ++i) {
    const int place = pool.active[i];
    const Patch& patch = pool.patches[place];
    if (patch.region != RegionKind::perimeter || !std::get<PerimeterRule>(rules[patch.rule].region).energy_guard)
      continue;
    PerimeterMemory& memory = pool.perimeters[place];
    PerimeterHold& hold = memory.hold;
    const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(kNumPatchWorks) * place;
    const PatchWork old = PatchWork::read(before + offset), now = PatchWork::read(after + offset);
    const Account springs = make_account(memory, old, patch.effective_mass);
    if (now.damping - old.damping < -kTolerance * springs.self_work && hold.damping_strength > 0.0) {
      hold.damping_strength = 0.0;
      is_weakened = true;
    }
    Account bristles;
    bristles.reserve = memory.bristle_energy;
    bristles.self_work = calc_self_work(hold.friction.force.norm(), patch.effective_mass, step_);
    is_weakened |= adjust(springs, old.elastic - now.elastic, elastic_[i], hold.strength);
    is_weakened |= adjust(bristles, old.friction - now.friction, friction_[i], hold.friction_strength);
  }
  if (is_weakened) ++num_weakened_;
  return is_weakened;
}

double PerimeterGuard::settle(double* works, PatchPool& pool) {
  double made = 0.0;
  for (const int place : pool.active) {
    if (pool.patches[place].region != RegionKind::perimeter) continue;
    PerimeterMemory& memory = pool.perimeters[place];
    double* const values = works + static_cast<std::ptrdiff_t>(kNumPatchWorks) * place;
    PatchWork work = PatchWork::read(values);
    const double lack = -memory.calc_elastic_energy(work.elastic);
    if (!(lack > 0.0)) continue;
    work.elastic += lack;
    work.write(values);
    memory.made += lack;
    made += lack;
  }
  return made;
}

}  // namespace abut
