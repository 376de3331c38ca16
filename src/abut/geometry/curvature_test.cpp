#include "abut/geometry/curvature.hpp"

#include <gtest/gtest.h>

#include "abut/geometry/signed_distance.hpp"
#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::Random;

/// Normal curvature along the unit tangent t at p: how fast the normal of the distance field turns, t . dn/dt.
double calc_normal_curvature(const Shape& shape, const Vec3& p, const Vec3& t) {
  constexpr double kStep = 1e-5;
  const Vec3 above = calc_signed_distance(shape, p + kStep * t).normal;
  const Vec3 below = calc_signed_distance(shape, p - kStep * t).normal;
  return t.dot(above - below) / (2.0 * kStep);
}

/// In the principal direction and across it the turning is kappa_1 and kappa_2, and it is the mean at 45 degrees.
void expect_matches_differences(const Shape& shape, const Vec3& p_S) {
  Random random(3);
  const Pose X = random.pose(2.0);
  const Vec3 n = calc_signed_distance(shape, p_S).normal;
  const auto at = calc_surface_curvature(shape, X, X * p_S);
  ASSERT_TRUE(at.has_value()) << shape_name(shape);
  const Vec3 t_1 = X.R.transpose() * at->direction_1;
  const Vec3 t_2 = n.cross(t_1);
  EXPECT_NEAR(t_1.dot(n), 0.0, 1e-12);
  EXPECT_GE(at->kappa_1, at->kappa_2);
  // step^2 times the second derivative of the curvature, at most 1e3 /m^3 here, and rounding eps / step.
  EXPECT_NEAR(calc_normal_curvature(shape, p_S, t_1), at->kappa_1, 1e-6) << shape_name(shape);
  EXPECT_NEAR(calc_normal_curvature(shape, p_S, t_2), at->kappa_2, 1e-6) << shape_name(shape);
  const Vec3 between = (t_1 + t_2).normalized();
  EXPECT_NEAR(calc_normal_curvature(shape, p_S, between), 0.5 * (at->kappa_1 + at->kappa_2), 1e-6) << shape_name(shape);
}

TEST(Curvature, MatchesDifferencesOfTheNormal) {
  expect_matches_differences(Sphere{0.4}, 0.4 * Vec3(1, 2, -2) / 3);
  expect_matches_differences(HalfSpace{}, Vec3(1, 2, 0));
  expect_matches_differences(Box{Vec3(1, 2, 3)}, Vec3(0.3, -2, 1));
  expect_matches_differences(Cylinder{0.4, 1.0}, Vec3(0, 0.4, 0.3));
  expect_matches_differences(Cylinder{0.4, 1.0}, Vec3(0, 0.2, -1.0));
  expect_matches_differences(Bore{0.7}, Vec3(0.7, 0, 0.3));
  expect_matches_differences(Capsule{0.4, 1.0}, Vec3(0.4, 0, 0.3));
  expect_matches_differences(Capsule{0.4, 1.0}, Vec3(0.24, 0, 1.32));
  const double side = 0.7;
  expect_matches_differences(Cone{0.5, 2.0}, side * Vec3(std::sin(0.5) * 0.6, std::sin(0.5) * 0.8, -std::cos(0.5)));
  expect_matches_differences(Cone{0.5}, side * Vec3(std::sin(0.5), 0, -std::cos(0.5)));
  expect_matches_differences(Wedge{Vec3::UnitZ(), Vec3::UnitX()}, Vec3(-1, 0, 0));
  const Torus ring{0.6, 0.2};
  for (const double angle : {0.3, 1.4, 1.9, 3.0}) {
    const Vec3 section(0.6 + 0.2 * std::cos(angle), 0.0, 0.2 * std::sin(angle));
    expect_matches_differences(ring, Vec3(Eigen::AngleAxisd(0.7, Vec3::UnitZ()) * section));
  }
  expect_matches_differences(Cavity{0.7}, 0.7 * Vec3(1, 2, -2) / 3);
  const Bowl bowl{0.5, 0.2, 0.5};
  expect_matches_differences(bowl, 0.5 * Vec3(1, 2, -2) / 3);
  expect_matches_differences(bowl, 0.7 * Vec3(1, 2, -2) / 3);
  expect_matches_differences(bowl, Vec3(0, 0.6, 0));
  Random random(8);
  for (int i = 0; i < 20; ++i) {
    const Vec3 axes(0.5, 0.8, 1.3);
    expect_matches_differences(Ellipsoid{axes}, axes.cwiseProduct(random.unit()));
  }
}

TEST(Curvature, OfAnEllipsoidAtItsTips) {
  const auto at = calc_surface_curvature(Ellipsoid{Vec3(1, 2, 3)}, Pose(), Vec3(0, 0, 3));
  ASSERT_TRUE(at);
  EXPECT_NEAR(at->kappa_1, 3.0, 1e-14);        // c / a^2
  EXPECT_NEAR(at->kappa_2, 3.0 / 4.0, 1e-14);  // c / b^2
  EXPECT_NEAR(std::abs(at->direction_1.x()), 1.0, 1e-14);
}

