#pragma once

#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/hollow_spec.hpp"
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

struct SuperquadricSpec {
  static constexpr const char* kTag = "superquadric";
  static constexpr const char* kDoc =
      "Rounded box, bar or cushion: (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q <= 1 (region = \"point\" and method ncp).";
  Vec3 semi_axes = Vec3::Zero();       ///< a, b, c [m]
  double exponent = 2.0;               ///< p
  std::optional<double> exponent_z{};  ///< q
};

/// Convex edge: the part below both planes normal_1 . x = 0 and normal_2 . x = 0.
struct WedgeSpec {
  static constexpr const char* kTag = "wedge";
  static constexpr const char* kDoc =
      "Endless edge: everything below both planes normal_1 . x = 0 and normal_2 . x = 0.";
  Vec3 normal_1 = Vec3::Zero();  ///< outward, any length but zero
  Vec3 normal_2 = Vec3::Zero();  ///< outward, not parallel to normal_1
};

struct PolyhedronSpec {
  static constexpr const char* kTag = "polyhedron";
  static constexpr const char* kDoc = "Convex solid with flat faces: the hull of its vertices.";
  std::vector<Vec3> vertices{};  ///< [m]
};

struct MeshData;

struct MeshSpec {
  static constexpr const char* kTag = "mesh";
  static constexpr const char* kDoc = "Closed triangle mesh from a file (OBJ, STL, PLY, DAE), convex or not.";
  std::string file{};             ///< beside the scene unless absolute
  double scale = 1.0;             ///< file units to metres
  std::optional<Vec3> stretch{};  ///< factors along x, y, z on top of scale; negative: mirrored
  double weld = 0.0;              ///< vertices nearer than this are one [m]
  bool smooth = false;            ///< unbias the facets of a mesh of a smooth body
  bool hull = false;              ///< the convex hull of the vertices stands for the mesh
  bool surface = false;           ///< triangles of any kind, without an inside
  double crease_degrees = 30.0;   ///< edges sharper than this stay sharp [deg]
  /// What the file holds, scaled; filled in by the reader of scenes.
  std::shared_ptr<const MeshData> data{};
};

/// Shapes a cell can be cut from.
using PartVariant = std::variant<SphereSpec, HalfSpaceSpec, BoxSpec, CylinderSpec, BoreSpec, ConeSpec, CapsuleSpec,
                                 EllipsoidSpec, WedgeSpec, PolyhedronSpec, MeshSpec>;

struct CellPartSpec : Located {
  PartVariant type;
  bool complement = false;
  Vec3 position = Vec3::Zero();          ///< in the frame of the cell [m]
  std::optional<Quat> orientation;       ///< in the frame of the cell
  std::optional<RotationSpec> rotation;  ///< the same, by axis and angle

  Quat calc_orientation() const { return abut::calc_orientation(orientation, rotation); }
};

struct CellSpec {
  static constexpr const char* kTag = "cell";
  static constexpr const char* kDoc =
      "What all its parts have in common; a part with complement = true is cut away (region = \"volume\").";
  std::vector<CellPartSpec> part{};
};

/// Smooth convex solids an intersection can be made of.
using SmoothPartVariant = std::variant<SphereSpec, EllipsoidSpec, SuperquadricSpec, HalfSpaceSpec>;

struct IntersectionPartSpec : Located {
  SmoothPartVariant type;
  Vec3 position = Vec3::Zero();          ///< in the frame of the intersection [m]
  std::optional<Quat> orientation;       ///< in the frame of the intersection
  std::optional<RotationSpec> rotation;  ///< the same, by axis and angle

  Quat calc_orientation() const { return abut::calc_orientation(orientation, rotation); }
};

struct IntersectionSpec {
  static constexpr const char* kTag = "intersection";
  static constexpr const char* kDoc =
      "What its smooth convex parts have in common, with rounded edges; its origin lies inside all of them (region = "
      "\"point\" and method ncp).";
  std::vector<IntersectionPartSpec> part{};
  double sharpness = 16.0;
};

using ShapeVariant = std::variant<SphereSpec, HalfSpaceSpec, BoxSpec, CylinderSpec, BoreSpec, ConeSpec, CapsuleSpec,
                                  EllipsoidSpec, WedgeSpec, PolyhedronSpec, MeshSpec, CellSpec, SuperquadricSpec,
                                  IntersectionSpec, TorusSpec, CavitySpec, BowlSpec>;

/// A shape and where it sits on its body (frame S in frame B).
struct ShapeSpec : Located {
  ShapeVariant type;
  std::string name;
  Vec3 position = Vec3::Zero();          ///< p_BS [m]
  std::optional<Quat> orientation;       ///< of S in B
  std::optional<RotationSpec> rotation;  ///< the same, by axis and angle

  Quat calc_orientation() const { return abut::calc_orientation(orientation, rotation); }
};

