#include "abut/geometry/volume/mesh_shell.hpp"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/volume/interference.hpp"

namespace abut {
namespace {

const Shape kRing = Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(make_torus_mesh(0.05, 0.015, 24, 16)))};
const Bowl kBowl{0.1, 0.01, 0.08};

Pose at(double angle, const Vec3& p) { return {Mat3(Eigen::AngleAxisd(angle, Vec3(1, 0.3, 0).normalized())), p}; }

double calc_sum(const std::vector<VolumeMetrics>& pieces) {
  double sum = 0.0;
  for (const VolumeMetrics& piece : pieces) sum += piece.volume;
  return sum;
}

/// Part of the ring in a ball about the bowl's centre below its lip.
double calc_in_ball(double radius, const Pose& X) {
  auto parts = std::make_shared<CellParts>();
  parts->list.push_back({Sphere{radius}, Pose(), false});
  parts->list.push_back({HalfSpace{Vec3::UnitZ(), kBowl.calc_lip_height()}, Pose(), false});
  std::vector<VolumeMetrics> pieces;
  Interference::make(kRing, CutShape{parts}).calc(X, Pose(), pieces);
  return calc_sum(pieces);
}

/// The whole ring: on the inside of the wall, through it, over the lip, outside of it and on nothing.
TEST(MeshShell, RingsAndBowlsAreTheDifferenceOfTwoBalls) {
  auto pair = Interference::make(kRing, kBowl);
  std::vector<VolumeMetrics> pieces;
  for (const Pose& X : {at(0.1, Vec3(0.005, 0, -0.062)), at(0.4, Vec3(0.03, 0, -0.08)), at(1.2, Vec3(0.1, 0, -0.02)),
                        at(0.2, Vec3(0.01, 0, -0.125)), at(0.0, Vec3::Zero())}) {
    pair.calc(X, Pose(), pieces);
    const double expected = calc_in_ball(kBowl.calc_outer_radius(), X) - calc_in_ball(kBowl.radius, X);
    EXPECT_NEAR(calc_sum(pieces), expected, 1e-12 * 4e-4);  // rounding of two volumes of the ring's size
  }
}

/// Of a ring of 24 parts that is sunk until its outermost corners are 10 um inside the wall, each is a contact.
TEST(MeshShell, PiecesInsideTheWallAreToldApart) {
  const std::vector<Vec3>& corners = std::get<Mesh>(kRing).solid->vertices();
  double low = 0.05, high = 0.1;
  for (int k = 0; k < 60; ++k) {
    const double height = 0.5 * (low + high);
    double farthest = 0.0;
    for (const Vec3& corner : corners) farthest = std::max(farthest, (corner - Vec3(0, 0, height)).norm());
    (farthest < kBowl.radius + 1e-5 ? low : high) = height;
  }
  std::vector<VolumeMetrics> pieces;
  Interference::make(kRing, kBowl).calc(at(0.0, Vec3(0, 0, -low)), Pose(), pieces);
  EXPECT_EQ(pieces.size(), 24u);
}

TEST(MeshShell, OnlyNestedRoundWallsFit) {
  Region region;
  region.meshes.push_back({std::get<Mesh>(kRing).solid, Pose(), false, 0});
  Quadric outer{QuadricKind::ellipsoid, Vec3::Constant(0.11), Pose(), false, 1};
  Quadric hole{QuadricKind::ellipsoid, Vec3::Constant(0.1), Pose(), true, 1};
  region.quadrics = {hole, outer};
  EXPECT_TRUE(MeshShell::fits(region));
  region.quadrics[0].X.p.x() = 1e-3;
  EXPECT_FALSE(MeshShell::fits(region));
  region.quadrics = {outer, outer};
  EXPECT_FALSE(MeshShell::fits(region));
}

}  // namespace
}  // namespace abut
