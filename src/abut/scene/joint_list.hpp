#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "abut/scene/field.hpp"

namespace abut {

/// Kinds of joints. What scenes, checks and pages ask about one stands in its row below; how it moves is said in
/// multibody/joint.hpp, joint.cpp and kinematics.cpp. A new one needs a name and a row here, and its motion there.
enum class JointKind { fixed, revolute, prismatic, spherical, universal, planar, translational, free };

/// A coordinate of a joint, or a speed: what it is called, and the unit of the coordinate.
struct JointNumber {
  const char* label;
  const char* unit;
};

struct JointTraits {
  JointKind kind;
  const char* name;  ///< in scenes
  std::span<const JointNumber> coordinates;
  std::span<const JointNumber> speeds;  ///< each with the unit of what it is the rate of
  int num_axes = 0;                     ///< keys axis, axis_2
};

namespace joint_list_detail {

inline constexpr std::array<JointNumber, 1> kAngle = {{{"angle", "rad"}}};
inline constexpr std::array<JointNumber, 1> kTravel = {{{"travel", "m"}}};
inline constexpr std::array<JointNumber, 2> kAngles = {{{"angle 1", "rad"}, {"angle 2", "rad"}}};
inline constexpr std::array<JointNumber, 3> kInPlane = {{{"x", "m"}, {"y", "m"}, {"angle", "rad"}}};
inline constexpr std::array<JointNumber, 3> kPlace = {{{"x", "m"}, {"y", "m"}, {"z", "m"}}};
inline constexpr std::array<JointNumber, 4> kQuaternion = {{{"w", "1"}, {"x", "1"}, {"y", "1"}, {"z", "1"}}};
inline constexpr std::array<JointNumber, 3> kTurn = {{{"x", "rad"}, {"y", "rad"}, {"z", "rad"}}};
/// Those of the body: scenes give them there.
inline constexpr std::array<JointNumber, 7> kBody = {
    {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"w", "1"}, {"x", "1"}, {"y", "1"}, {"z", "1"}}};
inline constexpr std::array<JointNumber, 6> kBodySpeeds = {
    {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"x", "rad"}, {"y", "rad"}, {"z", "rad"}}};

}  // namespace joint_list_detail

/// In the order of JointKind.
inline constexpr auto kJoints = [] {
  using namespace joint_list_detail;
  return std::to_array<JointTraits>({
      {.kind = JointKind::fixed, .name = "fixed", .coordinates = {}, .speeds = {}},
      {.kind = JointKind::revolute, .name = "revolute", .coordinates = kAngle, .speeds = kAngle, .num_axes = 1},
      {.kind = JointKind::prismatic, .name = "prismatic", .coordinates = kTravel, .speeds = kTravel, .num_axes = 1},
      {.kind = JointKind::spherical, .name = "spherical", .coordinates = kQuaternion, .speeds = kTurn},
      {.kind = JointKind::universal, .name = "universal", .coordinates = kAngles, .speeds = kAngles, .num_axes = 2},
      {.kind = JointKind::planar, .name = "planar", .coordinates = kInPlane, .speeds = kInPlane, .num_axes = 1},
      {.kind = JointKind::translational, .name = "translational", .coordinates = kPlace, .speeds = kPlace},
      {.kind = JointKind::free, .name = "free", .coordinates = kBody, .speeds = kBodySpeeds},
  });
}();

constexpr const JointTraits& joint_traits(JointKind kind) { return kJoints[static_cast<std::size_t>(kind)]; }

/// "revolute, prismatic, universal, planar": the joints with so many axes or more.
std::string list_joints_with_axes(int num_axes);

/// Sentences of the table of fields that name joints, made from the rows.
struct JointDocs {
  std::string axis, axis_2;
};
const JointDocs& joint_docs();

template <>
struct EnumNames<JointKind> {
  static constexpr EnumTable<JointKind, kJoints.size()> values = [] {
    EnumTable<JointKind, kJoints.size()> names{};
    for (std::size_t i = 0; i < kJoints.size(); ++i) names[i] = {kJoints[i].kind, kJoints[i].name};
    return names;
  }();
  static constexpr PlannedNames<0> planned{};
};

static_assert([] {
  for (std::size_t i = 0; i < kJoints.size(); ++i) {
    if (static_cast<std::size_t>(kJoints[i].kind) != i) return false;
  }
  return true;
}());

}  // namespace abut
