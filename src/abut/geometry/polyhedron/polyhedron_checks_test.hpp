#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include "abut/geometry/moments/volume_metrics.hpp"

namespace abut::testing {

/// Volume, centroid and inertia agree to `tolerance`, as fractions of the volume, of the radius of gyration of the
/// region and of the largest moment of inertia.
inline void expect_same_region(const VolumeMetrics& found, const VolumeMetrics& expected, double tolerance) {
  EXPECT_NEAR(found.volume, expected.volume, tolerance * expected.volume);
  const double size = std::sqrt(expected.inertia.trace() / expected.volume);
  EXPECT_LE((found.centroid - expected.centroid).norm(), tolerance * size);
  EXPECT_LE((found.inertia - expected.inertia).cwiseAbs().maxCoeff(),
            tolerance * expected.inertia.cwiseAbs().maxCoeff());
}

}  // namespace abut::testing
