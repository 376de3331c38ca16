#include "abut/multibody/joint.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

constexpr double kRounding = 1e-15;  // a few operations on numbers of order one

TEST(Joint, NamesGoBothWays) {
  for (const JointType type : kAllJointTypes) EXPECT_EQ(joint_type_from_name(joint_type_name(type)), type);
  EXPECT_EQ(joint_type_name(JointType::translational), "translational");
  EXPECT_EQ(joint_type_from_name("hinge"), std::nullopt);
}

TEST(Joint, QuaternionsTakeOneCoordinateMoreThanSpeeds) {
  for (const JointType type : kAllJointTypes) {
    EXPECT_EQ(num_q(type) - num_v(type), quaternion_offset(type) >= 0 ? 1 : 0) << joint_type_name(type);
  }
  EXPECT_EQ(num_v(JointType::free), 6);
  EXPECT_EQ(num_v(JointType::universal), 2);
}

TEST(Joint, PlanarAxesAreRightHandedAndStartAtX) {
  const JointAxes flat = make_joint_axes(JointType::planar, Vec3(0.0, 0.0, 2.0), Vec3::Zero());
  EXPECT_TRUE(flat[0].isApprox(Vec3::UnitX(), kRounding));
  EXPECT_TRUE(flat[1].isApprox(Vec3::UnitY(), kRounding));
  EXPECT_TRUE(flat[2].isApprox(Vec3::UnitZ(), kRounding));
  const JointAxes side = make_joint_axes(JointType::planar, Vec3::UnitX(), Vec3::Zero());
  EXPECT_TRUE(side[0].isApprox(Vec3::UnitY(), kRounding));
  EXPECT_TRUE(side[0].cross(side[1]).isApprox(Vec3::UnitX(), kRounding));
}

TEST(Joint, UniversalCarriesItsSecondAxis) {
  const JointAxes axes = make_joint_axes(JointType::universal, Vec3::UnitZ(), Vec3::UnitX());
  const double q[] = {std::numbers::pi / 2.0, std::numbers::pi / 2.0};
  // Quarter turn about x, then about z: y goes to z and stays; z goes to -y, then to x.
  const Pose X_FM = calc_joint_pose(JointType::universal, axes, q);
  EXPECT_TRUE((X_FM.R * Vec3::UnitY()).isApprox(Vec3::UnitZ(), kRounding));
  EXPECT_TRUE((X_FM.R * Vec3::UnitZ()).isApprox(Vec3::UnitX(), kRounding));
}

TEST(Joint, PosesOfOneCoordinate) {
  const double q[] = {std::numbers::pi / 2.0};
  const JointAxes axes = make_joint_axes(JointType::revolute, Vec3::UnitZ(), Vec3::Zero());
  const Pose turned = calc_joint_pose(JointType::revolute, axes, q);
  EXPECT_TRUE((turned * Vec3::UnitX()).isApprox(Vec3::UnitY(), kRounding));
  const Pose moved = calc_joint_pose(JointType::prismatic, axes, q);
  EXPECT_TRUE(moved.p.isApprox(q[0] * Vec3::UnitZ(), kRounding));
  EXPECT_TRUE(moved.R.isIdentity(0.0));
}

TEST(Joint, QuaternionLengthDoesNotMatter) {
  const double unit[] = {0.5, 0.5, 0.5, 0.5}, longer[] = {1.5, 1.5, 1.5, 1.5};
  const JointAxes axes = make_joint_axes(JointType::spherical, Vec3::Zero(), Vec3::Zero());
  EXPECT_TRUE(calc_joint_pose(JointType::spherical, axes, unit)
                  .R.isApprox(calc_joint_pose(JointType::spherical, axes, longer).R, kRounding));
}

TEST(Joint, SaysWhatIsWrongWithAnAxis) {
  const auto message_of = [](JointType type, const Vec3& axis, const Vec3& axis_2) -> std::string {
    try {
      make_joint_axes(type, axis, axis_2);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of(JointType::revolute, Vec3::Zero(), Vec3::Zero()),
            "axis of a revolute joint is (0, 0, 0); it needs a direction");
  EXPECT_EQ(message_of(JointType::universal, Vec3::UnitX(), Vec3(1.0, 1.0, 0.0)),
            "the axes of a universal joint must be perpendicular; the cosine between them is 0.707");
  EXPECT_EQ(message_of(JointType::universal, Vec3::UnitX(), Vec3(NAN, 0.0, 0.0)),
            "axis_2 of a universal joint is (nan, 0, 0); it needs a direction");
}

}  // namespace
}  // namespace abut
