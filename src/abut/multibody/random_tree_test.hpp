#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "abut/multibody/dynamics.hpp"

/// Seeded systems and states for the tests of this layer.
namespace abut::test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  /// Uniform in [-1, 1]; from the engine's bits, so that every standard library gives the same systems.
  double number() { return 2.0 * static_cast<double>(engine_()) / static_cast<double>(engine_.max()) - 1.0; }
  int below(int count) { return static_cast<int>(engine_() % static_cast<unsigned>(count)); }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  VecX vector(int size) {
    VecX x(size);
    for (int i = 0; i < size; ++i) x[i] = number();
    return x;
  }
  Quat rotation() {
    const double w = number(), x = number(), y = number(), z = number();
    return Quat(w + 2.0, x, y, z).normalized();
  }
  Pose pose() {
    const Quat turn = rotation();
    return {turn, vector()};
  }
  MassProperties mass() {
    MassProperties m;
    m.mass = 1.5 + number();
    m.center_of_mass = 0.3 * vector();
    const Mat3 R = rotation().toRotationMatrix();
    // Principal moments of a box with sides around 0.5 m, so that they obey the triangle inequality.
    const Vec3 side = Vec3::Constant(0.5) + 0.3 * vector();
    const Vec3 square = side.cwiseProduct(side);
    const Vec3 moments = m.mass / 12.0 * (Vec3::Constant(square.sum()) - square);
    m.inertia = R * moments.asDiagonal() * R.transpose();
    return m;
  }

 private:
  std::mt19937 engine_;
};

inline LinkSpec make_random_link(Random& random, JointType joint, int parent) {
  LinkSpec spec;
  spec.name = std::string(joint_type_name(joint));
  spec.parent = joint == JointType::free ? kWorld : parent;
  spec.joint = joint;
  spec.X_PF = random.pose();
  spec.X_BM = random.pose();
  spec.axis = random.vector();
  spec.axis_2 = spec.axis.cross(random.vector());
  spec.mass = random.mass();
  return spec;
}

/// All joint types in turn, shuffled parents (several roots, some static, some floating); every fifth link prescribed
/// if asked.
inline std::vector<LinkSpec> make_random_specs(unsigned seed, int num_links, bool with_prescribed = false) {
  Random random(seed);
  std::vector<LinkSpec> specs;
  for (int i = 0; i < num_links; ++i) {
    const JointType joint = kAllJointTypes[static_cast<std::size_t>(random.below(8))];
    specs.push_back(make_random_link(random, joint, random.below(i + 1) - 1));
    specs.back().prescribed = with_prescribed && i % 5 == 1;
  }
  return specs;
}

/// One of each joint type in a chain under a floating base.
inline std::vector<LinkSpec> make_floating_chain(unsigned seed) {
  Random random(seed);
  std::vector<LinkSpec> specs = {make_random_link(random, JointType::free, kWorld)};
  for (const JointType joint : kAllJointTypes) {
    if (joint != JointType::free) specs.push_back(make_random_link(random, joint, static_cast<int>(specs.size()) - 1));
  }
  return specs;
}

/// A state with its kinematics; quaternions of unit length.
struct RandomState {
  RandomState(const Tree& tree, unsigned seed) {
    Random random(seed);
    q = make_neutral_q(tree) + 0.9 * random.vector(tree.num_q());
    normalize_quaternions(tree, as_span(q));
    v = random.vector(tree.num_v());
    calc_kinematics(tree, as_span(q), as_span(v), kinematics);
  }
  VecX q, v;
  Kinematics kinematics;
};

inline std::vector<Wrench> make_random_wrenches(const Tree& tree, unsigned seed) {
  Random random(seed);
  std::vector<Wrench> wrenches(static_cast<std::size_t>(tree.num_links()));
  for (Wrench& wrench : wrenches) {
    wrench.force = 5.0 * random.vector();
    wrench.torque = random.vector();
  }
  return wrenches;
}

inline double relative_difference(const VecX& a, const VecX& b) {
  return (a - b).norm() / std::max(1.0, std::max(a.norm(), b.norm()));
}

}  // namespace abut::test
