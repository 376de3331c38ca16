#include "abut/multibody/turning.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace abut {
namespace {

// Both invariants of Euler's equations, for long and short steps and for bodies from discs to needles.
TEST(Turning, KeepsEnergyAndAngularMomentum) {
  for (const Vec3& moments : {Vec3(1, 2, 3), Vec3(1e-3, 1, 1), Vec3(2, 2, 4), Vec3(0.1, 0.15, 0.2)}) {
    const Mat3 inertia = moments.asDiagonal();
    for (const double h : {1e-3, 1e-2, 0.1}) {
      Vec3 w(0.01, 5.0, 0.3);
      const double energy = 0.5 * w.dot(inertia * w), momentum = (inertia * w).norm();
      for (int k = 0; k < 200; ++k) w = calc_turned_spin(inertia, w, Vec3::Zero(), h);
      EXPECT_NEAR(0.5 * w.dot(inertia * w), energy, 1e-12 * energy) << moments.transpose() << " " << h;
      EXPECT_NEAR((inertia * w).norm(), momentum, 1e-12 * momentum) << moments.transpose() << " " << h;
    }
  }
}

// A symmetric top's spin circles in the body's axes at (I1 - I3) / I1 w3; halving the step quarters the error.
TEST(Turning, FollowsASymmetricTopAtSecondOrder) {
  const Mat3 inertia = Vec3(2.0, 2.0, 3.0).asDiagonal();
  const double spin = 4.0, rate = (3.0 - 2.0) / 2.0 * spin, time = 1.0;
  double last = 0.0;
  for (const int steps : {20, 40, 80}) {
    Vec3 w(1.0, 0.0, spin);
    for (int k = 0; k < steps; ++k) w = calc_turned_spin(inertia, w, Vec3::Zero(), time / steps);
    const double error = (w - Vec3(std::cos(rate * time), std::sin(rate * time), spin)).norm();
    if (last > 0.0) {
      EXPECT_NEAR(last / error, 4.0, 0.2);
    }
    last = error;
  }
}

// The work of a torque is that at the mean spin, to rounding.
TEST(Turning, ATorqueWorksAtTheMeanSpin) {
  const Mat3 inertia = Vec3(1.0, 2.0, 3.0).asDiagonal();
  const Vec3 w(0.5, 5.0, -0.4), torque(3.0, -1.0, 2.0);
  const double h = 0.01;
  const Vec3 end = calc_turned_spin(inertia, w, torque, h);
  const double gained = 0.5 * end.dot(inertia * end) - 0.5 * w.dot(inertia * w);
  EXPECT_NEAR(gained, h * torque.dot(0.5 * (w + end)), 1e-13);
}

}  // namespace
}  // namespace abut
