#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/interference.hpp"

// Logs that lie side by side, or in a pipe, touch along a line, to rounding: what they have in common is a lens as thin
// as the touch is deep, whatever the rounding of their poses.

namespace abut {
namespace {

using testing::Random;

constexpr double kRadius = 0.1, kPipe = 0.3, kHalf = 0.25;  // [m]

struct Pair {
  std::string name;
  Shape log, other;
  double between;  ///< of the axes where they touch [m]
};

TEST(TangentCylinders, HaveNoMoreInCommonThanTheirTouchIsDeep) {
  const Cylinder log{kRadius, kHalf};
  const Capsule pill{kRadius, kHalf};
  const Mat3 lying = Eigen::AngleAxisd(0.5 * testing::kPi, Vec3::UnitX()).toRotationMatrix();
  for (const Pair& touching :
       {Pair{"log on log", log, log, 2.0 * kRadius}, Pair{"log on pill", log, pill, 2.0 * kRadius},
        Pair{"pill on pill", pill, pill, 2.0 * kRadius}, Pair{"log in pipe", log, Bore{kPipe}, kRadius - kPipe},
        Pair{"pill in pipe", pill, Bore{kPipe}, kRadius - kPipe}}) {
    Random random(5);
    Interference pair = Interference::make(touching.log, touching.other);
    std::vector<VolumeMetrics> pieces;
    for (int k = 0; k < 600; ++k) {
      const double tilt = std::pow(10.0, random.uniform(-17.0, -5.0));
      const double gap = (k % 2 == 0 ? 1.0 : -1.0) * std::pow(10.0, random.uniform(-18.0, -7.0));
      const double along = k % 3 == 0 ? 0.0 : k % 3 == 1 ? 1e-12 : 1e-3;
      const Pose X_A(lying, Vec3(-0.1, 0.0, 0.1));
      const Vec3 place(X_A.p.x() + touching.between + gap, along, 0.1);
      const Pose X_B(Eigen::AngleAxisd(tilt, random.unit()).toRotationMatrix() * lying, place);
      pieces.clear();
      pair.calc(X_A, X_B, pieces);
      double volume = 0.0;
      for (const VolumeMetrics& piece : pieces) volume += piece.volume;
      // Between cylinders whose curvatures differ by at least 2 / 0.3 m a lens of depth d is 2 sqrt(0.3 m d) wide at
      // most, less deep beside its middle, and as long as the log and its caps.
      const double depth = std::abs(gap) + tilt * (kHalf + kRadius) + 1e-15;
      EXPECT_LE(volume, 2.0 * (kHalf + kRadius) * 2.0 * std::sqrt(0.3 * depth) * depth)
          << touching.name << ", tilt " << tilt << ", gap " << gap;
    }
  }
}

}  // namespace
}  // namespace abut
