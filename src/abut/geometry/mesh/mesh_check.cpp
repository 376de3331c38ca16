#include "abut/geometry/mesh/mesh_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/exact_sign.hpp"
#include "abut/geometry/mesh/tree_traversal.hpp"

namespace abut {
namespace {

using Triangle = std::array<int, 3>;

bool has_vertex(const Triangle& t, int v) { return t[0] == v || t[1] == v || t[2] == v; }

bool is_strictly_opposite(double a, double b) { return (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0); }

int sign_of(double x) { return x > 0.0 ? 1 : (x < 0.0 ? -1 : 0); }

/// Whether a and b lie strictly on both sides of a triangle's plane, as `up` says for a.
bool is_between(const std::vector<Vec3>& v, const Triangle& t, int a, int b, int up) {
  const TrianglePlane plane(v[t[0]], v[t[1]], v[t[2]]);
  return sign_of(plane.calc_height(v[a])) == up && sign_of(plane.calc_height(v[b])) == -up;
}

/// The edge (a, b) meets triangle t exactly on its half-edge h, or, `at_start`, in the vertex where that begins. It
/// passes through the surface there if it changes sides, the same way, at all triangles around: else it may only touch
/// a ridge.
bool passes_around(const TriangleMesh& mesh, int h, bool at_start, int a, int b, int up) {
  const std::vector<Vec3>& v = mesh.vertices();
  const int twin = mesh.twin(h);
  if (!at_start) {
    if (twin < 0) return false;
    const Triangle& other = mesh.triangles()[twin / 3];
    return !has_vertex(other, a) && !has_vertex(other, b) && is_between(v, other, a, b, up);
  }
  int around = h;
  do {
    const Triangle& other = mesh.triangles()[around / 3];
    if (has_vertex(other, a) || has_vertex(other, b) || !is_between(v, other, a, b, up)) return false;
    around = mesh.twin(TriangleMesh::previous(around));
  } while (around >= 0 && around != h);
  return around == h;
}

/// Whether an edge of triangle i that does not end at triangle j passes through it: through its inside, or through an
/// edge or a corner of it into the other side of the surface.
bool has_piercing_edge(const TriangleMesh& mesh, int i, int j) {
  const std::vector<Vec3>& v = mesh.vertices();
  const Triangle &s = mesh.triangles()[i], &t = mesh.triangles()[j];
  const TrianglePlane plane(v[t[0]], v[t[1]], v[t[2]]);
  for (int k = 0; k < 3; ++k) {
    const int a = s[k], b = s[(k + 1) % 3];
    if (has_vertex(t, a) || has_vertex(t, b)) continue;
    const double height = plane.calc_height(v[a]);
    if (!is_strictly_opposite(height, plane.calc_height(v[b]))) continue;
    std::array<int, 3> sides;
    int sum = 0, num_zero = 0;
    for (int m = 0; m < 3; ++m) {
      sides[m] = sign_of(calc_exact_edge_volume(v[a], v[b], v[t[m]], v[t[(m + 1) % 3]]));
      sum += sides[m];
      num_zero += sides[m] == 0 ? 1 : 0;
    }
    if (num_zero > 2 || std::abs(sum) != 3 - num_zero) continue;
    if (num_zero == 0) return true;
    const int up = sign_of(height);
    for (int m = 0; m < 3; ++m) {
      // Zero on two edges: their common corner, where the second of them begins.
      const bool is_corner = num_zero == 2 && sides[m] == 0 && sides[(m + 2) % 3] == 0;
      const bool is_met = num_zero == 1 ? sides[m] == 0 : is_corner;
      if (is_met && passes_around(mesh, 3 * j + m, num_zero == 2, a, b, up)) return true;
    }
  }
  return false;
}

/// Whether two triangles lie in one plane, face the same way and cover a common area: what lies behind it would count
/// twice. Triangles that face each other only touch.
bool has_common_face(const TriangleMesh& mesh, int i, int j) {
  const std::vector<Vec3>& v = mesh.vertices();
  const Triangle &s = mesh.triangles()[i], &t = mesh.triangles()[j];
  const TrianglePlane plane(v[s[0]], v[s[1]], v[s[2]]), other(v[t[0]], v[t[1]], v[t[2]]);
  if (plane.normal().dot(other.normal()) <= 0.0) return false;
  if (std::any_of(t.begin(), t.end(), [&](int k) { return plane.calc_height(v[k]) != 0.0; })) return false;
  // Seen along the axis that the normal is nearest to, each edge of either triangle is asked whether it parts them.
  int axis = 0;
  const double along = plane.normal().cwiseAbs().maxCoeff(&axis);
  const double up = plane.normal()[axis] < 0.0 ? -1.0 : 1.0;
  const Vec3 axis_vector = up * Vec3::Unit(axis);
  const auto is_parted = [&](const Triangle& edges, const Triangle& points) {
    for (int k = 0; k < 3; ++k) {
      const Vec3 &a = v[edges[k]], &b = v[edges[(k + 1) % 3]];
      const auto is_outside = [&](int p) {
        return calc_exact_determinant(b, a, v[p], a, axis_vector, Vec3::Zero()) <= 0.0;
      };
      if (std::all_of(points.begin(), points.end(), is_outside)) return true;
    }
    return false;
  };
  return along > 0.0 && !is_parted(s, t) && !is_parted(t, s);
}

/// Whether no vertex lies above any triangle's plane: then no two triangles pass through each other. Asked of small
/// meshes only, where it saves time: a fan of many triangles about one corner would be looked at pair by pair.
bool is_small_and_convex(const TriangleMesh& mesh) {
  constexpr int kSmall = 1200;
  if (mesh.num_triangles() > kSmall || mesh.num_shells() != 1 || mesh.edge_faults().has_any()) return false;
  const std::vector<Vec3>& v = mesh.vertices();
  return std::all_of(mesh.triangles().begin(), mesh.triangles().end(), [&](const Triangle& t) {
    const TrianglePlane plane(v[t[0]], v[t[1]], v[t[2]]);
    return std::all_of(v.begin(), v.end(), [&](const Vec3& p) { return plane.calc_height(p) <= 0.0; });
  });
}

/// Solid angle of a triangle seen from the origin, > 0 from behind its face [sr].
/// [van Oosterom and Strackee 1983 (8)]
double calc_solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double divisor = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return 2.0 * std::atan2(a.dot(b.cross(c)), divisor);
}

int count_shared(const Triangle& s, const Triangle& t) {
  return int{has_vertex(t, s[0])} + int{has_vertex(t, s[1])} + int{has_vertex(t, s[2])};
}

}  // namespace

