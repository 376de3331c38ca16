#include "abut/solve/ode/auto_stepper.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/solve/ode/ode_test_systems.hpp"

namespace abut {
namespace {

/// Not inlined: g++ 12 then warns of an overflow inside std::vector that is none.
[[gnu::noinline]] Bytes save(AutoStepper& stepper) {
  ByteWriter writer;
  stepper.exchange(writer);
  return writer.take();
}

using testing::FunctionSystem;

double estimate_rate(FunctionSystem& system, const VecX& y, const ErrorWeights& weights) {
  WorkCounter work;
  RateEvaluator rates(system, work);
  VecX f(y.size());
  rates(0.0, y, &f);
  SpectralRadiusEstimator estimator;
  const double rate = estimator.calc(rates, weights, 0.0, y, f);
  EXPECT_EQ(work.rate_evaluations, 5);
  return rate;
}

TEST(SpectralRadius, OscillatorAndRelaxation) {
  const ErrorWeights weights{1e-6, Vec2(1e-9, 1e-6)};
  FunctionSystem oscillator = testing::make_spring_damper(1e10, 0.0, 9.81);
  // Exact in exact arithmetic; differences leave about sqrt(machine epsilon) times the ratio of terms.
  EXPECT_NEAR(estimate_rate(oscillator, Vec2(0.0, 0.0), weights), 1e5, 1e2);
  FunctionSystem relaxation = testing::make_spring_damper(1e6, 1e7, 9.81);
  EXPECT_NEAR(estimate_rate(relaxation, Vec2(0.0, 0.0), weights), 1e7, 1e5);
}

TEST(SpectralRadius, IndependentOfTheStateIsZero) {
  FunctionSystem constant(1, [](double, const double*, double* f, double*) {
    f[0] = 3.0;
    return true;
  });
  WorkCounter work;
  RateEvaluator rates(constant, work);
  SpectralRadiusEstimator estimator;
  EXPECT_EQ(estimator.calc(rates, ErrorWeights::uniform(1, 1e-6, 1e-6), 0.0, VecX::Zero(1), VecX::Constant(1, 3.0)),
            0.0);
}

TEST(AutoStepper, StaysExplicitWhereNothingIsStiff) {
  FunctionSystem system = testing::make_chirp();
  AutoStepper stepper(system);
  const testing::RunResult run =
      run_to(stepper, system, 0.0, 3.0, Vec2(0.0, 1.0), ErrorWeights::uniform(2, 1e-8, 1e-8));
  EXPECT_EQ(run.work.jacobians, 0);
  EXPECT_LT((run.y - testing::chirp_solution(3.0).head<2>()).norm(), 1e-6);  // as Dormand-Prince alone
  EXPECT_NEAR(run.q[0], testing::chirp_solution(3.0)[2], 1e-6);
}

TEST(AutoStepper, GoesImplicitAndBackOnVanDerPol) {
  FunctionSystem system = testing::make_van_der_pol(1e-6);
  AutoStepper stepper(system);
  const testing::RunResult run =
      run_to(stepper, system, 0.0, 2.0, Vec2(2.0, 0.0), ErrorWeights::uniform(2, 1e-7, 1e-7));
  ASSERT_TRUE(run.outcome.is_accepted());
  EXPECT_NEAR(run.y[0], 1.706167732170483, 1e-5);  // as Radau alone
  EXPECT_GE(stepper.num_switches(), 1);
  EXPECT_LT(run.work.accepted, 1500);
}

TEST(AutoStepper, RestStartsImplicitAtOnce) {
  // On the slow manifold of a damped contact of rate 1e6 1/s: only the equations are fast.
  FunctionSystem system = testing::make_spring_damper(1e6, 1e6, 9.81);
  AutoStepper stepper(system);
  const ErrorWeights weights{1e-6, Vec2(1e-9, 1e-6)};
  const testing::RunResult run = run_to(stepper, system, 0.0, 60.0, Vec2(-9.81e-6, 0.0), weights);
  EXPECT_LT(run.work.accepted, 30);
  EXPECT_LT(std::abs(run.y[1]), 1e-13);
}

TEST(AutoStepper, SettlingContactCostsLittleAndComesToRest) {
  // Lands with 0.1 m/s on a damped contact of omega = 1e4 1/s, damping ratio 0.1, and then rests for 5 s.
  FunctionSystem system = testing::make_spring_damper(1e8, 2e3, 9.81);
  AutoStepper stepper(system);
  const ErrorWeights weights{1e-6, Vec2(1e-9, 1e-6)};
  const testing::RunResult run = run_to(stepper, system, 0.0, 5.0, Vec2(0.0, -0.1), weights);
  EXPECT_TRUE(stepper.is_implicit());
  EXPECT_LT(run.work.accepted, 300);
  EXPECT_LT(std::abs(run.y[1]), 1e-12);
  // Kinetic energy and what gravity gave, less what the spring keeps. Speed errors of 1e-6 m/s at 0.1 m/s in ten steps.
  const double depth = 9.81e-8;
  EXPECT_NEAR(run.q[0], 0.5 * 0.01 + 9.81 * depth - 0.5 * 1e8 * depth * depth, 1e-6);
}

TEST(AutoStepper, StiffHintOfTheCallerIsTaken) {
  FunctionSystem system = testing::make_spring_damper(1e6, 1e6, 9.81);
  AutoStepper stepper(system);
  RestartHint hint;
  hint.stiffness_rate = 1e6;
  const Vec2 y0(-9.81e-6, 0.0);
  const double q0 = 0.0;
  stepper.restart(0.0, y0.data(), &q0, ErrorWeights{1e-6, Vec2(1e-9, 1e-6)}, hint);
  ASSERT_TRUE(stepper.step(1.0).is_accepted());
  EXPECT_TRUE(stepper.is_implicit());
}

TEST(AutoStepper, BothMethodsFailingIsAFailure) {
  FunctionSystem system(1, [](double, const double* y, double* f, double*) {
    f[0] = y[0] * y[0];  // y = 1 / (1 - t): no method passes the pole
    return true;
  });
  AutoStepper stepper(system);
  const testing::RunResult run =
      run_to(stepper, system, 0.0, 2.0, VecX::Ones(1), ErrorWeights::uniform(1, 1e-6, 1e-6), {}, 5000);
  EXPECT_FALSE(run.outcome.is_accepted());
  EXPECT_FALSE(run.outcome.reason.empty());
  EXPECT_NEAR(run.outcome.t, 1.0, 1e-5);  // the pole moves by the accumulated error of some tolerances
}

TEST(AutoStepper, LargeStiffSystemsUseBdf) {
  constexpr int n = 310;
  FunctionSystem system(n, [](double t, const double* y, double* f, double*) {
    for (int i = 0; i < n; ++i) f[i] = -1e5 * (y[i] - std::cos(t + i));
    return true;
  });
  VecX y0(n);
  for (int i = 0; i < n; ++i) y0[i] = std::cos(i);
  AutoStepper stepper(system);
  const testing::RunResult run = run_to(stepper, system, 0.0, 1.0, y0, ErrorWeights::uniform(n, 1e-5, 1e-5), {}, 3000);
  EXPECT_EQ(stepper.time(), 1.0);
  EXPECT_TRUE(stepper.is_implicit());
  EXPECT_NEAR(run.y[0], std::cos(1.0), 1e-4);
  EXPECT_LT(run.work.accepted, 500);
}

TEST(AutoStepper, GoesOnFromBytesWhileBdfRunsAndWaits) {
  // Stiff until t = 1 and slow after it, too large for Radau.
  constexpr int n = 10;
  FunctionSystem system(n, [](double t, const double* y, double* f, double*) {
    for (int i = 0; i < n; ++i) f[i] = (t < 1.0 ? 1e5 : 1.0) * (std::cos(t) - y[(i + 1) % n] - y[i]);
    return true;
  });
  AutoStepper::Options options;
  options.max_radau_size = 1;
  AutoStepper stepper(system, options);
  const VecX y0 = VecX::Constant(n, 0.5);
  stepper.restart(0.0, y0.data(), nullptr, ErrorWeights::uniform(n, 1e-6, 1e-6));
  int num_stiff = 0, num_slow = 0;
  ASSERT_TRUE(stepper.step(1.0).is_accepted());
  while (true) {
    if (stepper.time() == 1.0) {
      const VecX y = Eigen::Map<const VecX>(stepper.state(), n);
      stepper.restart(1.0, y.data(), nullptr, ErrorWeights::uniform(n, 1e-6, 1e-6));
    }
    const Bytes bytes = save(stepper);
    AutoStepper other(system, options);
    ByteReader reader(bytes);
    other.exchange(reader);
    reader.finish();
    EXPECT_EQ(other.work().accepted, stepper.work().accepted);
    EXPECT_EQ(other.work().jacobians, stepper.work().jacobians);
    EXPECT_EQ(other.step_size(), stepper.step_size());
    EXPECT_EQ(other.is_implicit(), stepper.is_implicit());
    ++(stepper.is_implicit() ? num_stiff : num_slow);
    if (stepper.time() == 5.0) break;
    const double limit = stepper.time() < 1.0 ? 1.0 : 5.0;
    ASSERT_TRUE(other.step(limit).is_accepted());
    ASSERT_TRUE(stepper.step(limit).is_accepted());
    EXPECT_EQ(other.time(), stepper.time());
    EXPECT_EQ(Eigen::Map<const VecX>(other.state(), n), Eigen::Map<const VecX>(stepper.state(), n));
  }
  EXPECT_GT(num_stiff, 10);
  EXPECT_GT(num_slow, 3);
}

TEST(AutoStepper, FactoryMakesEveryMethod) {
  FunctionSystem system = testing::make_chirp();
  for (const AdaptiveMethod method : {AdaptiveMethod::automatic, AdaptiveMethod::dormand_prince, AdaptiveMethod::radau,
                                      AdaptiveMethod::bdf, AdaptiveMethod::adams}) {
    const std::unique_ptr<AdaptiveStepper> stepper = make_adaptive_stepper(method, system);
    const testing::RunResult run =
        run_to(*stepper, system, 0.0, 2.0, Vec2(0.0, 1.0), ErrorWeights::uniform(2, 1e-8, 1e-8));
    EXPECT_LT((run.y - testing::chirp_solution(2.0).head<2>()).norm(), 1e-5) << static_cast<int>(method);
  }
}

}  // namespace
}  // namespace abut
