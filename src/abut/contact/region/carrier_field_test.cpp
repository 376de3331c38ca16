// Forces of depth fields beside differences of their energy, for every shape that carries one.

#include "abut/contact/region/carrier_field.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "abut/contact/region/field_fixture_test.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"

namespace abut {
namespace {

using namespace field_test;

Shape make_rock() {
  return Polyhedron{
      std::make_shared<const ConvexPolyhedron>(make_convex_hull(std::vector<Vec3>{{0.1, 0, 0},
                                                                                  {-0.05, 0.09, 0},
                                                                                  {-0.06, -0.07, 0.01},
                                                                                  {0.02, 0.01, 0.12},
                                                                                  {0.03, 0.06, -0.05},
                                                                                  {-0.02, -0.03, -0.06}}))};
}

Shape make_torus() {
  return Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(make_torus_mesh(0.08, 0.03, 16, 8)))};
}

// Differences of 1e-5 m at sizes of 0.1 m leave (h/d)^2 of the third derivative: about 1e-6.
constexpr double kDifference = 2e-5;

TEST(CarrierField, FlatBodiesPushAsTheirEnergyFalls) {
  const Shape box = Box{Vec3(0.1, 0.07, 0.05)}, cube = Box{Vec3(0.06, 0.06, 0.06)};
  EXPECT_LT(find_worst(one(box), one(HalfSpace{}), 0.1, 20), kDifference);
  EXPECT_LT(find_worst(one(HalfSpace{}), one(make_rock()), 0.1, 20), kDifference);
  EXPECT_LT(find_worst(one(box), one(cube), 0.1, 40), kDifference);
  EXPECT_LT(find_worst(one(make_rock()), one(box), 0.1, 40), kDifference);
  EXPECT_LT(find_worst(one(make_rock()), one(Wedge{Vec3::UnitZ(), Vec3::UnitX()}), 0.1, 30), kDifference);
}

TEST(CarrierField, FlatCarriersOfRoundBodies) {
  const Shape box = Box{Vec3(0.1, 0.1, 0.1)};
  for (const Shape& shape : std::initializer_list<Shape>{Sphere{0.04}, Ellipsoid{Vec3(0.08, 0.05, 0.04)},
                                                         Cone{0.6, 0.09}, Cylinder{0.03, 0.06}, Capsule{0.03, 0.05}})
    EXPECT_LT(find_worst(one(shape), one(box), 0.12, 12), kDifference) << shape_name(shape);
  EXPECT_LT(find_worst(one(Sphere{0.04}), one(Wedge{Vec3::UnitZ(), Vec3::UnitX()}), 0.05, 12), kDifference);
}

TEST(CarrierField, RoundCarriers) {
  const Shape rock = make_rock();
  for (const Shape& shape : std::initializer_list<Shape>{Sphere{0.12}, Cylinder{0.1, 0.15}, Cylinder{0.15, 0.06},
                                                         Capsule{0.1, 0.1}, Cylinder{0.1}, Bore{0.1}})
    EXPECT_LT(find_worst(one(rock), one(shape), 0.15, 12), kDifference) << shape_name(shape);
  EXPECT_LT(find_worst(one(Ellipsoid{Vec3(0.08, 0.05, 0.04)}), one(Sphere{0.1}), 0.1, 6), kDifference);
  EXPECT_LT(find_worst(one(Sphere{0.05}), one(Cylinder{0.06, 0.08}), 0.1, 6), kDifference);
  EXPECT_LT(find_worst(one(Sphere{0.05}), one(Sphere{0.06}), 0.08, 10), kDifference);
}

TEST(CarrierField, ConesAndEllipsoidsCarryWhereNoneIsBetter) {
  const Shape egg = Ellipsoid{Vec3(0.08, 0.05, 0.06)}, cone = Cone{0.6, 0.12}, blunt = Cone{1.2, 0.05};
  EXPECT_LT(find_worst(one(make_torus()), one(egg), 0.1, 8), kDifference);
  EXPECT_LT(find_worst(one(egg), one(Ellipsoid{Vec3(0.06, 0.06, 0.05)}), 0.08, 6), kDifference);
  EXPECT_LT(find_worst(one(egg), one(cone), 0.1, 6), kDifference);
  EXPECT_LT(find_worst(one(blunt), one(cone), 0.1, 6), kDifference);
}

/// Beside bodies whose depth has slope one they carry nothing: the wrench is that of the other field alone.
TEST(CarrierField, ConesAndEllipsoidsLeaveItToFullFields) {
  const Pose above(Mat3::Identity(), Vec3(0, 0, 0.099)), below(Mat3::Identity(), Vec3(0, 0, 0.199));
  const Sum egg = Pair(one(Ellipsoid{Vec3(0.08, 0.05, 0.05)}), one(Box{Vec3(0.05, 0.05, 0.05)})).calc(above, Pose());
  EXPECT_NEAR(egg.force.z() / egg.volume, 1.0, 1e-12);
  const Sum cone = Pair(one(Cone{0.6, 0.15}), one(Box{Vec3(0.05, 0.05, 0.05)})).calc(below, Pose());
  EXPECT_NEAR(cone.force.z() / cone.volume, 1.0, 0.1);  // the base is wider than the box: its rim counts
}

TEST(CarrierField, MeshesThatAreNotConvexAreCarried) {
  EXPECT_LT(find_worst(one(make_torus()), one(Box{Vec3(0.06, 0.07, 0.05)}), 0.1, 10), kDifference);
  EXPECT_LT(find_worst(one(Sphere{0.05}), one(make_torus()), 0.08, 6), kDifference);
}

