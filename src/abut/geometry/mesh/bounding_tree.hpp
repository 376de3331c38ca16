#pragma once

#include <vector>

#include "abut/geometry/aabb.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Binary tree of boxes about the triangles of a mesh, along the axes of its frame, one triangle a leaf; built top-down
/// with the surface-area heuristic. Boxes are single precision, rounded outwards, four lanes wide: twice as many fit the
/// cache and a test takes a dozen vector operations. Traversals are in tree_traversal.hpp.
class BoundingTree {
 public:
  using Lanes = Eigen::Array4f;  ///< x, y, z and an unused lane that is zero

  struct Node {
    Lanes center = Lanes::Zero();  ///< [m]
    Lanes half = Lanes::Zero();    ///< half lengths [m]
    int link = 0;                  ///< >= 0: second child (the first one follows its parent); < 0: triangle -1 - link
    bool is_leaf() const { return link < 0; }
    int triangle() const { return -1 - link; }
  };

  BoundingTree() = default;
  /// InputError if there are no triangles.
  explicit BoundingTree(const MeshData& mesh);

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& root() const { return nodes_.front(); }
  /// Largest distance of the box's corners from the frame's origin along any axis [m]; the scale of rounding.
  double reach() const { return reach_; }
  int depth() const { return depth_; }

 private:
  std::vector<Node> nodes_;
  double reach_ = 0.0;
  int depth_ = 0;
};

}  // namespace abut
