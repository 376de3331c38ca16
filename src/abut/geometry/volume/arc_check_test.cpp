// What is done where arcs of a boundary fail the check that is made of them while running.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/mesh_region.hpp"
#include "abut/geometry/volume/region_volume.hpp"

namespace abut {
namespace {

using testing::kPi;
using testing::Random;

/// A cone with its tip all but in the upper face of a plate that holds the rest of it: the cone's section with the face
/// is as thin as rounding, and so are the arcs along it.
struct TipInFace {
  double half_angle, height = 0.05;  // [m]
  Region region;

  TipInFace(Random& random, const std::shared_ptr<const ClosedMesh>& plate) : half_angle(random.uniform(0.1, 1.2)) {
    // Half of them with a generator in the face.
    const double part = random.uniform(0.0, 2.0), tilt = std::min(part, 1.0) * (0.5 * kPi - half_angle);
    const Mat3 R =
        (Eigen::AngleAxisd(random.uniform(0.0, 6.28), Vec3::UnitZ()) * Eigen::AngleAxisd(tilt, Vec3::UnitY()))
            .toRotationMatrix();
    const double above = random.uniform(-1.0, 1.0) * std::pow(10.0, random.uniform(-17.0, -11.0));
    const Pose X(R, Vec3(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), above));
    region.quadrics.push_back({QuadricKind::cone, Vec3::Constant(std::tan(half_angle)), X, false, 0});
    const Vec3 down = -X.R.col(2);
    region.planes.push_back({down, down.dot(X.p) + height, 0});
    region.meshes.push_back({plate, Pose(Mat3::Identity(), Vec3(0, 0, -0.2)), false, 1});
    region.center = X.p, region.radius = height / std::cos(half_angle);
  }
  double calc_volume() const {
    const double radius = height * std::tan(half_angle);
    return kPi / 3.0 * radius * radius * height;
  }
};

TEST(ArcCheck, UnsoundArcsAreLeftToTetrahedra) {
  const auto plate = std::make_shared<const ClosedMesh>(make_closed_mesh(make_box_mesh(Vec3(0.5, 0.5, 0.2))));
  Random random(3);
  int num_refused = 0;
  for (int k = 0; k < 300; ++k) {
    const TipInFace pose(random, plate);
    std::vector<RegionPiece> pieces;
    const bool is_sound = MeshRegion().calc(pose.region, false, pieces);
    EXPECT_TRUE(is_sound || pieces.empty()) << k;
    num_refused += is_sound ? 0 : 1;
    pieces.clear();
    RegionVolume volume;
    volume.calc(pose.region, QuadratureOptions(), RegionSplit::none, pieces);
    double sum = 0.0;
    for (const RegionPiece& piece : pieces) sum += piece.moments.volume;
    // A move of the tip by 1e-11 m is worth that times the area of a section.
    EXPECT_NEAR(sum, pose.calc_volume(), 1e-8 * pose.calc_volume()) << k;
  }
  EXPECT_GT(num_refused, 20);
}

}  // namespace
}  // namespace abut
