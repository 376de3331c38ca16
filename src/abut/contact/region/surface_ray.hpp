#pragma once

#include <array>
#include <optional>
#include <vector>

#include "abut/geometry/mesh/surface_mesh.hpp"

namespace abut {

/// A place where a line meets a surface.
struct SurfaceHit {
  double distance = 0.0;  ///< along the direction, from the origin [m]
  int triangle = -1;
};

/// Where the line through `origin` along the unit vector `direction` meets a face whose normal is within about 70
/// degrees of `direction`, nearest to the origin and no farther than `reach` [m] on either side. In the frame of the
/// mesh.
///
/// An object serves one line that moves little from query to query: it keeps the triangles near the line, and while
/// the line has moved by less than what was kept in reserve only these are asked. What comes out depends on the line
/// alone, not on earlier queries. After a few queries none allocates.
class SurfaceRay {
 public:
  std::optional<SurfaceHit> find(const SurfaceMesh& mesh, const Vec3& origin, const Vec3& direction, double reach);
  long num_searches() const { return num_searches_; }  ///< through the tree so far

 private:
  void search(const SurfaceMesh& mesh);
  int find_open_edges(const std::array<Vec3, 3>& corners) const;

  const SurfaceMesh* mesh_ = nullptr;
  Vec3 origin_ = Vec3::Zero(), direction_ = Vec3::Zero();  ///< of the last search
  double reach_ = -1.0, reserve_ = 0.0;                    ///< [m]
  /// A copy of what a query needs of a triangle, in one place.
  struct Face {
    int triangle = -1;
    int open_edges = 0;  ///< bits of the edges that a line of this list may pass on either side
    Vec3 normal;
    std::array<Vec3, 3> corners;
    std::optional<double> meet(const Vec3& origin, const Vec3& d) const;
  };
  std::vector<Face> near_;  ///< sorted by number
  std::vector<int> stack_;
  long num_searches_ = 0;
};

}  // namespace abut
