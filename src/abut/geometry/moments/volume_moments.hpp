#pragma once

#include "abut/math/types.hpp"

namespace abut {

/// Integrals over a region of space, about some origin O: the sum of two regions is the sum of their moments.
struct VolumeMoments {
  double volume = 0.0;         ///< integral of 1 [m^3]
  Vec3 first = Vec3::Zero();   ///< integral of x [m^4]
  Mat3 second = Mat3::Zero();  ///< integral of x x' [m^5]

  VolumeMoments& operator+=(const VolumeMoments& other) {
    volume += other.volume;
    first += other.first;
    second += other.second;
    return *this;
  }

  /// Adds `sign` times the tetrahedron (O, a, b, c); its volume is positive when a, b, c turn anticlockwise seen from
  /// outside. Summed over the faces of a closed surface this is the divergence theorem.
  void add_tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c, double sign = 1.0);
};

/// The same region about another origin: `shift` is the old origin seen from the new one [m].
VolumeMoments shift_moments(const VolumeMoments& moments, const Vec3& shift);

/// The same region with its axes turned by R.
VolumeMoments rotate_moments(const VolumeMoments& moments, const Mat3& R);

}  // namespace abut
