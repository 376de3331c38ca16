#include "abut/contact/region/principal_normal.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "abut/geometry/moments/volume_metrics.hpp"

namespace abut {
namespace {

/// Inertia of a box of unit density and edges a, b, c about its centre.
Mat3 make_box_inertia(double a, double b, double c) {
  const Vec3 m = a * b * c / 12.0 * Vec3(a * a, b * b, c * c);
  return Vec3(m.y() + m.z(), m.x() + m.z(), m.x() + m.y()).asDiagonal();
}

/// Wedge with the face z = 0 below and the face z = depth + slope x above, |x| <= length/2, |y| <= width/2.
Mat3 make_wedge_inertia(double depth, double slope, double length, double width) {
  VolumeMoments moments;
  const double x = length / 2.0, y = width / 2.0;
  const auto height = [&](double at) { return depth + slope * at; };
  const Vec3 low[4] = {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
  Vec3 high[4];
  for (int k = 0; k < 4; ++k) high[k] = low[k] + Vec3(0, 0, height(low[k].x()));
  const auto add_quad = [&](const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
    moments.add_tetrahedron(p, q, r);
    moments.add_tetrahedron(p, r, s);
  };
  add_quad(low[3], low[2], low[1], low[0]);
  add_quad(high[0], high[1], high[2], high[3]);
  for (int k = 0; k < 4; ++k) add_quad(low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]);
  return make_volume_metrics(moments, Vec3::Zero(), Vec3::UnitZ()).inertia;
}

TEST(PrincipalNormal, IsTheAxisNearestToTheGuessWithItsSign) {
  const Mat3 R = Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Mat3 inertia = R * make_box_inertia(0.2, 0.1, 0.01) * R.transpose();
  for (const double sign : {1.0, -1.0}) {
    const Vec3 axis = sign * R.col(2);
    const Vec3 guess = (axis + 0.3 * R.col(0)).normalized();
    const PrincipalNormal found = calc_principal_normal(inertia, guess, Vec3::Zero(), 0.95);
    // The axes are those of the eigensolver: rounding only.
    EXPECT_LT((found.normal - axis).norm(), 1e-14);
  }
}

TEST(PrincipalNormal, TiltedFaceGivesHalfTheTilt) {
  // Computed independently: 0.50005 to 0.50013 of the slope for depth 0.01, slope 0.001 to 0.02, length 1.
  for (const double slope : {0.001, 0.01, 0.0199}) {
    const PrincipalNormal found =
        calc_principal_normal(make_wedge_inertia(0.01, slope, 1.0, 0.5), Vec3::UnitZ(), Vec3::Zero(), 0.95);
    const double tilt = std::atan2(-found.normal.x(), found.normal.z());
    EXPECT_NEAR(tilt / std::atan(slope), 0.5, 2e-4) << slope;
  }
}

TEST(PrincipalNormal, ThinLongPatchIsWellDefined) {
  // A lying cylinder's patch: 100 mm by 1 mm by 10 um. The inertia's two largest eigenvalues differ by 1e-4 only.
  const PrincipalNormal found =
      calc_principal_normal(make_box_inertia(0.1, 1e-3, 1e-5), Vec3(0, 0.2, 1).normalized(), Vec3::Zero(), 0.95);
  EXPECT_GT(found.definition, 0.99);
  EXPECT_LT((found.normal - Vec3::UnitZ()).norm(), 1e-9);
}

TEST(PrincipalNormal, FallsBackOnTheGeometricNormalWithoutAJump) {
  const Vec3 geometric = Vec3(0.1, 0, 1).normalized();
  EXPECT_EQ(calc_principal_normal(make_box_inertia(1, 1, 1), geometric, Vec3::Zero(), 0.95).normal, geometric);
  // From a cube to a plate: r = (1 - h^2) / (1 + h^2) passes through the whole blend between h = 1 and 0.9.
  Vec3 last = geometric;
  for (double h = 1.0; h > 0.85; h -= 1e-4) {
    const Vec3 n = calc_principal_normal(make_box_inertia(1, 1, h), geometric, Vec3::Zero(), 0.95).normal;
    // The blend turns by 0.1 rad over dr = 0.08, at most 1.5 times that slope, and dr = 1e-4 a step.
    ASSERT_LT((n - last).norm(), 1.5 * 0.1 / 0.08 * 1.1e-4) << h;
    last = n;
  }
  EXPECT_LT((last - Vec3::UnitZ()).norm(), 1e-12);
}

TEST(PrincipalNormal, PreviousNormalDecidesBetweenAxes) {
  const Mat3 inertia = make_box_inertia(0.3, 0.2, 0.1);
  const Vec3 between = Vec3(0.71, 0, 0.70).normalized();  // slightly nearer to x
  EXPECT_GT(calc_principal_normal(inertia, between, Vec3::Zero(), 0.95).normal.x(), 0.999);
  EXPECT_GT(calc_principal_normal(inertia, between, Vec3::UnitZ(), 0.95).normal.z(), 0.999);
  EXPECT_GT(calc_principal_normal(inertia, between, Vec3::UnitZ(), 0.0).normal.x(), 0.999);
}

TEST(PrincipalNormal, NothingToGoByGivesTheGuess) {
  EXPECT_EQ(calc_principal_normal(Mat3::Zero(), Vec3::UnitY(), Vec3::Zero(), 0.95).normal, Vec3::UnitY());
}

}  // namespace
}  // namespace abut
