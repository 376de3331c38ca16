#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/volume/interference.hpp"

namespace abut {
namespace {

/// Mean over a disc of radius 1 of the unit vector away from a point at `pole` from its middle, along that line: the
/// friction of a disc that slides and spins about that point. By polar rings about the pole.
double calc_mean_direction(double pole) {
  // Mean of cos over chords: integral over angles of cos(a) r(a)^2 / 2, r the way from the pole to the rim.
  constexpr int kCount = 20000;
  double sum = 0.0;
  for (int k = 0; k < kCount; ++k) {
    const double a = 2.0 * std::numbers::pi * (k + 0.5) / kCount;
    const double r = -pole * std::cos(a) + std::sqrt(1.0 - pole * pole * std::sin(a) * std::sin(a));
    sum += std::cos(a) * r * r / 2.0;
  }
  return sum * 2.0 * std::numbers::pi / kCount / std::numbers::pi;
}

double calc_sampled(double pole, int detail) {
  Interference pair = Interference::make(Cylinder{0.05, 0.02}, HalfSpace{});
  std::vector<VolumeSample> samples;
  pair.calc_samples(Pose(Mat3::Identity(), Vec3(0, 0, 0.02 - 1e-5)), Pose(), detail, samples);
  double sum = 0.0, volume = 0.0;
  for (const VolumeSample& sample : samples) {
    const Vec3 arm = sample.point - Vec3(0.05 * pole, 0, sample.point.z());
    sum += sample.weight * arm.x() / arm.norm();
    volume += sample.weight;
  }
  EXPECT_NEAR(volume, std::numbers::pi * 0.05 * 0.05 * 1e-5, 1e-12 * volume + 1e-18);
  return sum / volume;
}

TEST(SliceSamples, ADiscThatSlidesAndSpins) {
  for (const double pole : {0.1, 0.35, 0.5, 0.77}) {
    const double expected = calc_mean_direction(pole);
    // Errors fall with the square of the detail; half a per cent of the full friction is a tenth of the closure's.
    EXPECT_NEAR(calc_sampled(pole, 4), expected, 0.02) << pole;
    EXPECT_NEAR(calc_sampled(pole, 8), expected, 0.005) << pole;
  }
}

}  // namespace
}  // namespace abut
