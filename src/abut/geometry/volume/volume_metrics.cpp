#include "abut/geometry/volume/volume_metrics.hpp"

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

}  // namespace abut
