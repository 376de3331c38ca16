#pragma once

#include <numbers>
#include <optional>
#include <string>
#include <variant>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/orientation_spec.hpp"

namespace abut {

/// Shapes in their own frame S; lengths in metres. kTag is the value of `type` in a scene.

struct SphereSpec {
  static constexpr const char* kTag = "sphere";
  static constexpr const char* kDoc = "Ball about the origin.";
  double radius = 0.0;  ///< [m]
};

/// Everything below the plane normal . x = offset.
struct HalfSpaceSpec {
  static constexpr const char* kTag = "half-space";
  static constexpr const char* kDoc = "Everything below the plane normal . x = offset.";
  Vec3 normal = Vec3::UnitZ();  ///< any length but zero
  double offset = 0.0;          ///< [m]
};

struct BoxSpec {
  static constexpr const char* kTag = "box";
  static constexpr const char* kDoc = "Box about the origin.";
  Vec3 size = Vec3::Zero();  ///< full edge lengths [m]
};

/// Solid cylinder about z.
struct CylinderSpec {
  static constexpr const char* kTag = "cylinder";
  static constexpr const char* kDoc = "Solid cylinder about z, centred at the origin.";
  double radius = 0.0;             ///< [m]
  std::optional<double> length{};  ///< [m], infinite when absent
};

/// Everything outside a cylinder about z: the inside wall of a tube.
struct BoreSpec {
  static constexpr const char* kTag = "bore";
  static constexpr const char* kDoc = "Inside wall of an endless round hole about z; the material is outside.";
  double radius = 0.0;  ///< [m]
};

/// Solid cone about z, apex at the origin, opening towards -z.
struct ConeSpec {
  static constexpr const char* kTag = "cone";
  static constexpr const char* kDoc = "Solid cone about z, apex at the origin, opening towards -z.";
  std::optional<double> angle{};          ///< full apex angle [rad]
  std::optional<double> angle_degrees{};  ///< full apex angle [deg]
  std::optional<double> height{};         ///< [m], infinite when absent

  /// Full apex angle [rad], whichever way it was given; 0 when it was not.
  double calc_angle() const { return angle ? *angle : angle_degrees.value_or(0.0) * (std::numbers::pi / 180.0); }
};

struct CapsuleSpec {
  static constexpr const char* kTag = "capsule";
  static constexpr const char* kDoc = "Cylinder about z with hemispherical ends, centred at the origin.";
  double radius = 0.0;  ///< [m]
  double length = 0.0;  ///< of the straight part [m]
};

struct EllipsoidSpec {
  static constexpr const char* kTag = "ellipsoid";
  static constexpr const char* kDoc = "Ellipsoid about the origin.";
  Vec3 semi_axes = Vec3::Zero();  ///< [m]
};

/// Convex edge: the part below both planes normal_1 . x = 0 and normal_2 . x = 0.
struct WedgeSpec {
  static constexpr const char* kTag = "wedge";
  static constexpr const char* kDoc =
      "Endless edge: everything below both planes normal_1 . x = 0 and normal_2 . x = 0.";
  Vec3 normal_1 = Vec3::Zero();  ///< outward, any length but zero
  Vec3 normal_2 = Vec3::Zero();  ///< outward, not parallel to normal_1
};

using ShapeVariant = std::variant<SphereSpec, HalfSpaceSpec, BoxSpec, CylinderSpec, BoreSpec, ConeSpec, CapsuleSpec,
                                  EllipsoidSpec, WedgeSpec>;

/// A shape and where it sits on its body (frame S in frame B).
struct ShapeSpec : Located {
  ShapeVariant type;
  std::string name;
  Vec3 position = Vec3::Zero();          ///< p_BS [m]
  std::optional<Quat> orientation;       ///< of S in B
  std::optional<RotationSpec> rotation;  ///< the same, by axis and angle

