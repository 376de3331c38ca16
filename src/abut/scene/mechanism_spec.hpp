#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/orientation_spec.hpp"

namespace abut {

/// q_joint = ratio q_of + offset between two joints with one coordinate each: gears, mimic joints, racks, screws,
/// belts. Rigid, or through a spring and damper on the difference.
struct CouplingSpec : Located {
  std::string name;
  std::string joint;
  std::string of;
  double ratio = 1.0;               ///< [1], [m/rad] or [rad/m]
  double offset = 0.0;              ///< [m] or [rad]
  std::optional<double> stiffness;  ///< [N/m] or [N m/rad] of the first joint
  std::optional<double> damping;    ///< [N s/m] or [N m s/rad]

  bool is_compliant() const { return stiffness || damping; }
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<CouplingSpec> auto& s) {
  v(s.name, FieldInfo{.key = "name", .doc = "Unique among couplings when given."});
  v(s.joint, FieldInfo{.key = "joint", .doc = "Joint that follows; revolute or prismatic.", .required = true});
  v(s.of, FieldInfo{.key = "of", .doc = "Joint that it follows; revolute or prismatic.", .required = true});
  v(s.ratio, FieldInfo{.key = "ratio",
                       .unit = "1, m/rad or rad/m",
                       .doc = "Coordinate of the first for each unit of the second: minus the ratio of teeth for outer "
                              "gears, the radius for a rack, lead / 2 pi for a screw."});
  v(s.offset,
    FieldInfo{.key = "offset", .unit = "m or rad", .doc = "Coordinate of the first where the second is zero."});
  v(s.stiffness, FieldInfo{.key = "stiffness",
                           .unit = "N/m or N m/rad",
                           .doc = "Of a compliant coupling: force on the first joint for each unit that it is behind.",
                           .minimum = 0,
                           .exclusive = true,
                           .otherwise = "rigid"});
  v(s.damping, FieldInfo{.key = "damping",
                         .unit = "N s/m or N m s/rad",
                         .doc = "Damper beside the spring.",
                         .minimum = 0,
                         .otherwise = "none"});
}

/// Spring and damper on all six coordinates between a frame on one body and a frame on another.
struct BushingSpec : Located {
  std::string name;
  std::string parent = "world";  ///< kWorldName of joint_spec.hpp
  std::string child;
  Vec3 parent_position = Vec3::Zero();  ///< [m]
  std::optional<Quat> parent_orientation;
  std::optional<RotationSpec> parent_rotation;
  Vec3 child_position = Vec3::Zero();  ///< [m]
  std::optional<Quat> child_orientation;
  std::optional<RotationSpec> child_rotation;
  std::vector<double> stiffness;  ///< 6 or 36, by rows: travel [N/m], turn [N m/rad], mixed [N/rad], [N]
  std::vector<double> damping;    ///< the same per speed
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<BushingSpec> auto& s) {
  v(s.name, FieldInfo{.key = "name", .doc = "Unique among bushings when given."});
  v(s.parent,
    FieldInfo{.key = "parent", .doc = "Body with the frame F in which travel and turn are counted, or `world`."});
  v(s.child, FieldInfo{.key = "child", .doc = "Body with the frame M.", .required = true});
  v(s.parent_position, FieldInfo{.key = "parent_position", .unit = "m", .doc = "F in the parent."});
  v(s.parent_orientation, FieldInfo{.key = "parent_orientation",
                                    .unit = "1",
                                    .doc = "Its unit quaternion (w, x, y, z).",
                                    .otherwise = "`parent_rotation`, or no turn"});
  v(s.parent_rotation,
    FieldInfo{.key = "parent_rotation", .doc = "The same by axis and angle.", .otherwise = "`parent_orientation`"});
  v(s.child_position, FieldInfo{.key = "child_position", .unit = "m", .doc = "M in the child."});
  v(s.child_orientation, FieldInfo{.key = "child_orientation",
                                   .unit = "1",
                                   .doc = "Its unit quaternion (w, x, y, z).",
                                   .otherwise = "`child_rotation`, or no turn"});
  v(s.child_rotation,
    FieldInfo{.key = "child_rotation", .doc = "The same by axis and angle.", .otherwise = "`child_orientation`"});
  v(s.stiffness,
    FieldInfo{.key = "stiffness",
              .unit = "N/m, N m/rad",
              .doc = "6 numbers for travel x, y, z and turn x, y, z in F, or all 36 of a symmetric matrix, "
                     "by rows; relaxed where M is at F.",
              .required = true});
  v(s.damping,
    FieldInfo{.key = "damping", .unit = "N s/m, N m s/rad", .doc = "The same for their rates.", .otherwise = "none"});
}

}  // namespace abut
