#pragma once

#include <vector>

#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/volume_pair.hpp"

namespace abut::testing {

/// All pieces together, about the world's origin.
struct Total {
  VolumeMoments moments;
  Vec3 area_vector = Vec3::Zero();
};

inline Total calc_total(const std::vector<VolumeMetrics>& pieces) {
  Total total;
  for (const VolumeMetrics& piece : pieces) {
    const Mat3 second = 0.5 * piece.inertia.trace() * Mat3::Identity() - piece.inertia;
    total.moments += shift_moments({piece.volume, Vec3::Zero(), second}, piece.centroid);
    total.area_vector += piece.area_vector;
  }
  return total;
}

inline Total calc_total(VolumePair& pair, const Pose& X_WA, const Pose& X_WB) {
  std::vector<VolumeMetrics> pieces;
  pair.calc(X_WA, X_WB, pieces);
  return calc_total(pieces);
}

inline double calc_volume_of(const Solid& a, const Solid& b, const Pose& X_WA, const Pose& X_WB) {
  VolumePair pair = VolumePair::make(a, b);
  return calc_total(pair, X_WA, X_WB).moments.volume;
}

/// A random bounded shape of size about 1; kinds 0 to 5.
inline Shape make_random_shape(Random& random, int kind) {
  const auto size = [&random] { return random.uniform(0.4, 1.4); };
  switch (kind) {
    case 0:
      return Sphere{size()};
    case 1: {
      const double x = size(), y = size();
      return Box{Vec3(x, y, size())};
    }
    case 2: {
      const double radius = size();
      return Cylinder{radius, size()};
    }
    case 3: {
      const double angle = random.uniform(0.2, 0.75);
      return Cone{angle, 2.0 * size()};
    }
    case 4: {
      const double radius = size();
      return Capsule{radius, size()};
    }
    default: {
      const double x = size(), y = size();
      return Ellipsoid{Vec3(x, y, size())};
    }
  }
}

/// Also half-space, wedge, bore and endless cylinder; kinds 0 to 9.
inline Shape make_random_partner(Random& random, int kind) {
  if (kind < 6) return make_random_shape(random, kind);
  if (kind == 6) return HalfSpace{random.unit(), random.uniform(-0.5, 0.5)};
  if (kind == 7) {
    const Vec3 n = random.unit();
    return Wedge{n, random.unit()};
  }
  if (kind == 8) return Bore{random.uniform(0.4, 1.4)};
  return Cylinder{random.uniform(0.4, 1.2)};
}

/// A round hole through the solid.
inline Solid drill(Solid solid, Random& random) {
  const double radius = random.uniform(0.2, 0.5);
  solid.parts.push_back({Shape(Cylinder{radius}), random.pose(0.3), true});
  return solid;
}

}  // namespace abut::testing
