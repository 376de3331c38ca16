#include "abut/contact/law/impact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/contact/law/exact_restitution.hpp"
#include "abut/math/bracketed_root.hpp"

namespace abut {
namespace {

// x^(3/2) is not smooth at touch, which would spoil any high-order method. With x = y^q and a new independent
// variable s, dt = y^(q-1) ds, the motion
//   dy/ds = v / q,   dv/ds = -(y^(q-1+qp) + d y^(q-1+qr) v),   dt/ds = y^(q-1)
// is polynomial for q = 2 when 2p and 2r are whole numbers, and many times differentiable for q = 4 otherwise.
struct MotionState {
  double y = 0.0, v = 1.0, t = 0.0;
};

class ImpactMotion {
 public:
  ImpactMotion(double p, double r, double d) : p_(p), r_(r), d_(d) {
    whole_ = 2.0 * p == std::floor(2.0 * p) && 2.0 * r == std::floor(2.0 * r) && p <= 8.0;
    q_ = whole_ ? 2 : 4;
    spring_power_ = q_ - 1 + q_ * p;
    damper_power_ = q_ - 1 + q_ * r;
    release_power_ = r < p ? 1.0 / (q_ * (p - r)) : 0.0;
  }

  MotionState calc_rate(const MotionState& s) const {
    const double y = std::abs(s.y);  // a trial step may end just past y = 0
    MotionState rate;
    rate.y = s.v / q_;
    rate.v = -(power(y, spring_power_) + d_ * power(y, damper_power_) * s.v);
    rate.t = q_ == 2 ? y : y * y * y;
    return rate;
  }

  double depth(const MotionState& s) const { return power(std::abs(s.y), q_); }
  double force(const MotionState& s) const {
    const double x = depth(s);
    return std::max(0.0, calc_power(x, p_) + d_ * calc_power(x, r_) * s.v);
  }

  // Positive while the force is: y minus the y at which x^(p-r) = -d v; for r = p the force ends only at y = 0.
  double release(const MotionState& s) const {
    if (r_ == p_ || d_ == 0.0) return s.y;
    return s.y - std::pow(d_ * std::max(0.0, -s.v), release_power_);
  }

 private:
  double power(double y, double a) const {
    if (!whole_) return std::pow(y, a);
    double result = 1.0;
    for (int n = static_cast<int>(a); n > 0; --n) result *= y;
    return result;
  }

  double p_, r_, d_;
  bool whole_ = false;
  int q_ = 2;
  double spring_power_ = 0.0, damper_power_ = 0.0, release_power_ = 0.0;
};

struct TrialStep {
  MotionState end;
  double error = 0.0;  // relative to the tolerance; accepted when <= 1
};

// One step of the Dormand-Prince 5(4) pair.
TrialStep take_step(const ImpactMotion& motion, const MotionState& s, double h) {
  static constexpr double a[6][6] = {{1.0 / 5, 0, 0, 0, 0, 0},
                                     {3.0 / 40, 9.0 / 40, 0, 0, 0, 0},
                                     {44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0, 0},
                                     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0, 0},
                                     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656, 0},
                                     {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static constexpr double error_weight[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                             -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  std::array<MotionState, 7> k;
  k[0] = motion.calc_rate(s);
  MotionState end = s;
  for (int stage = 0; stage < 6; ++stage) {
    end = s;
    for (int j = 0; j <= stage; ++j) {
      end.y += h * a[stage][j] * k[j].y;
      end.v += h * a[stage][j] * k[j].v;
      end.t += h * a[stage][j] * k[j].t;
    }
    k[stage + 1] = motion.calc_rate(end);
  }
  MotionState defect{0.0, 0.0, 0.0};
  for (int j = 0; j < 7; ++j) {
    defect.y += h * error_weight[j] * k[j].y;
    defect.v += h * error_weight[j] * k[j].v;
    defect.t += h * error_weight[j] * k[j].t;
  }
  constexpr double tolerance = 2e-13;  // some hundred steps, so that sums stay below 1e-10
  const double worst = std::max({std::abs(defect.y), std::abs(defect.v), std::abs(defect.t) / (1.0 + s.t)});
  return {end, worst / tolerance};
}

// Length h in (0, step] at which `event` of the state falls through zero; the method's own step defines the state.
template <typename Event>
double locate(const ImpactMotion& motion, const MotionState& start, double step, Event event) {
  Chord chord{0.0, event(start), step, event(take_step(motion, start, step).end)};
  for (int i = 0; i < 200 && chord.x_1 - chord.x_0 > 1e-16 * step; ++i) {
    double h = chord.root_between();
    if (i % 3 == 2 || !(h > chord.x_0 && h < chord.x_1)) h = 0.5 * (chord.x_0 + chord.x_1);
    const double f = event(take_step(motion, start, h).end);
    f > 0.0 ? chord.move_first(h, f) : chord.move_second(h, f);
  }
  return chord.x_1;
}

double next_step_length(double h, double error) {
  return h * std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 4.0);
}

// Peak of a force sampled at three successive instants: the vertex of their parabola
// when the middle one is the highest.
double calc_peak(const std::array<std::pair<double, double>, 3>& samples) {
  const auto [t0, f0] = samples[0];
  const auto [t1, f1] = samples[1];
  const auto [t2, f2] = samples[2];
  if (!(f1 >= f0 && f1 >= f2)) return std::max({f0, f1, f2});
  const double slope_a = (f1 - f0) / (t1 - t0), slope_b = (f2 - f1) / (t2 - t1);
  const double curvature = (slope_b - slope_a) / (t2 - t0);
  if (!(curvature < 0.0)) return f1;
  const double slope_mid = slope_a + curvature * (t1 - t0);  // at t1
  return f1 - slope_mid * slope_mid / (4.0 * curvature);
}

// Highest force of a run of samples (time, force), refined between them.
class PeakFinder {
 public:
  void add(double time, double force) {
    std::rotate(samples_.begin(), samples_.begin() + 1, samples_.end());
    samples_[2] = {time, force};
    peak_ = std::max(peak_, ++num_samples_ >= 3 ? calc_peak(samples_) : force);
  }
  double peak() const { return peak_; }

