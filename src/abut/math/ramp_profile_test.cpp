#include "abut/math/ramp_profile.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// Limits are kept, one of them is reached all the time, and derivatives are those of the position.
void expect_sound(const RampProfile& ramp, double distance, double v, double a, double j) {
  const double T = ramp.duration(), h = 1e-5 * T;
  double last_acceleration = 0.0;
  for (int i = 1; i < 2000; ++i) {
    const double t = T * i / 2000.0;
    const MotionSample now = ramp.sample(t), next = ramp.sample(t + h), before = ramp.sample(t - h);
    EXPECT_LE(now.rate, v * (1.0 + 1e-12));
    EXPECT_LE(std::abs(now.acceleration), a * (1.0 + 1e-12));
    // Second order in h; a jerk of either sign may begin in between.
    EXPECT_NEAR((next.value - before.value) / (2.0 * h), now.rate, 1e-9 * v + a * h) << t;
    if (std::isfinite(j)) {
      EXPECT_NEAR((next.rate - before.rate) / (2.0 * h), now.acceleration, 1e-6 * a + j * h) << t;
      EXPECT_LE(std::abs(now.acceleration - last_acceleration), j * T / 2000.0 * (1.0 + 1e-9));
    }
    last_acceleration = now.acceleration;
  }
  EXPECT_EQ(ramp.sample(-1.0).value, 0.0);
  EXPECT_EQ(ramp.sample(T).value, distance);
  EXPECT_EQ(ramp.sample(2.0 * T).rate, 0.0);
  EXPECT_NEAR(ramp.sample(T * (1.0 - 1e-9)).value, distance, 1e-12 * distance);
}

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

TEST(RampProfile, TrapezoidReachesItsSpeedInTheTimeOfTheTextbook) {
  const RampProfile ramp(1.0, 0.5, 2.0);
  EXPECT_NEAR(ramp.duration(), 1.0 / 0.5 + 0.5 / 2.0, 1e-15);
  EXPECT_NEAR(ramp.sample(0.25).rate, 0.5, 1e-15);
  expect_sound(ramp, 1.0, 0.5, 2.0, kNoLimit);
}

TEST(RampProfile, ShortTrapezoidIsATriangle) {
  const RampProfile ramp(0.08, 10.0, 2.0);
  EXPECT_NEAR(ramp.duration(), 2.0 * std::sqrt(0.08 / 2.0), 1e-15);
  expect_sound(ramp, 0.08, 10.0, 2.0, kNoLimit);
}

/// The four cases: speed reached or not, acceleration reached or not.
TEST(RampProfile, LimitedJerkKeepsAllLimits) {
  const RampProfile all(2.0, 0.5, 2.0, 20.0);
  EXPECT_NEAR(all.duration(), 2.0 / 0.5 + 0.5 / 2.0 + 2.0 / 20.0, 1e-14);
  expect_sound(all, 2.0, 0.5, 2.0, 20.0);
  const RampProfile soft(2.0, 0.5, 2.0, 4.0);  // the acceleration is not reached
  EXPECT_NEAR(soft.duration(), 2.0 / 0.5 + 2.0 * std::sqrt(0.5 / 4.0), 1e-14);
  expect_sound(soft, 2.0, 0.5, 2.0, 4.0);
  expect_sound(RampProfile(0.1, 5.0, 2.0, 40.0), 0.1, 5.0, 2.0, 40.0);  // the speed is not
  const RampProfile shortest(0.001, 5.0, 20.0, 4.0);                    // neither
  EXPECT_NEAR(shortest.duration(), 4.0 * std::cbrt(0.5 * 0.001 / 4.0), 1e-14);
  expect_sound(shortest, 0.001, 5.0, 20.0, 4.0);
}

TEST(RampProfile, RefusesWhatIsNoRamp) {
  EXPECT_THROW(RampProfile(0.0, 1.0, 1.0), InputError);
  EXPECT_THROW(RampProfile(1.0, 1.0, 0.0), InputError);
}

}  // namespace
}  // namespace abut
