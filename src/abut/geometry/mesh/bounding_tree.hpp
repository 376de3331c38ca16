#pragma once

#include <vector>

#include "abut/geometry/aabb.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Binary tree of oriented boxes about the triangles of a mesh, one triangle a leaf, in the frame of the mesh; built
/// top-down with the surface-area heuristic. Each box lies along the mesh's axes or along the principal axes of its
/// triangles, whichever is smaller: patches of a smooth surface get flat boxes, so that few pairs of boxes overlap
/// where two surfaces cross. Boxes are single precision, rounded outwards, four lanes wide. Traversals:
/// tree_traversal.hpp.
class BoundingTree {
 public:
  using Lanes = Eigen::Array4f;  ///< x, y, z and an unused lane that is zero

  struct Node {
    /// The box's axes, by component: axis j is (axes[0][j], axes[1][j], axes[2][j]).
    Lanes axes[3] = {Lanes::Zero(), Lanes::Zero(), Lanes::Zero()};
    Lanes center = Lanes::Zero();  ///< [m]
    Lanes half = Lanes::Zero();    ///< half lengths along the axes [m]
    float radius = 0.0f;           ///< of the ball about the box [m]
    int link = 0;                  ///< >= 0: second child (the first one follows its parent); < 0: triangle -1 - link
    bool is_leaf() const { return link < 0; }
    int triangle() const { return -1 - link; }
    /// Half the length of the box's shadow on the direction d, and the centre, in double precision.
    double calc_reach(const Vec3& d) const;
    Vec3 calc_center() const { return center.head<3>().cast<double>().matrix(); }
  };

  BoundingTree() = default;
  /// InputError if there are no triangles.
  explicit BoundingTree(const MeshData& mesh);

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& root() const { return nodes_.front(); }
  /// Largest coordinate of any vertex [m]; the scale of rounding.
  double reach() const { return reach_; }
  int depth() const { return depth_; }

 private:
  std::vector<Node> nodes_;
  double reach_ = 0.0;
  int depth_ = 0;
};

inline double BoundingTree::Node::calc_reach(const Vec3& d) const {
  double reach = 0.0;
  for (int j = 0; j < 3; ++j) {
    const double cosine = double{axes[0][j]} * d.x() + double{axes[1][j]} * d.y() + double{axes[2][j]} * d.z();
    reach += double{half[j]} * std::abs(cosine);
  }
  return reach;
}

}  // namespace abut
