#include "abut/geometry/volume/region.hpp"

namespace abut {

void transform_region(const Region& region_W, const Pose& X_FW, Region& region_F) {
  region_F.planes.resize(region_W.planes.size());
  for (std::size_t i = 0; i < region_W.planes.size(); ++i) {
    const RegionPlane& plane = region_W.planes[i];
    const Vec3 normal = X_FW.R * plane.normal;
    region_F.planes[i] = {normal, plane.offset + normal.dot(X_FW.p), plane.owner};
  }
  region_F.quadrics.resize(region_W.quadrics.size());
  for (std::size_t i = 0; i < region_W.quadrics.size(); ++i) {
    region_F.quadrics[i] = region_W.quadrics[i];
    region_F.quadrics[i].X = X_FW * region_W.quadrics[i].X;
  }
  region_F.meshes = region_W.meshes;
  for (RegionMesh& mesh : region_F.meshes) mesh.X = X_FW * mesh.X;
  region_F.center = X_FW * region_W.center;
  region_F.radius = region_W.radius;
}

bool is_within(const Region& region, const Vec3& x, double slack) {
  for (const RegionPlane& plane : region.planes) {
    if (plane.normal.dot(x) - plane.offset > slack) return false;
  }
  for (const Quadric& quadric : region.quadrics) {
    if (calc_outside_measure(quadric, x) > slack) return false;
  }
  return true;
}

}  // namespace abut
