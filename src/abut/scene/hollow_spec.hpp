#pragma once

#include <optional>

#include "abut/scene/field.hpp"

namespace abut {

/// Shapes with a hole or a hollow, as those of shape_spec.hpp.

struct TorusSpec {
  static constexpr const char* kTag = "torus";
  static constexpr const char* kDoc = "Ring of round section about z, centred at the origin.";
  double ring_radius = 0.0;  ///< [m]
  double tube_radius = 0.0;  ///< [m], below ring_radius
};

/// Everything outside a sphere: the inside wall of a spherical hole.
struct CavitySpec {
  static constexpr const char* kTag = "cavity";
  static constexpr const char* kDoc =
      "Inside wall of a spherical hole about the origin; the material is outside, without end.";
  double radius = 0.0;  ///< [m]
};

struct BowlSpec {
  static constexpr const char* kTag = "bowl";
  static constexpr const char* kDoc =
      "Round shell about the origin with a flat lip, open towards +z: dish, bowl, cup or ball socket.";
  double radius = 0.0;            ///< of the hollow [m]
  double thickness = 0.0;         ///< of the wall [m]
  std::optional<double> depth{};  ///< of the hollow [m], below 2 radius

  double calc_depth() const { return depth.value_or(radius); }
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<TorusSpec> auto& s) {
  v(s.ring_radius, FieldInfo{.key = "ring_radius",
                             .unit = "m",
                             .doc = "From the axis to the middle of the tube.",
                             .minimum = 0,
                             .exclusive = true,
                             .required = true});
  v(s.tube_radius, FieldInfo{.key = "tube_radius",
                             .unit = "m",
                             .doc = "Radius of the tube, below ring_radius.",
                             .minimum = 0,
                             .exclusive = true,
                             .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<CavitySpec> auto& s) {
  v(s.radius,
    FieldInfo{
        .key = "radius", .unit = "m", .doc = "Radius of the hole.", .minimum = 0, .exclusive = true, .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<BowlSpec> auto& s) {
  v(s.radius, FieldInfo{.key = "radius",
                        .unit = "m",
                        .doc = "Radius of the hollow.",
                        .minimum = 0,
                        .exclusive = true,
                        .required = true});
  v(s.thickness, FieldInfo{.key = "thickness",
                           .unit = "m",
                           .doc = "Thickness of the wall.",
                           .minimum = 0,
                           .exclusive = true,
                           .required = true});
  v(s.depth, FieldInfo{.key = "depth",
                       .unit = "m",
                       .doc = "Depth of the hollow, from the plane of the lip to the bottom, below 2 radius: less than "
                              "the radius is a dish, more a socket that is narrower at its mouth.",
                       .minimum = 0,
                       .exclusive = true,
                       .otherwise = "`radius`, half a ball"});
}

}  // namespace abut
