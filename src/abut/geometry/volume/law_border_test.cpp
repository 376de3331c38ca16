#include "abut/geometry/volume/law_border.hpp"

#include <numbers>
#include <variant>

#include <gtest/gtest.h>

namespace abut {
namespace {

using Kind = LawBorder::Kind;

const ConvexPolyhedron& unit_box() {
  static const ConvexPolyhedron box = make_box_polyhedron(Vec3::Ones());
  return box;
}

FieldLaw make_law(double value, const Vec3& gradient, const Vec3& bends) {
  return {value, gradient, Mat3(bends.asDiagonal())};
}

TEST(LawBorder, Planes) {
  const LawBorder border = find_border(make_law(0.5, Vec3(0, 0, 1), Vec3::Zero()), unit_box());
  ASSERT_EQ(border.kind, Kind::plane);
  EXPECT_LT((border.plane.normal - Vec3(0, 0, -1)).norm(), 1e-12);
  EXPECT_NEAR(border.plane.offset, 0.5, 1e-12);
  EXPECT_EQ(find_border(make_law(2.0, Vec3(0, 0, 1), Vec3::Zero()), unit_box()).kind, Kind::everywhere);
  EXPECT_EQ(find_border(make_law(-2.0, Vec3(0, 0, 1), Vec3::Zero()), unit_box()).kind, Kind::nowhere);
}

TEST(LawBorder, RoundSurfaces) {
  const LawBorder ball = find_border(make_law(0.5, Vec3::Zero(), Vec3(-4, -4, -4)), unit_box());
  ASSERT_EQ(ball.kind, Kind::quadric);
  EXPECT_FALSE(ball.part.is_complement);
  EXPECT_NEAR(std::get<Sphere>(ball.part.shape).radius, 0.5, 1e-12);

  const LawBorder egg = find_border(make_law(-0.5, Vec3(0.2, 0, 0), Vec3(2, 4, 8)), unit_box());
  ASSERT_EQ(egg.kind, Kind::quadric);
  EXPECT_TRUE(egg.part.is_complement);
  EXPECT_NEAR(egg.part.X_SP.p.x(), -0.1, 1e-12);
  EXPECT_TRUE(std::holds_alternative<Ellipsoid>(egg.part.shape));

  const LawBorder bar = find_border(make_law(0.5, Vec3::Zero(), Vec3(-4, 0, -4)), unit_box());
  ASSERT_EQ(bar.kind, Kind::quadric);
  EXPECT_NEAR(std::get<Cylinder>(bar.part.shape).radius, 0.5, 1e-12);
  EXPECT_NEAR(std::abs(bar.part.X_SP.R(1, 2)), 1.0, 1e-12);
}

/// z^2 = x^2 + y^2 with the apex below the box: the upper half.
TEST(LawBorder, HalfOfACone) {
  const double apex = -1.5;
  const LawBorder border = find_border(make_law(apex * apex, Vec3(0, 0, -2.0 * apex), Vec3(-2, -2, 2)), unit_box());
  ASSERT_EQ(border.kind, Kind::quadric);
  EXPECT_FALSE(border.part.is_complement);
  EXPECT_NEAR(std::get<Cone>(border.part.shape).half_angle, 0.25 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(border.part.X_SP.p.z(), apex, 1e-9);
  EXPECT_NEAR(border.part.X_SP.R(2, 2), -1.0, 1e-12);  // cones are solid below their tip
  // With the apex inside, both halves count.
  EXPECT_EQ(find_border(make_law(0.0, Vec3::Zero(), Vec3(-2, -2, 2)), unit_box()).kind, Kind::unknown);
}

TEST(LawBorder, SurfacesWithoutAKernel) {
  EXPECT_EQ(find_border(make_law(0.0, Vec3(0, 0, 1), Vec3(-1, -1, 0)), unit_box()).kind, Kind::unknown);
  EXPECT_EQ(find_border(make_law(0.5, Vec3::Zero(), Vec3(-4, -2, 0)), unit_box()).kind, Kind::unknown);
  EXPECT_EQ(find_border(make_law(0.5, Vec3::Zero(), Vec3(-4, -4, 2)), unit_box()).kind, Kind::unknown);
  // A paraboloid far away does not matter.
  EXPECT_EQ(find_border(make_law(9.0, Vec3(0, 0, 1), Vec3(-1, -1, 0)), unit_box()).kind, Kind::everywhere);
}

/// A ball about all of the box, and one beside it.
TEST(LawBorder, SurfacesThatMissThePolyhedron) {
  EXPECT_EQ(find_border(make_law(2.0, Vec3::Zero(), Vec3(-1, -1, -1)), unit_box()).kind, Kind::everywhere);
  EXPECT_EQ(find_border(make_law(-2.0, Vec3::Zero(), Vec3(1, 1, 1)), unit_box()).kind, Kind::nowhere);
  const double x = 3.0;  // |p - x|^2 <= 1
  const FieldLaw beside = make_law(1.0 - x * x, Vec3(2.0 * x, 0, 0), Vec3(-2, -2, -2));
  EXPECT_EQ(find_border(beside, unit_box()).kind, Kind::nowhere);
}

}  // namespace
}  // namespace abut
