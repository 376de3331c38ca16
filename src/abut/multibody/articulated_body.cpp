#include "abut/multibody/articulated_body.hpp"

#include <limits>

#include <Eigen/Cholesky>

#include "abut/multibody/spatial.hpp"

namespace abut {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <int N>
using Column = Eigen::Matrix<double, N, 1>;

template <int N>
Column<N> read(std::span<const double> all, int start) {
  if (all.empty()) return Column<N>::Zero();
  return Eigen::Map<const Column<N>>(all.data() + start);
}

/// Free joints have S = 1 and hang on the world, so nothing is handed on.
void reduce_free(const Link& link, const JointInput& input, ArticulatedBody& body) {
  if (link.prescribed) return;
  const Eigen::LLT<Mat6> factor(body.I);
  body.free_rate = factor.solve(read<6>(input.tau, link.v_start) - body.p);
  if (factor.info() != Eigen::Success) body.free_rate.setConstant(kNaN);
}

/// Completes `body` and leaves in (I, p) what the parent feels through the joint.
template <int N>
void reduce_joint(const Link& link, const Kinematics& k, const JointInput& input, const Vec6& bias,
                  ArticulatedBody& body, Mat6& I, Vec6& p) {
  const Eigen::Matrix<double, 6, N> S = k.S.template middleCols<N>(link.subspace_start);
  if (link.prescribed) {
    const Vec6 a = bias + S * read<N>(input.prescribed_acceleration, link.v_start);
    I = body.I;
    p = body.p + body.I * a;
    return;
  }
  const Eigen::Matrix<double, 6, N> U = body.I * S;
  const Eigen::Matrix<double, N, N> D = S.transpose() * U;
  const Eigen::LLT<Eigen::Matrix<double, N, N>> factor(D);
  const Eigen::Matrix<double, N, 6> gain = factor.solve(U.transpose());
  Column<N> rate = factor.solve(read<N>(input.tau, link.v_start) - S.transpose() * body.p);
  if (factor.info() != Eigen::Success) rate.setConstant(kNaN);
  body.gain.template topRows<N>() = gain;
  body.free_rate.template head<N>() = rate;
  I.noalias() = body.I - U * gain;
  // Rounding in U gain is not symmetric; left alone it would grow from link to link.
  I = (0.5 * (I + I.transpose())).eval();
  p = body.p + I * bias + U * rate;
}

void reduce(const Link& link, const Kinematics& k, const JointInput& input, const Vec6& bias, ArticulatedBody& body,
            Mat6& I, Vec6& p) {
  switch (link.num_v) {
    case 1:
      return reduce_joint<1>(link, k, input, bias, body, I, p);
    case 2:
      return reduce_joint<2>(link, k, input, bias, body, I, p);
    case 3:
      return reduce_joint<3>(link, k, input, bias, body, I, p);
    default:
      I = body.I;
      p = body.p + body.I * bias;
  }
}

template <int N>
void expand_joint(const Link& link, const Eigen::Matrix<double, 6, N>& S, const Vec6& a_carried,
                  const JointInput& input, ArticulatedBody& body, std::span<double> vdot,
                  std::span<double> prescribed_force) {
  Column<N> rate;
  if (link.prescribed) {
    rate = read<N>(input.prescribed_acceleration, link.v_start);
  } else {
    rate = body.free_rate.template head<N>() - body.gain.template topRows<N>() * a_carried;
  }
  body.a = a_carried + S * rate;
  if (!vdot.empty()) Eigen::Map<Column<N>>(vdot.data() + link.v_start) = rate;
  if (prescribed_force.empty()) return;
  Column<N> force = Column<N>::Zero();
  if (link.prescribed) force = S.transpose() * (body.I * body.a + body.p) - read<N>(input.tau, link.v_start);
  Eigen::Map<Column<N>>(prescribed_force.data() + link.v_start) = force;
}

void expand_free(const Link& link, const JointInput& input, ArticulatedBody& body, std::span<double> vdot,
                 std::span<double> prescribed_force) {
  body.gain.setZero();
  expand_joint<6>(link, Mat6::Identity(), Vec6::Zero(), input, body, vdot, prescribed_force);
}

}  // namespace

void set_rigid_bodies(const Tree& tree, const Kinematics& kinematics, IndexRange range,
                      std::span<ArticulatedBody> bodies) {
  for (int n = range.begin; n < range.end; ++n) {
    const int index = tree.articulated_links()[static_cast<std::size_t>(n)];
    ArticulatedBody& body = bodies[static_cast<std::size_t>(n - range.begin)];
    body.I = spatial::calc_rigid_inertia(tree.link(index), index, kinematics);
    body.p.setZero();
  }
}

void reduce_bodies(const Tree& tree, const Kinematics& kinematics, IndexRange range, const JointInput& input,
                   std::span<ArticulatedBody> bodies) {
  for (int n = range.end - 1; n >= range.begin; --n) {
    const int index = tree.articulated_links()[static_cast<std::size_t>(n)];
    const Link& link = tree.link(index);
    ArticulatedBody& body = bodies[static_cast<std::size_t>(n - range.begin)];
    if (link.joint == JointType::free) {
      reduce_free(link, input, body);
      continue;
    }
    Vec6 bias = Vec6::Zero();
    if (input.use_bias) bias = kinematics.bias[static_cast<std::size_t>(n)];
    Mat6 I;
    Vec6 p;
    reduce(link, kinematics, input, bias, body, I, p);
    if (link.parent == kWorld) continue;
    const Vec3 r = spatial::calc_arm(link, index, kinematics);
    ArticulatedBody& parent = bodies[static_cast<std::size_t>(tree.link(link.parent).articulated_index - range.begin)];
    parent.I += spatial::shift_inertia(I, r);
    parent.p += spatial::shift_force(p, r);
  }
}

void expand_bodies(const Tree& tree, const Kinematics& kinematics, IndexRange range, const JointInput& input,
                   std::span<ArticulatedBody> bodies, std::span<double> vdot, std::span<double> prescribed_force) {
  for (int n = range.begin; n < range.end; ++n) {
    const int index = tree.articulated_links()[static_cast<std::size_t>(n)];
    const Link& link = tree.link(index);
    ArticulatedBody& body = bodies[static_cast<std::size_t>(n - range.begin)];
    if (link.joint == JointType::free) {
      expand_free(link, input, body, vdot, prescribed_force);
      continue;
    }
    Vec6 a = Vec6::Zero();
    if (input.use_bias) a = kinematics.bias[static_cast<std::size_t>(n)];
    if (link.parent != kWorld) {
      const int parent = tree.link(link.parent).articulated_index - range.begin;
      a +=
          spatial::shift_motion(bodies[static_cast<std::size_t>(parent)].a, spatial::calc_arm(link, index, kinematics));
    }
    const Mat6X& S = kinematics.S;
    switch (link.num_v) {
      case 1:
        expand_joint<1>(link, S.middleCols<1>(link.subspace_start), a, input, body, vdot, prescribed_force);
        break;
      case 2:
        expand_joint<2>(link, S.middleCols<2>(link.subspace_start), a, input, body, vdot, prescribed_force);
        break;
      case 3:
        expand_joint<3>(link, S.middleCols<3>(link.subspace_start), a, input, body, vdot, prescribed_force);
        break;
      default:
        body.a = a;
    }
  }
}

}  // namespace abut
