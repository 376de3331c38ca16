#include "abut/multibody/tree.hpp"

#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "abut/base/error.hpp"

namespace abut {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

void check_mass(const LinkSpec& spec) {
  const MassProperties& m = spec.mass;
  if (!std::isfinite(m.mass) || !m.center_of_mass.allFinite() || !m.inertia.allFinite()) {
    throw InputError(fmt::format("link '{}': mass properties are not finite", spec.name));
  }
  if (m.mass < 0.0) throw InputError(fmt::format("link '{}': mass {} kg is negative", spec.name, m.mass));
  const double scale = m.inertia.cwiseAbs().maxCoeff();
  // Inertias assembled from rotated parts are symmetric and semi-definite up to rounding only.
  const double tolerance = 1e-10 * scale;
  if ((m.inertia - m.inertia.transpose()).cwiseAbs().maxCoeff() > tolerance) {
    throw InputError(fmt::format("link '{}': the inertia matrix is not symmetric", spec.name));
  }
  const double smallest = Eigen::SelfAdjointEigenSolver<Mat3>(m.inertia, Eigen::EigenvaluesOnly).eigenvalues()(0);
  if (smallest < -tolerance) {
    throw InputError(
        fmt::format("link '{}': a principal moment of inertia is negative, {:.6g} kg m^2", spec.name, smallest));
  }
}

void check_frames(const LinkSpec& spec) {
  for (const Pose& pose : {spec.X_PF, spec.X_BM}) {
    if (!pose.R.allFinite() || !pose.p.allFinite()) {
      throw InputError(fmt::format("link '{}': a joint frame is not finite", spec.name));
    }
    if (!(pose.R.transpose() * pose.R).isIdentity(1e-9) || pose.R.determinant() < 0.0) {
      throw InputError(fmt::format("link '{}': a joint frame is not a rotation", spec.name));
    }
  }
}

void check_place(const LinkSpec& spec, int index) {
  if (spec.parent < kWorld || spec.parent >= index) {
    throw InputError(fmt::format("link '{}': parent {} is not an earlier link", spec.name, spec.parent));
  }
  if (spec.joint == JointType::free && spec.parent != kWorld) {
    throw InputError(fmt::format("link '{}': a free joint hangs on the world, not on another link", spec.name));
  }
}

}  // namespace

Tree::Tree(const std::vector<LinkSpec>& specs) {
  links_.reserve(specs.size());
  for (const LinkSpec& spec : specs) add_link(spec);
  sort_into_groups();
}

void Tree::add_link(const LinkSpec& spec) {
  check_place(spec, num_links());
  check_mass(spec);
  check_frames(spec);
  Link link;
  link.parent = spec.parent;
  link.joint = spec.joint;
  try {
    link.axes = make_joint_axes(spec.joint, spec.axis, spec.axis_2);
  } catch (const InputError& error) {
    throw InputError(fmt::format("link '{}': {}", spec.name, error.what()));
  }
  link.num_q = abut::num_q(spec.joint);
  link.num_v = abut::num_v(spec.joint);
  link.prescribed = spec.prescribed && link.num_v > 0;
  link.is_in_loop = spec.is_in_loop;
  link.is_static = is_static(spec.parent) && spec.joint == JointType::fixed;
  link.immovable = is_immovable(spec.parent) && (spec.joint == JointType::fixed || link.prescribed);
  link.q_start = num_q_;
  link.v_start = num_v_;
  link.X_PF = spec.X_PF;
  link.X_MB = spec.X_BM.inverse();
  link.mass = spec.mass;
  if (spec.joint != JointType::free) {
    link.subspace_start = num_subspace_columns_;
    num_subspace_columns_ += link.num_v;
  }
  num_q_ += link.num_q;
  num_v_ += link.num_v;
  has_prescribed_ = has_prescribed_ || link.prescribed;
  links_.push_back(link);
  names_.push_back(spec.name);
}

void Tree::sort_into_groups() {
  const std::size_t count = links_.size();
  std::vector<char> has_children(count, 0);
  for (const Link& link : links_) {
    if (link.parent != kWorld) has_children[static_cast<std::size_t>(link.parent)] = 1;
  }
  free_leaf_index_.assign(count, -1);
  std::vector<std::vector<int>> members;
  for (int i = 0; i < num_links(); ++i) {
    Link& link = links_[static_cast<std::size_t>(i)];
    const bool is_leaf = !has_children[static_cast<std::size_t>(i)] && !link.is_in_loop;
    if (link.joint == JointType::free && !link.prescribed && is_leaf) {
      add_free_leaf(i);
      continue;
    }
    if (link.parent == kWorld) {
      link.group = static_cast<int>(members.size());
      members.emplace_back();
    } else {
      link.group = this->link(link.parent).group;
    }
    members[static_cast<std::size_t>(link.group)].push_back(i);
  }
  for (const std::vector<int>& group : members) {
    const int begin = static_cast<int>(articulated_links_.size());
    for (const int i : group) {
      links_[static_cast<std::size_t>(i)].articulated_index = static_cast<int>(articulated_links_.size());
      articulated_links_.push_back(i);
    }
    groups_.push_back({begin, static_cast<int>(articulated_links_.size())});
  }
}

void Tree::add_free_leaf(int index) {
  const Link& link = this->link(index);
  const MassProperties& m = link.mass;
  const Eigen::LLT<Mat3> factor(m.inertia);
  if (!(m.mass > 0.0) || factor.info() != Eigen::Success) {
    throw InputError(
        fmt::format("link '{}': a free body needs a positive mass and a positive definite inertia (mass {} kg)",
                    name(index), m.mass));
  }
  FreeLeaf leaf;
  leaf.link = index;
  leaf.q_start = link.q_start;
  leaf.v_start = link.v_start;
  leaf.mass = m.mass;
  leaf.inverse_mass = 1.0 / m.mass;
  leaf.p_BCm = m.center_of_mass;
  leaf.inertia = m.inertia;
  leaf.inverse_inertia = factor.solve(Mat3::Identity());
  const double moment = m.inertia.trace() / 3.0;
  leaf.isotropic = (m.inertia - moment * Mat3::Identity()).cwiseAbs().maxCoeff() <= 4.0 * kEpsilon * moment;
  leaf.inverse_moment = 1.0 / moment;
  free_leaf_index_[static_cast<std::size_t>(index)] = num_free_leaves();
  free_leaves_.push_back(index);
  free_leaf_data_.push_back(leaf);
}

}  // namespace abut
