#pragma once

#include <array>
#include <optional>
#include <string>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/table_spec.hpp"

namespace abut {

/// Spring and damper between two points, along the line that joins them; tension and compression.
struct SpringSpec : Located {
  std::string name;
  std::array<std::string, 2> between;  ///< bodies, or "world"
  Vec3 point_a = Vec3::Zero();         ///< in the frame of the first [m]
  Vec3 point_b = Vec3::Zero();         ///< in the frame of the second [m]
  double stiffness = 0.0;              ///< [N/m]
  double damping = 0.0;                ///< [N s/m]
  std::optional<double> rest_length;   ///< [m]
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<SpringSpec> auto& s) {
  v(s.name, FieldInfo{.key = "name", .doc = "Unique among springs when given."});
  v(s.between, FieldInfo{.key = "between", .doc = "Two bodies, or a body and `world`.", .required = true});
  v(s.point_a, FieldInfo{.key = "point_a", .unit = "m", .doc = "Attachment in the frame of the first."});
  v(s.point_b, FieldInfo{.key = "point_b", .unit = "m", .doc = "Attachment in the frame of the second."});
  v(s.stiffness,
    FieldInfo{.key = "stiffness", .unit = "N/m", .doc = "Force for each metre of extension.", .minimum = 0});
  v(s.damping,
    FieldInfo{.key = "damping", .unit = "N s/m", .doc = "Force for each m/s of extension rate.", .minimum = 0});
  v(s.rest_length, FieldInfo{.key = "rest_length",
                             .unit = "m",
                             .doc = "Length without force.",
                             .minimum = 0,
                             .otherwise = "the length at the start"});
}

/// Force at a point of a body and torque on it, constant or over time.
struct ForceSpec : Located {
  enum class Frame { world, body };

  std::string name;
  std::string body;
  std::optional<Vec3> point;   ///< in the body frame [m]; absent: the centre of mass
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 torque = Vec3::Zero();  ///< [N m]
  std::optional<ForceTableSpec> table;
  Frame frame = Frame::world;  ///< axes of force and torque
};

template <>
struct EnumNames<ForceSpec::Frame> {
  using Frame = ForceSpec::Frame;
  static constexpr EnumTable<Frame, 2> values{{{Frame::world, "world"}, {Frame::body, "body"}}};
  static constexpr PlannedNames<0> planned{};
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ForceSpec> auto& s) {
  v(s.name, FieldInfo{.key = "name", .doc = "Unique among forces when given."});
  v(s.body, FieldInfo{.key = "body", .doc = "Body that is loaded.", .required = true});
  v(s.point, FieldInfo{.key = "point",
                       .unit = "m",
                       .doc = "Where the force acts, in the body frame.",
                       .otherwise = "the centre of mass"});
  v(s.force, FieldInfo{.key = "force", .unit = "N", .doc = "Constant force."});
  v(s.torque, FieldInfo{.key = "torque", .unit = "N m", .doc = "Constant torque."});
  v(s.table,
    FieldInfo{.key = "table", .doc = "Force and torque over time, instead of constant ones.", .otherwise = "constant"});
  v(s.frame, FieldInfo{.key = "frame", .doc = "Axes in which force and torque are given."});
}

}  // namespace abut
