#include "abut/solve/ode/radau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "abut/solve/ode/ode_test_systems.hpp"
#include "abut/solve/ode/radau_coefficients.hpp"

namespace abut {
namespace {

using testing::FunctionSystem;

TEST(RadauCoefficients, AreConsistent) {
  const RadauCoefficients& radau = radau_coefficients();
  // Collocation: sum_j a_ij c_j^(q-1) = c_i^q / q for q = 1, 2, 3. Constants are given to rounding.
  for (int q = 1; q <= 3; ++q) {
    const Vec3 powers = radau.c.array().pow(q - 1).matrix();
    const Vec3 expected = radau.c.array().pow(q).matrix() / q;
    EXPECT_LT((radau.a * powers - expected).cwiseAbs().maxCoeff(), 1e-15);
    for (const double s : {0.3, 0.7, 1.0}) {
      EXPECT_NEAR(radau.calc_partial_weights(s).dot(powers), std::pow(s, q) / q, 1e-15);
    }
  }
  EXPECT_NEAR(radau.b.dot(radau.c.array().pow(4).matrix()), 0.2, 1e-15);  // quadrature of order 5
  Mat3 blocks;
  blocks << radau.gamma, 0.0, 0.0, 0.0, radau.alpha, -radau.beta, 0.0, radau.beta, radau.alpha;
  EXPECT_LT((radau.t_inverse * radau.a.inverse() * radau.t - blocks).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Radau, ErrorFollowsTheTolerance) {
  FunctionSystem system = testing::make_chirp();
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    Radau stepper(system);
    const testing::RunResult run =
        run_to(stepper, system, 0.0, 3.0, Vec2(0.0, 1.0), ErrorWeights::uniform(2, tolerance, tolerance));
    const Vec3 exact = testing::chirp_solution(3.0);
    // The estimate is of order 3, so the method of order 5 stays well below what it promises.
    EXPECT_LT((run.y - exact.head<2>()).norm(), 10.0 * tolerance);
    EXPECT_LT(std::abs(run.q[0] - exact[2]), 10.0 * tolerance);
  }
}

/// Errors at the end, of the quadrature, and of the dense output in one step of length h.
Vec3 calc_step_errors(double h) {
  FunctionSystem system = testing::make_chirp();
  Radau stepper(system);
  const Vec3 start = testing::chirp_solution(1.0);
  RestartHint hint;
  hint.first_step = h;
  hint.trust_first_step = true;
  // Newton converges to 1e-7 of these weights at least, below the errors of 1e-12 and more that are measured.
  stepper.restart(1.0, start.data(), &start[2], ErrorWeights::uniform(2, 1e-6, 1e-6), hint);
  EXPECT_TRUE(stepper.step(1.0 + h).is_accepted());
  EXPECT_EQ(stepper.time(), 1.0 + h);
  Vec3 errors = Vec3::Zero();
  const Vec3 end = testing::chirp_solution(1.0 + h);
  errors[0] = (Eigen::Map<const Vec2>(stepper.state()) - end.head<2>()).norm();
  errors[1] = std::abs(stepper.quadratures()[0] - end[2]);
  for (int i = 1; i < 20; ++i) {
    Vec3 got;
    stepper.interpolate(1.0 + h * i / 20.0, got.data(), &got[2]);
    errors[2] = std::max(errors[2], (got - testing::chirp_solution(1.0 + h * i / 20.0)).cwiseAbs().maxCoeff());
  }
  return errors;
}

TEST(Radau, HasItsOrders) {
  const Vec3 coarse = calc_step_errors(0.04);
  const Vec3 fine = calc_step_errors(0.02);
  EXPECT_NEAR(std::log2(coarse[0] / fine[0]), 6.0, 0.6);  // local error h^6
  EXPECT_NEAR(std::log2(coarse[1] / fine[1]), 6.0, 0.6);
  EXPECT_NEAR(std::log2(coarse[2] / fine[2]), 4.0, 0.5);  // collocation polynomial of degree 3
}

TEST(Radau, VanDerPol) {
  FunctionSystem system = testing::make_van_der_pol(1e-6);
  Radau stepper(system);
  const testing::RunResult run =
      run_to(stepper, system, 0.0, 2.0, Vec2(2.0, 0.0), ErrorWeights::uniform(2, 1e-7, 1e-7));
  ASSERT_TRUE(run.outcome.is_accepted());
  // Test set for initial value problem solvers (Bari). The two fast jumps multiply the error by less than a hundred.
  EXPECT_NEAR(run.y[0], 1.706167732170483, 1e-5);
  EXPECT_NEAR(run.y[1], -0.8928097010247975, 1e-5);
  EXPECT_LT(run.work.accepted, 900);
}

TEST(Radau, Robertson) {
  FunctionSystem system = testing::make_robertson();
  Radau stepper(system);
  const ErrorWeights weights{1e-7, Vec3(1e-10, 1e-14, 1e-10)};
  const testing::RunResult run = run_to(stepper, system, 0.0, 1e11, Vec3(1.0, 0.0, 0.0), weights);
  ASSERT_TRUE(run.outcome.is_accepted());
  // Test set (Bari) at t = 1e11; components fall by eight decades, errors are relative to the weights.
  EXPECT_NEAR(run.y[0], 0.2083340149701255e-7, 1e-10);
  EXPECT_NEAR(run.y[1], 0.8333360770334713e-13, 1e-14);
  EXPECT_NEAR(run.y[2], 0.9999999791665050, 1e-7);
  EXPECT_NEAR(run.y.sum(), 1.0, 1e-9);  // mass is a linear invariant: kept up to the Newton iteration
  EXPECT_LT(run.work.accepted, 400);
}

TEST(Radau, Hires) {
  FunctionSystem system = testing::make_hires();
  Radau stepper(system);
  const testing::RunResult run =
      run_to(stepper, system, 0.0, 321.8122, testing::hires_start(), ErrorWeights::uniform(8, 1e-8, 1e-11));
  ASSERT_TRUE(run.outcome.is_accepted());
  // Relative error of some hundred tolerances where the solution turns sharply shortly before the end.
  const VecX relative = ((run.y - testing::hires_end()).array() / testing::hires_end().array()).abs();
  EXPECT_LT(relative.maxCoeff(), 1e-5);
}

TEST(Radau, RestingSpringDamperComesToRest) {
  // Rates of 1e6 1/s and 1 1/s: k = 1e6, c = 1e6. Dropped from the unstressed position.
  FunctionSystem system = testing::make_spring_damper(1e6, 1e6, 9.81);
  Radau stepper(system);
  const ErrorWeights weights{1e-6, Vec2(1e-9, 1e-6)};
  const testing::RunResult run = run_to(stepper, system, 0.0, 60.0, Vec2(0.0, 0.0), weights);
  ASSERT_TRUE(run.outcome.is_accepted());
  EXPECT_LT(run.work.accepted, 200);
  EXPECT_NEAR(run.y[0], -9.81e-6, 1e-12);  // last steps of many time constants damp only to a fraction of 1e-9 m
  EXPECT_LT(std::abs(run.y[1]), 1e-13);
  // Energy: what gravity gave is in the spring and in the dashpot.
  const double given = 9.81 * 9.81e-6;
  // Tolerance of 1e-9 m at 10 m/s^2.
  EXPECT_NEAR(run.q[0] + 0.5 * 1e6 * std::pow(9.81e-6, 2), given, 1e-8);
}

TEST(Radau, StiffRelaxationInFewSteps) {
  // Critically damped contact with rate 1e6 1/s at a coordinate of 1 m, so that rounding of the coordinate matters.
  FunctionSystem system(2, [](double, const double* y, double* f, double*) {
    f[0] = y[1];
    f[1] = -1e12 * (y[0] - 1.0) - 2e6 * y[1] - 9.81;
    return true;
  });
  Radau stepper(system);
  const ErrorWeights weights{1e-6, Vec2(1e-9, 1e-6)};
  const testing::RunResult run = run_to(stepper, system, 0.0, 1.0, Vec2(1.0, -1e-3), weights);
  ASSERT_TRUE(run.outcome.is_accepted());
  EXPECT_LT(run.work.accepted, 200);
  EXPECT_LT(std::abs(run.y[1]), 1e-12);
}

TEST(Radau, SaturationsDoNotHangIt) {
  // Dry friction with a clamp of slope 1e8 and a one-sided stop: kinks in both.
  FunctionSystem system(2, [](double t, const double* y, double* f, double*) {
    f[0] = y[1];
    const double friction = std::clamp(1e8 * y[1], -3.0, 3.0);
    const double stop = y[0] > 0.05 ? std::max(0.0, 1e9 * (y[0] - 0.05) + 3e4 * y[1]) : 0.0;
    f[1] = 5.0 * std::sin(10.0 * t) - friction - stop;
    return true;
  });
  Radau stepper(system);
  const ErrorWeights weights{1e-6, Vec2(1e-9, 1e-6)};
  const testing::RunResult run = run_to(stepper, system, 0.0, 2.0, Vec2(0.0, 0.0), weights, {}, 20000);
  EXPECT_TRUE(run.outcome.is_accepted()) << run.outcome.reason;
  EXPECT_EQ(stepper.time(), 2.0);
}

TEST(Radau, KeepsTheJacobianWhileItServes) {
  FunctionSystem system = testing::make_spring_damper(1e6, 1e6, 9.81);
  Radau stepper(system);
  const testing::RunResult run =
      run_to(stepper, system, 0.0, 10.0, Vec2(0.01, 0.0), ErrorWeights{1e-6, Vec2(1e-9, 1e-6)});
  EXPECT_LE(run.work.jacobians, 3);  // linear: one is enough, unless a step was rejected on the way
  EXPECT_GT(run.work.accepted, 10);
}

TEST(Radau, ShortenedStepIsATrueStep) {
  FunctionSystem system = testing::make_chirp();
  Radau stepper(system);
  const Vec3 start = testing::chirp_solution(1.0);
  stepper.restart(1.0, start.data(), &start[2], ErrorWeights::uniform(2, 1e-6, 1e-6));
  ASSERT_TRUE(stepper.step(5.0).is_accepted());
  const double t_half = 0.5 * (1.0 + stepper.time());
  Vec3 dense;
  stepper.interpolate(t_half, dense.data(), &dense[2]);
  ASSERT_TRUE(stepper.shorten_step(t_half));
  const Vec3 exact = testing::chirp_solution(t_half);
  const double dense_error = (dense - exact).head<2>().norm();
  EXPECT_LT((Eigen::Map<const Vec2>(stepper.state()) - exact.head<2>()).norm(), 0.1 * dense_error);
  EXPECT_EQ(stepper.work().accepted, 1);
  ASSERT_TRUE(stepper.step(5.0).is_accepted());
}

TEST(Radau, RefusedRatesGiveAStatus) {
  FunctionSystem system(1, [](double t, const double*, double* f, double*) {
    f[0] = t < 1.0 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
    return true;
  });
  Radau stepper(system);
  const testing::RunResult run = run_to(stepper, system, 0.0, 2.0, VecX::Zero(1), ErrorWeights::uniform(1, 1e-6, 1e-6));
  EXPECT_EQ(run.outcome.status, StepStatus::rates_not_finite);
  EXPECT_NEAR(stepper.time(), 1.0, 1e-12);
  EXPECT_NEAR(run.y[0], stepper.time(), 1e-13);
}

}  // namespace
}  // namespace abut
