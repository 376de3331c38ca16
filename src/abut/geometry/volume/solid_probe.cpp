#include "abut/geometry/volume/solid_probe.hpp"

#include <algorithm>

#include "abut/geometry/distance/shape_bounds.hpp"

namespace abut {

SolidProbe::SolidProbe(const Shape& shape, const Pose& X)
    : bounds_(calc_aabb(shape, X)), X_inverse_(X.inverse()), cells_(make_cells(make_solid(shape))) {}

bool SolidProbe::holds(const Vec3& p, double slack) {
  const Vec3 local = X_inverse_ * p;
  return std::any_of(cells_.begin(), cells_.end(), [&](const Cell& cell) { return holds(cell, local, slack); });
}

bool SolidProbe::holds(const Cell& cell, const Vec3& p, double slack) {
  if (!is_within(cell.region, p, slack)) return false;
  return std::all_of(cell.region.meshes.begin(), cell.region.meshes.end(), [&](const RegionMesh& mesh) {
    const Vec3 q = mesh.X.inverse() * p;
    if (is_inside(*mesh.solid, q, scratch_) != mesh.is_complement) return true;
    const MeshData& data = mesh.solid->mesh().data();
    return find_closest_point(data, mesh.solid->tree(), q, scratch_).pair.distance <= slack;
  });
}

}  // namespace abut
