#pragma once

#include <span>
#include <string>
#include <vector>

#include "abut/math/mass_properties.hpp"
#include "abut/math/pose.hpp"
#include "abut/multibody/joint.hpp"

namespace abut {

/// Index of the world where a link is expected.
inline constexpr int kWorld = -1;

/// What is said about one rigid link and the joint that carries it.
struct LinkSpec {
  std::string name;     ///< used in messages only
  int parent = kWorld;  ///< index of an earlier link, or the world
  JointType joint = JointType::free;
  Pose X_PF{};                  ///< joint frame in the parent's body frame; not used by free joints
  Pose X_BM{};                  ///< joint frame in this link's body frame; not used by free joints
  Vec3 axis = Vec3::UnitZ();    ///< in F; see JointType for who uses it
  Vec3 axis_2 = Vec3::UnitX();  ///< in F at zero angle; universal joints only
  MassProperties mass{};
  bool prescribed = false;  ///< the joint's acceleration is given and its force is found
  bool is_in_loop = false;  ///< an end of a Loop: it is articulated even where it is free
};

/// A link as the algorithms read it.
struct Link {
  int parent = kWorld;
  JointType joint = JointType::free;
  bool prescribed = false;
  bool is_in_loop = false;
  bool immovable = false;  ///< no force can move it: only fixed and prescribed joints up to the world
  bool is_static = false;  ///< only fixed joints up to the world
  int q_start = 0, v_start = 0;
  int num_q = 0, num_v = 0;
  int articulated_index = -1;  ///< place in Tree::articulated_links(), -1 for free leaves
  int subspace_start = -1;     ///< first column in Kinematics::S, -1 for free joints (S is the identity)
  int group = -1;              ///< independent tree it belongs to, -1 for free leaves
  Pose X_PF, X_MB;
  JointAxes axes;
  MassProperties mass;
};

/// A free link without children and not prescribed: a single body in flight, whose dynamics need no tree.
struct FreeLeaf {
  int link = 0;
  int q_start = 0, v_start = 0;
  bool isotropic = false;                 ///< inertia is a multiple of the unit matrix in every frame
  double mass = 0.0, inverse_mass = 0.0;  ///< [kg], [1/kg]
  double inverse_moment = 0.0;            ///< [1/(kg m^2)], where isotropic
  Vec3 p_BCm = Vec3::Zero();              ///< [m]
  Mat3 inertia, inverse_inertia;          ///< about the centre of mass, axes of B [kg m^2], [1/(kg m^2)]
};

/// Half-open range of indices.
struct IndexRange {
  int begin = 0, end = 0;
};

/// The unchanging structure of a multibody system: links in an order where parents come before children. Built once
/// from its specifications; everything that moves lies outside (q, v, Kinematics, workspaces).
///
/// Links fall in two kinds. Free leaves (ten thousand balls) are listed compactly and processed one by one. All others
/// are listed group by group, a group being one independent tree, parents first: the mass matrix is block diagonal over
/// groups and free leaves.
class Tree {
 public:
  Tree() = default;
  /// Throws InputError, naming the link, where a parent is not an earlier link, a free joint does not hang on the
  /// world, an axis is unusable, or mass properties are not finite, negative, or not symmetric and positive
  /// semi-definite; for free leaves, where mass or inertia is not positive. (For other links see require_movable, which
  /// needs dynamics.)
  explicit Tree(const std::vector<LinkSpec>& specs);

  int num_links() const { return static_cast<int>(links_.size()); }
  int num_q() const { return num_q_; }
  int num_v() const { return num_v_; }
  int num_subspace_columns() const { return num_subspace_columns_; }
  bool has_prescribed() const { return has_prescribed_; }

  const Link& link(int index) const { return links_[static_cast<std::size_t>(index)]; }
  const std::string& name(int index) const { return names_[static_cast<std::size_t>(index)]; }
  int q_start(int index) const { return link(index).q_start; }
  int v_start(int index) const { return link(index).v_start; }
  /// True for the world and for links fixed to it.
  bool is_static(int index) const { return index == kWorld || link(index).is_static; }
  /// True for the world and where no force changes the motion: only fixed and prescribed joints up to the world.
  bool is_immovable(int index) const { return index == kWorld || link(index).immovable; }

  const std::vector<int>& free_leaves() const { return free_leaves_; }
  int num_free_leaves() const { return static_cast<int>(free_leaves_.size()); }
  std::span<const FreeLeaf> free_leaf_data() const { return free_leaf_data_; }
  /// Place of a link in free_leaves(), -1 where it is none.
  int free_leaf_index(int index) const { return free_leaf_index_[static_cast<std::size_t>(index)]; }

  const std::vector<int>& articulated_links() const { return articulated_links_; }
  const std::vector<IndexRange>& groups() const { return groups_; }

 private:
  void add_link(const LinkSpec& spec);
  void sort_into_groups();
  void add_free_leaf(int index);

  std::vector<Link> links_;
  std::vector<std::string> names_;
  std::vector<int> free_leaves_, free_leaf_index_, articulated_links_;
  std::vector<FreeLeaf> free_leaf_data_;
  std::vector<IndexRange> groups_;
  int num_q_ = 0, num_v_ = 0, num_subspace_columns_ = 0;
  bool has_prescribed_ = false;
};

}  // namespace abut
