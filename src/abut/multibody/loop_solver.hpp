#pragma once

#include <span>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "abut/multibody/articulated_body.hpp"
#include "abut/multibody/loop_set.hpp"

namespace abut {

/// Multipliers of loops and couplings on the articulated body algorithm, island by island.
///
/// A unit multiplier of a row is a wrench on the two links that it joins. Handed inwards through the reduced bodies it
/// leaves at each joint the force K that the joint itself takes up, and
///   J M^-1 J' = sum over joints of K' D^-1 K,   D = S' I S      [Featherstone 2008, 7.3 and 8.5, without forming M]
/// so that a ring of n links costs time in proportion to n. Of rows that say the same again (rank < rows) the
/// multipliers of least norm are taken, by the eigenvectors of the matrix that belong to its largest `rank`
/// eigenvalues: which of them vanish is decided once, where the mechanism is assembled, so that nothing jumps as it
/// moves. Lengths and angles compare by LoopIsland::size.
class LoopSolver {
 public:
  LoopSolver(const Tree& tree, const LoopSet& set);

  /// Gaps, speeds and bias of all islands at this motion.
  void look(const Kinematics& kinematics, std::span<const double> q, std::span<const double> v);
  const LoopSet::Values& values(std::size_t island) const { return scratch_[island].values; }
  /// Largest gap, lengths in parts of an island's size [1].
  double calc_worst_gap() const;
  /// Whether there is nothing left to close but rounding.
  bool is_gap_closed() const;
  bool is_speed_closed(const Kinematics& kinematics) const;

  /// K and the matrix at the instant of look(), with bodies as reduce_bodies() left them.
  void factor(const Kinematics& kinematics, std::span<const ArticulatedBody> bodies);
  /// After factor() with the accelerations of expand_bodies() in `bodies` and `vdot`: those with the loops closed, and
  /// the forces of prescribed joints with it. With step > 0: so that J (v + step vdot) = -step/2 J' v, which is how
  /// velocities stand that belong to the middle of steps; `start` are then the speeds J v.
  void add_accelerations(const Kinematics& kinematics, std::span<ArticulatedBody> bodies, std::span<double> vdot,
                         std::span<double> prescribed_force, double step = 0.0,
                         const std::vector<VecX>* start = nullptr);
  /// Adds to `change` the least change of speeds (by the energy of the change) that takes J change = -g, or -g', of the
  /// last look(); the factors may be those of a motion near by.
  enum class Close { gap, speed };
  void add_closing(Close what, const Kinematics& kinematics, std::span<ArticulatedBody> bodies,
                   std::span<double> change);
  /// Multipliers of the last add_accelerations(), rows of an island [N, N m].
  const VecX& multipliers(std::size_t island) const { return scratch_[island].x; }
  /// Their wrenches on the links at their centres of mass are added, one a link; torques of couplings are not among
  /// them.
  void add_wrenches(const Kinematics& kinematics, std::span<Vec6> wrenches) const;
  /// And the forces on the coordinates of couplings [N, N m], num_v.
  void add_coupling_forces(std::span<double> tau) const;

 private:
  struct Scratch {
    LoopSet::Values values;
    std::vector<LoopGeometry> geometry;
    MatX K;                       ///< columns of the island x rows
    std::vector<MatX> P, shares;  ///< of each link: wrenches of rows that reach it; D^-1 K
    std::vector<Mat6> inverse;    ///< first num_v rows and columns: D^-1, zero where prescribed
    MatX matrix;                  ///< scaled, active rows
    Eigen::LLT<MatX> llt;
    Eigen::SelfAdjointEigenSolver<MatX> eigen;
    bool is_full = true;
    VecX x, b, u, active;
  };
  void propagate(const LoopIsland& island, const Kinematics& kinematics, std::span<const ArticulatedBody> bodies,
                 Scratch& s);
  void make_matrix(const LoopIsland& island, Scratch& s);
  void solve(const LoopIsland& island, Scratch& s);
  void expand(const LoopIsland& island, const Kinematics& kinematics, std::span<ArticulatedBody> bodies,
              std::span<double> rates, std::span<double> prescribed_force, bool keeps, Scratch& s);

  const Tree& tree_;
  const LoopSet& set_;
  std::vector<Scratch> scratch_;
  std::vector<int> place_;    ///< of articulated links among the links of their island, -1
  std::vector<Vec6> change_;  ///< of accelerations, by articulated index
};

}  // namespace abut
