#include "abut/scene/body_spec.hpp"

#include <numbers>

#include <gtest/gtest.h>

namespace abut {
namespace {

TEST(InertiaSpec, AllFormsGiveTheSameMatrix) {
  Mat3 expected;
  expected << 2.0, 0.1, 0.2, 0.1, 3.0, 0.3, 0.2, 0.3, 4.0;
  EXPECT_EQ((InertiaSpec{{2, 3, 4, 0.1, 0.2, 0.3}}.calc_matrix()), expected);
  EXPECT_EQ((InertiaSpec{{2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4}}.calc_matrix()), expected);
  EXPECT_EQ((InertiaSpec{{2, 3, 4}}.calc_matrix()), Mat3(Vec3(2, 3, 4).asDiagonal()));
}

TEST(InertiaSpec, DefectsAreNamed) {
  const auto defect = [](std::vector<double> numbers) {
    return find_inertia_defect(InertiaSpec{numbers}.calc_matrix());
  };
  EXPECT_EQ(defect({2, 3, 4}), "");
  EXPECT_EQ(defect({1, 1, 2}), "");  // flat plate: equality is allowed
  EXPECT_EQ(defect({1, 1, 2.1}),
            "belongs to no body: the largest principal moment 2.1 exceeds the sum of the others, 2");
  EXPECT_EQ(defect({-1, 1, 1}), "is not positive definite (principal moments -1, 1, 1)");
  EXPECT_EQ(defect({1, 1, 1, 2, 0, 0}), "is not positive definite (principal moments -1, 1, 3)");
  EXPECT_EQ(defect({1, 0.1, 0, 0.2, 1, 0, 0, 0, 1}), "is not symmetric");
}

TEST(Orientation, QuaternionAndRotationAgree) {
  RotationSpec rotation;
  rotation.axis = Vec3(0, 0, 5);
  rotation.degrees = 90.0;
  const Quat by_degrees = calc_orientation(std::nullopt, rotation);
  rotation.degrees.reset();
  rotation.radians = std::numbers::pi / 2;
  const Quat by_radians = calc_orientation(std::nullopt, rotation);
  const double half = std::sqrt(0.5);
  const Quat given = calc_orientation(Quat(half, 0, 0, half), std::nullopt);
  // 1e-15: one rounding each in the angle, its sine and the square root.
  EXPECT_LT(by_degrees.angularDistance(by_radians), 1e-15);
  EXPECT_LT((by_degrees.coeffs() - given.coeffs()).norm(), 1e-15);
  EXPECT_LT((given * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_EQ(calc_orientation(std::nullopt, std::nullopt).w(), 1.0);
  EXPECT_DOUBLE_EQ(calc_orientation(Quat(1.0 + 5e-7, 0, 0, 0), std::nullopt).norm(), 1.0);
}

TEST(ShapeSpec, OnlyClosedShapesAreFinite) {
  const auto finite = [](ShapeVariant type) {
    ShapeSpec shape;
    shape.type = type;
    return is_finite(shape);
  };
  EXPECT_TRUE(finite(SphereSpec{1.0}));
  EXPECT_TRUE(finite(CylinderSpec{1.0, 2.0}));
  EXPECT_FALSE(finite(CylinderSpec{1.0, {}}));
  EXPECT_FALSE(finite(HalfSpaceSpec{}));
  EXPECT_FALSE(finite(BoreSpec{1.0}));
  EXPECT_FALSE(finite(WedgeSpec{}));
  EXPECT_FALSE(finite(CavitySpec{}));
  EXPECT_TRUE(finite(TorusSpec{}));
  EXPECT_TRUE(finite(BowlSpec{}));
  EXPECT_FALSE(finite(ConeSpec{1.0, {}, {}}));
  EXPECT_TRUE(finite(ConeSpec{1.0, {}, 2.0}));
}

}  // namespace
}  // namespace abut
