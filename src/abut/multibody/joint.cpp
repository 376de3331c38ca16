#include "abut/multibody/joint.hpp"

#include "abut/base/error.hpp"

namespace abut {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"fixed",     "revolute", "prismatic",     "spherical",
                                                    "universal", "planar",   "translational", "free"};
/// Cosine between the axes of a universal joint above which the input is wrong rather than rounded.
constexpr double kPerpendicularTolerance = 1e-6;

Vec3 make_unit(const Vec3& axis, std::string_view what, JointType type) {
  const double length = axis.norm();
  if (!(length > 1e-12) || !std::isfinite(length)) {
    throw InputError(fmt::format("{} of a {} joint is ({}, {}, {}); it needs a direction", what, joint_type_name(type),
                                 axis.x(), axis.y(), axis.z()));
  }
  return axis / length;
}

JointAxes make_universal_axes(const Vec3& axis, const Vec3& axis_2) {
  const Vec3 first = make_unit(axis, "axis", JointType::universal);
  const Vec3 second = make_unit(axis_2, "axis_2", JointType::universal);
  const double cosine = first.dot(second);
  if (std::abs(cosine) > kPerpendicularTolerance) {
    throw InputError(
        fmt::format("the axes of a universal joint must be perpendicular; the cosine between them is {:.3g}", cosine));
  }
  const Vec3 exact = tangential(second, first).normalized();
  return {first, exact, first.cross(exact)};
}

JointAxes make_planar_axes(const Vec3& axis) {
  const Vec3 normal = make_unit(axis, "axis", JointType::planar);
  // cos 26 degrees = 0.9: nearer than that, the projection of x is too short to be a stable direction.
  const Vec3 start = std::abs(normal.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 u = tangential(start, normal).normalized();
  return {u, normal.cross(u), normal};
}

Mat3 calc_rotation(const Vec3& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

}  // namespace

std::string_view joint_type_name(JointType type) { return kNames[static_cast<std::size_t>(type)]; }

std::optional<JointType> joint_type_from_name(std::string_view name) {
  for (const JointType type : kAllJointTypes) {
    if (joint_type_name(type) == name) return type;
  }
  return std::nullopt;
}

JointAxes make_joint_axes(JointType type, const Vec3& axis, const Vec3& axis_2) {
  switch (type) {
    case JointType::revolute:
    case JointType::prismatic:
      return {make_unit(axis, "axis", type), Vec3::Zero(), Vec3::Zero()};
    case JointType::universal:
      return make_universal_axes(axis, axis_2);
    case JointType::planar:
      return make_planar_axes(axis);
    case JointType::fixed:
    case JointType::spherical:
    case JointType::translational:
    case JointType::free:
      break;
  }
  return {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
}

Pose calc_joint_pose(JointType type, const JointAxes& axes, const double* q) {
  switch (type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
      return {calc_rotation(axes[0], q[0]), Vec3::Zero()};
    case JointType::prismatic:
      return {Mat3::Identity(), axes[0] * q[0]};
    case JointType::spherical:
      return {calc_unit_quaternion(q), Vec3::Zero()};
    case JointType::universal:
      return {Mat3(calc_rotation(axes[0], q[0]) * calc_rotation(axes[1], q[1])), Vec3::Zero()};
    case JointType::planar:
      return {calc_rotation(axes[2], q[2]), axes[0] * q[0] + axes[1] * q[1]};
    case JointType::translational:
      return {Mat3::Identity(), Vec3(q[0], q[1], q[2])};
    case JointType::free:
      break;
  }
  ABUT_REQUIRE(false, "a {} joint has no pose of its own", joint_type_name(type));
  return {};
}

}  // namespace abut
