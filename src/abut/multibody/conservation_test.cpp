#include <cmath>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

#include "abut/multibody/random_tree_test.hpp"

namespace abut {
namespace {

/// A tree in motion under gravity, stepped by classical Runge-Kutta.
class Motion {
 public:
  Motion(const Tree& tree, const Vec3& gravity, VecX q, VecX v)
      : tree_(tree), gravity_(gravity), q_(std::move(q)), v_(std::move(v)) {}

  void run(double duration, int steps) {
    const double h = duration / steps;
    for (int n = 0; n < steps; ++n) step(h);
  }
  const VecX& q() const { return q_; }
  const VecX& v() const { return v_; }
  const Kinematics& kinematics() {
    calc_kinematics(tree_, as_span(q_), as_span(v_), kinematics_);
    return kinematics_;
  }
  double energy() {
    const Kinematics& k = kinematics();
    return calc_kinetic_energy(tree_, k) + calc_potential_energy(tree_, k, gravity_);
  }
  Momentum momentum() { return calc_momentum(tree_, kinematics()); }

 private:
  void calc_rates(const VecX& q, const VecX& v, VecX& q_dot, VecX& v_dot) {
    q_dot.resize(tree_.num_q());
    v_dot.resize(tree_.num_v());
    calc_kinematics(tree_, as_span(q), as_span(v), kinematics_);
    calc_q_dot(tree_, as_span(q), as_span(v), as_span(q_dot));
    calc_forward_dynamics(tree_, kinematics_, {gravity_, {}, {}}, {}, workspace_, as_span(v_dot));
  }
  void step(double h) {
    VecX a1, a2, a3, a4, b1, b2, b3, b4;
    calc_rates(q_, v_, a1, b1);
    calc_rates(q_ + 0.5 * h * a1, v_ + 0.5 * h * b1, a2, b2);
    calc_rates(q_ + 0.5 * h * a2, v_ + 0.5 * h * b2, a3, b3);
    calc_rates(q_ + h * a3, v_ + h * b3, a4, b4);
    q_ += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    v_ += h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4);
    normalize_quaternions(tree_, as_span(q_));
  }

  const Tree& tree_;
  Vec3 gravity_;
  VecX q_, v_;
  Kinematics kinematics_;
  DynamicsWorkspace workspace_;
};

struct Drift {
  double energy, linear, angular;
};

Drift calc_drift(const Tree& tree, const test::RandomState& state, const Vec3& gravity, int steps) {
  Motion motion(tree, gravity, state.q, state.v);
  const double energy = motion.energy();
  const Momentum before = motion.momentum();
  motion.run(0.5, steps);
  const Momentum after = motion.momentum();
  return {std::abs(motion.energy() - energy), (after.linear - before.linear).norm(),
          (after.angular - before.angular).norm()};
}

class FloatingTrees : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, FloatingTrees, testing::Range(400u, 405u));

TEST_P(FloatingTrees, EnergyAndMomentumDriftVanishWithOrderFour) {
  const Tree tree(test::make_floating_chain(GetParam()));
  const test::RandomState state(tree, GetParam() + 50);
  const Drift coarse = calc_drift(tree, state, Vec3::Zero(), 100), fine = calc_drift(tree, state, Vec3::Zero(), 200);
  // At least order four (energy drift is often of order five); 0.5 below for terms of higher order.
  EXPECT_GT(std::log2(coarse.energy / fine.energy), 3.5);
  EXPECT_GT(std::log2(coarse.linear / fine.linear), 3.5);
  EXPECT_GT(std::log2(coarse.angular / fine.angular), 3.5);
  EXPECT_LT(fine.energy, 1e-4);
}

TEST(Conservation, EnergyOfAGroundedTreeUnderGravity) {
  const Tree tree(test::make_random_specs(410, 8));
  const test::RandomState state(tree, 411);
  const Vec3 gravity(0.0, 0.0, -9.81);
  const Drift coarse = calc_drift(tree, state, gravity, 200), fine = calc_drift(tree, state, gravity, 400);
  EXPECT_GT(std::log2(coarse.energy / fine.energy), 3.5);
}

TEST(Conservation, GravityFeedsMomentumAtTheRateOfTheWeight) {
  const Tree tree(test::make_floating_chain(420));
  const test::RandomState state(tree, 421);
  const Vec3 gravity(0.0, 0.0, -9.81);
  double mass = 0.0;
  for (int i = 0; i < tree.num_links(); ++i) mass += tree.link(i).mass.mass;
  Motion motion(tree, gravity, state.q, state.v);
  const Vec3 before = motion.momentum().linear;
  motion.run(0.25, 400);
  // RK4 error of the chain's motion at this step, well below 1e-6 of the impulse.
  EXPECT_LT((motion.momentum().linear - before - 0.25 * mass * gravity).norm(), 1e-6 * mass * 9.81 * 0.25);
}

