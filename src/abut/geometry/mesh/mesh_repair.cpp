#include "abut/geometry/mesh/mesh_repair.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/exact_sign.hpp"
#include "abut/geometry/mesh/mesh_edges.hpp"
#include "abut/geometry/mesh/triangle_mesh.hpp"

namespace abut {
namespace {

/// Coordinates beyond this [m] would overflow the third powers in single precision boxes or exact signs.
constexpr double kMaxCoordinate = 1e12;

bool is_needle(const MeshData& data, const std::array<int, 3>& c) {
  const Vec3 &o = data.vertices[c[0]], &a = data.vertices[c[1]], &b = data.vertices[c[2]];
  const Vec3 u = a - o, w = b - o;
  // Far above rounding the triangle is certainly none; the rest is decided exactly.
  if (u.cross(w).squaredNorm() > 1e-24 * u.squaredNorm() * w.squaredNorm()) return false;
  return calc_exact_cross_sign(a, o, b, o) == 0;
}

}  // namespace

void require_sound_mesh(const MeshData& data, const std::string& name) {
  const int count = static_cast<int>(data.vertices.size());
  if (data.triangles.empty()) throw InputError(fmt::format("{}: a mesh without triangles is no body", name));
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

int drop_needles(MeshData& data) {
  const auto has_no_normal = [&](const std::array<int, 3>& t) {
    const Vec3 u = data.vertices[t[1]] - data.vertices[t[0]], w = data.vertices[t[2]] - data.vertices[t[0]];
    // The normal is the product over its length, which must not underflow.
    return !(u.cross(w).squaredNorm() > 1e-280) || is_needle(data, t);
  };
  return static_cast<int>(std::erase_if(data.triangles, has_no_normal));
}

int orient_triangles(MeshData& data) {
  const std::size_t count = data.triangles.size();
  std::vector<int> partner(3 * count, -1);
  const auto start = [&](int h) { return data.triangles[h / 3][h % 3]; };
  visit_edges(data, [&](std::span<const EdgeKey> edge) {
    if (edge.size() != 2) return;
    partner[edge[0].h] = edge[1].h;
    partner[edge[1].h] = edge[0].h;
  });
  std::vector<signed char> side(count, 0);  // 1: as it is, -1: turned
  std::vector<int> piece;
  int num_turned = 0;
  for (std::size_t first = 0; first < count; ++first) {
    if (side[first] != 0) continue;
    piece.assign(1, static_cast<int>(first));
    side[first] = 1;
    double balance = 0.0;  // area that keeps its side less area that is turned
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const int t = piece[i];
      const std::array<int, 3>& c = data.triangles[t];
      const Vec3 u = data.vertices[c[1]] - data.vertices[c[0]], w = data.vertices[c[2]] - data.vertices[c[0]];
      balance += side[t] * u.cross(w).norm();
      for (int h = 3 * t; h < 3 * t + 3; ++h) {
        const int g = partner[h];
        if (g < 0 || side[g / 3] != 0) continue;
        side[g / 3] = static_cast<signed char>(start(h) == start(g) ? -side[t] : side[t]);
        piece.push_back(g / 3);
      }
    }
    const int turned = balance < 0.0 ? 1 : -1;
    for (const int t : piece) {
      if (side[t] == turned) ++num_turned;
      side[t] = static_cast<signed char>(side[t] == turned ? -1 : 1);
    }
  }
  for (std::size_t t = 0; t < count; ++t) {
    if (side[t] < 0) std::swap(data.triangles[t][1], data.triangles[t][2]);
  }
  return num_turned;
}

}  // namespace abut
