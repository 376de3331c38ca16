#include "abut/sim/velocity_parts.hpp"

#include <algorithm>

#include <Eigen/QR>

#include "abut/multibody/spatial.hpp"

namespace abut {

VelocityParts::VelocityParts(const Tree& tree, const LoopSet* loops) : tree_(tree), loops_(loops) {
  column_of_.assign(tree.num_v(), -1);
  group_of_.assign(tree.num_v(), -1);
  part_of_leaf_.assign(tree.num_free_leaves(), -1);
  std::vector<int> island_of(tree.groups().size(), -1);
  for (std::size_t i = 0; loops != nullptr && i < loops->islands().size(); ++i) {
    for (const IndexRange& range : loops->islands()[i].groups)
      island_of[tree.link(tree.articulated_links()[range.begin]).group] = static_cast<int>(i);
  }
  std::vector<int> group_of_island(loops == nullptr ? 0 : loops->islands().size(), -1);
  for (std::size_t t = 0; t < tree.groups().size(); ++t) {
    const IndexRange& range = tree.groups()[t];
    const int island = island_of[t];
    const bool is_new = island < 0 || group_of_island[island] < 0;
    group_of_tree_.push_back(is_new ? static_cast<int>(groups_.size()) : group_of_island[island]);
    if (island >= 0) group_of_island[island] = group_of_tree_.back();
    if (is_new) groups_.emplace_back().island = island;
    Group& group = groups_[group_of_tree_.back()];
    for (int k = range.begin; k < range.end; ++k) {
      const int index = tree.articulated_links()[k];
      const Link& link = tree.link(index);
      group.links.push_back(index);
      for (int c = 0; c < link.num_v; ++c) {
        group_of_[link.v_start + c] = group_of_tree_.back();
        if (link.prescribed) {
          group.prescribed.push_back(link.v_start + c);
        } else {
          column_of_[link.v_start + c] = static_cast<int>(group.columns.size());
          group.columns.push_back(link.v_start + c);
        }
      }
    }
  }
}

void VelocityParts::begin(const Kinematics& kinematics, std::span<const double> v_free, ConstraintSystem& system) {
  kinematics_ = &kinematics;
  system_ = &system;
  v_free_ = v_free;
  for (const int leaf : touched_leaves_) part_of_leaf_[leaf] = -1;
  for (const int group : touched_groups_) groups_[group].part = -1;
  touched_leaves_.clear();
  touched_groups_.clear();
}

int VelocityParts::part_of(int index) {
  if (tree_.is_immovable(index)) return -1;
  const int leaf = tree_.free_leaf_index(index);
  if (leaf < 0) {
    const int group = group_of_tree_[tree_.link(index).group];
    return std::max(-1, groups_[group].part != -1 ? groups_[group].part : add_group(group));
  }
  if (part_of_leaf_[leaf] >= 0) return part_of_leaf_[leaf];
  const FreeLeaf& data = tree_.free_leaf_data()[leaf];
  const Mat3& R = kinematics_->X_WB[index].R;
  Mat6 mass = Mat6::Zero(), inverse = Mat6::Zero();
  mass.topLeftCorner<3, 3>().diagonal().setConstant(data.mass);
  inverse.topLeftCorner<3, 3>().diagonal().setConstant(data.inverse_mass);
  mass.bottomRightCorner<3, 3>() = R * data.inertia * R.transpose();
  inverse.bottomRightCorner<3, 3>() = R * data.inverse_inertia * R.transpose();
  const Vec6 v = Eigen::Map<const Vec6>(v_free_.data() + data.v_start);
  touched_leaves_.push_back(leaf);
  return part_of_leaf_[leaf] = system_->add_body(mass, inverse, mass * v);
}

/// Spatial velocity (linear; angular) at a point of the link for each of the chosen speeds.
Mat6X VelocityParts::calc_link_columns(int link, const Vec3& p_WQ, const std::vector<int>& column_of,
                                       int num_columns) const {
  Mat6X J = Mat6X::Zero(6, num_columns);
  for (int i = link; i != kWorld; i = tree_.link(i).parent) {
    const Link& carrier = tree_.link(i);
    if (carrier.num_v == 0 || column_of[carrier.v_start] < 0) continue;
    const spatial::JointColumns S = spatial::calc_joint_columns(carrier, *kinematics_);
    const Vec3 arm = p_WQ - kinematics_->p_WCm[i];
    for (int c = 0; c < carrier.num_v; ++c) {
      J.col(column_of[carrier.v_start + c]) = spatial::shift_motion(S.col(c), arm);
    }
  }
  return J;
}

int VelocityParts::add_group(int index) {
  Group& group = groups_[index];
  const int n = static_cast<int>(group.columns.size());
  MatX mass = MatX::Zero(n, n);
  for (const int link : group.links) {
    const Mat6X J = calc_link_columns(link, kinematics_->p_WCm[link], column_of_, n);
    mass += J.transpose() * spatial::calc_rigid_inertia(tree_.link(link), link, *kinematics_) * J;
  }
  VecX v(n);
  for (int k = 0; k < n; ++k) v[k] = v_free_[group.columns[k]];
  touched_groups_.push_back(index);
  if (group.island >= 0) {
    add_loops(group);
    const VecX free = group.N.transpose() * v;
    group.rest = v - group.N * free;
    if (group.N.cols() == 0) return group.part = kDriven;
    mass = (group.N.transpose() * mass * group.N).eval();
    v = free;
  }
  return group.part = system_->add_part(mass, mass * v);
}

/// What the loops of a group leave free.
void VelocityParts::add_loops(Group& group) {
  const LoopIsland& island = loops_->islands()[group.island];
  std::vector<LoopGeometry> geometry(island.loops.size());
  for (std::size_t l = 0; l < island.loops.size(); ++l)
    calc_loop_geometry(loops_->loops()[island.loops[l]], *kinematics_, geometry[l]);
  group.J = loops_->calc_jacobian(tree_, island, *kinematics_, geometry);
  const auto n = static_cast<Eigen::Index>(group.columns.size());
  MatX free = MatX::Zero(n, island.num_rows);
  for (std::size_t k = 0; k < island.links.size(); ++k) {
    const Link& link = tree_.link(island.links[k]);
    for (int c = 0; c < link.num_v && !link.prescribed; ++c) {
      free.row(column_of_[link.v_start + c]) = group.J.col(island.column[k] + c).cwiseProduct(island.scale).transpose();
    }
  }
  const Eigen::ColPivHouseholderQR<MatX> factors(free);
  const MatX Q = factors.householderQ();
  group.N = Q.rightCols(n - island.rank);
}

MatX VelocityParts::calc_jacobian(int link, const Vec3& p_WQ, std::span<const Vec3> directions, double sign) const {
  const int rows = static_cast<int>(directions.size());
  if (tree_.free_leaf_index(link) >= 0) {
    MatX J(rows, 6);
    const Vec3 arm = p_WQ - kinematics_->p_WCm[link];
    for (int r = 0; r < rows; ++r)
      J.row(r) << sign * directions[r].transpose(), sign * arm.cross(directions[r]).transpose();
    return J;
  }
  const Group& group = groups_[group_of_tree_[tree_.link(link).group]];
  const Mat6X columns = calc_link_columns(link, p_WQ, column_of_, static_cast<int>(group.columns.size()));
  MatX J(rows, columns.cols());
  for (int r = 0; r < rows; ++r) J.row(r) = sign * directions[r].transpose() * columns.topRows<3>();
  if (group.island >= 0) return J * group.N;
  return J;
}

MatX VelocityParts::calc_speed_row(int v_index) const {
  const Group& group = groups_[group_of_[v_index]];
  if (group.island >= 0) return group.N.row(column_of_[v_index]);
  MatX row = MatX::Zero(1, static_cast<Eigen::Index>(group.columns.size()));
  row(0, column_of_[v_index]) = 1.0;
  return row;
}

double VelocityParts::calc_carried_speed(int v_index) const {
  const Group& group = groups_[group_of_[v_index]];
  return group.island >= 0 ? group.rest[column_of_[v_index]] : 0.0;
}

int VelocityParts::calc_speed_index(int v_index) const {
  return system_->part_start(groups_[group_of_[v_index]].part) + column_of_[v_index];
}

Mat6X VelocityParts::calc_center_jacobian(int link) const {
  const Group& group = groups_[group_of_tree_[tree_.link(link).group]];
  return calc_link_columns(link, kinematics_->p_WCm[link], column_of_, static_cast<int>(group.columns.size()));
}

Vec3 VelocityParts::calc_carried_velocity(int link, const Vec3& p_WQ) const {
  Vec3 velocity = Vec3::Zero();
  if (tree_.is_static(link)) return velocity;
  const int tree_group = tree_.link(link).group;
  if (tree_group >= 0 && groups_[group_of_tree_[tree_group]].island >= 0) {
    const Group& group = groups_[group_of_tree_[tree_group]];
    if (group.part != -1) {
      const int count = static_cast<int>(group.columns.size());
      velocity = calc_link_columns(link, p_WQ, column_of_, count).topRows<3>() * group.rest;
    }
  }
  if (!tree_.has_prescribed()) return velocity;
  for (int i = link; i != kWorld; i = tree_.link(i).parent) {
    const Link& carrier = tree_.link(i);
    if (!carrier.prescribed) continue;
    const spatial::JointColumns S = spatial::calc_joint_columns(carrier, *kinematics_);
    const Vec3 arm = p_WQ - kinematics_->p_WCm[i];
    for (int c = 0; c < carrier.num_v; ++c) {
      velocity += spatial::shift_motion(S.col(c), arm).head<3>() * v_free_[carrier.v_start + c];
    }
  }
  return velocity;
}

void VelocityParts::write_velocities(std::span<const double> speeds, std::span<double> v) const {
  for (const int leaf : touched_leaves_) {
    const int start = system_->part_start(part_of_leaf_[leaf]);
    std::copy_n(speeds.begin() + start, 6, v.begin() + tree_.free_leaf_data()[leaf].v_start);
  }
  write_groups(speeds, true, v);
}

void VelocityParts::write_changes(std::span<const double> speeds, std::span<double> v) const {
  for (const int leaf : touched_leaves_) {
    const int start = system_->part_start(part_of_leaf_[leaf]);
    std::copy_n(speeds.begin() + start, 6, v.begin() + tree_.free_leaf_data()[leaf].v_start);
  }
  write_groups(speeds, false, v);
}

void VelocityParts::write_groups(std::span<const double> speeds, bool has_rest, std::span<double> v) const {
  for (const int index : touched_groups_) {
    const Group& group = groups_[index];
    const int start = group.part == kDriven ? 0 : system_->part_start(group.part);
    if (group.island < 0) {
      for (std::size_t k = 0; k < group.columns.size(); ++k) v[group.columns[k]] = speeds[start + k];
      continue;
    }
    VecX all = has_rest ? group.rest : VecX(VecX::Zero(group.rest.size()));
    if (group.N.cols() > 0) all += group.N * Eigen::Map<const VecX>(speeds.data() + start, group.N.cols());
    for (std::size_t k = 0; k < group.columns.size(); ++k) v[group.columns[k]] = all[static_cast<Eigen::Index>(k)];
  }
}

void VelocityParts::add_prescribed_impulses(std::span<const Vec6> wrenches, std::span<const double> tau,
                                            std::span<const double> v_change, std::span<double> impulse) const {
  for (const Group& group : groups_) {
    if (group.prescribed.empty()) continue;
    VecX left = VecX::Zero(static_cast<Eigen::Index>(group.columns.size()));  // of the other joints, by loops
    for (const int link : group.links) {
      // Change of the link's momentum less what contacts gave it: that is what the joints must have given.
      const Vec3& center = kinematics_->p_WCm[link];
      const Mat6X J = calc_link_columns(link, center, column_of_, static_cast<int>(group.columns.size()));
      VecX change(static_cast<Eigen::Index>(group.columns.size()));
      for (Eigen::Index k = 0; k < change.size(); ++k) change[k] = v_change[group.columns[k]];
      const Vec6 missing =
          spatial::calc_rigid_inertia(tree_.link(link), link, *kinematics_) * (J * change) - wrenches[link];
      left += J.transpose() * missing;
      for (int i = link; i != kWorld; i = tree_.link(i).parent) {
        const Link& carrier = tree_.link(i);
        if (!carrier.prescribed) continue;
        const spatial::JointColumns S = spatial::calc_joint_columns(carrier, *kinematics_);
        for (int c = 0; c < carrier.num_v; ++c) {
          const Vec6 motion = spatial::shift_motion(S.col(c), center - kinematics_->p_WCm[i]);
          impulse[carrier.v_start + c] += motion.dot(missing);
        }
      }
    }
    if (group.island < 0 || group.part == -1) continue;
    for (std::size_t k = 0; k < group.columns.size(); ++k) left[static_cast<Eigen::Index>(k)] -= tau[group.columns[k]];
    take_loop_impulses(group, left, impulse);
  }
}

/// Loops have given the joints of a group what is left; prescribed ones need not give what the loops give them.
void VelocityParts::take_loop_impulses(const Group& group, const VecX& left, std::span<double> impulse) const {
  const LoopIsland& island = loops_->islands()[group.island];
  MatX free = MatX::Zero(left.size(), island.num_rows);
  for (std::size_t k = 0; k < island.links.size(); ++k) {
    const Link& link = tree_.link(island.links[k]);
    for (int c = 0; c < link.num_v && !link.prescribed; ++c)
      free.row(column_of_[link.v_start + c]) = group.J.col(island.column[k] + c).transpose();
  }
  const VecX x = free.completeOrthogonalDecomposition().solve(left);
  for (std::size_t k = 0; k < island.links.size(); ++k) {
    const Link& link = tree_.link(island.links[k]);
    for (int c = 0; c < link.num_v && link.prescribed; ++c)
      impulse[link.v_start + c] -= group.J.col(island.column[k] + c).dot(x);
  }
}

}  // namespace abut
