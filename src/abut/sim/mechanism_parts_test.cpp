#include "abut/sim/mechanism_parts.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/multibody/dynamics.hpp"
#include "abut/scene/validate.hpp"
#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

/// Two free bodies and a bushing with a full matrix, turned against each other by about a radian.
struct Pair {
  Tree tree;
  Bushing bushing;
  VecX q, v;

  Pair() {
    std::vector<LinkSpec> specs(2);
    for (LinkSpec& spec : specs) {
      spec.mass.mass = 1.0;
      spec.mass.inertia = Vec3(0.1, 0.2, 0.25).asDiagonal();
      spec.mass.center_of_mass = Vec3(0.1, -0.05, 0.02);
    }
    tree = Tree(specs);
    q.resize(14);
    q << 0.1, 0.2, 0.3, 0.9, 0.1, -0.3, 0.2, -0.2, 0.1, 0.5, 0.8, -0.4, 0.2, 0.4;
    v.resize(12);
    v << 0.3, -0.2, 0.5, 1.0, -0.7, 0.4, -0.6, 0.1, 0.2, 0.5, 0.9, -1.1;
    normalize_quaternions(tree, as_span(q));
    bushing.link_a = 0;
    bushing.link_b = 1;
    bushing.X_AF = Pose(Quat(0.8, 0.1, 0.5, -0.2).normalized(), Vec3(0.2, 0.1, 0.0));
    bushing.X_BM = Pose(Quat(0.7, -0.4, 0.1, 0.3).normalized(), Vec3(-0.1, 0.2, 0.1));
    MatX root(6, 6);
    for (int i = 0; i < 36; ++i) root(i / 6, i % 6) = std::sin(1.3 * i * i + 0.4);
    bushing.stiffness = 100.0 * root * root.transpose();
    bushing.damping = root.transpose() * root;
  }
  BushingResponse calc(const VecX& at) const {
    Kinematics k;
    calc_kinematics(tree, as_span(at), as_span(v), k);
    return calc_bushing(bushing, k);
  }
  VecX move(double h) const {
    VecX moved = q;
    move_coordinates(tree, as_span(v), h, as_span(moved));
    return moved;
  }
};

/// Along any motion the power of the spring is what its energy loses, and that of the damper is as it says.
TEST(Bushing, ForcesAreTheGradientOfItsEnergy) {
  const Pair pair;
  const double h = 1e-6;
  const double rate = (pair.calc(pair.move(h)).stored - pair.calc(pair.move(-h)).stored) / (2.0 * h);
  Kinematics k;
  calc_kinematics(pair.tree, as_span(pair.q), as_span(pair.v), k);
  const BushingResponse now = calc_bushing(pair.bushing, k);
  const Vec3 v = k.calc_point_velocity(1, now.point) - k.calc_point_velocity(0, now.point);
  const Vec3 w = k.w_WB[1] - k.w_WB[0];
  EXPECT_GT(now.xi.tail<3>().norm(), 0.5) << "a large turn";
  // Central differences of some 100 J over 1e-6 s: 1e-7 of the rate.
  EXPECT_NEAR(now.elastic_force.dot(v) + now.elastic_torque.dot(w), -rate, 1e-6 * (1.0 + std::abs(rate)));
  const double damped = (now.elastic_force - now.force).dot(v) + (now.elastic_torque - now.torque).dot(w);
  EXPECT_NEAR(damped, now.damping_power, 1e-10 * now.damping_power);
  EXPECT_GT(now.damping_power, 0.0);
}

/// The series of small turns goes over into the closed form.
TEST(Bushing, IsSmoothAtSmallTurns) {
  Pair pair;
  for (const double angle : {0.0, 1e-9, 0.00999, 0.01001}) {
    pair.q.tail<4>() = pair.q.segment<4>(3);
    pair.bushing.X_AF.R = Mat3::Identity();
    pair.bushing.X_BM.R = Eigen::AngleAxisd(angle, Vec3(1, 2, 2) / 3.0).toRotationMatrix();
    EXPECT_NEAR(pair.calc(pair.q).xi.tail<3>().norm(), angle, 1e-15);
    EXPECT_TRUE(pair.calc(pair.q).torque.allFinite());
  }
}

