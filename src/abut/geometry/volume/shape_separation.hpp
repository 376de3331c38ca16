#pragma once

#include <optional>
#include <vector>

#include "abut/geometry/distance/extreme_features.hpp"
#include "abut/geometry/distance/lead_in_hole.hpp"
#include "abut/geometry/distance/support_distance.hpp"
#include "abut/geometry/mesh/mesh_queries.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// How far two shapes are apart.
struct SeparationBound {
  double distance = 0.0;  ///< [m]; > 0: at least so far apart; <= 0: they touch or overlap if `is_exact`, else unknown
  bool is_exact = false;  ///< it is the distance itself, to rounding
};

/// A shape that a cell is made of, or what lies outside of it.
struct SeparatorPart {
  Shape shape;
  Pose X_SP;  ///< in the cell
  bool is_outside = false;
  std::optional<ExtremeFeatures> features;  ///< of the shape, where it has them
};

/// Distance of two shapes for locating where they touch. Exact for convex shapes and their endless relatives
/// (half-space, wedge, bar, cone), for anything convex in a bore and for meshes; a lower bound for cells, from the
/// parts that keep them apart.
class Separator {
 public:
  Separator(const Shape& a, const Shape& b);
  SeparationBound calc(const Pose& X_WA, const Pose& X_WB);

 private:
  SeparationBound calc_pair(const SeparatorPart& a, const Pose& X_WA, const SeparatorPart& b, const Pose& X_WB);
  static double calc_lead_ins(const std::vector<SeparatorPart>& parts, const Pose& X_WP,
                              const std::vector<LeadInHole>& holes, const Pose& X_WH);
  SeparationBound calc_meshes(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB);

  Shape a_, b_;
  std::vector<SeparatorPart> parts_a_, parts_b_;  ///< one where the shape is not cut out of others
  std::vector<LeadInHole> holes_a_, holes_b_;
  SeparationMemory memory_;
  MeshQueryScratch scratch_;
};

}  // namespace abut