/// Two bars that make an L, a block on a plate, and a box cut askew.
std::vector<BodyCell> make_bracket() {
  return {{Box{Vec3(0.1, 0.03, 0.03)}, Pose()},
          {Box{Vec3(0.03, 0.03, 0.07)}, Pose(Mat3::Identity(), Vec3(-0.07, 0, 0.1))}};
}
std::vector<BodyCell> make_step() {
  return {{Box{Vec3(0.1, 0.1, 0.03)}, Pose()},
          {Box{Vec3(0.04, 0.04, 0.04)}, Pose(Mat3::Identity(), Vec3(0.02, 0.01, 0.07))}};
}

/// A torus that stands in a plane with both sides of its tube is two pieces below one face.
TEST(CarrierField, SeveralPiecesOnAPlane) {
  const Mat3 upright = Eigen::AngleAxisd(1.3, Vec3::UnitX()).toRotationMatrix();
  const Pose X_WA(upright, Vec3(0, 0, 0.01));
  const Sum sum = Pair(one(make_torus()), one(HalfSpace{})).calc(X_WA, Pose());
  EXPECT_NEAR(sum.force.z() / sum.volume, 1.0, 1e-12);
  EXPECT_LT(find_worst(one(make_torus()), one(HalfSpace{}), 0.1, 10), kDifference);
  EXPECT_LT(find_worst(one(make_torus()), one(Wedge{Vec3::UnitZ(), Vec3::UnitX()}), 0.1, 10), kDifference);
}

TEST(CarrierField, UnionsShareOneField) {
  EXPECT_LT(find_worst(make_bracket(), one(HalfSpace{}), 0.1, 10), kDifference);
  EXPECT_LT(find_worst(one(Box{Vec3(0.05, 0.04, 0.03)}), make_bracket(), 0.12, 30), kDifference);
  EXPECT_LT(find_worst(make_bracket(), make_step(), 0.12, 30), kDifference);
  EXPECT_LT(find_worst(one(Sphere{0.03}), make_step(), 0.12, 10), kDifference);
}

TEST(CarrierField, ADiscAndALegHaveFieldsOfTheirOwn) {
  const std::vector<BodyCell> stool{{Cylinder{0.1, 0.02}, Pose()},
                                    {Cylinder{0.02, 0.06}, Pose(Mat3::Identity(), Vec3(0.03, 0, -0.08))}};
  EXPECT_LT(find_worst(one(make_rock()), stool, 0.12, 8), kDifference);
}

TEST(CarrierField, ABallIsNotTurned) {
  Pair pair(one(Sphere{0.05}), one(Box{Vec3(0.1, 0.1, 0.1)}));
  const Vec3 center(0.12, 0.13, 0.118);
  const Sum sum = pair.calc(Pose(Mat3::Identity(), center), Pose());
  EXPECT_GT(sum.volume, 0.0);
  EXPECT_LT((sum.torque - center.cross(sum.force)).norm(), 1e-9 * sum.volume);
}

TEST(CarrierField, ClosedFormsOfRoundContact) {
  // [design of the fields]: force over k V of a ball on a plane 1, of equal balls 1 - d/2R, of a ball in a bore about
  // 1 + d/3R.
  const double R = 0.1, d = 0.004;
  const Sum plane = Pair(one(Sphere{R}), one(HalfSpace{})).calc(Pose(Mat3::Identity(), Vec3(0, 0, R - d)), Pose());
  EXPECT_NEAR(plane.force.z() / plane.volume, 1.0, 1e-14);
  const Sum balls = Pair(one(Sphere{R}), one(Sphere{R})).calc(Pose(Mat3::Identity(), Vec3(0, 0, 2 * R - d)), Pose());
  EXPECT_NEAR(balls.force.z() / balls.volume, 1.0 - d / (2 * R), 1e-12);
  // The ball-in-cylinder of the cases: 3.4 mm deep in a bore of 1 m.
  const Sum bore = Pair(one(Sphere{0.1}), one(Bore{1.0})).calc(Pose(Mat3::Identity(), Vec3(0.9034, 0, 0)), Pose());
  EXPECT_NEAR(bore.force.x() / bore.volume, -1.0 - 0.0034 / 3.0, 1e-4);
}

TEST(CarrierField, EqualCubesFlushLoseTwoDepthsOverTheWidth) {
  const double L = 0.1, d = 0.001;
  Pair pair(one(Box{Vec3::Constant(L / 2)}), one(Box{Vec3::Constant(L / 2)}));
  const Sum sum = pair.calc(Pose(Mat3::Identity(), Vec3(0, 0, L - d)), Pose());
  EXPECT_NEAR(sum.force.z() / sum.volume, 1.0 - 2.0 * d / L, 2.0 * d * d / (L * L));
  EXPECT_LT(sum.force.head<2>().norm(), 1e-12 * sum.volume);
}

TEST(CarrierField, TheThickerBodyCarries) {
  EXPECT_EQ(calc_carrier_share(0.1, 0.1), 0.5);
  EXPECT_EQ(calc_carrier_share(0.1, 0.2), 1.0);
  EXPECT_EQ(calc_carrier_share(0.3, 0.1), 0.0);
  EXPECT_EQ(calc_carrier_share(0.1, std::numeric_limits<double>::infinity()), 1.0);
  EXPECT_DOUBLE_EQ(calc_carrier_share(0.1, 0.12) + calc_carrier_share(0.12, 0.1), 1.0);
}

}  // namespace
}  // namespace abut
