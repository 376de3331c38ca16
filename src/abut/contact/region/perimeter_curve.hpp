#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/geometry/mesh/mesh_crossing.hpp"
#include "abut/geometry/mesh/surface_mesh.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// A connected piece of the curve in which two surfaces cross, in the frame of surface a.
struct CurveLoop {
  double length = 0.0;          ///< [m]
  Vec3 center = Vec3::Zero();   ///< of the line [m]
  Vec3 normal = Vec3::UnitZ();  ///< of the patch it encloses, from b into a
};

/// Sorts the segments of a crossing into loops and finds the normal of the patch each of them encloses: the vector area
/// -1/2 oint r x dr. It needs neither the inside of the bodies nor their faces, and does not change by facets. The
/// sense is that of the face normals, so that the inner edge of a ring pushes the same way as the outer one. Where the
/// curve is open, or encloses nothing, the mean of the face normals takes its place. A curve that runs along flat faces
/// across that normal (a box on a box: partly on the top of one, partly on the bottom of the other, and so a little
/// tilted) takes over the normal of these faces.
class PerimeterCurve {
 public:
  /// normal_b must be turned into a's frame by R_AB.
  void calc(std::span<const TriangleCrossing> crossings, const SurfaceMesh& a, const SurfaceMesh& b, const Mat3& R_AB);

  const std::vector<CurveLoop>& loops() const { return loops_; }
  /// Of each segment, its loop.
  const std::vector<int>& loop_of_segment() const { return loop_of_segment_; }
  double length() const { return length_; }  ///< of all [m]

 private:
  void link(std::span<const TriangleCrossing> crossings);
  void sum_up(std::span<const TriangleCrossing> crossings, const SurfaceMesh& a, const SurfaceMesh& b,
              const Mat3& R_AB);
  void calc_area_normals();
  void follow_flat_faces(std::span<const TriangleCrossing> crossings, const SurfaceMesh& a, const SurfaceMesh& b,
                         const Mat3& R_AB);
  int find_node(const Vec3& position);
  int find_root(int node);

  std::vector<CurveLoop> loops_;
  std::vector<int> loop_of_segment_;
  double length_ = 0.0;
  // Distinct ends of segments, found by their bits; and the tree of which belongs to which.
  std::vector<Vec3> nodes_;
  std::vector<int> parents_;
  std::vector<int> table_;  ///< open addressing, -1: free
  std::uint64_t mask_ = 0;
  std::vector<int> loop_of_root_;
  std::vector<Vec3> areas_, gaps_, means_;
  struct Faces {
    double length = 0.0;      ///< along faces across the normal [m]
    Vec3 sum = Vec3::Zero();  ///< of their normals, by length [m]
  };
  std::vector<Faces> faces_[2];
};

}  // namespace abut
