#include "abut/geometry/mesh/closed_mesh.hpp"

#include <utility>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/mesh_check.hpp"
#include "abut/geometry/mesh/mesh_repair.hpp"
#include "abut/geometry/moments/volume_metrics.hpp"

namespace abut {

ClosedMesh make_closed_mesh(MeshData data, const std::string& name, double weld_tolerance) {
  require_sound_mesh(data, name);
  ClosedMesh solid;
  solid.report_.cleaning = clean_mesh(data, weld_tolerance);
  if (data.triangles.empty()) throw InputError(fmt::format("{}: all triangles are degenerate", name));
  solid.report_.num_flattened = flatten_needles(data);
  if (calc_moments(data).volume < 0.0) {
    data = make_flipped(std::move(data));
    solid.report_.is_flipped = true;
  }
  solid.mesh_ = TriangleMesh(std::move(data));
  solid.tree_ = BoundingTree(solid.mesh_.data());
  const MeshFaults faults = find_mesh_faults(solid.mesh_, solid.tree_);
  if (!faults.is_solid()) throw InputError(describe_mesh_faults(faults, name));
  solid.bounds_ = calc_bounds(solid.mesh_.data());
  solid.moments_ = calc_moments(solid.mesh_.data());
  return solid;
}

MassProperties calc_mass_properties(const ClosedMesh& mesh, double density) {
  const Vec3 center = 0.5 * (mesh.bounds().lower + mesh.bounds().upper);
  const VolumeMetrics metrics = make_volume_metrics(shift_moments(mesh.moments(), -center), center, Vec3::Zero());
  return {density * metrics.volume, metrics.centroid, density * metrics.inertia};
}

}  // namespace abut
