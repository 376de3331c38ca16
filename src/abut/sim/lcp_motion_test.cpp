#include <cmath>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

constexpr double kGravity = 9.81;

SceneSpec make_stepped(RunSpec::Method method, double step, double duration) {
  SceneSpec scene;
  scene.run.method = method;
  scene.run.step = step;
  scene.run.duration = duration;
  return scene;
}

JointSpec make_joint(const std::string& name, JointSpec::Type type, const std::string& parent,
                     const std::string& child) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.axis = Vec3::UnitY();
  return joint;
}

/// Links of 0.2 m and 0.2 kg, each hung on the end of the one before, the first let go at 1.2 rad.
SceneSpec make_chain(RunSpec::Method method, double step, double duration) {
  SceneSpec scene = make_stepped(method, step, duration);
  for (int k = 0; k < 4; ++k) {
    BodySpec link;
    link.name = "link" + std::to_string(k);
    link.mass = 0.2;
    link.center_of_mass = Vec3(0, 0, -0.1);
    link.inertia.emplace();
    link.inertia->numbers = {7e-4, 7e-4, 1e-4};
    scene.body.push_back(link);
    JointSpec joint = make_joint("hinge" + std::to_string(k), JointSpec::Type::revolute,
                                 k == 0 ? "world" : "link" + std::to_string(k - 1), link.name);
    if (k > 0) joint.parent_position = Vec3(0, 0, -0.2);
    joint.coordinates = {k == 0 ? 1.2 : 0.0};
    scene.joint.push_back(joint);
  }
  return scene;
}

// Explicit centrifugal forces made 18 % of the turnover in 20 s. At the mean of the speeds the energy only swings by
// what moves within half a step.
TEST(LcpMotion, ASwingingChainKeepsItsEnergy) {
  for (const RunSpec::Method method : {RunSpec::Method::lcp, RunSpec::Method::ncp}) {
    MemorySink sink;
    const RunSummary summary = simulate(compile(make_chain(method, 1e-3, 5.0)), sink);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    EXPECT_TRUE(summary.notes.empty()) << summary.notes.front();
    for (const Sample& s : sink.samples) {
      ASSERT_NEAR(calc_stored(s), calc_stored(sink.samples.front()), 0.01 * summary.energy_turnover) << s.time;
    }
    EXPECT_LE(std::abs(summary.worst_residual), 1e-10);
  }
}

/// An arm of 1 kg whose centre is half a metre from its hinge, level.
SceneSpec make_arm(RunSpec::Method method, double duration) {
  SceneSpec scene = make_stepped(method, 1e-3, duration);
  BodySpec arm;
  arm.name = "arm";
  arm.mass = 1.0;
  arm.center_of_mass = Vec3(0.5, 0, 0);
  arm.inertia.emplace();
  arm.inertia->numbers = {0.1, 0.1, 0.1};
  scene.body = {arm};
  scene.joint = {make_joint("shoulder", JointSpec::Type::revolute, "world", "arm")};
  scene.joint[0].coordinates = {0.0};
  return scene;
}

// Dry friction of 10 N m holds the 4.9 N m of the weight; with 4 N m the arm turns as the difference says.
TEST(LcpMotion, JointFrictionHoldsOrBrakes) {
  for (const RunSpec::Method method : {RunSpec::Method::lcp, RunSpec::Method::ncp}) {
    SceneSpec scene = make_arm(method, 1.0);
    scene.joint[0].friction.emplace();
    scene.joint[0].friction->coulomb = 10.0;
    MemorySink held;
    simulate(compile(scene), held);
    EXPECT_NEAR(held.samples.back().q[0], 0.0, 1e-9);
    EXPECT_NEAR(std::abs(held.samples.back().joint_force[0]), 0.5 * kGravity, 1e-4);

    scene.joint[0].friction->coulomb = 4.0;
    scene.run.duration = 0.05;
    MemorySink braked;
    const RunSummary summary = simulate(compile(scene), braked);
    const double rate = (0.5 * kGravity - 4.0) / (0.1 + 0.25) * 0.05;
    EXPECT_NEAR(std::abs(braked.samples.back().v[0]), rate, 1e-3 * rate);  // the arm has turned by 3 mrad
    const double turned = std::abs(braked.samples.back().q[0]);
    EXPECT_NEAR(summary.energy[Energy::joint_friction], 4.0 * turned, 1e-6);
    EXPECT_LE(std::abs(summary.worst_residual), 1e-10);
  }
}