/// A body on a bushing rings along and about each axis at its own frequency, and the ledger closes.
TEST(Bushing, RingsAtSixFrequencies) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  BodySpec body;
  body.name = "block";
  body.mass = 2.0;
  body.center_of_mass = Vec3::Zero();
  body.inertia.emplace();
  body.inertia->numbers = {0.02, 0.03, 0.04};
  scene.body = {body};
  BushingSpec bushing;
  bushing.child = "block";
  bushing.stiffness = {200.0, 300.0, 500.0, 2.0, 3.0, 5.0};
  scene.bushing = {bushing};
  scene.run.duration = 1.0;
  ASSERT_TRUE(validate(scene).empty());
  scene.run.tolerance = 1e-8;
  const std::array<double, 6> inertia = {2.0, 2.0, 2.0, 0.02, 0.03, 0.04};
  for (int axis = 0; axis < 6; ++axis) {
    const double rate = std::sqrt(bushing.stiffness[axis] / inertia[axis]);
    scene.body[0].velocity = axis < 3 ? Vec3(0.1 * Vec3::Unit(axis)) : Vec3(Vec3::Zero());
    scene.body[0].angular_velocity = axis < 3 ? Vec3(Vec3::Zero()) : Vec3(0.1 * Vec3::Unit(axis - 3));
    scene.run.duration = 2.5 * M_PI / rate;  // a quarter past the first period
    MemorySink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    ASSERT_EQ(summary.status, RunStatus::done);
    EXPECT_LT(std::abs(sink.samples.back().v[axis]), 1e-5) << axis;
    EXPECT_NEAR(sink.samples[800].v[axis], 0.1, 1e-5) << "after a period of " << axis;
    EXPECT_LT(std::abs(summary.worst_residual), 1e-6 * summary.energy_turnover);
  }
}

TEST(Bushing, RefusesMatricesThatPushOn) {
  SceneSpec scene;
  scene.run.duration = 1.0;
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3::Zero())};
  BushingSpec bushing;
  bushing.child = "ball";
  bushing.stiffness = {1.0, 1.0, 1.0, 1.0, 1.0, -1.0};
  scene.bushing = {bushing};
  std::vector<Problem> problems = validate(scene);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].message.find("negative"), std::string::npos);
  scene.bushing[0].stiffness = {1.0, 2.0};
  problems = validate(scene);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].message.find("2 numbers"), std::string::npos) << problems[0].message;
}

/// A hinge with stiction under a torque that grows slowly.
SceneSpec make_stuck_hinge(double torque_at_end) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.run.duration = 10.0;
  BodySpec body;
  body.name = "arm";
  body.mass = 1.0;
  body.center_of_mass = Vec3::Zero();
  body.inertia.emplace();
  body.inertia->numbers = {0.1, 0.1, 0.1};
  scene.body = {body};
  JointSpec joint;
  joint.name = "hinge";
  joint.type = JointSpec::Type::revolute;
  joint.child = "arm";
  joint.axis = Vec3::UnitZ();
  joint.friction.emplace();
  joint.friction->coulomb = 1.0;
  joint.friction->stiction = 1.5;
  joint.friction->sigma_0 = 1e4;
  joint.friction->sigma_1 = 60.0;
  joint.friction->v_stribeck = 0.01;
  joint.friction->tau_dwell = 0.1;
  joint.motor.emplace().table.emplace();
  joint.motor->table->time = {0.0, 10.0};
  joint.motor->table->value = {0.0, torque_at_end};
  scene.joint = {joint};
  return scene;
}

