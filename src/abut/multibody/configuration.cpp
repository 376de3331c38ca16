#include "abut/multibody/configuration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/base/error.hpp"

namespace abut {
namespace {

void calc_quaternion_rate(const double* q, const double* w, double* rate) {
  rate[0] = 0.5 * (-w[0] * q[1] - w[1] * q[2] - w[2] * q[3]);
  rate[1] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
  rate[2] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
  rate[3] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
}

/// Turns a quaternion by the rotation `turn` [rad] and brings it back to unit length.
void turn_quaternion(const Vec3& turn, double* q) {
  const double angle = turn.norm();
  const Vec3 half = angle > 0.0 ? Vec3(std::sin(0.5 * angle) / angle * turn) : Vec3::Zero();
  const Quat now = Quat(std::cos(0.5 * angle), half.x(), half.y(), half.z()) * Quat(q[0], q[1], q[2], q[3]);
  const double norm = now.norm();
  q[0] = now.w() / norm;
  for (int k = 0; k < 3; ++k) q[1 + k] = now.vec()[k] / norm;
}

void check_sizes(const Tree& tree, std::size_t num_q, std::size_t num_v) {
  ABUT_REQUIRE(static_cast<int>(num_q) == tree.num_q() && static_cast<int>(num_v) == tree.num_v(),
               "{} coordinates and {} speeds for {} and {}", num_q, num_v, tree.num_q(), tree.num_v());
}

double calc_squared_norm(const double* quaternion) {
  return quaternion[0] * quaternion[0] + quaternion[1] * quaternion[1] + quaternion[2] * quaternion[2] +
         quaternion[3] * quaternion[3];
}

void normalize(double* quaternion) {
  const double norm = std::sqrt(calc_squared_norm(quaternion));
  for (int k = 0; k < 4; ++k) quaternion[k] /= norm;
}

}  // namespace

VecX make_neutral_q(const Tree& tree) {
  VecX q = VecX::Zero(tree.num_q());
  for (int i = 0; i < tree.num_links(); ++i) {
    const Link& link = tree.link(i);
    const int offset = quaternion_offset(link.joint);
    if (offset >= 0) q[link.q_start + offset] = 1.0;
  }
  return q;
}

void set_free_pose(const Tree& tree, int index, const Pose& X_WB, std::span<double> q) {
  const Link& link = tree.link(index);
  ABUT_REQUIRE(link.joint == JointType::free, "link '{}' is not free", tree.name(index));
  const Vec3 p_WCm = X_WB * link.mass.center_of_mass;
  const Quat rotation(X_WB.R);
  double* own = q.data() + link.q_start;
  std::copy_n(p_WCm.data(), 3, own);
  own[3] = rotation.w();
  own[4] = rotation.x();
  own[5] = rotation.y();
  own[6] = rotation.z();
}

void set_free_velocity(const Tree& tree, int index, const Vec3& v_WB, const Vec3& w_WB, std::span<const double> q,
                       std::span<double> v) {
  const Link& link = tree.link(index);
  ABUT_REQUIRE(link.joint == JointType::free, "link '{}' is not free", tree.name(index));
  const Vec3 p_BCm_W = calc_unit_quaternion(q.data() + link.q_start + 3) * link.mass.center_of_mass;
  const Vec3 v_WCm = v_WB + w_WB.cross(p_BCm_W);
  double* own = v.data() + link.v_start;
  std::copy_n(v_WCm.data(), 3, own);
  std::copy_n(w_WB.data(), 3, own + 3);
}

void calc_q_dot(const Tree& tree, std::span<const double> q, std::span<const double> v, std::span<double> q_dot) {
  calc_free_leaf_q_dot(tree, 0, tree.num_free_leaves(), q, v, q_dot);
  calc_articulated_q_dot(tree, q, v, q_dot);
}

void calc_free_leaf_q_dot(const Tree& tree, int begin, int end, std::span<const double> q, std::span<const double> v,
                          std::span<double> q_dot) {
  check_sizes(tree, q.size(), v.size());
  const std::span<const FreeLeaf> leaves = tree.free_leaf_data();
  for (int k = begin; k < end; ++k) {
    const FreeLeaf& leaf = leaves[static_cast<std::size_t>(k)];
    const double* own_v = v.data() + leaf.v_start;
    double* rate = q_dot.data() + leaf.q_start;
    std::copy_n(own_v, 3, rate);
    calc_quaternion_rate(q.data() + leaf.q_start + 3, own_v + 3, rate + 3);
  }
}

void calc_articulated_q_dot(const Tree& tree, std::span<const double> q, std::span<const double> v,
                            std::span<double> q_dot) {
  check_sizes(tree, q.size(), v.size());
  for (const int index : tree.articulated_links()) {
    const Link& link = tree.link(index);
    const double* own_v = v.data() + link.v_start;
    double* rate = q_dot.data() + link.q_start;
    const int offset = quaternion_offset(link.joint);
    std::copy_n(own_v, offset >= 0 ? offset : link.num_v, rate);
    if (offset >= 0) {
      calc_quaternion_rate(q.data() + link.q_start + offset, own_v + angular_offset(link.joint), rate + offset);
    }
  }
}

void move_coordinates(const Tree& tree, std::span<const double> v, double h, std::span<double> q) {
  check_sizes(tree, q.size(), v.size());
  for (int i = 0; i < tree.num_links(); ++i) {
    const Link& link = tree.link(i);
    const int offset = quaternion_offset(link.joint);
    double* own = q.data() + link.q_start;
    const double* speeds = v.data() + link.v_start;
    for (int k = 0; k < (offset >= 0 ? offset : link.num_v); ++k) own[k] += h * speeds[k];
    if (offset >= 0) turn_quaternion(h * Eigen::Map<const Vec3>(speeds + angular_offset(link.joint)), own + offset);
  }
}

void normalize_free_leaf_quaternions(const Tree& tree, int begin, int end, std::span<double> q) {
  for (int k = begin; k < end; ++k) normalize(q.data() + tree.free_leaf_data()[k].q_start + 3);
}

bool has_unit_quaternions(const Tree& tree, std::span<const double> q) {
  constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
  for (int i = 0; i < tree.num_links(); ++i) {
    const Link& link = tree.link(i);
    const int offset = quaternion_offset(link.joint);
    if (offset >= 0 && !(std::abs(calc_squared_norm(q.data() + link.q_start + offset) - 1.0) <= kRounding))
      return false;
  }
  return true;
}

void normalize_quaternions(const Tree& tree, std::span<double> q) {
  check_sizes(tree, q.size(), static_cast<std::size_t>(tree.num_v()));
  for (int i = 0; i < tree.num_links(); ++i) {
    const Link& link = tree.link(i);
    const int offset = quaternion_offset(link.joint);
    if (offset < 0) continue;
    normalize(q.data() + link.q_start + offset);
  }
}

}  // namespace abut
