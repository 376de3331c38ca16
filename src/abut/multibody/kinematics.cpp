#include "abut/multibody/kinematics.hpp"

#include <iterator>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// Motion of M relative to F, in world axes.
struct JointMotion {
  Vec3 angular = Vec3::Zero();       ///< angular velocity [rad/s]
  Vec3 linear = Vec3::Zero();        ///< velocity of M's origin seen from F [m/s]
  Vec3 angular_bias = Vec3::Zero();  ///< angular acceleration seen from F at vdot = 0 [rad/s^2]
};

/// Writes the columns of S (arm: from M's origin to the centre of mass [m]) and returns the joint's motion.
class SubspaceWriter {
 public:
  SubspaceWriter(Mat6X& S, int column, const double* v, const Vec3& arm) : S_(S), column_(column), v_(v), arm_(arm) {}

  void add_rotation(const Vec3& axis) {
    S_.col(column_).head<3>() = axis.cross(arm_);
    S_.col(column_++).tail<3>() = axis;
    motion_.angular += axis * *v_++;
  }
  void add_translation(const Vec3& axis) {
    S_.col(column_).head<3>() = axis;
    S_.col(column_++).tail<3>().setZero();
    motion_.linear += axis * *v_++;
  }
  JointMotion& motion() { return motion_; }

 private:
  Mat6X& S_;
  int column_;
  const double* v_;
  Vec3 arm_;
  JointMotion motion_;
};

JointMotion write_subspace(const Link& link, const Mat3& R_WF, const double* q, const double* v, const Vec3& arm,
                           Mat6X& S) {
  SubspaceWriter writer(S, link.subspace_start, v, arm);
  switch (link.joint) {
    case JointType::revolute:
      writer.add_rotation(R_WF * link.axes[0]);
      break;
    case JointType::prismatic:
      writer.add_translation(R_WF * link.axes[0]);
      break;
    case JointType::spherical:
      for (int k = 0; k < 3; ++k) writer.add_rotation(R_WF.col(k));
      break;
    case JointType::universal: {
      const Vec3 first = R_WF * link.axes[0];
      const Vec3 second = R_WF * (Eigen::AngleAxisd(q[0], link.axes[0]) * link.axes[1]);
      writer.add_rotation(first);
      writer.add_rotation(second);
      writer.motion().angular_bias = first.cross(second) * (v[0] * v[1]);
      break;
    }
    case JointType::planar:
      writer.add_translation(R_WF * link.axes[0]);
      writer.add_translation(R_WF * link.axes[1]);
      writer.add_rotation(R_WF * link.axes[2]);
      break;
    case JointType::translational:
      for (int k = 0; k < 3; ++k) writer.add_translation(R_WF.col(k));
      break;
    case JointType::fixed:
    case JointType::free:
      break;
  }
  return writer.motion();
}

void calc_free_link(int index, const double* q, const double* v, const Vec3& p_BCm, Kinematics& k) {
  const std::size_t i = static_cast<std::size_t>(index);
  const Vec3 p_WCm(q[0], q[1], q[2]);
  Pose& X_WB = k.X_WB[i];
  X_WB.R = calc_unit_quaternion(q + 3).toRotationMatrix();
  X_WB.p = p_WCm - X_WB.R * p_BCm;
  k.p_WCm[i] = p_WCm;
  k.v_WCm[i] = Vec3(v[0], v[1], v[2]);
  k.w_WB[i] = Vec3(v[3], v[4], v[5]);
}

void calc_jointed_link(const Tree& tree, int index, const double* q, const double* v, Kinematics& k) {
  const Link& link = tree.link(index);
  const std::size_t i = static_cast<std::size_t>(index);
  Pose X_WP;
  Vec3 p_WP = Vec3::Zero(), v_P = Vec3::Zero(), w_P = Vec3::Zero();
  if (link.parent != kWorld) {
    const std::size_t p = static_cast<std::size_t>(link.parent);
    X_WP = k.X_WB[p];
    p_WP = k.p_WCm[p];
    v_P = k.v_WCm[p];
    w_P = k.w_WB[p];
  }
  const Pose X_WF = X_WP * link.X_PF;
  const Pose X_WM = X_WF * calc_joint_pose(link.joint, link.axes, q);
  k.X_WB[i] = X_WM * link.X_MB;
  k.p_WCm[i] = k.X_WB[i] * link.mass.center_of_mass;

  const Vec3 e = X_WM.p - p_WP;        // moves with the parent, apart from the joint's own travel
  const Vec3 s = k.p_WCm[i] - X_WM.p;  // fixed in the child
  const JointMotion joint = write_subspace(link, X_WF.R, q, v, s, k.S);
  const Vec3 w = w_P + joint.angular;
  k.w_WB[i] = w;
  k.v_WCm[i] = v_P + w_P.cross(e) + joint.linear + w.cross(s);

  const Vec3 angular_bias = w_P.cross(joint.angular) + joint.angular_bias;
  Vec6& bias = k.bias[static_cast<std::size_t>(link.articulated_index)];
  bias.head<3>() = w_P.cross(w_P.cross(e) + 2.0 * joint.linear) + angular_bias.cross(s) + w.cross(w.cross(s));
  bias.tail<3>() = angular_bias;
}

}  // namespace

void Kinematics::resize(const Tree& tree) {
  const std::size_t n = static_cast<std::size_t>(tree.num_links());
  X_WB.resize(n);
  p_WCm.resize(n, Vec3::Zero());
  v_WCm.resize(n, Vec3::Zero());
  w_WB.resize(n, Vec3::Zero());
  bias.resize(tree.articulated_links().size(), Vec6::Zero());
  if (S.cols() != tree.num_subspace_columns()) S.setZero(6, tree.num_subspace_columns());
}

void calc_kinematics(const Tree& tree, std::span<const double> q, std::span<const double> v, Kinematics& kinematics) {
  kinematics.resize(tree);
  calc_free_leaf_kinematics(tree, 0, tree.num_free_leaves(), q, v, kinematics);
  calc_articulated_kinematics(tree, q, v, kinematics);
}

void calc_free_leaf_kinematics(const Tree& tree, int begin, int end, std::span<const double> q,
                               std::span<const double> v, Kinematics& kinematics) {
  ABUT_REQUIRE(std::ssize(q) == tree.num_q() && std::ssize(v) == tree.num_v(),
               "{} coordinates and {} speeds for {} and {}", q.size(), v.size(), tree.num_q(), tree.num_v());
  const std::span<const FreeLeaf> leaves = tree.free_leaf_data();
  for (int k = begin; k < end; ++k) {
    const FreeLeaf& leaf = leaves[static_cast<std::size_t>(k)];
    calc_free_link(leaf.link, q.data() + leaf.q_start, v.data() + leaf.v_start, leaf.p_BCm, kinematics);
  }
}

void calc_articulated_kinematics(const Tree& tree, std::span<const double> q, std::span<const double> v,
                                 Kinematics& kinematics) {
  ABUT_REQUIRE(std::ssize(q) == tree.num_q() && std::ssize(v) == tree.num_v(),
               "{} coordinates and {} speeds for {} and {}", q.size(), v.size(), tree.num_q(), tree.num_v());
  for (const int index : tree.articulated_links()) {
    const Link& link = tree.link(index);
    const double* own_q = q.data() + link.q_start;
    const double* own_v = v.data() + link.v_start;
    if (link.joint == JointType::free) {
      calc_free_link(index, own_q, own_v, link.mass.center_of_mass, kinematics);
    } else {
      calc_jointed_link(tree, index, own_q, own_v, kinematics);
    }
  }
}

}  // namespace abut
