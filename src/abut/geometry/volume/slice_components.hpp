#pragma once

#include <vector>

#include "abut/geometry/volume/slice_integral.hpp"

namespace abut {

/// A connected component: its sums, and points on its surface, by which pieces of neighbouring cells are joined.
struct SliceComponent {
  SliceSums sums = SliceSums::Zero();
  std::vector<Vec3> surface_points;  ///< in the frame of the slices [m]
};

/// Splits an integrated region into its connected components: loops in every slice, joined from slice to slice where
/// they run along overlapping stretches of the same curve.
class SliceComponents {
 public:
  /// In the order of their lowest slices.
  void calc(SliceIntegral& integral, std::vector<SliceComponent>& components);

 private:
  /// A connected part of one slice.
  struct Part {
    SliceSums sums = SliceSums::Zero();
    std::vector<SlicePiece> pieces;
    std::vector<Vec2> points;  ///< along them [m]
    double area = 0.0;
    Vec2 lower = Vec2::Zero(), upper = Vec2::Zero();  ///< box about it
    int component = -1;
  };

  void find_parts(SliceIntegral& integral, const SliceNode& node);
  void add_loop_piece(const SliceIntegral& integral, const SlicePiece& piece, const SliceNode& node, Part& part);
  void attach_holes();
  void link(double t);
  int find_root(int component);
  static bool is_touching(const Part& a, const Part& b);

  std::vector<Part> parts_, previous_;
  std::vector<int> parent_, loops_;
  std::vector<SliceComponent> found_;
};

}  // namespace abut
