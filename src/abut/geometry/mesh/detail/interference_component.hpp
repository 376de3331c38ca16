#pragma once

#include <array>
#include <limits>
#include <vector>

#include "abut/geometry/mesh/detail/interference_pieces.hpp"
#include "abut/geometry/mesh/detail/interference_side.hpp"
#include "abut/geometry/moments/volume_moments.hpp"

namespace abut::detail {

/// A connected piece of the boundary of the interference, with its integrals about an origin on it, in A's frame.
struct InterferenceComponent {
  Vec3 origin = Vec3::Zero();
  VolumeMoments moments;
  Vec3 area_vector = Vec3::Zero();  ///< of B's part, with half of what is flush [m^2]
  double surface = 0.0;             ///< bound of its area [m^2], the scale of rounding in the volume
  std::array<int, 2> lowest = {std::numeric_limits<int>::max(), std::numeric_limits<int>::max()};  ///< triangles
  int piece = -1;           ///< its place in the result; -1: dropped
  int fan_stamp = -1;       ///< cut triangle the next is for
  Vec3 fan = Vec3::Zero();  ///< common corner of the triangles into which that cut triangle is divided
};

class InterferenceComponents {
 public:
  /// Sums up all components; `scale` is the size of the coordinates [m].
  void calc(std::array<InterferenceSide, 2>& sides, InterferencePieces& pieces, double scale);

  /// Component of an element's or triangle's node.
  int of(int node) const { return of_node_[static_cast<std::size_t>(node)]; }
  int num_pieces() const { return num_pieces_; }

  std::vector<InterferenceComponent> list;

 private:
  void number(const std::array<InterferenceSide, 2>& sides, InterferencePieces& pieces);
  void add_side(InterferenceSide& side, int s);
  void assign_pieces(std::array<InterferenceSide, 2>& sides, double scale);
  /// How often the boundary of component c winds about p, from solid angles.
  double calc_winding(std::array<InterferenceSide, 2>& sides, int c, const Vec3& p) const;
  Vec3 find_point(std::array<InterferenceSide, 2>& sides, int c) const;

  std::vector<int> of_node_;
  std::vector<int> order_;
  int num_pieces_ = 0;
};

}  // namespace abut::detail
