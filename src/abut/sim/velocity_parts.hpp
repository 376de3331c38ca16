#pragma once

#include <span>
#include <vector>

#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/loop_set.hpp"
#include "abut/multibody/tree.hpp"
#include "abut/solve/lcp/constraint_system.hpp"

namespace abut {

/// The bodies that contacts can move, as parts of a ConstraintSystem: free bodies one by one, every other independent
/// tree as one part with the speeds of its joints, less the prescribed ones. A part is added when a contact first asks
/// for it, so bodies in flight cost nothing.
///
/// Trees that loops and couplings hold together are one part, whose speeds w are those that the loops leave free:
/// v = N w + v_rest, N an orthonormal basis of the null space of J. Whatever impulses act, J v stays what it was
/// without them: contacts, impacts and friction of joints all know of the loops, and none opens one.
class VelocityParts {
 public:
  explicit VelocityParts(const Tree& tree, const LoopSet* loops = nullptr);

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
  /// Velocity of that point at the end of the step from prescribed joints and from v_rest of loops alone [m/s].
  Vec3 calc_carried_velocity(int link, const Vec3& p_WQ) const;
  /// The same of the speed of calc_speed_row().
  double calc_carried_speed(int v_index) const;
  bool has_carried() const { return tree_.has_prescribed() || (loops_ != nullptr && !loops_->is_empty()); }

  /// Writes the parts' speeds over those of v.
  void write_velocities(std::span<const double> part_speeds, std::span<double> v) const;
  /// The same of changes of the parts' speeds.
  void write_changes(std::span<const double> part_speeds, std::span<double> v) const;
  /// Speeds of prescribed joints of the groups in this system.
  bool has_prescribed() const { return tree_.has_prescribed(); }
  /// Impulse [N s, N m s] of prescribed joints that keeps their motion while contacts give links the impulses in
  /// `wrenches` (linear; angular about the centre of mass, one a link), loads of joints give `tau` (num_v), and both
  /// change the speeds by v_change.
  void add_prescribed_impulses(std::span<const Vec6> wrenches, std::span<const double> tau,
                               std::span<const double> v_change, std::span<double> impulse) const;

 private:
  /// Part of a group that its prescribed joints and loops leave no speed of its own.
  static constexpr int kDriven = -2;
  struct Group {
    std::vector<int> links;       ///< in order, parents first
    std::vector<int> columns;     ///< speeds that contacts change
    std::vector<int> prescribed;  ///< speeds that they do not
    int part = -1;                ///< -1: not asked for yet
    int island = -1;              ///< of loops, or -1; then:
    MatX J, N;                    ///< over all speeds of the island; over `columns`
    VecX rest;                    ///< v_rest
  };
  void add_loops(Group& group);
  void write_groups(std::span<const double> speeds, bool has_rest, std::span<double> v) const;
  void take_loop_impulses(const Group& group, const VecX& left, std::span<double> impulse) const;
  Mat6X calc_link_columns(int link, const Vec3& p_WQ, const std::vector<int>& column_of, int num_columns) const;
  int add_group(int group);

  const Tree& tree_;
  const LoopSet* loops_;
  const Kinematics* kinematics_ = nullptr;
  ConstraintSystem* system_ = nullptr;
  std::span<const double> v_free_;
  std::vector<Group> groups_;
  std::vector<int> group_of_tree_;  ///< place in groups_ of each of Tree::groups()
  std::vector<int> group_of_;       ///< of each speed, -1 of a free body
  std::vector<int> column_of_;      ///< of each speed in its group, -1 where prescribed or of a free body
  std::vector<int> part_of_leaf_;   ///< by place among the free leaves
  std::vector<int> touched_leaves_, touched_groups_;
};

}  // namespace abut
