#pragma once

#include <span>
#include <vector>

#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"
#include "abut/solve/lcp/constraint_system.hpp"

namespace abut {

/// The bodies that contacts can move, as parts of a ConstraintSystem: free bodies one by one, every other independent
/// tree as one part with the speeds of its joints, less the prescribed ones. A part is added when a contact first asks
/// for it, so bodies in flight cost nothing.
class VelocityParts {
 public:
  explicit VelocityParts(const Tree& tree);

  /// Begins a step. `v_free` are all speeds at its end without contacts; those of prescribed joints are final.
  void begin(const Kinematics& kinematics, std::span<const double> v_free, ConstraintSystem& system);

  /// Part of a link, -1 where contacts cannot move it.
  int part_of(int link);
  /// Rows d_k . (velocity of the link's point at p_WQ) as functions of the part's speeds; `sign` multiplies them.
  MatX calc_jacobian(int link, const Vec3& p_WQ, std::span<const Vec3> directions, double sign) const;
  /// Row that picks one speed of a mechanism out of its part's; not of free bodies, not of prescribed joints.
  MatX calc_speed_row(int v_index) const;
  /// Where that speed stands among those of the system; its part must have been asked for.
  int calc_speed_index(int v_index) const;
  /// Velocity (linear; angular) of the link's centre of mass as a function of its group's speeds; not of free bodies.
  Mat6X calc_center_jacobian(int link) const;
  /// Velocity of that point at the end of the step from prescribed joints alone [m/s].
  Vec3 calc_prescribed_velocity(int link, const Vec3& p_WQ) const;

  /// Writes the parts' speeds over those of v.
  void write_velocities(std::span<const double> part_speeds, std::span<double> v) const;
  /// Speeds of prescribed joints of the groups in this system.
  bool has_prescribed() const { return tree_.has_prescribed(); }
  /// Impulse [N s, N m s] of prescribed joints that keeps their motion while contacts give links the impulses in
  /// `wrenches` (linear; angular about the centre of mass, one a link) and change the speeds by v_change.
  void add_prescribed_impulses(std::span<const Vec6> wrenches, std::span<const double> v_change,
                               std::span<double> impulse) const;

 private:
  struct Group {
    std::vector<int> links;       ///< in order, parents first
    std::vector<int> columns;     ///< speeds that contacts change
    std::vector<int> prescribed;  ///< speeds that they do not
    int part = -1;
  };
  Mat6X calc_link_columns(int link, const Vec3& p_WQ, const std::vector<int>& column_of, int num_columns) const;
  int add_group(int group);

  const Tree& tree_;
  const Kinematics* kinematics_ = nullptr;
  ConstraintSystem* system_ = nullptr;
  std::span<const double> v_free_;
  std::vector<Group> groups_;
  std::vector<int> group_of_;      ///< of each speed, -1 of a free body
  std::vector<int> column_of_;     ///< of each speed in its group, -1 where prescribed or of a free body
  std::vector<int> part_of_leaf_;  ///< by place among the free leaves
  std::vector<int> touched_leaves_, touched_groups_;
};

}  // namespace abut
