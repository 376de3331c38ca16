#pragma once

#include <vector>

#include "abut/geometry/volume/slice_integral.hpp"
#include "abut/math/union_find.hpp"

namespace abut {

/// A connected component: its sums, and points on its surface, by which pieces of neighbouring cells are joined.
struct SliceComponent {
  SliceSums sums = SliceSums::Zero();
  double rounding = 0.0;             ///< of its volume [m^3]
  std::vector<Vec3> surface_points;  ///< in the frame of the slices [m]
};

/// Splits an integrated region into its connected components: loops in every slice, joined from slice to slice where
/// they run along overlapping stretches of the same curve. A loop that is narrower than it moves from slice to slice,
/// as in a sliver aslant to them, overlaps nothing: it goes on from the nearest that is left over, if there is no event
/// between the two and both have the same curves, or if they are next to an event and to each other.
class SliceComponents {
 public:
  /// In the order of their lowest slices; the integral must have kept its slices.
  void calc(const SliceIntegral& integral, bool wants_points, std::vector<SliceComponent>& components);

 private:
  /// The stretch of its curve that a piece of a slice takes up: on an ellipse an arc that begins at the angle `from`
  /// and is `length` [rad] long, on a line that begins at `from` [m] along it.
  struct Stretch {
    int curve = 0;
    double from = 0.0, length = 0.0;
  };
  /// A connected part of one slice.
  struct Part {
    SliceSums sums = SliceSums::Zero();
    std::vector<Stretch> stretches;
    std::vector<Vec2> points;                         ///< along its pieces, where wanted [m]
    double area = 0.0, rounding = 0.0;                ///< of the slice; of the area [m^2]
    Vec2 lower = Vec2::Zero(), upper = Vec2::Zero();  ///< box about it
    int component = -1;
    bool is_continued = false;  ///< in the next slice
  };

  void find_parts(const SliceIntegral& integral, const SliceNode& node, bool wants_points);
  static Stretch make_stretch(const SliceScene& scene, const SlicePiece& piece);
  static std::vector<int> list_curves(const Part& part);
  void attach_holes();
  std::size_t find_owner(std::size_t hole) const;
  void link(const SliceNode& node);
  /// The part of the previous slice that goes on in one that overlaps none; -1 where it begins here.
  int find_predecessor(const Part& part, const SliceNode& node) const;
  static bool is_touching(const Part& a, const Part& b);

  std::vector<Part> parts_, previous_;
  SliceNode last_;  ///< of the previous parts
  UnionFind sets_;
  std::vector<SliceComponent> found_;
};

}  // namespace abut
