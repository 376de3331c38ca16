#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/volume/quadric.hpp"

namespace abut {

/// A half-space of a region: solid where normal . x <= offset, normal unit.
struct RegionPlane {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0.0;  ///< [m]
  int owner = 0;        ///< which of the two solids it bounds
};

/// A closed mesh that bounds a region, or the outside of one.
struct RegionMesh {
  std::shared_ptr<const ClosedMesh> solid;
  Pose X;  ///< pose of the mesh in the frame of the region
  bool is_complement = false;
  int owner = 0;  ///< which of the two solids it bounds
};

/// An intersection of half-spaces, quadrics and meshes (or their outsides) in some frame, and a ball about all of it.
struct Region {
  std::vector<RegionPlane> planes;
  std::vector<Quadric> quadrics;
  std::vector<RegionMesh> meshes;
  Vec3 center = Vec3::Zero();                               ///< of the ball [m]
  double radius = std::numeric_limits<double>::infinity();  ///< [m]
};

/// The same region seen from the frame F that X_FW leads to.
void transform_region(const Region& region_W, const Pose& X_FW, Region& region_F);

/// Whether no half-space or quadric of the region is further than `slack` [m] from holding x; meshes are not asked.
bool is_within(const Region& region, const Vec3& x, double slack);

}  // namespace abut
