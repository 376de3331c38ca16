// What both one-step methods with error control owe alike.

#include <cmath>

#include <gtest/gtest.h>

#include "abut/solve/ode/dormand_prince.hpp"
#include "abut/solve/ode/ode_test_systems.hpp"
#include "abut/solve/ode/radau.hpp"

namespace abut {
namespace {

using testing::FunctionSystem;
using testing::run_to;

template <class Stepper>
class OneStepMethod : public ::testing::Test {};
using Steppers = ::testing::Types<DormandPrince, Radau>;
TYPED_TEST_SUITE(OneStepMethod, Steppers);

TYPED_TEST(OneStepMethod, QuadraturesWithCornersFollowTheTolerance) {
  constexpr double kCorner = 0.5123;  // no node of a step from 0 to 1
  FunctionSystem system = testing::make_cornered_quadrature(kCorner);
  const double exact = 0.5 * (1.0 - kCorner) * (1.0 - kCorner);
  const auto calc_error = [&](double tolerance, double scale) {
    TypeParam stepper(system);
    RestartHint hint;
    hint.quadrature_scale = scale;
    const ErrorWeights weights = ErrorWeights::uniform(1, tolerance, tolerance);
    return std::abs(run_to(stepper, system, 0.0, 1.0, VecX::Zero(1), weights, hint).q[0] - exact);
  };
  // The motion has no error at all, so nothing else makes the steps short.
  EXPECT_GT(calc_error(1e-8, 0.0), 1e-4);
  // An embedded estimate sees a corner smaller than it is, by up to 50 times in this place.
  for (const double tolerance : {1e-6, 1e-8}) EXPECT_LT(calc_error(tolerance, 1.0), 100.0 * tolerance);
}

TYPED_TEST(OneStepMethod, FirstStepBelowTheResolutionOfTimeLeadsOn) {
  FunctionSystem system = testing::make_chirp();
  TypeParam stepper(system);
  RestartHint hint;
  hint.first_step = 1e-30;  // 1 s + 1e-30 s is 1 s
  hint.trust_first_step = true;
  const testing::RunResult run = run_to(stepper, system, 1.0, 1.1, testing::chirp_solution(1.0).head<2>(),
                                        ErrorWeights::uniform(2, 1e-6, 1e-6), hint);
  ASSERT_TRUE(run.outcome.is_accepted()) << run.outcome.reason;
  EXPECT_EQ(stepper.time(), 1.1);
  EXPECT_LT((run.y - testing::chirp_solution(1.1).head<2>()).norm(), 1e-5);
}

}  // namespace
}  // namespace abut
