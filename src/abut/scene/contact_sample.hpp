#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "abut/scene/record_column.hpp"

namespace abut {

/// A piece of the curve in which two surfaces cross [m].
struct CurveSegment {
  Vec3 start = Vec3::Zero();
  Vec3 end = Vec3::Zero();
};

/// One patch in contact at one instant. Meaning, units and who has what: the table below.
struct ContactSample {
  int body_a = -1;
  int body_b = -1;
  int patch = 0;
  double depth = 0.0;
  double depth_rate = 0.0;
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::Zero();
  Vec3 force = Vec3::Zero();
  double normal_force = 0.0;
  Vec3 slip_velocity = Vec3::Zero();
  Vec3 bristle = Vec3::Zero();
  double dwell = 0.0;
  bool sticking = false;
  Vec3 torque = Vec3::Zero();
  double perimeter = 0.0;
  double twist = 0.0;
  double spin = 0.0;
  double volume = 0.0;
  double area = 0.0;
  double gyration_radius = 0.0;
  std::array<double, 6> inertia{};
  std::array<double, 2> curvature{};
  std::array<double, 2> half_axes{};
  double mean_pressure = 0.0;
  double peak_pressure = 0.0;
  std::vector<CurveSegment> curve;  ///< its pieces, in no particular order; empty where it is not known
};

using ContactColumn = RecordColumn<ContactSample>;

namespace record_detail {

template <auto get>
consteval ContactColumn contact(const ColumnText& text) {
  return make_column<ContactSample, get>(text);
}

}  // namespace record_detail

/// The columns of contacts; a row of a contact that has no such quantity holds 0.
inline constexpr auto kContactColumns = [] {
  using C = ContactSample;
  using record_detail::contact;
  using enum PatchJoining;
  return std::to_array<ContactColumn>({
      make_body_column<C, &C::body_a>({.name = "body_a", .doc = "First body, which the force acts on."}),
      make_body_column<C, &C::body_b>({.name = "body_b", .doc = "Second body, which the opposite acts on."}),
      contact<&C::patch>({.name = "patch", .doc = "Tells apart several patches of one pair (corners of a box)."}),
      contact<&C::depth>({.name = "depth",
                          .unit = "m",
                          .doc = "How far the surfaces are pressed into each other.",
                          .title = "Depth",
                          .rank = 4,
                          .joining = largest,
                          .is_zero_apart = true}),
      contact<&C::depth_rate>({.name = "depth_rate",
                               .unit = "m/s",
                               .doc = "Positive approaching.",
                               .title = "Depth rate",
                               .rank = 8,
                               .joining = largest}),
      contact<&C::point>({.name = "point", .unit = "m", .doc = "Where the force acts."}),
      contact<&C::normal>({.name = "normal", .doc = "Unit normal, from b into a.", .is_drawn = true}),
      contact<&C::force>({.name = "force",
                          .unit = "N",
                          .doc = "On a, normal and tangential.",
                          .title = "Force",
                          .rank = 2,
                          .joining = sum,
                          .is_zero_apart = true}),
      contact<&C::normal_force>({.name = "normal_force",
                                 .unit = "N",
                                 .doc = "Part of the force along the normal.",
                                 .title = "Normal force",
                                 .rank = 1,
                                 .joining = sum,
                                 .is_zero_apart = true}),
      contact<&C::slip_velocity>({.name = "slip_velocity",
                                  .unit = "m/s",
                                  .doc = "Tangential velocity of a relative to b.",
                                  .title = "Slip velocity",
                                  .rank = 9,
                                  .joining = largest}),
      contact<&C::bristle>({.name = "bristle",
                            .unit = "m",
                            .doc = "Deflection of the bristles.",
                            .title = "Bristle deflection",
                            .rank = 11,
                            .joining = largest}),
      contact<&C::dwell>({.name = "dwell",
                          .doc = "Stiction recovered, 0 to 1.",
                          .title = "Dwell state",
                          .rank = 13,
                          .joining = largest}),
      contact<&C::sticking>({.name = "sticking", .doc = "1 where friction holds."}),
      contact<&C::torque>({.name = "torque",
                           .unit = "N m",
                           .doc = "On a, beyond that of the force at its point.",
                           .kinds = kVolumetric | kPerimetric,
                           .title = "Torque",
                           .rank = 3,
                           .joining = sum,
                           .is_zero_apart = true}),
      contact<&C::perimeter>({.name = "perimeter",
                              .unit = "m",
                              .doc = "Length of the curve in which the surfaces cross.",
                              .kinds = kPerimetric,
                              .title = "Perimeter",
                              .rank = 7,
                              .joining = sum,
                              .is_zero_apart = true}),
      contact<&C::twist>({.name = "twist",
                          .unit = "rad",
                          .doc = "Of the bristles about the normal.",
                          .kinds = kVolumetric,
                          .title = "Bristle twist",
                          .rank = 12,
                          .joining = largest}),
      contact<&C::spin>({.name = "spin",
                         .unit = "rad/s",
                         .doc = "Of a relative to b about the normal.",
                         .kinds = kVolumetric,
                         .title = "Spin",
                         .rank = 10,
                         .joining = largest}),
      contact<&C::volume>({.name = "volume",
                           .unit = "m^3",
                           .doc = "Of interference.",
                           .kinds = kVolumetric,
                           .title = "Volume",
                           .rank = 5,
                           .joining = sum,
                           .is_zero_apart = true}),
      contact<&C::area>({.name = "area",
                         .unit = "m^2",
                         .doc = "Of contact.",
                         .kinds = kVolumetric,
                         .title = "Area",
                         .rank = 6,
                         .joining = sum,
                         .is_zero_apart = true}),
      contact<&C::gyration_radius>({.name = "gyration_radius",
                                    .unit = "m",
                                    .doc = "Of the patch about the normal.",
                                    .kinds = kVolumetric,
                                    .is_drawn = true}),
      contact<&C::inertia>({.name = "inertia",
                            .unit = "m^5",
                            .doc = "Inertia tensor of the volume at unit density, about `point`.",
                            .kinds = kVolumetric,
                            .parts = "xx yy zz xy xz yz",
                            .is_drawn = true}),
      contact<&C::curvature>({.name = "curvature",
                              .unit = "1/m",
                              .doc = "Relative principal curvatures, the larger first.",
                              .kinds = kHertzian,
                              .headings = "curvature_1 curvature_2",
                              .title = "Relative curvature",
                              .rank = 17,
                              .joining = largest}),
      contact<&C::half_axes>({.name = "half_axes",
                              .unit = "m",
                              .doc = "Of the patch at this depth, the short one first; a line has its half-width.",
                              .kinds = kHertzian,
                              .headings = "half_axis_short half_axis_long",
                              .title = "Half-axes of the patch",
                              .rank = 16,
                              .joining = largest}),
      contact<&C::mean_pressure>({.name = "mean_pressure",
                                  .unit = "Pa",
                                  .doc = "Normal force over the area of that patch.",
                                  .kinds = kHertzian,
                                  .title = "Mean pressure",
                                  .rank = 15,
                                  .joining = largest}),
      contact<&C::peak_pressure>({.name = "peak_pressure",
                                  .unit = "Pa",
                                  .doc = "In the middle of that patch, 3/2 of the mean.",
                                  .kinds = kHertzian,
                                  .title = "Peak pressure",
                                  .rank = 14,
                                  .joining = largest}),
  });
}();

/// Null when there is no such column.
constexpr const ContactColumn* find_contact_column(std::string_view name) {
  for (const ContactColumn& column : kContactColumns) {
    if (name == column.name) return &column;
  }
  return nullptr;
}

}  // namespace abut
