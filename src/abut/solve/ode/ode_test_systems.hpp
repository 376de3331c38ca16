#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/solve/ode/adaptive_stepper.hpp"
#include "abut/solve/ode/ode_system.hpp"

namespace abut::testing {

/// A system made of functions, for tests.
class FunctionSystem : public OdeSystem {
 public:
  using Rates = std::function<bool(double t, const double* y, double* f, double* q)>;
  using Events = std::function<void(double t, const double* y, double* g)>;

  FunctionSystem(int size, Rates rates) : size_(size), rates_(std::move(rates)) {}

  FunctionSystem& with_quadratures(int number) {
    num_quadratures_ = number;
    return *this;
  }
  FunctionSystem& with_events(std::vector<EventDirection> directions, Events events) {
    directions_ = std::move(directions);
    events_ = std::move(events);
    return *this;
  }

  FunctionSystem& with_span(double span) {
    span_ = span;
    return *this;
  }

  FunctionSystem& with_structure(RateStructure structure) {
    structure_ = std::move(structure);
    return *this;
  }

  int size() const override { return size_; }
  bool calc_structure(RateStructure* structure) const override {
    if (!structure_) return false;
    *structure = *structure_;
    return true;
  }
  int num_quadratures() const override { return num_quadratures_; }
  int num_events() const override { return static_cast<int>(directions_.size()); }
  EventDirection event_direction(int event) const override { return directions_[event]; }
  double event_span(int /*event*/) const override { return span_; }
  bool calc_rates(double t, const double* y, double* f, double* q) override { return rates_(t, y, f, q); }
  void calc_events(double t, const double* y, double* g) override { events_(t, y, g); }

 private:
  int size_;
  int num_quadratures_ = 0;
  Rates rates_;
  std::vector<EventDirection> directions_;
  Events events_;
  double span_ = std::numeric_limits<double>::infinity();
  std::optional<RateStructure> structure_;
};

/// Two coupled equations with a closed form: y = (sin t^2, cos t^2); the quadrature of 2 t y0 y1 is sin^2(t^2) / 2.
inline FunctionSystem make_chirp() {
  FunctionSystem system(2, [](double t, const double* y, double* f, double* q) {
    f[0] = 2.0 * t * y[1];
    f[1] = -2.0 * t * y[0];
    if (q != nullptr) q[0] = 2.0 * t * y[0] * y[1];
    return true;
  });
  system.with_quadratures(1);
  return system;
}
inline Vec3 chirp_solution(double t) {
  const double s = std::sin(t * t);
  return {s, std::cos(t * t), 0.5 * s * s};
}

/// Van der Pol's oscillator with a stiffness of 1/epsilon (Hairer & Wanner IV.10).
inline FunctionSystem make_van_der_pol(double epsilon) {
  return {2, [epsilon](double, const double* y, double* f, double*) {
            f[0] = y[1];
            f[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / epsilon;
            return true;
          }};
}

/// Robertson's kinetics [Robertson 1966].
inline FunctionSystem make_robertson() {
  return {3, [](double, const double* y, double* f, double*) {
            f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
            f[2] = 3e7 * y[1] * y[1];
            f[1] = -f[0] - f[2];
            return true;
          }};
}

/// HIRES: eight reactants of plant physiology [Schaefer 1975].
inline FunctionSystem make_hires() {
  return {8, [](double, const double* y, double* f, double*) {
            f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
            f[1] = 1.71 * y[0] - 8.75 * y[1];
            f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
            f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
            f[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
            f[5] = -280.0 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
            f[6] = 280.0 * y[5] * y[7] - 1.81 * y[6];
            f[7] = -f[6];
            return true;
          }};
}
inline VecX hires_start() {
  VecX y = VecX::Zero(8);
  y[0] = 1.0;
  y[7] = 0.0057;
  return y;
}
/// Reference at t = 321.8122 from the test set for initial value problem solvers (Bari).
inline VecX hires_end() {
  VecX y(8);
  y << 0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
      0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2;
  return y;
}

/// Mass on a spring and damper under gravity, m x'' = -k x - c x' - m g, with the dissipated energy per mass as
/// quadrature.
inline FunctionSystem make_spring_damper(double stiffness, double damping, double gravity) {
  FunctionSystem system(2, [=](double, const double* y, double* f, double* q) {
    f[0] = y[1];
    f[1] = -stiffness * y[0] - damping * y[1] - gravity;
    if (q != nullptr) q[0] = damping * y[1] * y[1];
    return true;
  });
  system.with_quadratures(1);
  return system;
}

/// A motion that every method follows without error, y = t, and a quadrature with a corner in it: the integral of
/// max(0, y - corner), which is (1 - corner)^2 / 2 at t = 1.
inline FunctionSystem make_cornered_quadrature(double corner) {
  FunctionSystem system(1, [corner](double, const double* y, double* f, double* q) {
    f[0] = 1.0;
    if (q != nullptr) q[0] = y[0] > corner ? y[0] - corner : 0.0;
    return true;
  });
  system.with_quadratures(1);
  return system;
}

struct RunResult {
  StepOutcome outcome;
  VecX y, q;
  WorkCounter work;
};

/// Steps to t_end with any method.
inline RunResult run_to(AdaptiveStepper& stepper, OdeSystem& system, double t0, double t_end, const VecX& y0,
                        const ErrorWeights& weights, const RestartHint& hint = {}, int max_steps = 100000) {
  const VecX q0 = VecX::Zero(system.num_quadratures());
  stepper.restart(t0, y0.data(), q0.data(), weights, hint);
  RunResult result;
  for (int i = 0; i < max_steps && stepper.time() < t_end; ++i) {
    result.outcome = stepper.step(t_end);
    if (!result.outcome.is_accepted()) break;
  }
  result.y = Eigen::Map<const VecX>(stepper.state(), system.size());
  result.q = Eigen::Map<const VecX>(stepper.quadratures(), system.num_quadratures());
  result.work = stepper.work();
  return result;
}

}  // namespace abut::testing
