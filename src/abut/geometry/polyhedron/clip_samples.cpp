#include "abut/geometry/polyhedron/clip_samples.hpp"

#include <array>
#include <cmath>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// Corner of the small tetrahedra as counts of steps (x, y, z); the big one is n >= x >= y >= z >= 0.
using Steps = std::array<int, 3>;

Vec4 calc_barycentric(const Steps& s, int n) {
  return Vec4(n - s[0], s[0] - s[1], s[1] - s[2], s[2]) / static_cast<double>(n);
}

/// Centroid of a face [m], relative to the clip's origin.
Vec3 calc_face_centroid(const PolyhedronClip& clip, const ClipFace& face) {
  const Vec3 a = clip.corner(face, 0);
  Vec3 double_area = Vec3::Zero(), mean = Vec3::Zero();
  for (int i = 2; i < face.count; ++i) {
    double_area += (clip.corner(face, i - 1) - a).cross(clip.corner(face, i) - a);
  }
  const double norm = double_area.norm();
  if (!(norm > 0.0)) return a;  // no area, no weight: any point will do
  for (int i = 2; i < face.count; ++i) {
    const Vec3 b = clip.corner(face, i - 1) - a, c = clip.corner(face, i) - a;
    mean += double_area.dot(b.cross(c)) * (b + c);
  }
  return a + mean / (3.0 * norm * norm);
}

}  // namespace

TetrahedronRule::TetrahedronRule(int detail) {
  if (detail < 0 || detail > 32) throw InputError(fmt::format("detail must be between 0 and 32, got {}", detail));
  if (detail == 0) {
    points_.push_back(Vec4::Constant(0.25));
    return;
  }
  // Each unit cube of steps falls into six tetrahedra, one for each order of taking its three steps [Kuhn 1960].
  // Those that keep x >= y >= z fill the big one.
  constexpr std::array<Steps, 6> kOrders = {{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  // The symmetric points of degree two: (5 + 3 sqrt 5)/20 at one corner, (5 - sqrt 5)/20 at the others.
  const double near = (5.0 + 3.0 * std::sqrt(5.0)) / 20.0, far = (5.0 - std::sqrt(5.0)) / 20.0;
  const auto is_inside = [](const Steps& s) { return s[0] >= s[1] && s[1] >= s[2]; };
  for (int x = 0; x < detail; ++x) {
    for (int y = 0; y <= x; ++y) {
      for (int z = 0; z <= y; ++z) {
        for (const Steps& order : kOrders) {
          Steps at = {x, y, z};
          std::array<Vec4, 4> corners;
          bool is_whole = true;
          for (int i = 0; i < 4; ++i) {
            is_whole = is_whole && is_inside(at);
            corners[i] = calc_barycentric(at, detail);
            if (i < 3) ++at[order[i]];
          }
          if (!is_whole) continue;
          const Vec4 sum = corners[0] + corners[1] + corners[2] + corners[3];
          for (const Vec4& corner : corners) points_.push_back(far * sum + (near - far) * corner);
        }
      }
    }
  }
}

void calc_clip_samples(const PolyhedronClip& clip, const VolumeMetrics& metrics, const TetrahedronRule& rule,
                       std::vector<VolumeSample>& samples) {
  if (!(metrics.volume > 0.0)) return;
  const Vec3 center = metrics.centroid - clip.origin();
  const double share = 1.0 / (6.0 * static_cast<double>(rule.points().size()));
  for (const ClipFace& face : clip.faces()) {
    if (face.count < 3) continue;
    const Vec3 middle = calc_face_centroid(clip, face);
    for (int i = 0; i < face.count; ++i) {
      const Vec3 tail = clip.corner(face, i), head = clip.corner(face, i + 1 < face.count ? i + 1 : 0);
      const double det = (middle - center).dot((tail - middle).cross(head - middle));
      if (!(det > 0.0)) continue;
      for (const Vec4& l : rule.points()) {
        const Vec3 point = l[0] * center + l[1] * middle + l[2] * tail + l[3] * head;
        samples.push_back({clip.origin() + point, share * det});
      }
    }
  }
}

}  // namespace abut
