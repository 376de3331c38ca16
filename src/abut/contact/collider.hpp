#pragma once

#include <memory>

#include "abut/geometry/mesh/surface_mesh.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

class CellLayout;
class ContactSolid;
struct DepthField;

/// One shape carried by one link.
struct Collider {
  int link = -1;
  Shape shape;
  Pose X_LS;                          ///< shape frame in the link frame
  bool is_centered = false;           ///< shape origin at the link origin, axes aligned: no transformation needed
  bool is_at_center_of_mass = false;  ///< shape origin at the link's centre of mass
  bool is_static = false;             ///< the link never moves: pairs of two such are skipped
  double bounding_radius = 0.0;       ///< about the shape origin [m]; infinite for unbounded shapes
  std::shared_ptr<const SurfaceMesh> surface;  ///< in the shape's frame, where perimeter contact needs it
  std::shared_ptr<const ContactSolid> solid;   ///< where hard contact needs it and the shape has one
  /// How the link's colliders fit together, where volumetric contact needs it; they stand in a row then.
  std::shared_ptr<const CellLayout> layout;
  int cell = 0;                             ///< in the layout
  std::shared_ptr<const DepthField> field;  ///< where volumetric contact has been given it
};

inline Pose calc_collider_pose(const Collider& collider, const Pose& X_WB) {
  return collider.is_centered ? X_WB : X_WB * collider.X_LS;
}

}  // namespace abut