TEST(Conservation, FreeFlightIsAnExactParabola) {
  test::Random random(430);
  const Tree tree({test::make_random_link(random, JointType::free, kWorld)});
  const test::RandomState state(tree, 431);
  const Vec3 gravity(0.1, 0.0, -9.81);
  Motion motion(tree, gravity, state.q, state.v);
  motion.run(1.0, 10);
  const Vec3 expected = Vec3(state.q.head<3>()) + Vec3(state.v.head<3>()) + 0.5 * gravity;
  EXPECT_LT((Vec3(motion.q().head<3>()) - expected).norm(), 1e-14);  // rounding only, though the steps are coarse
}

TEST(Conservation, SymmetricTopPrecessesSteadily) {
  // Torque-free: in the body the transverse angular velocity turns at (I3 - I1) / I1 w3.
  const double I1 = 0.6, I3 = 1.0, w3 = 5.0;
  const Tree tree({LinkSpec{.name = "top", .mass = {1.0, Vec3::Zero(), Vec3(I1, I1, I3).asDiagonal()}}});
  VecX v = VecX::Zero(6);
  v.tail<3>() = Vec3(0.4, 0.0, w3);
  Motion motion(tree, Vec3::Zero(), make_neutral_q(tree), v);
  const double rate = (I3 - I1) / I1 * w3, duration = 0.8 * 2.0 * std::numbers::pi / rate;
  motion.run(duration, 4000);
  const Vec3 w_B = motion.kinematics().X_WB[0].R.transpose() * motion.kinematics().w_WB[0];
  // RK4 at 0.5 ms and rates of 5 rad/s: (h w)^4 = 4e-12 a radian.
  EXPECT_NEAR(w_B.x(), 0.4 * std::cos(rate * duration), 1e-9);
  EXPECT_NEAR(w_B.y(), 0.4 * std::sin(rate * duration), 1e-9);
  EXPECT_NEAR(w_B.z(), w3, 1e-9);
}

TEST(Conservation, HeavyTopPrecessesAtTheSteadyRate) {
  // Spherical joint at the tip, tilt b, spin w3 = p cos b + s: steady precession p satisfies
  // (I3 w3 - I1 p cos b) p = m g l, with I1 about the tip.
  const double m = 1.0, l = 0.2, g = 9.81, I1c = 0.02, I3 = 0.05, tilt = 0.5, precession = 2.0;
  const double I1 = I1c + m * l * l;
  const double w3 = (m * g * l / precession + I1 * precession * std::cos(tilt)) / I3;
  LinkSpec top{.name = "top", .joint = JointType::spherical};
  top.mass = {m, Vec3(0.0, 0.0, l), Vec3(I1c, I1c, I3).asDiagonal()};
  const Tree tree({top});
  VecX q(4), v(3);
  q << std::cos(0.5 * tilt), 0.0, std::sin(0.5 * tilt), 0.0;
  const Vec3 axis(std::sin(tilt), 0.0, std::cos(tilt));
  v = precession * Vec3::UnitZ() + (w3 - precession * std::cos(tilt)) * axis;
  Motion motion(tree, Vec3(0.0, 0.0, -g), q, v);
  const double duration = 1.0;
  motion.run(duration, 4000);
  const Vec3 end = motion.kinematics().p_WCm[0] / l;
  // RK4 at 0.25 ms and a spin of some 60 rad/s: (h w)^4 = 5e-8 a radian of spin, of which the axis feels little.
  EXPECT_NEAR(end.z(), std::cos(tilt), 1e-7);
  EXPECT_NEAR(end.x(), std::sin(tilt) * std::cos(precession * duration), 1e-7);
  EXPECT_NEAR(end.y(), std::sin(tilt) * std::sin(precession * duration), 1e-7);
}

TEST(Conservation, PendulumPeriodOfLargeSwings) {
  // Exact period by the arithmetic-geometric mean: T = 2 pi sqrt(l/g) / agm(1, cos(amplitude / 2)).
  const double l = 1.3, g = 9.81, amplitude = 2.0;
  double a = 1.0, b = std::cos(0.5 * amplitude);
  for (int k = 0; k < 6; ++k) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  const double period = 2.0 * std::numbers::pi * std::sqrt(l / g) / a;
  LinkSpec bob{.name = "bob", .joint = JointType::revolute, .axis = Vec3::UnitY()};
  bob.mass = {0.7, Vec3(0.0, 0.0, -l), Mat3::Zero()};
  const Tree tree({bob});
  Motion motion(tree, Vec3(0.0, 0.0, -g), VecX::Constant(1, amplitude), VecX::Zero(1));
  motion.run(period, 2000);
  // RK4 with 2000 steps a period.
  EXPECT_NEAR(motion.q()[0], amplitude, 1e-9);
  EXPECT_NEAR(motion.v()[0], 0.0, 1e-9);
}

}  // namespace
}  // namespace abut
