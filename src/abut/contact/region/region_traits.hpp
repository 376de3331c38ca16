#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace abut {

/// The regions: which part of two bodies that overlap a contact makes its force from. What all rooms ask about one
/// stands in its row below; its code stands in region/point_region.hpp and its likes; what can only be said of scenes
/// stands in its row in sim/region_row.hpp. A new one needs a name here, a row here, a row there and a class.
enum class RegionKind : unsigned char { point, volume, perimeter };

struct RegionTraits {
  RegionKind kind;
  std::string_view name;  ///< in scenes
  /// Of its candidates in a list, among those of other regions: sums over contacts are in that order.
  int list_order;
  /// Of the spring, for the reader; empty where it goes with the law's exponent.
  std::string_view stiffness_unit = "";
  bool needs_overlap = false;  ///< its force follows from how far the bodies are in each other
  /// Its forces are found once a step and held until the next: they are no function of the state alone.
  bool is_held_over_steps = false;
  /// Its law is one of the depth at a point, as Hertz's is; otherwise of a measure of the whole patch.
  bool is_law_of_depth = false;
  /// It takes the points nearest to each other, and nothing of the surfaces around: they may jump from place to place,
  /// and several of one pair stand for each other.
  bool takes_nearest_points = false;
  bool sees_surfaces_only = false;  ///< a body all inside another one goes unnoticed
  bool joins_cells = false;         ///< shapes of one body that overlap or touch may count as one
  bool work_is_stored = false;      ///< what its spring holds is the work done on it, never less than nothing
  bool has_own_bristles = false;    ///< in its memory; otherwise they are states of the integrator
  bool has_twist = false;           ///< its bristles twist about the normal, which is a state more
  bool has_fused_step = false;      ///< ContactSet::advance_points() takes it
  bool turns_on_planes = false;     ///< its normals turn even on a plane that is fixed
  bool has_kinks = false;           ///< its force bends where a face, a rim or an edge begins to take part
};

/// In the order of RegionKind.
inline constexpr auto kRegions = std::to_array<RegionTraits>({
    {.kind = RegionKind::point,
     .name = "point",
     .list_order = 0,
     .is_law_of_depth = true,
     .takes_nearest_points = true,
     .has_fused_step = true},
    {.kind = RegionKind::volume,
     .name = "volume",
     .list_order = 2,
     .stiffness_unit = "N/m^3",
     .needs_overlap = true,
     .joins_cells = true,
     .work_is_stored = true,
     .has_twist = true,
     .turns_on_planes = true,
     .has_kinks = true},
    {.kind = RegionKind::perimeter,
     .name = "perimeter",
     .list_order = 1,
     .stiffness_unit = "N/m^2",
     .needs_overlap = true,
     .is_held_over_steps = true,
     .sees_surfaces_only = true,
     .has_own_bristles = true},
});

inline constexpr std::size_t kNumRegions = kRegions.size();

constexpr const RegionTraits& region_traits(RegionKind kind) { return kRegions[static_cast<std::size_t>(kind)]; }

}  // namespace abut
