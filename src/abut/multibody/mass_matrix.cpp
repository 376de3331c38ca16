#include "abut/multibody/mass_matrix.hpp"

#include <vector>

#include "abut/multibody/spatial.hpp"

namespace abut {
namespace {

/// Rows of M for one joint: the momentum of everything it carries, seen by itself and by the joints it hangs on.
void fill_joint_rows(const Tree& tree, int index, const Kinematics& k, const Mat6& composite, MatX& M) {
  const Link& link = tree.link(index);
  if (link.num_v == 0) return;
  const spatial::JointColumns S = spatial::calc_joint_columns(link, k);
  spatial::JointColumns momentum = composite * S;
  M.block(link.v_start, link.v_start, link.num_v, link.num_v) = S.transpose() * momentum;
  for (int i = index; tree.link(i).parent != kWorld; i = tree.link(i).parent) {
    const Vec3 r = spatial::calc_arm(tree.link(i), i, k);
    for (int c = 0; c < link.num_v; ++c) momentum.col(c) = spatial::shift_force(momentum.col(c), r);
    const Link& ancestor = tree.link(tree.link(i).parent);
    if (ancestor.num_v == 0) continue;
    const MatX block = momentum.transpose() * spatial::calc_joint_columns(ancestor, k);
    M.block(link.v_start, ancestor.v_start, link.num_v, ancestor.num_v) = block;
    M.block(ancestor.v_start, link.v_start, ancestor.num_v, link.num_v) = block.transpose();
  }
}

}  // namespace

MatX calc_mass_matrix(const Tree& tree, const Kinematics& kinematics) {
  MatX M = MatX::Zero(tree.num_v(), tree.num_v());
  std::vector<Mat6> composite(static_cast<std::size_t>(tree.num_links()));
  for (int i = 0; i < tree.num_links(); ++i) {
    composite[static_cast<std::size_t>(i)] = spatial::calc_rigid_inertia(tree.link(i), i, kinematics);
  }
  for (int i = tree.num_links() - 1; i >= 0; --i) {
    const Link& link = tree.link(i);
    const Mat6& own = composite[static_cast<std::size_t>(i)];
    fill_joint_rows(tree, i, kinematics, own, M);
    if (link.parent == kWorld) continue;
    composite[static_cast<std::size_t>(link.parent)] +=
        spatial::shift_inertia(own, spatial::calc_arm(link, i, kinematics));
  }
  return M;
}

}  // namespace abut