// A gain whose time constant is a fifth of the step: the cart is at its speed after a few of them.
TEST(LcpMotion, AStiffMotorReachesItsSpeed) {
  for (const RunSpec::Method method : {RunSpec::Method::lcp, RunSpec::Method::ncp}) {
    for (const double limit : {0.0, 20.0}) {
      SceneSpec scene = make_arm(method, 0.2);
      scene.gravity = Vec3::Zero();
      scene.joint[0].type = JointSpec::Type::prismatic;
      MotorSpec motor;
      motor.mode = MotorSpec::Mode::velocity;
      motor.value = 1.0;
      motor.gain = 5000.0;
      if (limit > 0.0) motor.force_limit = limit;
      scene.joint[0].motor = motor;
      MemorySink sink;
      const RunSummary summary = simulate(compile(scene), sink);
      ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
      EXPECT_NEAR(sink.samples.back().v[0], 1.0, 1e-6);
      // With a limit of 20 N the kilogram takes 50 ms to get there, and 25 mm of way.
      const double early = limit > 0.0 ? 0.025 : 0.0;
      EXPECT_NEAR(sink.samples.back().q[0], 0.2 - early, 1.5e-3);
      // ncp leaves 1e-9 of the terms, of 5 N s here.
      const double tolerance = method == RunSpec::Method::lcp ? 1e-10 : 1e-6;
      EXPECT_NEAR(summary.energy[Energy::motor] - summary.energy[Energy::time_stepping], 0.5, tolerance);
      EXPECT_LE(std::abs(summary.worst_residual), tolerance);
    }
  }
}

// A joint spring whose period is a third of the step rings with the step, and does not grow: by the rule's own
// dispersion at most 1 / sqrt(1 - s / 4) = 8.5 times, s = h^2 k / (m + h^2 k / 4).
TEST(LcpMotion, AStiffJointSpringStaysBounded) {
  SceneSpec scene = make_arm(RunSpec::Method::lcp, 0.5);
  scene.joint[0].stiffness = 1e8;
  scene.joint[0].coordinates = {1e-4};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  for (const Sample& s : sink.samples) ASSERT_LE(std::abs(s.q[0]), 8.6e-4) << s.time;
}

// The work of a platform that moves up and down with a ball on it: its force at the mean of the rates, exactly.
TEST(LcpMotion, WorkOfPrescribedMotionBalances) {
  SceneSpec scene = make_stepped(RunSpec::Method::lcp, 1e-3, 1.25);
  BodySpec deck = make_floor();
  deck.fixed = false;
  deck.name = "deck";
  deck.mass = 100.0;
  deck.inertia.emplace();
  deck.inertia->numbers = {10, 10, 10};
  scene.body = {make_ball("ball", 2.0, 0.1, Vec3(0, 0, 0.1), Vec3(0, 0, 0.628319)), deck};
  JointSpec lift = make_joint("lift", JointSpec::Type::prismatic, "world", "deck");
  lift.axis = Vec3::UnitZ();
  lift.motion.emplace();
  SineMotionSpec motion;
  motion.amplitude = 0.1;
  motion.frequency = 1.0;
  lift.motion->kind = motion;
  scene.joint = {lift};
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e6, 1.0)};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  EXPECT_LE(std::abs(summary.worst_residual), 1e-9 * summary.energy_turnover);
}

// A steady spin turns by h w in a step, also where that is two radians; q + h q' would make pi / 2 of them.
TEST(LcpMotion, ASpinningBodyTurnsAsFarAsItsSpeedSays) {
  for (const bool is_jointed : {false, true}) {
    for (const RunSpec::Method method : {RunSpec::Method::lcp, RunSpec::Method::ncp}) {
      SceneSpec scene = make_stepped(method, 5e-3, 0.05);
      scene.gravity = Vec3::Zero();
      scene.body = {make_ball("top", 1.0, 0.1, Vec3::Zero())};
      if (is_jointed) {
        scene.joint = {make_joint("socket", JointSpec::Type::spherical, "world", "top")};
        scene.joint[0].velocities = {0, 400, 0};
      } else {
        scene.body[0].angular_velocity = Vec3(0, 400, 0);
      }
      MemorySink sink;
      simulate(compile(scene), sink);
      const Quat expected(Eigen::AngleAxisd(20.0, Vec3::UnitY()));
      EXPECT_NEAR(std::abs(sink.samples.back().bodies[0].orientation.dot(expected)), 1.0, 1e-9) << is_jointed;
    }
  }
}

// Which of the points of two capsules takes over from another is told by a gap that is no distance. It was taken for an
// overlap, and threw the upper capsule up by 5 mm within a step.
TEST(LcpMotion, ACapsuleLaidOnACapsuleStays) {
  SceneSpec scene = make_stepped(RunSpec::Method::lcp, 1e-3, 0.05);
  scene.gravity = Vec3(-9.81, 0, 0);
  scene.body = {make_ball("upper", 1.0, 1.0, Vec3::Zero()), make_ball("lower", 1.0, 1.0, Vec3::Zero())};
  for (BodySpec& body : scene.body) body.shape = {make_shape_spec(CapsuleSpec{0.04, 0.1})};
  scene.body[1].fixed = true;
  scene.body[1].mass.reset();
  JointSpec guide = make_joint("guide", JointSpec::Type::prismatic, "world", "upper");
  guide.axis = Vec3::UnitX();
  // Leaning by 2.6 degrees and turned by 0.1: an end of the upper one touches, 5e-8 m above where it would.
  guide.child_orientation = Quat(Eigen::AngleAxisd(M_PI / 36.0, Vec3(0, -0.6, 1).normalized()));
  const double touch = 0.08224201894769784, above = 5e-8;
  guide.coordinates = {touch + above};
  scene.joint = {guide};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.3)};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  for (const Sample& sample : sink.samples) EXPECT_NEAR(sample.bodies[0].position.x(), touch, 2.0 * above);
}

}  // namespace
}  // namespace abut
