#include "abut/geometry/mesh/mesh_check.hpp"

#include <algorithm>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/exact_sign.hpp"
#include "abut/geometry/mesh/tree_traversal.hpp"

namespace abut {
namespace {

using Triangle = std::array<int, 3>;

bool has_vertex(const Triangle& t, int v) { return t[0] == v || t[1] == v || t[2] == v; }

bool is_strictly_opposite(double a, double b) { return (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0); }

bool is_same_side(double a, double b, double c) {
  return (a > 0.0 && b > 0.0 && c > 0.0) || (a < 0.0 && b < 0.0 && c < 0.0);
}

/// Whether an edge of s that does not end at t passes through the inside of t.
bool has_piercing_edge(const std::vector<Vec3>& v, const Triangle& s, const Triangle& t) {
  const TrianglePlane plane(v[t[0]], v[t[1]], v[t[2]]);
  for (int k = 0; k < 3; ++k) {
    const int a = s[k], b = s[(k + 1) % 3];
    if (has_vertex(t, a) || has_vertex(t, b)) continue;
    if (!is_strictly_opposite(plane.calc_height(v[a]), plane.calc_height(v[b]))) continue;
    if (is_same_side(calc_exact_edge_volume(v[a], v[b], v[t[0]], v[t[1]]),
                     calc_exact_edge_volume(v[a], v[b], v[t[1]], v[t[2]]),
                     calc_exact_edge_volume(v[a], v[b], v[t[2]], v[t[0]]))) {
      return true;
    }
  }
  return false;
}

int count_shared(const Triangle& s, const Triangle& t) {
  return int{has_vertex(t, s[0])} + int{has_vertex(t, s[1])} + int{has_vertex(t, s[2])};
}

}  // namespace

int count_self_intersections(const TriangleMesh& mesh, const BoundingTree& tree) {
  const std::vector<Vec3>& v = mesh.vertices();
  PairStack stack;
  int count = 0;
  visit_overlapping_pairs(tree, tree, Pose(), stack, [&](int i, int j) {
    if (i >= j) return;
    const Triangle &s = mesh.triangles()[i], &t = mesh.triangles()[j];
    if (count_shared(s, t) >= 2) return;
    if (has_piercing_edge(v, s, t) || has_piercing_edge(v, t, s)) ++count;
  });
  return count;
}

MeshFaults find_mesh_faults(const TriangleMesh& mesh, const BoundingTree& tree) {
  return {mesh.edge_faults(), count_self_intersections(mesh, tree), calc_moments(mesh.data()).volume};
}

std::string describe_mesh_faults(const MeshFaults& faults, const std::string& name) {
  std::string text = fmt::format("{}: not the closed surface of a solid:", name);
  const auto add = [&](int count, const char* what, const char* meaning) {
    if (count > 0) text += fmt::format(" {} {}{}{};", count, what, count == 1 ? "" : "s", meaning);
  };
  add(faults.edges.num_open, "open edge", "");
  add(faults.edges.num_non_manifold, "non-manifold edge", " (shared by more than two triangles)");
  add(faults.edges.num_misoriented, "misoriented edge", " (the two triangles turn opposite ways)");
  add(faults.num_self_intersections, "self-intersection", " (pairs of triangles that pass through each other)");
  if (!faults.edges.has_any() && !(faults.volume > 0.0)) {
    text += fmt::format(" it encloses {} m^3;", faults.volume);
  }
  text +=
      " a volume of interference needs a closed mesh: repair it (close the holes, join equal vertices with a welding "
      "tolerance, turn all triangles outwards), or use region = \"perimeter\", which takes any triangles";
  return text;
}

}  // namespace abut
