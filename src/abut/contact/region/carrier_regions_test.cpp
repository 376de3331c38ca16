// Forces of cells with parts cut away beside differences of their energy.

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "abut/contact/region/field_fixture_test.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"

namespace abut {
namespace {

using namespace field_test;

// Differences of 1e-5 m at sizes of 0.1 m leave (h/d)^2 of the third derivative, and slices an error of 1e-9 of V over
// that step.
constexpr double kDifference = 1e-4;

Shape make_cell(std::vector<CellPart> list) {
  auto parts = std::make_shared<CellParts>();
  parts->list = std::move(list);
  return CutShape{parts};
}
Pose at(double x, double y, double z) { return {Mat3::Identity(), Vec3(x, y, z)}; }

Shape make_nut() {
  return make_cell({{Box{Vec3(0.08, 0.08, 0.04)}, Pose(), false}, {Cylinder{0.04, 0.1}, Pose(), true}});
}
Shape make_cup() {
  return make_cell({{Cylinder{0.08, 0.06}, Pose(), false}, {Cylinder{0.05, 0.1}, at(0, 0, 0.08), true}});
}
Shape make_pocket() {
  return make_cell(
      {{Box{Vec3(0.1, 0.08, 0.05)}, Pose(), false}, {Box{Vec3(0.04, 0.04, 0.04)}, at(0.01, 0, 0.04), true}});
}
Shape make_torus() {
  return Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(make_torus_mesh(0.08, 0.03, 16, 8)))};
}

TEST(CarrierRegions, CutCellsPushAsTheirEnergyFalls) {
  EXPECT_LT(find_worst(one(make_nut()), one(make_nut()), 0.1, 6), kDifference);
  EXPECT_LT(find_worst(one(make_cup()), one(make_nut()), 0.1, 6), kDifference);
  EXPECT_LT(find_worst(one(make_cup()), one(make_cup()), 0.1, 6), kDifference);
  EXPECT_LT(find_worst(one(Bowl{0.06, 0.02, 0.06}), one(make_cup()), 0.08, 6), kDifference);
  EXPECT_LT(find_worst(one(make_pocket()), one(make_pocket()), 0.1, 6), kDifference);
}

TEST(CarrierRegionsLong, TheyCarryDentedMeshesAndCones) {
  EXPECT_LT(find_worst(one(make_torus()), one(make_nut()), 0.1, 6), kDifference);
  EXPECT_LT(find_worst(one(make_torus()), one(make_pocket()), 0.1, 6), kDifference);
  // A cone across a bar is a pyramid of many sides to the kernel.
  EXPECT_LT(find_worst(one(Cone{0.6, 0.12}), one(make_cup()), 0.1, 6), 10.0 * kDifference);
}

/// A small nut on a plate with a hole beside it: the plate's face carries, as a plane does but for the bend of its law.
TEST(CarrierRegions, FlatContactIsThatOfAPlane) {
  const Shape plate = make_cell({{Box{Vec3(0.3, 0.3, 0.1)}, Pose(), false}, {Cylinder{0.05}, at(0.2, 0, 0), true}});
  const Shape nut = make_cell({{Box{Vec3(0.04, 0.04, 0.02)}, Pose(), false}, {Cylinder{0.02}, Pose(), true}});
  const double depth = 1e-4;
  const Sum sum = Pair(one(nut), one(plate)).calc(at(-0.1, 0, 0.12 - depth), Pose());
  EXPECT_NEAR(sum.force.z() / sum.volume, 1.0, depth);
  EXPECT_LT(sum.force.head<2>().norm(), 1e-9 * sum.volume);
  EXPECT_NEAR(sum.energy / sum.volume, 0.5 * depth, depth * depth);
}

/// A ball's socket presses along the line of centres, and does not turn what lies in it.
TEST(CarrierRegions, ABowlPressesTowardsItsMiddle) {
  const Shape core = make_cell({{Sphere{0.05}, Pose(), false}, {Cylinder{0.01}, Pose(), true}});
  Pair pair(one(core), one(Bowl{0.052, 0.05, 0.052}));
  const Sum sum = pair.calc(at(0, 0, -0.0021), Pose());
  EXPECT_GT(sum.volume, 0.0);
  EXPECT_LT(sum.force.head<2>().norm(), 1e-6 * sum.volume);
  EXPECT_GT(sum.force.z(), 0.9 * sum.volume);
  EXPECT_LT(sum.torque.norm(), 1e-7 * sum.volume);
}

TEST(CarrierRegions, WhichCellsHaveNone) {
  const auto lacks = [](const Shape& shape) {
    Collider a;
    a.shape = shape;
    a.bounding_radius = 0.2;
    Collider b = a;
    b.link = 1;
    return VolumeSite(a, b, VolumeRule{}).lacks_field();
  };
  EXPECT_FALSE(lacks(make_nut()));
  EXPECT_FALSE(lacks(make_cup()));
  EXPECT_FALSE(lacks(make_pocket()));
  EXPECT_FALSE(lacks(Bowl{0.06, 0.02, 0.06}));
  EXPECT_TRUE(lacks(make_torus()));
  const Mat3 across = Eigen::AngleAxisd(1.0, Vec3::UnitX()).toRotationMatrix();
  EXPECT_TRUE(lacks(make_cell({{Box{Vec3(0.1, 0.1, 0.1)}, Pose(), false}, {Cylinder{0.05}, at(0, 0.1, 0), true}})));
  EXPECT_TRUE(lacks(make_cell({{Box{Vec3(0.1, 0.1, 0.1)}, Pose(), false},
                               {Cylinder{0.03}, Pose(), true},
                               {Cylinder{0.03}, Pose(across, Vec3::Zero()), true}})));
}

/// The regions of a bowl have several quadrics each: against a ring of 3,072 triangles one look would take a second.
TEST(CarrierRegions, BowlsDoNotCarryAgainstFineMeshes) {
  Collider ring, bowl;
  ring.shape = Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(make_torus_mesh(0.08, 0.03, 48, 32)))};
  bowl.shape = Bowl{0.06, 0.02, 0.06};
  ring.bounding_radius = bowl.bounding_radius = 0.2;
  bowl.link = 1;
  EXPECT_TRUE(VolumeSite(ring, bowl, VolumeRule{}).lacks_field());
  EXPECT_TRUE(VolumeSite(bowl, ring, VolumeRule{}).lacks_field());
}

}  // namespace
}  // namespace abut
