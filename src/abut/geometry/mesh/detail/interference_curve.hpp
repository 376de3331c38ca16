#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abut/geometry/mesh/detail/interference_side.hpp"
#include "abut/geometry/mesh/detail/near_pairs.hpp"
#include "abut/geometry/mesh/detail/triangle_pair.hpp"

namespace abut::detail {

/// Where an edge of one mesh pierces a triangle of the other.
struct Crossing {
  Vec3 point;     ///< [m], in A's frame
  double t = 0;   ///< along the canonical half-edge, 0 to 1
  int face = 0;   ///< the pierced triangle
  int sign = 0;   ///< along the canonical half-edge: 1 leaves the other solid, -1 enters it
  int next = -1;  ///< next crossing on the same edge
};

/// Part of the intersection curve on one triangle of each mesh, from crossing to crossing as directed on A.
struct CurveSegment {
  int start = 0, end = 0;
  std::array<int, 2> next = {-1, -1};  ///< next one on the same triangle of A, of B
};

/// From (edge, face) to its crossing. Open addressing, cleared by what it holds.
class CrossingTable {
 public:
  void clear();
  /// The place for a key; -1 there if it is new.
  int& find(std::uint64_t key);

 private:
  void grow();
  struct Slot {
    std::uint64_t key = 0;
    int id = -1;
  };
  std::vector<Slot> slots_;
  std::vector<std::size_t> used_;
};

/// The curve in which two surfaces meet; cut edges and triangles are entered on both sides, and so are flush triangles.
class InterferenceCurve {
 public:
  /// `scale` is the size of the coordinates [m].
  void find(std::array<InterferenceSide, 2>& sides, double scale);

  std::vector<Crossing> crossings;
  std::vector<CurveSegment> segments;

 private:
  void calc_planes(InterferenceSide& side);
  void visit(std::array<InterferenceSide, 2>& sides, const NearPair& pair, double thickness);
  int add_crossing(std::array<InterferenceSide, 2>& sides, const Piercing& piercing,
                   const std::array<int, 2>& triangle);

  CrossingTable table_;
  NearPairs near_;
  std::vector<TrianglePlane> planes_b_;  ///< of near_.triangles_b(), in A's frame
  bool has_planes_ = false;              ///< for this query
};

}  // namespace abut::detail
