#include "abut/geometry/moments/volume_metrics.hpp"

#include <limits>

#include <Eigen/Cholesky>

namespace abut {

VolumeMetrics make_volume_metrics(const VolumeMoments& moments, const Vec3& origin, const Vec3& area_vector) {
  VolumeMetrics metrics;
  metrics.volume = moments.volume;
  metrics.area_vector = area_vector;
  if (!(moments.volume > 0.0)) {
    metrics.centroid = origin;
    return metrics;
  }
  const Vec3 offset = moments.first / moments.volume;
  metrics.centroid = origin + offset;
  const Mat3 central = moments.second - moments.volume * offset * offset.transpose();
  metrics.inertia = central.trace() * Mat3::Identity() - central;
  return metrics;
}

VolumeMetrics join(const VolumeMetrics& x, const VolumeMetrics& y) {
  VolumeMetrics sum;
  sum.volume = x.volume + y.volume;
  sum.area_vector = x.area_vector + y.area_vector;
  sum.centroid = (x.volume * x.centroid + y.volume * y.centroid) / sum.volume;
  for (const VolumeMetrics* part : {&x, &y}) {
    const Vec3 arm = part->centroid - sum.centroid;
    sum.inertia += part->inertia + part->volume * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  return sum;
}

double calc_remoteness(const VolumeMetrics& piece, const Vec3& point) {
  Mat3 second = (0.5 * piece.inertia.trace() * Mat3::Identity() - piece.inertia) / piece.volume;
  second += 1e-9 * second.trace() * Mat3::Identity();  // flat pieces
  const Vec3 arm = point - piece.centroid;
  const auto factors = second.ldlt();
  if (factors.isPositive() && factors.vectorD().minCoeff() > 0.0) return arm.dot(Vec3(factors.solve(arm)));
  // Moments of pieces as small as rounding may have either sign: as far as from a ball of their trace. Finite, so that
  // such a piece is still the nearest one where there is no other.
  const double spread = second.trace() / 3.0, square = arm.squaredNorm();
  const double most = std::numeric_limits<double>::max();
  return spread > 0.0 && square < spread * most ? square / spread : (square > 0.0 ? most : 0.0);
}

}  // namespace abut
