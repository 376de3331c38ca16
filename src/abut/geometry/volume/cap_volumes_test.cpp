#include "abut/geometry/volume/cap_volumes.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;
using testing::Random;

/// The same in long double, at a depth that is exact in both.
TEST(SphereCap, KeepsItsDigitsAtAnyDepth) {
  for (const double depth : {1.0, 0.25, 0x1p-10, 0x1p-20, 0x1p-30}) {
    const VolumeMetrics cap = calc_sphere_cap(Vec3(0.0, 0.0, 1.0 - depth), 1.0, Vec3::UnitZ(), 0.0);
    const long double d = depth, volume = kPi * d * d * (3.0L - d) / 3.0L;
    const long double below = d * (4.0L - d) / (4.0L * (3.0L - d));
    const long double across = kPi * d * d * d * (20.0L - 15.0L * d + 3.0L * d * d) / 30.0L;
    EXPECT_NEAR(static_cast<double>(cap.volume / volume), 1.0, 1e-15);
    EXPECT_NEAR(cap.centroid.z(), static_cast<double>(-below), 3e-16);  // a position, rounded like the centre's
    EXPECT_NEAR(static_cast<double>(cap.inertia(2, 2) / across), 1.0, 1e-14);
    EXPECT_NEAR(cap.area_vector.z(), kPi * depth * (2.0 - depth), 1e-14 * depth);
  }
}

TEST(SphereCap, ApartAndSwallowed) {
  EXPECT_EQ(calc_sphere_cap(Vec3(0, 0, 1), 1.0, Vec3::UnitZ(), 0.0).volume, 0.0);
  EXPECT_EQ(calc_sphere_cap(Vec3(0, 0, 2), 1.0, Vec3::UnitZ(), 0.0).volume, 0.0);
  const VolumeMetrics whole = calc_sphere_cap(Vec3(0, 0, -1), 1.0, Vec3::UnitZ(), 0.0);
  EXPECT_NEAR(whole.volume, 4.0 / 3.0 * kPi, 1e-15);
  EXPECT_EQ(whole.area(), 0.0);
}

