#include "abut/geometry/mesh/half_space_interference.hpp"

#include <algorithm>

#include "abut/geometry/mesh/make_mesh.hpp"

namespace abut {

const std::vector<VolumeMetrics>& HalfSpaceInterference::calc(const ClosedMesh& a, const Pose& X_WA, const HalfSpace& b,
                                                              const Pose& X_WB) {
  const Vec3 center = 0.5 * (a.bounds().lower + a.bounds().upper);
  const double radius = 0.5 * (a.bounds().upper - a.bounds().lower).norm();
  if (radius != radius_) {
    // Reaches 2 radii to each side of the mesh's centre and from the plane 8 down, so a mesh that dips in by its whole
    // size is still far from the box's other faces.
    box_ = std::make_unique<ClosedMesh>(make_closed_mesh(
        make_moved(make_box_mesh(radius * Vec3(2.0, 2.0, 4.0)), Pose(Mat3::Identity(), Vec3(0.0, 0.0, -4.0 * radius))),
        "half-space"));
    radius_ = radius;
  }
  const Vec3 normal = X_WB.R * b.normal;
  Mat3 R;
  R.col(2) = b.normal;
  R.col(0) = any_perpendicular(b.normal);
  R.col(1) = R.col(2).cross(R.col(0));
  // Under the mesh's centre; down with it where it is deeper, for the plane is then out of reach of the mesh.
  const Vec3 center_W = X_WA * center;
  const double height = normal.dot(center_W - X_WB.p) - b.offset;
  const double top = std::min(0.0, height + 4.0 * radius);
  return interference_.calc(a, X_WA, *box_, Pose(Mat3(X_WB.R * R), Vec3(center_W + (top - height) * normal)));
}

}  // namespace abut
