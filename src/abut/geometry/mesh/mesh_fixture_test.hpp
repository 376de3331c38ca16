#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "abut/math/mesh_data.hpp"
#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

namespace abut::testing {

/// Poses from a seed.
class RandomPoses {
 public:
  explicit RandomPoses(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  Vec3 vector(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }
  Mat3 rotation() {
    Vec4 q;
    do {
      q = Vec4(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    } while (q.squaredNorm() > 1.0 || q.squaredNorm() < 0.01);
    return Quat(q.normalized()[0], q.normalized()[1], q.normalized()[2], q.normalized()[3]).toRotationMatrix();
  }
  Pose pose(double size) {
    const Mat3 R = rotation();
    return {R, vector(size)};
  }

 private:
  std::mt19937 engine_;
};

/// Volume of the part of a tetrahedron within another one: clips its faces by four planes, one at a time, and adds up
/// pyramids. Shares nothing with the code under test.
class TetrahedronClip {
 public:
  static double calc_volume(std::array<Vec3, 4> a, const std::array<Vec3, 4>& b) {
    if ((a[1] - a[0]).dot((a[2] - a[0]).cross(a[3] - a[0])) < 0.0) std::swap(a[1], a[2]);
    std::vector<std::vector<Vec3>> faces = {
        {a[0], a[2], a[1]}, {a[0], a[1], a[3]}, {a[1], a[2], a[3]}, {a[2], a[0], a[3]}};
    const int corners[4][4] = {{0, 2, 1, 3}, {0, 1, 3, 2}, {1, 2, 3, 0}, {2, 0, 3, 1}};
    for (const auto& c : corners) {
      Vec3 n = (b[c[1]] - b[c[0]]).cross(b[c[2]] - b[c[0]]);
      if (n.dot(b[c[3]] - b[c[0]]) > 0.0) n = -n;
      faces = clip(faces, n.normalized(), b[c[0]]);
    }
    if (faces.empty()) return 0.0;
    const Vec3 o = faces[0][0];
    double volume = 0.0;
    for (const auto& f : faces) {
      for (std::size_t i = 1; i + 1 < f.size(); ++i) volume += (f[0] - o).dot((f[i] - o).cross(f[i + 1] - o)) / 6.0;
    }
    return std::abs(volume);
  }

 private:
  using Faces = std::vector<std::vector<Vec3>>;
  static Faces clip(const Faces& faces, const Vec3& n, const Vec3& o) {
    Faces kept;
    std::vector<Vec3> rim;
    for (const auto& f : faces) {
      std::vector<Vec3> rest;
      for (std::size_t i = 0; i < f.size(); ++i) {
        const Vec3 &p = f[i], &q = f[(i + 1) % f.size()];
        const double hp = n.dot(p - o), hq = n.dot(q - o);
        if (hp <= 0.0) rest.push_back(p);
        if ((hp <= 0.0) != (hq <= 0.0)) {
          rest.push_back(p + hp / (hp - hq) * (q - p));
          rim.push_back(rest.back());
        }
      }
      if (rest.size() >= 3) kept.push_back(rest);
    }
    if (rim.size() >= 3) kept.push_back(sort_round(rim, n));
    return kept;
  }
  static std::vector<Vec3> sort_round(std::vector<Vec3> points, const Vec3& n) {
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : points) middle += p / static_cast<double>(points.size());
    const Vec3 x = any_perpendicular(n), y = n.cross(x);
    std::sort(points.begin(), points.end(), [&](const Vec3& p, const Vec3& q) {
      return std::atan2(y.dot(p - middle), x.dot(p - middle)) < std::atan2(y.dot(q - middle), x.dot(q - middle));
    });
    return points;
  }
};

/// Volume of the interference as a signed sum over all pairs of tetrahedra (origin, triangle) of both meshes.
inline double calc_volume_by_tetrahedra(const MeshData& a, const MeshData& b) {
  const Vec3 o(0.0131, -0.0077, 0.0219), p(-0.0083, 0.0117, -0.0151);
  double sum = 0.0;
  for (const auto& s : a.triangles) {
    const std::array<Vec3, 4> x = {o, a.vertices[s[0]], a.vertices[s[1]], a.vertices[s[2]]};
    const double sign_x = (x[1] - o).dot((x[2] - o).cross(x[3] - o));
    for (const auto& t : b.triangles) {
      const std::array<Vec3, 4> y = {p, b.vertices[t[0]], b.vertices[t[1]], b.vertices[t[2]]};
      const double sign_y = (y[1] - p).dot((y[2] - p).cross(y[3] - p));
      const double volume = TetrahedronClip::calc_volume(x, y);
      sum += (sign_x > 0.0) == (sign_y > 0.0) ? volume : -volume;
    }
  }
  return sum;
}

}  // namespace abut::testing
