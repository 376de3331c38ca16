#include "abut/geometry/volume/volume_shape.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/facets.hpp"
#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/depth_field.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/geometry/volume/mass_properties.hpp"

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;

Pose at(double x, double y, double z) { return {Mat3(Mat3::Identity()), Vec3(x, y, z)}; }

double calc_volume_of(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  std::vector<VolumeMetrics> pieces;
  Interference::make(a, b).calc(X_WA, X_WB, pieces);
  double sum = 0.0;
  for (const VolumeMetrics& piece : pieces) sum += piece.volume;
  return sum;
}

/// What two balls with radii R and r, d apart, have in common.
double calc_lens(double R, double r, double d) {
  return kPi * std::pow(R + r - d, 2) * (d * d + 2 * d * (R + r) - 3 * (R - r) * (R - r)) / (12.0 * d);
}

TEST(VolumeShape, BallInACavityMatchesTheLens) {
  const double R = 1.0, r = 0.3;
  for (const double depth : {1e-4, 1e-2, 0.2}) {
    const double d = R - r + depth;
    const double expected = 4.0 / 3.0 * kPi * r * r * r - calc_lens(R, r, d);
    const Vec3 center = d * Vec3(0.48, -0.6, 0.64);
    const double found = calc_volume_of(Sphere{r}, at(center.x(), center.y(), center.z()), Cavity{R}, Pose());
    // The difference of two volumes: rounding of the ball's, and the error that slices are asked for.
    EXPECT_NEAR(found, expected, 1e-6 * expected + 1e-14) << depth;
  }
  EXPECT_EQ(calc_volume_of(Sphere{r}, at(0.1, 0, 0), Cavity{R}, Pose()), 0.0);
}

TEST(VolumeShape, BallInABowlIsThatInItsCavityWhileTheWallHolds) {
  const Pose X = at(0.3, 0.1, -0.64);
  const double in_cavity = calc_volume_of(Sphere{0.3}, X, Cavity{1.0}, Pose());
  ASSERT_GT(in_cavity, 0.0);
  EXPECT_NEAR(calc_volume_of(Sphere{0.3}, X, Bowl{1.0, 0.2, 1.0}, Pose()), in_cavity, 1e-6 * in_cavity);
}

/// At the lip, over it and at the outside, against the cells of a grid whose middles lie in both.
TEST(VolumeShape, BallOnABowlMatchesAGrid) {
  const Bowl bowl{0.5, 0.2, 0.4};
  const Sphere ball{0.25};
  for (const Vec3& c : {Vec3(0.25, 0, -0.17), Vec3(0.6, 0, 0.05), Vec3(0.4, 0.1, -0.7), Vec3(0.45, 0, -0.2)}) {
    constexpr int kCells = 80;
    const double step = 2.0 * ball.radius / kCells;
    double volume = 0.0;
    Vec3 first = Vec3::Zero();
    for (int i = 0; i < kCells * kCells * kCells; ++i) {
      const Vec3 cell(i % kCells + 0.5, i / kCells % kCells + 0.5, i / (kCells * kCells) + 0.5);
      const Vec3 p = c + step * cell - Vec3::Constant(ball.radius);
      if ((p - c).norm() > ball.radius || !testing::is_inside(bowl, p)) continue;
      volume += step * step * step;
      first += step * step * step * p;
    }
    std::vector<VolumeMetrics> pieces;
    Interference::make(ball, bowl).calc(at(c.x(), c.y(), c.z()), Pose(), pieces);
    ASSERT_EQ(pieces.size(), 1u) << c.transpose();
    // A staircase of cells of 1/80: a few parts in a thousand for lumps of this size.
    EXPECT_NEAR(pieces[0].volume, volume, 0.02 * volume) << c.transpose();
    EXPECT_LT((pieces[0].centroid - first / volume).norm(), 2e-3) << c.transpose();
    // Exchanged, the area vector turns round and nothing else changes.
    std::vector<VolumeMetrics> swapped;
    Interference::make(bowl, ball).calc(Pose(), at(c.x(), c.y(), c.z()), swapped);
    ASSERT_EQ(swapped.size(), 1u);
    EXPECT_LT((swapped[0].area_vector + pieces[0].area_vector).norm(), 1e-5 * pieces[0].area());
  }
}

/// A bowl in a box that is all around it; half of it in a half-space through its axis.
TEST(VolumeShape, WholeAndHalfOfABowl) {
  const Bowl bowl{0.5, 0.1, 0.4};
  const double whole = calc_volume(bowl);
  EXPECT_NEAR(calc_volume_of(bowl, Pose(), Box{Vec3::Constant(2.0)}, Pose()), whole, 1e-6 * whole);
  EXPECT_NEAR(calc_volume_of(bowl, Pose(), HalfSpace{Vec3::UnitX(), 0.0}, Pose()), 0.5 * whole, 1e-6 * whole);
}

TEST(VolumeShape, HalfOfATorusByItsFacets) {
  const Shape ring = with_facets(Torus{0.5, 0.2});
  const double whole = calc_volume(ring);
  // Facets: a thousandth.
  EXPECT_NEAR(calc_volume_of(ring, Pose(), HalfSpace{Vec3::UnitX(), 0.0}, Pose()), 0.5 * whole, 1e-3 * whole);
  EXPECT_NEAR(calc_volume_of(ring, Pose(), Sphere{2.0}, Pose()), whole, 1e-3 * whole);
}

TEST(VolumeShape, DepthInACavityHasSlopeOneAtItsWall) {
  const DepthField field = make_depth_field(Cavity{0.5});
  ASSERT_TRUE(field.law.has_value());
  const Vec3 p = 0.5 * Vec3(0.6, 0.0, 0.8);
  EXPECT_NEAR(field.law->value + 0.5 * p.dot(field.law->hessian * p), 0.0, 1e-16);
  EXPECT_LT((field.law->hessian * p - p / 0.5).norm(), 1e-15);
}

}  // namespace
}  // namespace abut