/// It holds below 1.5 N m within the bristles, and breaks away there; sliding takes 1 N m.
TEST(JointStiction, HoldsUpToStictionAndSlidesAtCoulomb) {
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::explicit_}) {
    SceneSpec scene = make_stuck_hinge(1.49);
    scene.run.method = method;
    if (method == RunSpec::Method::explicit_) scene.run.step = 1e-3;
    MemorySink held;
    ASSERT_EQ(simulate(compile(scene), held).status, RunStatus::done);
    EXPECT_NEAR(held.samples.back().q[0], 1.49 / 1e4, 1e-6) << "the deflection of the bristles";
    scene.joint[0].motor->table->value[1] = 3.0;
    MemorySink freed;
    const RunSummary summary = simulate(compile(scene), freed);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    double broke = 0.0;
    for (const Sample& sample : freed.samples) {
      if (broke == 0.0 && std::abs(sample.v[0]) > 0.02) broke = sample.time;
    }
    // 0.3 N m a second: 1.5 N m at 5 s.
    EXPECT_NEAR(broke, 5.0, 0.1);
    // From there on I w' = 0.3 t - 1.
    const double t0 = 5.0, t1 = 10.0;
    const double expected = (0.15 * (t1 * t1 - t0 * t0) - (t1 - t0)) / 0.1;
    EXPECT_NEAR(freed.samples.back().v[0], expected, 0.02 * expected);
    EXPECT_LT(std::abs(summary.worst_residual), 1e-4 * summary.energy_turnover);
  }
}

TEST(JointStiction, RulesFillInWhatIsNotGiven) {
  SceneSpec scene = make_stuck_hinge(1.4);
  scene.joint[0].friction->sigma_0.reset();
  scene.joint[0].friction->sigma_1.reset();
  scene.joint[0].friction->v_stribeck.reset();
  scene.joint[0].friction->tau_dwell.reset();
  MemorySink sink;
  ASSERT_EQ(simulate(compile(scene), sink).status, RunStatus::done);
  EXPECT_LT(std::abs(sink.samples.back().q[0]), 1e-4) << "held within stiction / sigma_0 = 1e-4 rad";
  scene.joint[0].friction->stiction = 0.5;
  EXPECT_EQ(validate(scene).size(), 1u) << "below coulomb";
}

/// A weight on a spring, a ball on a floor, and one in the air.
TEST(Equilibrium, BeginsWhereLoadsBalance) {
  SceneSpec scene;
  scene.run.start = RunSpec::Start::equilibrium;
  scene.run.duration = 0.5;
  BodySpec weight = make_ball("weight", 2.0, 0.1, Vec3(0.02, 0, -1.0));
  SpringSpec spring;
  spring.between = {"world", "weight"};
  spring.stiffness = 400.0;
  spring.rest_length = 1.0;
  scene.spring = {spring};
  scene.body = {weight, make_ball("ball", 1.0, 0.05, Vec3(1, 0, 0.06)), make_floor(Vec3::UnitZ(), -2.0)};
  scene.body[1].position.z() = -2.0 + 0.06;
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  ASSERT_TRUE(validate(scene).empty());
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  const double hang = 1.0 + 2.0 * 9.81 / 400.0;
  const double depth = std::pow(9.81 / 1e6, 2.0 / 3.0);
  for (const Sample& sample : sink.samples) {
    EXPECT_NEAR(sample.bodies[0].position.z(), -hang, 1e-7);
    EXPECT_NEAR(sample.bodies[0].position.x(), 0.0, 1e-7);
    EXPECT_NEAR(sample.bodies[1].position.z(), -2.0 + 0.05 - depth, 1e-8);
    EXPECT_LT(sample.bodies[0].velocity.norm() + sample.bodies[1].velocity.norm(), 1e-6);
  }
  ASSERT_FALSE(summary.notes.empty());
  EXPECT_NE(summary.notes[0].find("begins at equilibrium"), std::string::npos) << summary.notes[0];

  scene.body.pop_back();
  scene.contact.clear();
  MemorySink none;
  const RunSummary failed = simulate(compile(scene), none);
  EXPECT_EQ(failed.status, RunStatus::failed);
  EXPECT_NE(failed.message.find("9.81 N on 'ball'"), std::string::npos) << failed.message;
}

}  // namespace
}  // namespace abut
