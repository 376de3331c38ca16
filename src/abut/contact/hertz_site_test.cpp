#include "abut/contact/hertz_site.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/contact/law/hertz_stiffness.hpp"

namespace abut {
namespace {

struct TwoColliders {
  std::array<Pose, 2> poses{};
  std::array<Vec3, 2> zeros{Vec3::Zero(), Vec3::Zero()};
  Collider a, b;

  TwoColliders(Shape shape_a, double size_a, Shape shape_b, double size_b) {
    a.link = 0;
    a.shape = std::move(shape_a);
    a.bounding_radius = size_a;
    b.link = 1;
    b.shape = std::move(shape_b);
    b.bounding_radius = size_b;
    a.is_centered = b.is_centered = true;
  }
  HertzSite at(const Vec3& point, const Vec3& normal) {
    const BodyMotion motion{poses.data(), zeros.data(), zeros.data(), zeros.data()};
    return make_hertz_site(a, b, motion, {0.0, normal, point});
  }
};

TEST(HertzSite, BallOnAPlaneHasAPatchOfRootRTimesDepth) {
  TwoColliders pair(Sphere{0.02}, 0.02, HalfSpace{}, HUGE_VAL);
  pair.poses[0].p = Vec3(0, 0, 0.02);
  const HertzSite site = pair.at(Vec3::Zero(), Vec3::UnitZ());
  EXPECT_DOUBLE_EQ(site.curvature_1, 50.0);
  EXPECT_DOUBLE_EQ(site.curvature_2, 50.0);
  const double depth = 1e-5, force = 1000.0;
  const PatchSize size = calc_patch_size(site, depth, force);
  EXPECT_NEAR(size.long_axis, std::sqrt(0.02 * depth), 1e-12);
  EXPECT_NEAR(size.short_axis, size.long_axis, 1e-15);
  EXPECT_NEAR(size.peak_pressure, 1.5 * force / (std::numbers::pi * 0.02 * depth), 1e-6 * size.peak_pressure);
  EXPECT_NEAR(calc_patch_ratio(site, size), std::sqrt(depth / 0.02), 1e-12);
}

/// The patch of the static theory under the same force, by its own route.
TEST(HertzSite, EllipticalPatchAgreesWithTheStaticTheory) {
  TwoColliders pair(Ellipsoid{Vec3(0.1, 0.04, 0.02)}, 0.1, HalfSpace{}, HUGE_VAL);
  pair.poses[0].p = Vec3(0, 0, 0.02);
  const HertzSite site = pair.at(Vec3::Zero(), Vec3::UnitZ());
  EXPECT_NEAR(site.curvature_1, 0.02 / (0.04 * 0.04), 1e-9);
  EXPECT_NEAR(site.curvature_2, 0.02 / (0.1 * 0.1), 1e-9);
  const HertzContact hertz = make_hertz_contact(1e11, site.curvature_1, site.curvature_2);
  const HertzPatch expected = calc_hertz_patch(hertz, 500.0);
  const PatchSize size = calc_patch_size(site, expected.depth, 500.0);
  EXPECT_NEAR(size.long_axis, expected.long_axis, 1e-12);
  EXPECT_NEAR(size.short_axis, expected.short_axis, 1e-12);
  EXPECT_NEAR(size.peak_pressure, expected.peak_pressure, 1e-6 * expected.peak_pressure);
}

/// A ball of 99.9 mm in a bore of 100 mm: round the bore the surfaces part a thousand times more slowly than along it.
TEST(HertzSite, BallInABoreOfNearlyItsRadiusHasALongPatch) {
  TwoColliders pair(Sphere{0.0999}, 0.0999, Bore{0.1}, HUGE_VAL);
  pair.poses[0].p = Vec3(0, -1e-4, 0);
  const HertzSite site = pair.at(Vec3(0, -0.1, 0), Vec3::UnitY());
  EXPECT_NEAR(site.curvature_1, 1.0 / 0.0999, 1e-9);
  EXPECT_NEAR(site.curvature_2, 1.0 / 0.0999 - 1.0 / 0.1, 1e-9);
  const PatchSize size = calc_patch_size(site, 5e-6, 2943.0);
  EXPECT_GT(size.long_axis, 20.0 * size.short_axis);
  EXPECT_GT(calc_patch_ratio(site, size), 0.1);
  EXPECT_TRUE(do_conform(site));
}

/// However flat: a plane does not wrap it.
TEST(HertzSite, AFlatEllipsoidOnAPlaneDoesNotConform) {
  TwoColliders pair(Ellipsoid{Vec3(0.2, 0.1, 0.02)}, 0.2, HalfSpace{}, HUGE_VAL);
  pair.poses[0].p = Vec3(0, 0, 0.02);
  EXPECT_FALSE(do_conform(pair.at(Vec3::Zero(), Vec3::UnitZ())));
}

TEST(HertzSite, FlatOnFlatHasNone) {
  TwoColliders pair(Box{Vec3(1, 1, 1)}, 1.8, HalfSpace{}, HUGE_VAL);
  pair.poses[0].p = Vec3(0, 0, 1);
  const HertzSite site = pair.at(Vec3(1, 1, 0), Vec3::UnitZ());
  const PatchSize size = calc_patch_size(site, 1e-3, 10.0);
  EXPECT_EQ(size.short_axis, 0.0);
  EXPECT_EQ(size.peak_pressure, 0.0);
  EXPECT_EQ(calc_patch_ratio(site, size), 0.0);
}

}  // namespace
}  // namespace abut
