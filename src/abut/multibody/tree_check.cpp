#include "abut/multibody/tree_check.hpp"

#include <vector>

#include <Eigen/Eigenvalues>

#include "abut/base/error.hpp"
#include "abut/multibody/articulated_body.hpp"
#include "abut/multibody/configuration.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/spatial.hpp"

namespace abut {
namespace {

/// Inertia below this fraction of what the whole group could lend is rounding, not inertia.
constexpr double kRelativeRank = 1e-13;

/// Sum of the inertias of a group about the link's centre of mass: an upper bound for what its joint may carry.
Mat6 calc_group_inertia(const Tree& tree, const Kinematics& k, IndexRange range, int about) {
  Mat6 sum = Mat6::Zero();
  for (int n = range.begin; n < range.end; ++n) {
    const int i = tree.articulated_links()[static_cast<std::size_t>(n)];
    const Vec3 r = k.p_WCm[static_cast<std::size_t>(i)] - k.p_WCm[static_cast<std::size_t>(about)];
    sum += spatial::shift_inertia(spatial::calc_rigid_inertia(tree.link(i), i, k), r);
  }
  return sum;
}

bool is_movable(const Link& link, const Kinematics& k, const Mat6& articulated, const Mat6& bound) {
  const spatial::JointColumns S = spatial::calc_joint_columns(link, k);
  const MatX D = S.transpose() * articulated * S;
  // Each direction is measured by its own bound, so that metres and radians are not compared.
  const VecX scale = (S.transpose() * bound * S).diagonal();
  if (!(scale.minCoeff() > 0.0) || !D.allFinite()) return false;
  const VecX inverse_root = scale.cwiseSqrt().cwiseInverse();
  const MatX scaled = inverse_root.asDiagonal() * D * inverse_root.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<MatX>(scaled, Eigen::EigenvaluesOnly).eigenvalues()(0) > kRelativeRank;
}

}  // namespace

void require_movable(const Tree& tree) {
  Kinematics kinematics;
  const VecX q = make_neutral_q(tree);
  const VecX v = VecX::Zero(tree.num_v());
  calc_kinematics(tree, as_span(q), as_span(v), kinematics);
  for (const IndexRange range : tree.groups()) {
    std::vector<ArticulatedBody> bodies(static_cast<std::size_t>(range.end - range.begin));
    set_rigid_bodies(tree, kinematics, range, bodies);
    reduce_bodies(tree, kinematics, range, JointInput{{}, {}, false}, bodies);
    // Leaves first: a singular joint spoils the numbers of all that carry it.
    for (int n = range.end - 1; n >= range.begin; --n) {
      const int index = tree.articulated_links()[static_cast<std::size_t>(n)];
      const Link& link = tree.link(index);
      if (link.num_v == 0 || link.prescribed) continue;
      const Mat6 bound = calc_group_inertia(tree, kinematics, range, index);
      if (is_movable(link, kinematics, bodies[static_cast<std::size_t>(n - range.begin)].I, bound)) continue;
      throw InputError(fmt::format("link '{}': its {} joint carries no mass or no inertia in one of its directions",
                                   tree.name(index), joint_type_name(link.joint)));
    }
  }
}

}  // namespace abut
