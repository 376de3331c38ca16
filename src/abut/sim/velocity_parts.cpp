#include "abut/sim/velocity_parts.hpp"

#include "abut/multibody/spatial.hpp"

namespace abut {

VelocityParts::VelocityParts(const Tree& tree) : tree_(tree) {
  column_of_.assign(tree.num_v(), -1);
  group_of_.assign(tree.num_v(), -1);
  part_of_leaf_.assign(tree.num_free_leaves(), -1);
  for (const IndexRange& range : tree.groups()) {
    Group group;
    for (int k = range.begin; k < range.end; ++k) {
      const int index = tree.articulated_links()[k];
      const Link& link = tree.link(index);
      group.links.push_back(index);
      for (int c = 0; c < link.num_v; ++c) {
        group_of_[link.v_start + c] = static_cast<int>(groups_.size());
        if (link.prescribed) {
          group.prescribed.push_back(link.v_start + c);
        } else {
          column_of_[link.v_start + c] = static_cast<int>(group.columns.size());
          group.columns.push_back(link.v_start + c);
        }
      }
    }
    groups_.push_back(std::move(group));
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
    const int group = tree_.link(index).group;
    return groups_[group].part >= 0 ? groups_[group].part : add_group(group);
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
  return group.part = system_->add_part(mass, mass * v);
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
  const Group& group = groups_[tree_.link(link).group];
  const Mat6X columns = calc_link_columns(link, p_WQ, column_of_, static_cast<int>(group.columns.size()));
  MatX J(rows, columns.cols());
  for (int r = 0; r < rows; ++r) J.row(r) = sign * directions[r].transpose() * columns.topRows<3>();
  return J;
}

MatX VelocityParts::calc_speed_row(int v_index) const {
  MatX row = MatX::Zero(1, static_cast<Eigen::Index>(groups_[group_of_[v_index]].columns.size()));
  row(0, column_of_[v_index]) = 1.0;
  return row;
}

int VelocityParts::calc_speed_index(int v_index) const {
  return system_->part_start(groups_[group_of_[v_index]].part) + column_of_[v_index];
}

Mat6X VelocityParts::calc_center_jacobian(int link) const {
  const Group& group = groups_[tree_.link(link).group];
  return calc_link_columns(link, kinematics_->p_WCm[link], column_of_, static_cast<int>(group.columns.size()));
}

Vec3 VelocityParts::calc_prescribed_velocity(int link, const Vec3& p_WQ) const {
  Vec3 velocity = Vec3::Zero();
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
  for (const int index : touched_groups_) {
    const Group& group = groups_[index];
    const int start = system_->part_start(group.part);
    for (std::size_t k = 0; k < group.columns.size(); ++k) v[group.columns[k]] = speeds[start + k];
  }
}

void VelocityParts::add_prescribed_impulses(std::span<const Vec6> wrenches, std::span<const double> v_change,
                                            std::span<double> impulse) const {
  for (const Group& group : groups_) {
    if (group.prescribed.empty()) continue;
    for (const int link : group.links) {
      // Change of the link's momentum less what contacts gave it: that is what the joints must have given.
      const Vec3& center = kinematics_->p_WCm[link];
      const Mat6X J = calc_link_columns(link, center, column_of_, static_cast<int>(group.columns.size()));
      VecX change(static_cast<Eigen::Index>(group.columns.size()));
      for (Eigen::Index k = 0; k < change.size(); ++k) change[k] = v_change[group.columns[k]];
      const Vec6 missing =
          spatial::calc_rigid_inertia(tree_.link(link), link, *kinematics_) * (J * change) - wrenches[link];
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
  }
}

}  // namespace abut
