#include "abut/geometry/moments/volume_moments.hpp"

namespace abut {

void VolumeMoments::add_tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c, double sign) {
  const double det = sign * a.dot(b.cross(c));
  const Vec3 m = a + b + c;
  volume += det / 6.0;
  first += det / 24.0 * m;
  second += det / 120.0 * (m * m.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
}

VolumeMoments shift_moments(const VolumeMoments& moments, const Vec3& shift) {
  VolumeMoments shifted = moments;
  shifted.first += moments.volume * shift;
  const Mat3 mixed = moments.first * shift.transpose();
  shifted.second += mixed + mixed.transpose() + moments.volume * shift * shift.transpose();
  return shifted;
}

VolumeMoments rotate_moments(const VolumeMoments& moments, const Mat3& R) {
  return {moments.volume, R * moments.first, R * moments.second * R.transpose()};
}

}  // namespace abut