/// A closed shape has a volume, hence mass properties; half-space, bore, cavity, wedge and endless cylinder or cone
/// have not, nor has a cell unless one of its parts that is not cut away is closed. An intersection of planes alone may
/// be either; it counts as closed here, and making its shape finds out.
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
void visit_fields(Visitor& v, SpecOf<SuperquadricSpec> auto& s) {
  v(s.semi_axes, FieldInfo{.key = "semi_axes",
                           .unit = "m",
                           .doc = "Half lengths a, b, c along x, y, z.",
                           .minimum = 0,
                           .exclusive = true,
                           .required = true});
  v(s.exponent, FieldInfo{.key = "exponent",
                          .unit = "1",
                          .doc = "p: 2 is an ellipse, large ones a rectangle with rounded corners.",
                          .minimum = 2,
                          .maximum = 10,
                          .required = true});
  v(s.exponent_z, FieldInfo{.key = "exponent_z",
                            .unit = "1",
                            .doc = "q, of the profile along z.",
                            .minimum = 2,
                            .maximum = 10,
                            .otherwise = "`exponent`"});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<WedgeSpec> auto& s) {
  v(s.normal_1,
    FieldInfo{.key = "normal_1", .unit = "1", .doc = "Outward normal of the first face.", .required = true});
  v(s.normal_2,
    FieldInfo{.key = "normal_2", .unit = "1", .doc = "Outward normal of the second face.", .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<PolyhedronSpec> auto& s) {
  v(s.vertices, FieldInfo{.key = "vertices",
                          .unit = "m",
                          .doc = "Four or more points, not all in one plane; the solid is their convex hull.",
                          .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<MeshSpec> auto& s) {
  v(s.file,
    FieldInfo{.key = "file", .doc = "OBJ, STL, PLY or DAE file, relative to the scene's folder.", .required = true});
  v(s.scale,
    FieldInfo{
        .key = "scale", .unit = "1", .doc = "Metres for each unit of the file.", .minimum = 0, .exclusive = true});
  v(s.stretch, FieldInfo{.key = "stretch",
                         .unit = "1",
                         .doc = "Factors along x, y, z on top of `scale`; a negative one mirrors.",
                         .otherwise = "1, 1, 1"});
  v(s.weld, FieldInfo{.key = "weld", .unit = "m", .doc = "Vertices nearer than this count as one.", .minimum = 0});
  v(s.smooth, FieldInfo{.key = "smooth",
                        .doc = "true: the mesh stands for a smooth body; vertices are moved out so that its facets are "
                               "right on average."});
  v(s.hull, FieldInfo{.key = "hull", .doc = "true: the convex hull of the vertices stands for the mesh."});
  v(s.surface,
    FieldInfo{.key = "surface",
              .doc = "true: any triangles, open or passing through each other, without an inside; only region = "
                     "\"perimeter\" can use them, and the body needs mass and inertia."});
  v(s.crease_degrees, FieldInfo{.key = "crease_degrees",
                                .unit = "deg",
                                .doc = "With smooth = true: edges sharper than this stay as they are.",
                                .minimum = 0,
                                .maximum = 180});
}

template <class Visitor>
void visit_pose_fields(Visitor& v, auto& s) {
  v(s.position, FieldInfo{.key = "position",
                          .unit = "m",
                          .doc = "Origin of the shape in the body frame, or of a part in its cell or intersection."});
  v(s.orientation, FieldInfo{.key = "orientation",
                             .unit = "1",
                             .doc = "Unit quaternion (w, x, y, z) of the shape in the body frame.",
                             .otherwise = "`rotation`, or that of the body"});
  v(s.rotation, FieldInfo{.key = "rotation", .doc = "The same by axis and angle.", .otherwise = "`orientation`"});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<CellPartSpec> auto& s) {
  v(s.type, FieldInfo{.key = "type", .doc = "Kind of shape.", .required = true});
  v(s.complement, FieldInfo{.key = "complement", .doc = "true: everything outside this shape, as of a hole."});
  visit_pose_fields(v, s);
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<CellSpec> auto& s) {
  v(s.part, FieldInfo{.key = "part", .doc = "The shapes whose intersection it is.", .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<IntersectionPartSpec> auto& s) {
  v(s.type, FieldInfo{.key = "type", .doc = "Kind of shape.", .required = true});
  visit_pose_fields(v, s);
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<IntersectionSpec> auto& s) {
  v(s.part, FieldInfo{.key = "part", .doc = "The smooth convex shapes it lies inside of.", .required = true});
  v(s.sharpness,
    FieldInfo{.key = "sharpness",
              .unit = "1",
              .doc = "Exponent of the norm that rounds its edges: they are cut by 0.7 / sharpness of the size.",
              .minimum = 2,
              .maximum = 32});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ShapeSpec> auto& s) {
  v(s.type, FieldInfo{.key = "type", .doc = "Kind of shape.", .required = true});
  v(s.name, FieldInfo{.key = "name", .doc = "Name of the shape, unique on its body."});
  visit_pose_fields(v, s);
}

}  // namespace abut