TEST(Curvature, EdgesHaveNone) {
  const Pose I;
  EXPECT_FALSE(calc_surface_curvature(Box{Vec3(1, 1, 1)}, I, Vec3(1, 1, 0.2)));
  EXPECT_FALSE(calc_surface_curvature(Box{Vec3(1, 1, 1)}, I, Vec3(1.1, 1.1, 0.2)));
  EXPECT_FALSE(calc_surface_curvature(Cylinder{1, 2}, I, Vec3(1, 0, 2)));
  EXPECT_FALSE(calc_surface_curvature(Cone{0.5, 1}, I, Vec3(0, 0, 0.1)));
  EXPECT_FALSE(calc_surface_curvature(Cone{0.5, 1}, I, Vec3(std::tan(0.5), 0, -1)));
  EXPECT_FALSE(calc_surface_curvature(Bowl{0.5, 0.2, 0.5}, I, Vec3(0.5, 0, 0), Vec3(-1, 0, 1).normalized()));
  EXPECT_FALSE(calc_surface_curvature(Wedge{Vec3::UnitZ(), Vec3::UnitX()}, I, Vec3(0.1, 3, 0.1)));
  // A contact point just inside an edge is known by its normal.
  const Vec3 diagonal = Vec3(1, 1, 0).normalized();
  EXPECT_FALSE(calc_surface_curvature(Box{Vec3(1, 1, 1)}, I, Vec3(1, 1, 0) - 1e-4 * diagonal, diagonal));
  EXPECT_TRUE(calc_surface_curvature(Box{Vec3(1, 1, 1)}, I, Vec3(1, 1, 0) - 1e-4 * diagonal));
}

TEST(Curvature, RelativeValuesOfTextbookPairs) {
  const SurfaceCurvature ball{10.0, 10.0, Vec3::UnitY()};
  const SurfaceCurvature bore{0.0, -1.0, Vec3::UnitZ()};
  const SurfaceCurvature bar{10.0, 0.0, Vec3::UnitX()};
  const SurfaceCurvature crossed{4.0, 0.0, Vec3::UnitY()};
  // Ball 0.1 m in a cylinder of 1 m has relative radii 1/9 m and 0.1 m.
  const RelativeCurvature in_bore = calc_relative_curvature(ball, bore);
  EXPECT_NEAR(in_bore.a, 10.0, 1e-14);
  EXPECT_NEAR(in_bore.b, 9.0, 1e-14);
  const RelativeCurvature cross = calc_relative_curvature(bar, crossed);
  EXPECT_NEAR(cross.a, 10.0, 1e-14);
  EXPECT_NEAR(cross.b, 4.0, 1e-14);
  const RelativeCurvature line = calc_relative_curvature(bar, bar);
  EXPECT_NEAR(line.a, 20.0, 1e-14);
  EXPECT_NEAR(line.b, 0.0, 1e-14);
}

/// Against the eigenvalues of the summed curvature matrices, at random angles and signs of the directions.
TEST(Curvature, RelativeValuesAreEigenvaluesOfTheSum) {
  Random random(12);
  for (int i = 0; i < 100; ++i) {
    Eigen::Matrix2d sum = Eigen::Matrix2d::Zero();
    SurfaceCurvature sides[2];
    for (SurfaceCurvature& side : sides) {
      const double phi = random.uniform(0.0, 7.0);
      const Eigen::Vector2d e(std::cos(phi), std::sin(phi));
      const Eigen::Vector2d f(-e.y(), e.x());
      side.kappa_2 = random.uniform(-1.0, 1.0);
      side.kappa_1 = side.kappa_2 + random.uniform(0.0, 2.0);
      side.direction_1 = Vec3(e.x(), e.y(), 0.0);
      sum += side.kappa_1 * e * e.transpose() + side.kappa_2 * f * f.transpose();
    }
    const RelativeCurvature at = calc_relative_curvature(sides[0], sides[1]);
    EXPECT_NEAR(at.a + at.b, sum.trace(), 1e-14);
    EXPECT_NEAR(at.a * at.b, sum.determinant(), 1e-13);
    EXPECT_GE(at.a, at.b);
  }
}

TEST(Curvature, OfAContact) {
  const Pose X_WA(Mat3(Mat3::Identity()), Vec3(0.0, 0.0, 0.499));
  const PointContact contact{-0.001, Vec3::UnitZ(), Vec3(0, 0, 0.399)};
  const auto on_bar = calc_relative_curvature(Sphere{0.1}, X_WA, Cylinder{0.4},
                                              Pose(Mat3(Eigen::AngleAxisd(1.0, Vec3::UnitX())), Vec3::Zero()), contact);
  ASSERT_FALSE(on_bar.has_value());  // turned by 1 rad, the bar is not touched along its radius
  const Mat3 lying = Mat3(Eigen::AngleAxisd(testing::kPi / 2, Vec3::UnitX()));
  const auto at = calc_relative_curvature(Sphere{0.1}, X_WA, Cylinder{0.4}, Pose(lying, Vec3::Zero()), contact);
  ASSERT_TRUE(at);
  EXPECT_NEAR(at->a, 12.5, 1e-12);
  EXPECT_NEAR(at->b, 10.0, 1e-12);
}

}  // namespace
}  // namespace abut
