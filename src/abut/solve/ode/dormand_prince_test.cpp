#include "abut/solve/ode/dormand_prince.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "abut/solve/ode/ode_test_systems.hpp"

namespace abut {
namespace {

using testing::FunctionSystem;

TEST(DormandPrince, ErrorFollowsTheTolerance) {
  FunctionSystem system = testing::make_chirp();
  double error_old = 0.0;
  long steps_old = 0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    DormandPrince stepper(system);
    const testing::RunResult run =
        run_to(stepper, system, 0.0, 3.0, Vec2(0.0, 1.0), ErrorWeights::uniform(2, tolerance, tolerance));
    const Vec3 exact = testing::chirp_solution(3.0);
    const double error = (run.y - exact.head<2>()).norm();
    // Local errors of one tolerance each add up over about a hundred steps.
    EXPECT_LT(error, 50.0 * tolerance);
    EXPECT_LT(std::abs(run.q[0] - exact[2]), 50.0 * tolerance);
    if (steps_old > 0) {
      // Order 5 with local extrapolation: a hundredth of the tolerance costs 100^(1/5) = 2.5 times the steps.
      EXPECT_NEAR(static_cast<double>(run.work.accepted) / static_cast<double>(steps_old), 2.5, 0.5);
      EXPECT_LT(error, error_old / 20.0);
    }
    error_old = error;
    steps_old = run.work.accepted;
  }
}

/// Largest dense-output error over steps of fixed length h.
Vec2 calc_dense_error(double h) {
  FunctionSystem system = testing::make_chirp();
  DormandPrince stepper(system);
  const Vec3 start = testing::chirp_solution(1.0);
  RestartHint hint;
  hint.first_step = hint.max_step = h;
  hint.trust_first_step = true;
  stepper.restart(1.0, start.data(), &start[2], ErrorWeights::uniform(2, 1.0, 1.0), hint);
  EXPECT_TRUE(stepper.step(1.0 + h).is_accepted());
  Vec2 error = Vec2::Zero();
  for (int i = 1; i < 20; ++i) {
    const double t = 1.0 + h * i / 20.0;
    Vec3 got;
    stepper.interpolate(t, got.data(), &got[2]);
    const Vec3 difference = (got - testing::chirp_solution(t)).cwiseAbs();
    error = error.cwiseMax(Vec2(difference.head<2>().maxCoeff(), difference[2]));
  }
  return error;
}

TEST(DormandPrince, DenseOutputIsOfOrderFour) {
  const Vec2 coarse = calc_dense_error(0.1);
  const Vec2 fine = calc_dense_error(0.05);
  // Local error h^5; the next term shifts the exponent by a few tenths at h = 0.1.
  EXPECT_NEAR(std::log2(coarse[0] / fine[0]), 5.0, 0.5);
  EXPECT_NEAR(std::log2(coarse[1] / fine[1]), 5.0, 0.5);
}

TEST(DormandPrince, DenseOutputMeetsBothEnds) {
  FunctionSystem system = testing::make_chirp();
  DormandPrince stepper(system);
  const Vec3 start = testing::chirp_solution(1.0);
  stepper.restart(1.0, start.data(), &start[2], ErrorWeights::uniform(2, 1e-6, 1e-6));
  ASSERT_TRUE(stepper.step(5.0).is_accepted());
  Vec3 got;
  stepper.interpolate(1.0, got.data(), &got[2]);
  EXPECT_EQ(got, start);
  stepper.interpolate(stepper.time(), got.data(), &got[2]);
  EXPECT_EQ(got[0], stepper.state()[0]);
  EXPECT_EQ(got[2], stepper.quadratures()[0]);
}

TEST(DormandPrince, EnergyBalanceClosesWithTheMotion) {
  FunctionSystem system = testing::make_spring_damper(100.0, 0.5, 9.81);
  DormandPrince stepper(system);
  const testing::RunResult run =
      run_to(stepper, system, 0.0, 5.0, Vec2(0.1, 0.0), ErrorWeights::uniform(2, 1e-10, 1e-10));
  const auto energy = [](const VecX& y) { return 0.5 * y[1] * y[1] + 50.0 * y[0] * y[0] + 9.81 * y[0]; };
  // d(energy) = omega^2 x dx ~ 100 x 1e-10 a step over some hundred steps, most of it cancelling.
  EXPECT_NEAR(energy(Vec2(0.1, 0.0)) - energy(run.y), run.q[0], 1e-7);
}

TEST(DormandPrince, ShortenedStepIsATrueStep) {
  FunctionSystem system = testing::make_chirp();
  DormandPrince stepper(system);
  const Vec3 start = testing::chirp_solution(1.0);
  stepper.restart(1.0, start.data(), &start[2], ErrorWeights::uniform(2, 1e-6, 1e-6));
  ASSERT_TRUE(stepper.step(5.0).is_accepted());
  const double t_half = 0.5 * (1.0 + stepper.time());
  const double full_error = std::abs(stepper.state()[0] - testing::chirp_solution(stepper.time())[0]);
  ASSERT_TRUE(stepper.shorten_step(t_half));
  EXPECT_EQ(stepper.time(), t_half);
  EXPECT_EQ(stepper.work().accepted, 1);
  // Half the step: the local error of order 6 falls by 64; 10 leaves room for a zero of the leading term.
  EXPECT_LT(std::abs(stepper.state()[0] - testing::chirp_solution(t_half)[0]), std::max(full_error / 10.0, 1e-14));
  ASSERT_TRUE(stepper.step(5.0).is_accepted());
}

TEST(DormandPrince, DetectsStiffnessAndOnlyStiffness) {
  FunctionSystem stiff(1, [](double t, const double* y, double* f, double*) {
    f[0] = -1e4 * (y[0] - std::cos(t));
    return true;
  });
  DormandPrince stepper(stiff);
  run_to(stepper, stiff, 0.0, 1.0, VecX::Constant(1, 1.0), ErrorWeights::uniform(1, 1e-5, 1e-5), {}, 100);
  EXPECT_TRUE(stepper.is_stiff());
  EXPECT_NEAR(stepper.stiffness_rate(), 1e4, 1e3);  // one real eigenvalue: the quotient is exact up to cos t

  FunctionSystem oscillator = testing::make_spring_damper(1e8, 0.0, 0.0);
  DormandPrince other(oscillator);
  run_to(other, oscillator, 0.0, 0.01, Vec2(1e-3, 0.0), ErrorWeights::uniform(2, 1e-6, 1e-9), {}, 400);
  EXPECT_FALSE(other.is_stiff());
}

TEST(DormandPrince, RefusedRatesGiveAStatus) {
  FunctionSystem system(1, [](double t, const double*, double* f, double*) {
    f[0] = t < 1.0 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
    return true;
  });
  DormandPrince stepper(system);
  const testing::RunResult run = run_to(stepper, system, 0.0, 2.0, VecX::Zero(1), ErrorWeights::uniform(1, 1e-6, 1e-6));
  EXPECT_EQ(run.outcome.status, StepStatus::rates_not_finite);
  EXPECT_NE(run.outcome.reason.find("not finite"), std::string::npos);
  EXPECT_NEAR(stepper.time(), 1.0, 1e-12);  // steps shrink by 5 until they cannot
  EXPECT_NEAR(run.y[0], stepper.time(), 1e-14);
  EXPECT_GT(run.work.rejected, 5);
}

TEST(DormandPrince, RefusalAtTheStartGivesAStatus) {
  FunctionSystem system(1, [](double, const double*, double*, double*) { return false; });
  DormandPrince stepper(system);
  const testing::RunResult run = run_to(stepper, system, 0.0, 2.0, VecX::Zero(1), ErrorWeights::uniform(1, 1e-6, 1e-6));
  EXPECT_EQ(run.outcome.status, StepStatus::rates_not_finite);
  EXPECT_EQ(run.outcome.t, 0.0);
}

TEST(DormandPrince, BlowUpGivesAStatus) {
  FunctionSystem system(1, [](double, const double* y, double* f, double*) {
    f[0] = y[0] * y[0];  // y = 1 / (1 - t)
    return true;
  });
  DormandPrince stepper(system);
  const testing::RunResult run =
      run_to(stepper, system, 0.0, 2.0, VecX::Ones(1), ErrorWeights::uniform(1, 1e-6, 1e-6), {}, 5000);
  EXPECT_FALSE(run.outcome.is_accepted());
  EXPECT_NEAR(run.outcome.t, 1.0, 1e-5);  // the pole moves by the accumulated error of some tolerances
}

TEST(DormandPrince, StartsWithAStepThatPasses) {
  // A contact of 20 us that is not touching yet at the start: the trial step must look for it.
  FunctionSystem system(2, [](double, const double* y, double* f, double*) {
    f[0] = y[1];
    f[1] = -1e11 * std::pow(std::max(0.0, y[0]), 1.5) + 9.81;
    return true;
  });
  DormandPrince stepper(system);
  const Vec2 start(0.0, 1.0);
  ErrorWeights weights{1e-8, Vec2(1e-12, 1e-8)};
  stepper.restart(0.0, start.data(), nullptr, weights);
  const StepOutcome first = stepper.step(1.0);
  ASSERT_TRUE(first.is_accepted());
  EXPECT_LE(first.rejected, 3);
  EXPECT_GT(first.t, 1e-8);
  EXPECT_LT(stepper.work().rate_evaluations, 35);
}

TEST(DormandPrince, HonoursItsHints) {
  FunctionSystem system = testing::make_chirp();
  DormandPrince stepper(system);
  RestartHint hint;
  hint.first_step = 1e-5;
  hint.max_step = 3e-5;
  const Vec3 start = testing::chirp_solution(1.0);
  stepper.restart(1.0, start.data(), &start[2], ErrorWeights::uniform(2, 1e-6, 1e-6), hint);
  stepper.step(2.0);
  EXPECT_LE(stepper.time() - 1.0, 1.0001e-5);
  for (int i = 0; i < 10; ++i) {
    const double before = stepper.time();
    stepper.step(2.0);
    EXPECT_LE(stepper.time() - before, 3.0001e-5);
  }
}

}  // namespace
}  // namespace abut