 private:
  std::array<std::pair<double, double>, 3> samples_{};
  int num_samples_ = 0;
  double peak_ = 0.0;
};

/// Whether damper and spring balance each other at next to no speed.
bool is_creeping(const ImpactMotion& motion, const MotionState& s, double p) {
  return s.v < 0.0 && s.v > -1e-4 && motion.force(s) < 1e-3 * calc_power(motion.depth(s), p);
}

/// The time it takes to creep out from depth x: the integral of d x^(r-p) dx.
double calc_creep_time(double x, double p, double r, double d) {
  const double rest = 1.0 - (p - r);
  return rest > 0.0 ? d * std::pow(x, rest) / rest : std::numeric_limits<double>::infinity();
}

ImpactOutcome integrate_impact(double p, double r, double d) {
  const ImpactMotion motion(p, r, d);
  const auto speed = [](const MotionState& m) { return m.v; };
  const auto release = [&motion](const MotionState& m) { return motion.release(m); };
  MotionState s;
  ImpactOutcome outcome;
  PeakFinder force;
  double h = 1e-3;
  constexpr int max_steps = 200'000;  // the longest that rebound take some thousand
  for (int i = 0; i < max_steps && !is_creeping(motion, s, p); ++i) {
    TrialStep trial = take_step(motion, s, h);
    if (trial.error > 1.0) {
      h = next_step_length(h, trial.error);
      continue;
    }
    if (s.v > 0.0 && trial.end.v <= 0.0) {
      // The step ends at the turn, so that release is looked for from a state that already separates.
      h = locate(motion, s, h, speed);
      trial = take_step(motion, s, h);
      trial.end.v = std::min(0.0, trial.end.v);
      outcome.max_depth = motion.depth(trial.end);
    } else if (s.v <= 0.0 && release(trial.end) <= 0.0) {
      const MotionState end = take_step(motion, s, locate(motion, s, h, release)).end;
      outcome.restitution = -end.v;
      outcome.duration = end.t;
      outcome.release_depth = r == p || d == 0.0 ? 0.0 : motion.depth(end);
      outcome.peak_force = force.peak();
      return outcome;
    }
    s = trial.end;
    force.add(s.t, motion.force(s));
    h = next_step_length(h, trial.error);
  }
  outcome.restitution = 0.0;
  outcome.duration = s.t + calc_creep_time(motion.depth(s), p, r, d);
  outcome.max_depth = std::max(outcome.max_depth, motion.depth(s));
  outcome.peak_force = force.peak();
  return outcome;
}

}  // namespace

ImpactOutcome dimensionless_impact(double p, double r, double d) {
  ABUT_REQUIRE(p > 0.0 && r >= 0.0 && r <= p, "exponents p = {}, r = {} must satisfy 0 <= r <= p, p > 0", p, r);
  ABUT_REQUIRE(d >= 0.0, "dimensionless damping {} is negative", d);
  ImpactOutcome outcome = integrate_impact(p, r, d);
  if (r == p) outcome.restitution = exact_restitution(d);
  return outcome;
}

double calc_damping_scale(const NormalCoefficients& c, double speed, double effective_mass) {
  const double length = std::pow(effective_mass * speed * speed / c.stiffness, 1.0 / (c.exponent + 1.0));
  return c.stiffness * std::pow(length, c.exponent - c.damping_exponent) / speed;
}

ImpactOutcome calc_impact(const NormalCoefficients& c, double speed, double effective_mass) {
  ABUT_REQUIRE(c.stiffness > 0.0 && speed > 0.0 && effective_mass > 0.0,
               "stiffness {}, speed {}, mass {} must be positive", c.stiffness, speed, effective_mass);
  const double length = std::pow(effective_mass * speed * speed / c.stiffness, 1.0 / (c.exponent + 1.0));
  const double damping = c.damping / calc_damping_scale(c, speed, effective_mass);
  ImpactOutcome outcome = dimensionless_impact(c.exponent, c.damping_exponent, damping);
  outcome.duration *= length / speed;
  outcome.max_depth *= length;
  outcome.release_depth *= length;
  outcome.peak_force *= effective_mass * speed * speed / length;
  return outcome;
}

}  // namespace abut
