#pragma once

#include <array>
#include <optional>
#include <string>

#include "abut/scene/field.hpp"
#include "abut/scene/friction_spec.hpp"
#include "abut/scene/normal_spec.hpp"

namespace abut {

/// What contact_default and [[contact]] have in common.
struct ContactDefaultSpec : Located {
  enum class Region { point, volume, perimeter };
  enum class Spin { closure, exact };
  enum class Memory { continuous, faithful };
  enum class Normals { patch, both, a, b };
  enum class VolumeNormal { field, geometric, principal };
  enum class Cells { joined, connected, separate };

  bool enabled = true;
  Region region = Region::point;
  std::optional<NormalSpec> normal;
  std::optional<FrictionSpec> friction;
  double relaxation_time = 1.0;         ///< tau_r [s], fixed steps only, [Gonthier 2007 (3.45)]
  std::optional<double> initial_dwell;  ///< stiction recovered at first touch, 0 to 1
  Spin spin = Spin::closure;            ///< region volume
  double spin_scale = 1.0;              ///< region volume, factor of the friction torque about the normal [1]
  double volume_error = 1e-6;           ///< region volume, relative error of curved volumes [1]
  VolumeNormal volume_normal = VolumeNormal::field;  ///< region volume
  double normal_memory = 0.95;                       ///< region volume, r_n of [Gonthier 2007 (A.31)] [1]
  Cells cells = Cells::joined;                       ///< region volume
  Memory memory = Memory::continuous;                ///< region perimeter
  std::optional<Normals> normals;                    ///< region perimeter
  std::optional<double> stiffness_factor;            ///< region perimeter, L_r of [Moisio 2013 (5.19)] [1]
  std::optional<bool> energy_guard;                  ///< region perimeter
};

template <>
struct EnumNames<ContactDefaultSpec::Region> {
  using Region = ContactDefaultSpec::Region;
  static constexpr EnumTable<Region, 3> values{
      {{Region::point, "point"}, {Region::volume, "volume"}, {Region::perimeter, "perimeter"}}};
  static constexpr PlannedNames<0> planned{};
};

template <>
struct EnumNames<ContactDefaultSpec::Spin> {
  using Spin = ContactDefaultSpec::Spin;
  static constexpr EnumTable<Spin, 2> values{{{Spin::closure, "closure"}, {Spin::exact, "exact"}}};
  static constexpr PlannedNames<0> planned{};
};

template <>
struct EnumNames<ContactDefaultSpec::Memory> {
  using Memory = ContactDefaultSpec::Memory;
  static constexpr EnumTable<Memory, 2> values{{{Memory::continuous, "continuous"}, {Memory::faithful, "faithful"}}};
  static constexpr PlannedNames<0> planned{};
};

template <>
struct EnumNames<ContactDefaultSpec::Normals> {
  using Normals = ContactDefaultSpec::Normals;
  static constexpr EnumTable<Normals, 4> values{
      {{Normals::patch, "patch"}, {Normals::both, "both"}, {Normals::a, "a"}, {Normals::b, "b"}}};
  static constexpr PlannedNames<0> planned{};
};

template <>
struct EnumNames<ContactDefaultSpec::VolumeNormal> {
  using VolumeNormal = ContactDefaultSpec::VolumeNormal;
  static constexpr EnumTable<VolumeNormal, 3> values{
      {{VolumeNormal::field, "field"}, {VolumeNormal::geometric, "geometric"}, {VolumeNormal::principal, "principal"}}};
  static constexpr PlannedNames<0> planned{};
};

template <>
struct EnumNames<ContactDefaultSpec::Cells> {
  using Cells = ContactDefaultSpec::Cells;
  static constexpr EnumTable<Cells, 3> values{
      {{Cells::joined, "joined"}, {Cells::connected, "connected"}, {Cells::separate, "separate"}}};
  static constexpr PlannedNames<0> planned{};
};

/// Contact between the bodies that match; the unit normal points from the second into the first. Where several entries
/// cover a pair the later one holds.
struct ContactSpec : ContactDefaultSpec {
  std::string name;
  std::array<std::string, 2> between;  ///< body names, or globs with * and ?
};

template <class Visitor>
void visit_contact_fields(Visitor& v, auto& s) {
  v(s.enabled, FieldInfo{.key = "enabled", .doc = "false: these bodies pass through each other."});
  v(s.region, FieldInfo{.key = "region", .doc = "How the touching region is described."});
  v(s.normal, FieldInfo{.key = "normal", .doc = "Normal force law.", .otherwise = "that of contact_default"});
  v(s.friction, FieldInfo{.key = "friction", .doc = "Friction law.", .otherwise = "that of contact_default, or none"});
  v(s.relaxation_time, FieldInfo{.key = "relaxation_time",
                                 .unit = "s",
                                 .doc = "Time in which the depth at late detection is forgotten (explicit).",
                                 .minimum = 0,
                                 .exclusive = true});
  v(s.initial_dwell, FieldInfo{.key = "initial_dwell",
                               .unit = "1",
                               .doc = "Stiction already recovered at first touch.",
                               .minimum = 0,
                               .maximum = 1,
                               .otherwise = "1 for bodies that touch at the start, 0 afterwards"});
  v(s.spin, FieldInfo{.key = "spin",
                      .doc = "With region = \"volume\": how sliding and spinning share friction: by the closure of the "
                             "source, or by integrating over the pressure."});
  v(s.spin_scale, FieldInfo{.key = "spin_scale",
                            .unit = "1",
                            .doc = "With region = \"volume\": factor of the friction torque about the normal, to fit "
                                   "measurements; 1 is the theory.",
                            .minimum = 0,
                            .maximum = 100});
  v(s.volume_error, FieldInfo{.key = "volume_error",
                              .unit = "1",
                              .doc = "With region = \"volume\": relative error allowed in volumes of curved bodies.",
                              .minimum = 1e-12,
                              .maximum = 0.01});
  v(s.volume_normal,
    FieldInfo{.key = "volume_normal",
              .doc = "With region = \"volume\": the force is that of a depth field fixed in the thicker "
                     "body, whose energy is given back whole (field); or k V along the normal of the "
                     "curve in which the surfaces cross (geometric), or along the principal axis of "
                     "the volume, as in the source (principal). The last two make or lose energy at "
                     "edges."});
  v(s.normal_memory, FieldInfo{.key = "normal_memory",
                               .unit = "1",
                               .doc = "With region = \"volume\": weight of the previous normal in the choice of the "
                                      "axis, with volume_normal = \"principal\".",
                               .minimum = 0,
                               .maximum = 1});
  v(s.cells, FieldInfo{.key = "cells",
                       .doc = "With region = \"volume\": shapes of one body that meet face to face are one contact, "
                              "except in concave corners (joined); in corners too (connected); or each pair of shapes "
                              "is a contact of its own, as in the source (separate)."});
  v(s.memory,
    FieldInfo{.key = "memory",
              .doc = "With region = \"perimeter\": depth and friction carried along the curve, or kept by pair "
                     "of triangles as in the source."});
  v(s.normals, FieldInfo{.key = "normals",
                         .doc = "With region = \"perimeter\": forces along the normal of the patch the curve encloses, "
                                "or along the face normals of both bodies, of the first (a) or of the second (b).",
                         .otherwise = "patch; both with memory = \"faithful\""});
  v(s.stiffness_factor, FieldInfo{.key = "stiffness_factor",
                                  .unit = "1",
                                  .doc = "With region = \"perimeter\": L_r, factor of the stiffness that follows from "
                                         "young and poisson.",
                                  .minimum = 0,
                                  .maximum = 100,
                                  .exclusive = true,
                                  .otherwise = "0.60021 (Hertz, for a sphere) with normals = \"patch\", else 0.5"});
  v(s.energy_guard, FieldInfo{.key = "energy_guard",
                              .doc = "With region = \"perimeter\": true: a contact never returns more energy than was "
                                     "put into it.",
                              .otherwise = "true; false with memory = \"faithful\""});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ContactDefaultSpec> auto& s) {
  visit_contact_fields(v, s);
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ContactSpec> auto& s) {
  v(s.name, FieldInfo{.key = "name", .doc = "Unique among contacts when given."});
  v(s.between, FieldInfo{.key = "between",
                         .doc = "Two body names or globs (`*`, `?`); the normal points from the second "
                                "into the first.",
                         .required = true});
  visit_contact_fields(v, s);
}

}  // namespace abut