/// Two caps of the halves of a sphere are the sphere, inertia and all.
TEST(SphereCap, ComplementaryCapsAddUp) {
  const Vec3 center(0.3, -0.2, 0.1), normal = Vec3(1, 2, -2) / 3.0;
  const VolumeMetrics below = calc_sphere_cap(center, 0.7, normal, 0.05);
  const VolumeMetrics above = calc_sphere_cap(center, 0.7, -normal, -0.05);
  const double volume = 4.0 / 3.0 * kPi * 0.343;
  EXPECT_NEAR(below.volume + above.volume, volume, 1e-15);
  const Vec3 first = below.volume * below.centroid + above.volume * above.centroid;
  EXPECT_LT((first / volume - center).norm(), 1e-15);
  EXPECT_LT((below.area_vector + above.area_vector).norm(), 1e-15);
  Mat3 inertia = below.inertia + above.inertia;
  for (const VolumeMetrics* cap : {&below, &above}) {
    const Vec3 r = cap->centroid - center;
    inertia += cap->volume * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  EXPECT_LT((inertia - Mat3(0.4 * volume * 0.49 * Mat3::Identity())).norm(), 1e-15);
}

TEST(SphereLens, IsTwoCaps) {
  const Vec3 p_a(0.1, 0.2, 0.9), p_b(-0.2, 0.0, 0.0);
  const double r_a = 0.7, r_b = 0.5, distance = (p_a - p_b).norm();
  const Vec3 u = (p_a - p_b) / distance;
  const double x = (distance * distance + r_b * r_b - r_a * r_a) / (2.0 * distance);  // plane from B's centre
  const double offset = u.dot(p_b) + x;
  const VolumeMetrics a = calc_sphere_cap(p_a, r_a, u, offset), b = calc_sphere_cap(p_b, r_b, -u, -offset);
  const VolumeMetrics lens = calc_sphere_lens(p_a, r_a, p_b, r_b);
  EXPECT_NEAR(lens.volume, a.volume + b.volume, 1e-15);
  EXPECT_LT((lens.centroid * lens.volume - a.volume * a.centroid - b.volume * b.centroid).norm(), 1e-15);
  EXPECT_LT((lens.area_vector - a.area_vector).norm(), 1e-14);
  EXPECT_EQ(calc_sphere_lens(p_a, 0.1, p_b, 0.1).volume, 0.0);
  EXPECT_NEAR(calc_sphere_lens(p_b + Vec3(0.1, 0, 0), 0.2, p_b, 0.5).volume, 4.0 / 3.0 * kPi * 0.008, 1e-16);
}

/// Depth 1e-9 R: V = pi R_eff d^2 to first order.
TEST(SphereLens, KeepsItsDigitsWhenShallow) {
  const double depth = 0x1p-30;
  const VolumeMetrics lens = calc_sphere_lens(Vec3(2.0 - depth, 0, 0), 1.0, Vec3::Zero(), 1.0);
  EXPECT_NEAR(lens.volume / (0.5 * kPi * depth * depth), 1.0, 1e-9);
  EXPECT_NEAR(lens.centroid.x(), 1.0 - 0.5 * depth, 1e-16);
}

/// An ellipsoid with equal axes is a sphere; otherwise V, area and their relation dV/d(offset) = area.
TEST(EllipsoidCap, IsTheAffineImageOfASphereCap) {
  Random random(6);
  const Pose X = random.pose(0.3);
  const Vec3 normal = random.unit();
  const double offset = normal.dot(X.p) - 0.2;
  const VolumeMetrics sphere = calc_sphere_cap(X.p, 0.6, normal, offset);
  const VolumeMetrics same = calc_ellipsoid_cap(X, Vec3::Constant(0.6), normal, offset);
  EXPECT_NEAR(same.volume / sphere.volume, 1.0, 1e-14);
  EXPECT_LT((same.inertia - sphere.inertia).norm(), 1e-13 * sphere.inertia.norm());
  EXPECT_LT((same.area_vector - sphere.area_vector).norm(), 1e-13);

  const Vec3 axes(0.9, 0.5, 0.3);
  const double step = 1e-4;
  const double rate = (calc_ellipsoid_cap(X, axes, normal, offset + step).volume -
                       calc_ellipsoid_cap(X, axes, normal, offset - step).volume) /
                      (2.0 * step);
  const VolumeMetrics cap = calc_ellipsoid_cap(X, axes, normal, offset);
  EXPECT_NEAR(cap.area(), rate, 1e-7);  // step^2 times the third derivative of V, at most about 10
  const VolumeMetrics other = calc_ellipsoid_cap(X, axes, -normal, -offset);
  EXPECT_NEAR(cap.volume + other.volume, 4.0 / 3.0 * kPi * axes.prod(), 1e-15);
}

/// What of a ball is inside another, and what is outside of it, are the ball, inertia and all.
TEST(SphereCrescent, AndLensAddUp) {
  const Vec3 p_b(0.1, -0.2, 0.3), u = Vec3(1, 2, -2) / 3.0;
  for (const auto& [r_a, distance] : {std::pair(0.3, 0.75), {0.3, 0.5 + 1e-3}, {0.8, 0.6}, {1.5, 0.3}, {0.3, 1.2}}) {
    const double r_b = 0.8, volume = 4.0 / 3.0 * kPi * r_a * r_a * r_a;
    const Vec3 p_a = p_b + distance * u;
    const VolumeMetrics inside = calc_sphere_lens(p_a, r_a, p_b, r_b),
                        outside = calc_sphere_crescent(p_a, r_a, p_b, r_b);
    EXPECT_NEAR(inside.volume + outside.volume, volume, 1e-14 * volume);
    const Vec3 first = inside.volume * inside.centroid + outside.volume * outside.centroid;
    EXPECT_LT((first / volume - p_a).norm(), 1e-14);
    EXPECT_LT((inside.area_vector + outside.area_vector).norm(), 1e-14);
    Mat3 inertia = inside.inertia + outside.inertia;
    for (const VolumeMetrics* part : {&inside, &outside}) {
      const Vec3 r = part->centroid - p_a;
      inertia += part->volume * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    }
    EXPECT_LT((inertia - Mat3(0.4 * volume * r_a * r_a * Mat3::Identity())).norm(), 1e-13 * volume) << r_a;
  }
  EXPECT_EQ(calc_sphere_crescent(p_b, 0.3, p_b, 0.8).volume, 0.0);
}

/// For a shallow one, V = pi depth^2 / c with the relative curvature c = 1/r - 1/R.
TEST(SphereCrescent, ShallowOnesFollowFromTheRelativeCurvature) {
  for (const double r : {0.2, 0.9, 0.99}) {
    const double depth = 1e-9;
    const VolumeMetrics found = calc_sphere_crescent(Vec3(1.0 - r + depth, 0, 0), r, Vec3::Zero(), 1.0);
    // The next term is of the order depth / (1 - r), and the depth itself has seven digits.
    EXPECT_NEAR(found.volume / (kPi * depth * depth / (1.0 / r - 1.0)), 1.0, 1e-6) << r;
  }
}

}  // namespace
}  // namespace abut
