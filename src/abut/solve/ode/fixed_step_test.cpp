#include "abut/solve/ode/fixed_step.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "abut/solve/ode/ode_test_systems.hpp"

namespace abut {
namespace {

using testing::FunctionSystem;

struct Errors {
  double motion, quadrature;
};

/// Nonlinear, non-autonomous: y' = -2 t y^2, y(0) = 1, so y = 1 / (1 + t^2); Q' = y gives atan t.
Errors run_nonlinear(FixedMethod method, int num_steps) {
  FunctionSystem system(1, [](double t, const double* y, double* f, double* q) {
    f[0] = -2.0 * t * y[0] * y[0];
    q[0] = y[0];
    return true;
  });
  system.with_quadratures(1);
  FixedStepper stepper(system, method);
  double y = 1.0, q = 0.0;
  const double h = 2.0 / num_steps;
  for (int i = 0; i < num_steps; ++i) EXPECT_TRUE(stepper.step(i * h, h, &y, &q).is_ok);
  return {std::abs(y - 0.2), std::abs(q - std::atan(2.0))};
}

/// x'' = -x split for semi-implicit Euler, plus one relaxing state.
class SplitOscillator : public OdeSystem {
 public:
  int size() const override { return 3; }
  int position_size() const override { return 1; }
  int velocity_size() const override { return 1; }
  bool calc_rates(double, const double* y, double* f, double*) override {
    f[0] = y[1];
    f[1] = -y[0];
    f[2] = -y[2];
    return true;
  }
  void calc_position_rates(const double* y, double* qdot) override { qdot[0] = y[1]; }
};

TEST(FixedStep, ConvergesWithItsOrder) {
  for (const FixedMethod method :
       {FixedMethod::euler, FixedMethod::heun, FixedMethod::rk3, FixedMethod::rk4, FixedMethod::rk5}) {
    const int n = 80;  // errors between 1e-3 and 1e-12, clear of rounding
    const Errors coarse = run_nonlinear(method, n);
    const Errors fine = run_nonlinear(method, 2 * n);
    // The asymptotic ratio is 2^order; at these steps the next term changes the exponent by up to 0.3. Some methods do
    // better than their order here, never worse.
    EXPECT_GT(std::log2(coarse.motion / fine.motion), order_of(method) - 0.3) << static_cast<int>(method);
    EXPECT_GT(std::log2(coarse.quadrature / fine.quadrature), order_of(method) - 0.3) << static_cast<int>(method);
    EXPECT_LT(std::log2(coarse.motion / fine.motion), order_of(method) + 1.3) << static_cast<int>(method);
  }
}

TEST(FixedStep, OrderFiveIsAccurate) { EXPECT_LT(run_nonlinear(FixedMethod::rk5, 200).motion, 1e-11); }

TEST(FixedStep, SemiImplicitEulerIsSymplecticAndFirstOrder) {
  SplitOscillator system;
  double errors[2];
  for (int level = 0; level < 2; ++level) {
    FixedStepper stepper(system, FixedMethod::semi_implicit_euler);
    const int n = 1000 << level;
    const double h = 10.0 / n;
    double y[3] = {1.0, 0.0, 1.0};
    for (int i = 0; i < n; ++i) {
      ASSERT_TRUE(stepper.step(i * h, h, y, nullptr).is_ok);
      // The map keeps x^2 + v^2 - h x v exactly, up to rounding of 1e-16 a step. (v first gives the minus sign.)
      ASSERT_NEAR(y[0] * y[0] + y[1] * y[1] - h * y[0] * y[1], 1.0, 1e-12);
    }
    errors[level] = std::abs(y[0] - std::cos(10.0));
    EXPECT_NEAR(y[2], std::pow(1.0 - h, n), 1e-12);  // the rest is explicit Euler; rounding of a thousand products
    EXPECT_EQ(stepper.work().rate_evaluations, n);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 1.0, 0.1);  // second-order terms at h = 0.01
}

TEST(FixedStep, CountsEvaluations) {
  const int expected[] = {1, 1, 2, 3, 4, 6};
  SplitOscillator system;
  for (int m = 0; m < 6; ++m) {
    FixedStepper stepper(system, static_cast<FixedMethod>(m));
    double y[3] = {1.0, 0.0, 1.0};
    stepper.step(0.0, 0.1, y, nullptr);
    EXPECT_EQ(stepper.work().rate_evaluations, expected[m]);
    EXPECT_EQ(stepper.work().accepted, 1);
  }
}

TEST(FixedStep, NamesRoundTrip) {
  ASSERT_EQ(fixed_method_names().size(), 6u);
  EXPECT_EQ(find_fixed_method("semi-implicit-euler"), FixedMethod::semi_implicit_euler);
  EXPECT_EQ(find_fixed_method("rk5"), FixedMethod::rk5);
  EXPECT_EQ(find_fixed_method("rk6"), std::nullopt);
}

TEST(FixedStep, FailureIsReportedAndLeavesTheStateAlone) {
  FunctionSystem system(2, [](double t, const double* y, double* f, double*) {
    f[0] = 1.0;
    f[1] = t > 0.5 ? std::numeric_limits<double>::quiet_NaN() : y[0];
    return true;
  });
  FixedStepper stepper(system, FixedMethod::rk4);
  double y[2] = {1.0, 2.0};
  EXPECT_TRUE(stepper.step(0.0, 0.4, y, nullptr).is_ok);
  const double before[2] = {y[0], y[1]};
  const FixedOutcome outcome = stepper.step(0.4, 0.4, y, nullptr);
  EXPECT_FALSE(outcome.is_ok);
  EXPECT_EQ(outcome.component, 1);
  EXPECT_NE(outcome.reason.find("t = 0.4 s"), std::string::npos) << outcome.reason;
  EXPECT_EQ(y[0], before[0]);
  EXPECT_EQ(y[1], before[1]);
}

TEST(FixedStep, OverflowOfTheStateIsReported) {
  FunctionSystem system(1, [](double, const double*, double* f, double*) {
    f[0] = 1e300;
    return true;
  });
  FixedStepper stepper(system, FixedMethod::euler);
  double y = 0.0;
  const FixedOutcome outcome = stepper.step(0.0, 1e10, &y, nullptr);
  EXPECT_FALSE(outcome.is_ok);
  EXPECT_EQ(outcome.component, 0);
  EXPECT_NE(outcome.reason.find("the state at"), std::string::npos);
}

TEST(FixedStep, RefusedRatesFail) {
  FunctionSystem system(1, [](double, const double*, double* f, double*) {
    f[0] = 0.0;
    return false;
  });
  FixedStepper stepper(system, FixedMethod::heun);
  double y = 0.0;
  EXPECT_FALSE(stepper.step(0.0, 1.0, &y, nullptr).is_ok);
}

}  // namespace
}  // namespace abut
