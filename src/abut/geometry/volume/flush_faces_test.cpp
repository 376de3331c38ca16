#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/volume/interference.hpp"

// Round faces laid on each other beside their axes, flush or all but flush: the part of both is as thin as the tilt is
// high, and neither may be neglected beside the other.

namespace abut {
namespace {

/// Between z = 0 and the face of a can of radius r about x = off, which leans by `tilt` and is `depth` deep on its
/// axis: strips of the lens that both discs share, with the height over their middle.
double calc_lens_wedge(double r, double off, double tilt, double depth) {
  constexpr int kStrips = 40'000;
  const double from = off - r, width = (2.0 * r - off) / kStrips;
  double sum = 0.0;
  for (int i = 0; i < kStrips; ++i) {
    const double x = from + (i + 0.5) * width;
    const double half = std::sqrt(std::max(0.0, std::min(r * r - x * x, r * r - (x - off) * (x - off))));
    sum += 2.0 * half * width * std::max(0.0, depth + tilt * (x - off));
  }
  return sum;
}

TEST(FlushFaces, CansBesideTheirAxesShareWhatTheirTiltLeaves) {
  const Cylinder can{.radius = 0.05, .half_length = 0.05};
  Interference interference = Interference::make(can, can);
  std::vector<VolumeMetrics> pieces;
  for (const double off : {0.001, 0.005, 0.02}) {
    for (double tilt = 1e-12; tilt < 1e-3; tilt *= 10.0) {
      for (double depth = 1e-11; depth < 1e-4; depth *= 10.0) {
        Pose X_WA, X_WB;
        X_WB.R = Eigen::AngleAxisd(tilt, Vec3::UnitY()).toRotationMatrix();
        // The middle of its lower face is over x = off, as deep as asked for.
        X_WB.p = Vec3(off + 0.05 * std::sin(tilt), 0.0, 0.05 + 0.05 * std::cos(tilt) - depth);
        interference.calc(X_WA, X_WB, pieces);
        double volume = 0.0;
        for (const VolumeMetrics& piece : pieces) volume += piece.volume;
        const double expected = calc_lens_wedge(0.05, off, tilt, depth);
        // Strips: (width / r)^(3/2) at the ends. A place is known to 3e-17 m, twice; tilts beyond 1e-4 bend the rim.
        const double tolerance = 1e-6 + 1e-16 / std::max(depth, 0.01 * tilt) + 10.0 * tilt;
        EXPECT_NEAR(volume / expected, 1.0, tolerance) << "off " << off << " tilt " << tilt << " depth " << depth;
      }
    }
  }
}

}  // namespace
}  // namespace abut
