#include "abut/geometry/mesh/closed_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/exact_sign.hpp"
#include "abut/geometry/mesh/mesh_check.hpp"
#include "abut/geometry/volume/volume_metrics.hpp"

namespace abut {
namespace {

/// Coordinates beyond this [m] would overflow the third powers in single precision boxes or exact signs.
constexpr double kMaxCoordinate = 1e12;

void require_sound(const MeshData& data, const std::string& name) {
  const int count = static_cast<int>(data.vertices.size());
  if (data.triangles.empty()) throw InputError(fmt::format("{}: a mesh without triangles is no solid", name));
  for (int v = 0; v < count; ++v) {
    const Vec3& p = data.vertices[v];
    if (!p.allFinite() || p.cwiseAbs().maxCoeff() > kMaxCoordinate) {
      throw InputError(fmt::format("{}: vertex {} is at ({}, {}, {}) m; coordinates have to be finite and within {} m",
                                   name, v, p.x(), p.y(), p.z(), kMaxCoordinate));
    }
  }
  for (std::size_t t = 0; t < data.triangles.size(); ++t) {
    for (const int v : data.triangles[t]) {
      if (v >= 0 && v < count) continue;
      throw InputError(
          fmt::format("{}: triangle {} names vertex {}, but there are {} (0 to {})", name, t, v, count, count - 1));
    }
  }
}

bool is_needle(const MeshData& data, const std::array<int, 3>& c) {
  const Vec3 &o = data.vertices[c[0]], &a = data.vertices[c[1]], &b = data.vertices[c[2]];
  const Vec3 u = a - o, w = b - o;
  // Far above rounding the triangle is certainly none; the rest is decided exactly.
  if (u.cross(w).squaredNorm() > 1e-24 * u.squaredNorm() * w.squaredNorm()) return false;
  return calc_exact_cross_sign(a, o, b, o) == 0;
}

/// Replaces a triangle whose corners lie on a line and its neighbour across the longest edge by the two triangles of
/// the other diagonal: the same surface without the flat triangle. Returns how many were replaced.
int flatten_needles(MeshData& data) {
  const auto is_flat = [&](const std::array<int, 3>& t) { return is_needle(data, t); };
  if (std::none_of(data.triangles.begin(), data.triangles.end(), is_flat)) return 0;
  int count = 0;
  for (bool has_changed = true; has_changed && count <= static_cast<int>(data.triangles.size());) {
    has_changed = false;
    const TriangleMesh mesh(data);
    std::vector<char> is_used(data.triangles.size(), 0);
    for (int t = 0; t < mesh.num_triangles(); ++t) {
      const std::array<int, 3>& c = data.triangles[t];
      const std::vector<Vec3>& v = data.vertices;
      if (is_used[t] || !is_needle(data, c)) continue;
      int longest = 0;
      double length = -1.0;
      for (int k = 0; k < 3; ++k) {
        const double l = (v[c[(k + 1) % 3]] - v[c[k]]).squaredNorm();
        if (l > length) std::tie(length, longest) = std::pair(l, k);
      }
      const int h = 3 * t + longest, g = mesh.twin(h);
      if (g < 0 || is_used[g / 3]) continue;
      const int a = mesh.start(h), b = mesh.end(h), x = mesh.end(TriangleMesh::next(h)),
                y = mesh.end(TriangleMesh::next(g));
      if (x == y) continue;
      data.triangles[t] = {x, a, y};
      data.triangles[g / 3] = {x, y, b};
      is_used[t] = is_used[g / 3] = 1;
      has_changed = true;
      ++count;
    }
  }
  return count;
}

}  // namespace

ClosedMesh make_closed_mesh(MeshData data, const std::string& name, double weld_tolerance) {
  require_sound(data, name);
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
