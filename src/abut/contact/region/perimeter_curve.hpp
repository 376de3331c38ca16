#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "abut/geometry/mesh/mesh_crossing.hpp"
#include "abut/geometry/mesh/surface_mesh.hpp"
#include "abut/math/types.hpp"
#include "abut/math/union_find.hpp"

namespace abut {

/// A connected piece of the curve in which two surfaces cross, in the frame of surface a.
struct CurveLoop {
  double length = 0.0;          ///< [m]
  Vec3 center = Vec3::Zero();   ///< of the line [m]
  Vec3 normal = Vec3::UnitZ();  ///< of the patch it encloses, from b into a
  bool is_closed = false;       ///< and encloses something
  double width = 0.0;           ///< of what it encloses: the diameter of a circle, twice that of a strip [m]
  double share = 1.0;           ///< of its length that pushes; see PerimeterCurve on seams [1]
};

/// Sorts the segments of a crossing into loops and finds the normal of the patch each of them encloses: the vector area
/// -1/2 oint r x dr. It needs neither the inside of the bodies nor their faces, and does not change by facets. The
/// sense is that of the face normals, so that the inner edge of a ring pushes the same way as the outer one. Where the
/// curve is open, or encloses nothing, the mean of the face normals takes its place. A curve that runs along flat faces
/// across that normal (a box on a box: partly on the top of one, partly on the bottom of the other, and so a little
/// tilted) takes over the normal of these faces.
///
/// Where the rims of two bodies lie one beyond the other (a frustum on a block of the size of its base, two of them
/// base to base), the surfaces cross three times on the way in: at the one's rim, at the other's, and between them
/// along a seam whose faces push the other way. Such a seam is no rim of the patch: it pushes nothing, and its length
/// is deducted from the two loops beside it, so that the patch has its outline once. The nearer one gives more, so that
/// a seam that is born on a loop, or that rounding alone keeps from it, takes that one with it.
class PerimeterCurve {
 public:
  /// Of one segment: its length, and the directions in which its two faces push a, in a's frame.
  struct Piece {
    double length = 0.0;  ///< [m]
    Vec3 against_a = Vec3::Zero(), along_b = Vec3::Zero();
  };

  /// Lengths and normals of the segments, and their sums. The crossings have to stay for find_loops.
  void measure(std::span<const TriangleCrossing> crossings, const SurfaceMesh& a, const SurfaceMesh& b,
               const Mat3& R_AB);
  /// Loops of what was measured last; the length is from then on that of what pushes.
  void find_loops();

  const std::vector<Piece>& pieces() const { return pieces_; }  ///< by segment
  double length() const { return length_; }                     ///< of all, or of what pushes: see find_loops [m]
  const Vec3& center() const { return center_; }                ///< of the line, a's frame [m]; needs a length
  const Vec3& normal_sum() const { return normal_sum_; }        ///< of the faces, by length [m]

  const std::vector<CurveLoop>& loops() const { return loops_; }
  /// Distinct ends of segments; where two segments meet there is one.
  const std::vector<Vec3>& nodes() const { return nodes_; }
  const std::vector<std::array<int, 2>>& ends() const { return ends_; }  ///< of each segment, its nodes
  int loop_of_segment(std::size_t i) const { return loop_of_node_[ends_[i][0]]; }

 private:
  void link();
  void sum_up();
  void calc_area_normals();
  void follow_flat_faces();
  void find_seams();
  bool take_seam(CurveLoop& seam);
  int find_node(const Vec3& position);

  std::span<const TriangleCrossing> crossings_;
  std::vector<Piece> pieces_;
  double length_ = 0.0;
  Vec3 center_ = Vec3::Zero(), normal_sum_ = Vec3::Zero();
  std::vector<CurveLoop> loops_;
  std::vector<std::array<int, 2>> ends_;
  // Nodes are found by their bits; the tree tells which belong to one loop.
  std::vector<Vec3> nodes_;
  UnionFind sets_;          ///< of nodes
  std::vector<int> table_;  ///< open addressing, -1: free
  int shift_ = 0;           ///< of a hash that leaves as many bits as the table has room for
  std::vector<int> loop_of_node_;
  struct Faces {
    double length = 0.0;      ///< along faces across the normal [m]
    Vec3 sum = Vec3::Zero();  ///< of their normals, by length [m]
    void add(const Vec3& normal, double piece) {
      length += piece;
      sum += piece * normal;
    }
  };
  struct Sums {
    Vec3 origin = Vec3::Zero();  ///< near the loop, so that little cancels [m]
    Vec3 area = Vec3::Zero();    ///< [m^2]
    Vec3 gap = Vec3::Zero();     ///< between its ends [m]
    Vec3 normal = Vec3::Zero();  ///< of the faces, by length [m]
    Faces across_a, across_b;
  };
  std::vector<Sums> sums_;
};

}  // namespace abut
