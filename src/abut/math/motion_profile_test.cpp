#include "abut/math/motion_profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// Rate and acceleration against central differences of value and rate. Step 1e-5 s: truncation h^2 f'''/6 and rounding
/// eps f/h both stay below 1e-8 for the profiles here, whose derivatives up to the fourth are below 3e3.
void expect_consistent_derivatives(const MotionProfile& profile, double t) {
  constexpr double kStep = 1e-5;
  EXPECT_NEAR(profile.rate(t), (profile.value(t + kStep) - profile.value(t - kStep)) / (2.0 * kStep), 1e-7) << t;
  EXPECT_NEAR(profile.acceleration(t), (profile.rate(t + kStep) - profile.rate(t - kStep)) / (2.0 * kStep), 1e-6) << t;
}

TEST(MotionProfile, ConstantRate) {
  const MotionProfile profile(ConstantRateMotion{2.0, -3.0});
  EXPECT_EQ(profile.value(2.0), -4.0);
  EXPECT_EQ(profile.rate(2.0), -3.0);
  EXPECT_EQ(profile.acceleration(2.0), 0.0);
  EXPECT_TRUE(profile.breakpoints().empty());
}

TEST(MotionProfile, SineHasTheAskedFrequency) {
  const MotionProfile profile(SineMotion{1.0, 0.5, 2.0, 0.3});
  EXPECT_NEAR(profile.value(0.0), 1.0 + 0.5 * std::sin(0.3), 1e-15);
  EXPECT_NEAR(profile.value(0.7), profile.value(0.7 + 0.5), 1e-14);  // period 1/2 s; rounding of an angle of 15 rad
  EXPECT_NEAR(profile.value(0.25 * 0.5 - 0.3 / (4.0 * std::numbers::pi)), 1.5, 1e-15);
  for (const double t : {0.0, 0.1, 0.77}) expect_consistent_derivatives(profile, t);
}

TEST(MotionProfile, SplineReproducesItsTableWithContinuousRate) {
  const std::vector<double> times = {0.0, 0.5, 0.8, 2.0, 2.3}, values = {1.0, -1.0, 0.5, 0.25, 3.0};
  const MotionProfile profile(SplineMotion(times, values));
  for (std::size_t k = 0; k < times.size(); ++k) {
    EXPECT_NEAR(profile.value(times[k]), values[k], 1e-14);
    const double before = std::nextafter(times[k], -1.0), after = std::nextafter(times[k], 9.0);
    // Neighbouring doubles: what differs is one rounding of values below 100.
    EXPECT_NEAR(profile.value(before), profile.value(after), 1e-13);
    EXPECT_NEAR(profile.rate(before), profile.rate(after), 1e-12);
  }
  for (const double t : {-0.4, 0.2, 0.65, 1.1, 1.9, 2.2, 2.9}) expect_consistent_derivatives(profile, t);
  ASSERT_EQ(profile.breakpoints().size(), 5u);
  EXPECT_EQ(profile.breakpoints()[3], 2.0);
}

TEST(MotionProfile, SplineNeverLeavesTheRangeOfItsNeighbours) {
  // Holds, corners, turns, and a small step beside a large one, which a natural spline leaves by eight times the step.
  const std::vector<double> times = {0.0, 1.0, 2.0, 2.1, 3.0, 4.0, 4.5, 6.0, 7.0};
  const std::vector<double> values = {0.0, 0.0, 1.0, 1.0, 0.9, 20e-6, 0.0, 0.0, -1.0};
  const MotionProfile profile(SplineMotion(times, values));
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    const auto [low, high] = std::minmax(values[k], values[k + 1]);
    for (int i = 0; i <= 100; ++i) {
      const double t = std::lerp(times[k], times[k + 1], i / 100.0);
      EXPECT_GE(profile.value(t), low - 1e-15) << t;
      EXPECT_LE(profile.value(t), high + 1e-15) << t;
    }
  }
  EXPECT_EQ(profile.rate(0.5), 0.0);
  EXPECT_EQ(profile.value(5.0), 0.0);
}

TEST(MotionProfile, SplineThroughThreePointsHasTheClosedForm) {
  // Natural spline through (0,0), (1,1), (2,0): 4 m_1 = 6 (-1 - 1), so m_1 = -3, end slopes +-1.5.
  const MotionProfile profile(SplineMotion({0.0, 1.0, 2.0}, {0.0, 1.0, 0.0}));
  EXPECT_NEAR(profile.acceleration(1.0), -3.0, 1e-14);
  EXPECT_NEAR(profile.rate(0.0), 1.5, 1e-14);
  EXPECT_NEAR(profile.value(0.5), 1.5 * 0.5 - 0.5 * 0.125, 1e-14);
  EXPECT_NEAR(profile.value(3.0), -1.5, 1e-14);
  EXPECT_EQ(profile.acceleration(3.0), 0.0);
}

TEST(MotionProfile, SplineOfASmoothRiseHasOrderFourAndContinuousAcceleration) {
  // t + sin(2 t)/10 rises throughout, so that no rate is limited, and has no second derivative at 0 and pi, as the
  // natural spline: the full order of four is reached.
  const auto rise = [](double t) { return t + 0.1 * std::sin(2.0 * t); };
  const auto make_profile = [&](int intervals) {
    std::vector<double> times, values;
    for (int k = 0; k <= intervals; ++k) {
      times.push_back(std::numbers::pi * k / intervals);
      values.push_back(rise(times.back()));
    }
    return MotionProfile(SplineMotion(times, values));
  };
  const auto error_with = [&](int intervals) {
    const MotionProfile profile = make_profile(intervals);
    double worst = 0.0;
    for (int k = 0; k <= 1000; ++k) {
      const double t = std::numbers::pi * k / 1000.0;
      worst = std::max(worst, std::abs(profile.value(t) - rise(t)));
    }
    return worst;
  };
  EXPECT_NEAR(std::log2(error_with(16) / error_with(32)), 4.0, 0.2);
  const MotionProfile profile = make_profile(8);
  for (const double t : profile.breakpoints()) {
    EXPECT_NEAR(profile.acceleration(std::nextafter(t, -1.0)), profile.acceleration(std::nextafter(t, 9.0)), 1e-11);
  }
}

TEST(MotionProfile, RefusesWhatIsNotAMotion) {
  EXPECT_THROW(SplineMotion({0.0}, {1.0}), InputError);
  EXPECT_THROW(SplineMotion({1.0, 0.0}, {1.0, 2.0}), InputError);
  EXPECT_THROW(MotionProfile(SineMotion{0.0, std::numeric_limits<double>::infinity(), 1.0, 0.0}), InputError);
  EXPECT_THROW(MotionProfile(ConstantRateMotion{0.0, std::nan("")}), InputError);
}

}  // namespace
}  // namespace abut
