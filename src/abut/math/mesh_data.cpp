#include "abut/math/mesh_data.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "abut/base/error.hpp"
#include "abut/math/union_find.hpp"

namespace abut {
namespace {

bool is_near(const Vec3& a, const Vec3& b, double tolerance) { return (a - b).cwiseAbs().maxCoeff() <= tolerance; }

/// By hashing; each vertex becomes the first one equal to it.
std::vector<int> find_identical_vertices(const std::vector<Vec3>& vertices) {
  std::size_t size = 16;
  while (size < 2 * vertices.size()) size *= 2;
  std::vector<int> table(size, -1), first(vertices.size());
  for (int v = 0; v < static_cast<int>(vertices.size()); ++v) {
    std::uint64_t hash = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = vertices[v][i] + 0.0;  // -0 becomes 0
      hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15ull;
      hash ^= hash >> 29;
    }
    std::size_t slot = static_cast<std::size_t>(hash) & (size - 1);
    while (table[slot] >= 0 && vertices[table[slot]] != vertices[v]) slot = (slot + 1) & (size - 1);
    if (table[slot] < 0) table[slot] = v;
    first[v] = table[slot];
  }
  return first;
}

/// Sweeps along x: only vertices within the tolerance there are compared. A group is named by its first vertex.
std::vector<int> find_close_vertices(const std::vector<Vec3>& vertices, double tolerance) {
  UnionFind groups(static_cast<int>(vertices.size()));
  std::vector<int> order(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return vertices[i].x() != vertices[j].x() ? vertices[i].x() < vertices[j].x() : i < j;
  });
  for (std::size_t m = 0; m < order.size(); ++m) {
    const Vec3& a = vertices[order[m]];
    for (std::size_t n = m + 1; n < order.size() && vertices[order[n]].x() - a.x() <= tolerance; ++n) {
      if (is_near(a, vertices[order[n]], tolerance)) groups.join(order[m], order[n]);
    }
  }
  std::vector<int> first(vertices.size());
  for (int i = 0; i < groups.size(); ++i) first[i] = groups.find(i);
  return first;
}

}  // namespace

MeshCleaning clean_mesh(MeshData& mesh, double tolerance) {
  ABUT_REQUIRE(tolerance >= 0.0 && std::isfinite(tolerance), "a welding tolerance of {} m", tolerance);
  const std::vector<int> first =
      tolerance > 0.0 ? find_close_vertices(mesh.vertices, tolerance) : find_identical_vertices(mesh.vertices);
  MeshCleaning cleaning;
  std::vector<int> renamed(mesh.vertices.size(), -1);
  std::size_t num_kept = 0;
  for (const std::array<int, 3>& triangle : mesh.triangles) {
    const std::array<int, 3> joined = {first[triangle[0]], first[triangle[1]], first[triangle[2]]};
    if (joined[0] == joined[1] || joined[1] == joined[2] || joined[2] == joined[0]) {
      ++cleaning.num_degenerate;
      continue;
    }
    for (const int v : joined) renamed[v] = 0;
    mesh.triangles[num_kept++] = joined;
  }
  mesh.triangles.resize(num_kept);
  int num_vertices = 0;
  for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v) {
    if (first[v] != v) ++cleaning.num_welded;
    if (first[v] == v && renamed[v] < 0) ++cleaning.num_unused;
    if (renamed[v] < 0) continue;
    renamed[v] = num_vertices;
    mesh.vertices[num_vertices++] = mesh.vertices[v];
  }
  mesh.vertices.resize(static_cast<std::size_t>(num_vertices));
  for (std::array<int, 3>& triangle : mesh.triangles) {
    for (int& v : triangle) v = renamed[v];
  }
  return cleaning;
}

}  // namespace abut