  Quat calc_orientation() const { return abut::calc_orientation(orientation, rotation); }
};

/// A closed shape has a volume, hence mass properties; half-space, bore, wedge and endless cylinder or cone have not.
bool is_finite(const ShapeSpec& shape);

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<SphereSpec> auto& s) {
  v(s.radius,
    FieldInfo{.key = "radius", .unit = "m", .doc = "Radius.", .minimum = 0, .exclusive = true, .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<HalfSpaceSpec> auto& s) {
  v(s.normal, FieldInfo{.key = "normal", .unit = "1", .doc = "Outward normal; any length but zero.", .required = true});
  v(s.offset,
    FieldInfo{.key = "offset", .unit = "m", .doc = "Distance of the plane from the origin along the normal."});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<BoxSpec> auto& s) {
  v(s.size,
    FieldInfo{
        .key = "size", .unit = "m", .doc = "Full edge lengths.", .minimum = 0, .exclusive = true, .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<CylinderSpec> auto& s) {
  v(s.radius,
    FieldInfo{.key = "radius", .unit = "m", .doc = "Radius.", .minimum = 0, .exclusive = true, .required = true});
  v(s.length, FieldInfo{.key = "length",
                        .unit = "m",
                        .doc = "Length along z.",
                        .minimum = 0,
                        .exclusive = true,
                        .otherwise = "endless"});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<BoreSpec> auto& s) {
  v(s.radius,
    FieldInfo{
        .key = "radius", .unit = "m", .doc = "Radius of the hole.", .minimum = 0, .exclusive = true, .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ConeSpec> auto& s) {
  v(s.angle, FieldInfo{.key = "angle",
                       .unit = "rad",
                       .doc = "Full apex angle, below pi.",
                       .minimum = 0,
                       .maximum = std::numbers::pi,
                       .exclusive = true,
                       .otherwise = "`angle_degrees` is given"});
  v(s.angle_degrees, FieldInfo{.key = "angle_degrees",
                               .unit = "deg",
                               .doc = "Full apex angle, below 180.",
                               .minimum = 0,
                               .maximum = 180,
                               .exclusive = true,
                               .otherwise = "`angle` is given"});
  v(s.height, FieldInfo{.key = "height",
                        .unit = "m",
                        .doc = "Height from apex to base.",
                        .minimum = 0,
                        .exclusive = true,
                        .otherwise = "endless"});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<CapsuleSpec> auto& s) {
  v(s.radius,
    FieldInfo{.key = "radius", .unit = "m", .doc = "Radius.", .minimum = 0, .exclusive = true, .required = true});
  v(s.length, FieldInfo{.key = "length",
                        .unit = "m",
                        .doc = "Length of the straight part, along z.",
                        .minimum = 0,
                        .exclusive = true,
                        .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<EllipsoidSpec> auto& s) {
  v(s.semi_axes, FieldInfo{.key = "semi_axes",
                           .unit = "m",
                           .doc = "Half lengths along x, y, z.",
                           .minimum = 0,
                           .exclusive = true,
                           .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<WedgeSpec> auto& s) {
  v(s.normal_1,
    FieldInfo{.key = "normal_1", .unit = "1", .doc = "Outward normal of the first face.", .required = true});
  v(s.normal_2,
    FieldInfo{.key = "normal_2", .unit = "1", .doc = "Outward normal of the second face.", .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ShapeSpec> auto& s) {
  v(s.type, FieldInfo{.key = "type", .doc = "Kind of shape.", .required = true});
  v(s.name, FieldInfo{.key = "name", .doc = "Name of the shape, unique on its body."});
  v(s.position, FieldInfo{.key = "position", .unit = "m", .doc = "Origin of the shape in the body frame."});
  v(s.orientation, FieldInfo{.key = "orientation",
                             .unit = "1",
                             .doc = "Unit quaternion (w, x, y, z) of the shape in the body frame.",
                             .otherwise = "`rotation`, or that of the body"});
  v(s.rotation, FieldInfo{.key = "rotation", .doc = "The same by axis and angle.", .otherwise = "`orientation`"});
}

}  // namespace abut