int count_self_intersections(const TriangleMesh& mesh, const BoundingTree& tree) {
  if (is_small_and_convex(mesh)) return 0;
  PairStack stack;
  int count = 0;
  visit_overlapping_pairs(tree, tree, Pose(), stack, [&](int i, int j) {
    if (i >= j) return;
    const Triangle &s = mesh.triangles()[i], &t = mesh.triangles()[j];
    if (count_shared(s, t) >= 2) return;
    if (has_piercing_edge(mesh, i, j) || has_piercing_edge(mesh, j, i) || has_common_face(mesh, i, j)) ++count;
  });
  return count;
}

int count_nested_shells(const TriangleMesh& mesh) {
  constexpr int kMostShells = 64;  // of larger soups each would have to be looked at from each
  const int count = mesh.num_shells();
  if (count < 2 || count > kMostShells || mesh.edge_faults().has_any()) return 0;
  const std::vector<Vec3>& v = mesh.vertices();
  std::vector<double> volume(count, 0.0);
  for (const Triangle& t : mesh.triangles()) volume[mesh.shell(t[0])] += v[t[0]].dot(v[t[1]].cross(v[t[2]]));
  int nested = 0;
  for (int s = 0; s < count; ++s) {
    const Vec3& p = v[mesh.shell_vertex(s)];
    double angle = 0.0;  // solid angle of the others, 4 pi for each that is around p
    for (const Triangle& t : mesh.triangles()) {
      if (mesh.shell(t[0]) != s) angle += calc_solid_angle(v[t[0]] - p, v[t[1]] - p, v[t[2]] - p);
    }
    const double winding = angle / (4.0 * std::numbers::pi), expected = volume[s] > 0.0 ? 0.0 : 1.0;
    // Between whole numbers it touches another: neither inside nor outside.
    if (std::abs(winding - std::round(winding)) < 1e-3 && std::round(winding) != expected) ++nested;
  }
  return nested;
}

MeshFaults find_mesh_faults(const TriangleMesh& mesh, const BoundingTree& tree) {
  return {mesh.edge_faults(), count_self_intersections(mesh, tree), count_nested_shells(mesh),
          calc_moments(mesh.data()).volume};
}

std::string describe_mesh_faults(const MeshFaults& faults, const std::string& name) {
  std::string text = fmt::format("{}: not the closed surface of a solid:", name);
  const auto add = [&](int count, const char* what, const char* meaning) {
    if (count > 0) text += fmt::format(" {} {}{}{};", count, what, count == 1 ? "" : "s", meaning);
  };
  add(faults.edges.num_open, "open edge", "");
  add(faults.edges.num_non_manifold, "non-manifold edge", " (shared by more than two triangles)");
  add(faults.edges.num_misoriented, "misoriented edge", " (the two triangles turn opposite ways)");
  add(faults.num_self_intersections, "self-intersection",
      " (pairs of triangles that pass through each other, or lie in one plane and cover the same area)");
  add(faults.num_nested_shells, "shell", " inside another that faces the same way (what is there would count twice)");
  if (!faults.edges.has_any() && !(faults.volume > 0.0)) {
    text += fmt::format(" it encloses {} m^3;", faults.volume);
  }
  text +=
      " a volume needs a closed mesh: repair it (close the holes, join equal vertices with a welding tolerance, turn "
      "all triangles outwards, unite what overlaps), or give the shape surface = true, the body its mass and inertia "
      "and the contact region = \"perimeter\", which takes any triangles";
  return text;
}

}  // namespace abut
