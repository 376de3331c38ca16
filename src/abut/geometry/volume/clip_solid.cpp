#include "abut/geometry/volume/clip_solid.hpp"

#include <algorithm>
#include <vector>

#include "abut/base/error.hpp"

namespace abut {

std::shared_ptr<const ConvexPolyhedron> make_clip_solid(const PolyhedronClip& clip) {
  constexpr double kSamePoint = 1e-12;  // of the size; rounding of a cut is a few hundredths of that
  double size = 0.0;
  for (const Vec3& vertex : clip.vertices()) size = std::max(size, (vertex - clip.vertices()[0]).norm());
  std::vector<Vec3> corners;
  for (const Vec3& vertex : clip.vertices()) {
    const bool is_known = std::any_of(corners.begin(), corners.end(), [&](const Vec3& corner) {
      return (corner - vertex).squaredNorm() <= kSamePoint * kSamePoint * size * size;
    });
    if (!is_known) corners.push_back(vertex);
  }
  try {
    return std::make_shared<const ConvexPolyhedron>(make_convex_hull(corners));
  } catch (const InputError&) {
    return nullptr;  // thinner than rounding
  }
}

}  // namespace abut
