#include <cmath>

#include <gtest/gtest.h>

#include "abut/scene/validate.hpp"
#include "abut/sim/control/control_fixture_test.hpp"
#include "abut/sim/control/trajectory.hpp"

namespace abut {
namespace {

JointPidSpec make_pid(double kp, double ki, double kd, double target) {
  JointPidSpec pid;
  pid.joints = {"slide"};
  pid.kp = {kp};
  pid.ki = {ki};
  pid.kd = {kd};
  SplineTrajectorySpec there;
  there.points.resize(1);
  there.points[0].at = {target};
  there.points[0].time = 0.0;
  pid.trajectory.emplace().kind = there;
  return pid;
}

/// Exact motion of m x'' + c x' + k x = u over T at a held u.
struct HeldOscillator {
  double m, c, k;
  double x = 0.0, v = 0.0;

  void step(double u, double T) {
    const double decay = c / (2.0 * m), w = std::sqrt(k / m - decay * decay), rest = u / k, y = x - rest;
    const double e = std::exp(-decay * T), cosine = std::cos(w * T), sine = std::sin(w * T);
    const double B = (v + decay * y) / w;
    x = rest + e * (y * cosine + B * sine);
    v = e * (v * cosine - (decay * B + w * y) * sine);
  }
};

/// The law as its text says, sample for sample, on the exact solution between samples.
TEST(JointPid, FollowsTheExactSampledResponse) {
  constexpr double kRate = 100.0, T = 1.0 / kRate, kp = 300.0, ki = 200.0, kd = 20.0, target = 0.05;
  SceneSpec scene = make_slider();
  scene.joint[0].stiffness = 80.0;
  scene.joint[0].damping = 3.0;
  scene.controller = {make_controller("pid", kRate, make_pid(kp, ki, kd, target))};
  World world = make_world(scene);
  HeldOscillator exact{2.0, 3.0, 80.0};
  double integral = 0.0, farthest = 0.0;
  for (int n = 0; n < 100; ++n) {
    const double error = target - exact.x;
    integral += ki * T * error;
    exact.step(kp * error + integral - kd * exact.v, T);
    ASSERT_TRUE(world.advance((n + 1) / kRate).is_ok());
    // Two hundred times the tolerance of the steps.
    EXPECT_NEAR(world.joint_position("slide"), exact.x, 2e-10) << n;
    EXPECT_NEAR(world.joint_velocity("slide"), exact.v, 2e-9) << n;
    farthest = std::max(farthest, exact.x);
  }
  EXPECT_GT(farthest, 1.03 * target);  // it overshoots: the response is more than a creep
}

/// The motion inside of a period does not see what a continuous law would do.
TEST(JointPid, HoldsItsCommandBetweenSamples) {
  SceneSpec scene = make_slider();
  scene.controller = {make_controller("pid", 10.0, make_pid(100.0, 0.0, 0.0, 0.1))};
  World world = make_world(scene);
  for (const double t : {0.013, 0.05, 0.0999}) {
    world.advance(t);
    EXPECT_NEAR(world.joint_position("slide"), 0.5 * (100.0 * 0.1 / 2.0) * t * t, 1e-12);
  }
}

TEST(JointPid, DelayShiftsItsCommands) {
  SceneSpec scene = make_slider();
  scene.controller = {make_controller("pid", 10.0, make_pid(100.0, 0.0, 0.0, 0.1))};
  scene.controller[0].delay = 0.125;  // a period and a quarter
  World world = make_world(scene);
  world.advance(0.12);
  EXPECT_EQ(world.joint_velocity("slide"), 0.0);
  world.advance(0.225);
  EXPECT_NEAR(world.joint_velocity("slide"), 5.0 * 0.1, 1e-12);
  // From there on by the sample of 0.1 s, at which it still stood where it began.
  world.advance(0.325);
  EXPECT_NEAR(world.joint_velocity("slide"), 5.0 * 0.2, 1e-12);
}

/// Held back at its limit, the integral does not grow, and the sled turns round as soon as the error does.
TEST(JointPid, IntegralWaitsAtTheLimit) {
  SceneSpec scene = make_slider();
  scene.run.duration = 4.0;
  scene.joint[0].damping = 10.0;
  JointPidSpec pid = make_pid(200.0, 400.0, 40.0, 1.0);
  pid.limit = {5.0};
  scene.controller = {make_controller("pid", 200.0, pid)};
  World world = make_world(scene);
  double farthest = 0.0;
  for (int n = 1; n <= 800; ++n) {
    world.advance(n / 200.0);
    EXPECT_LE(std::abs(world.sample().joint_force[0] + 10.0 * world.joint_velocity("slide")), 5.0 + 1e-9);
    farthest = std::max(farthest, world.joint_position("slide"));
  }
  EXPECT_LT(farthest, 1.05);  // 1.37 with an integral that goes on growing
  EXPECT_NEAR(world.joint_position("slide"), 1.0, 0.02);
}

/// With semi-implicit Euler at the sampling rate the decoupled errors obey e'' + kd e' + kp e = 0 step by step,
/// whatever the arm does: to rounding.
TEST(ComputedTorque, TracksToRounding) {
  constexpr double T = 1e-3, kp = 400.0, kd = 40.0;
  SceneSpec scene = with_steps_of(make_six_joint_arm(), RunSpec::Method::explicit_, T);
  scene.run.integrator = RunSpec::Integrator::semi_implicit_euler;
  for (JointSpec& joint : scene.joint) {
    joint.damping = 0.7;
    joint.stiffness = 4.0;
  }
  ComputedTorqueSpec law;
  law.joints = six_joints();
  law.kp = {kp};
  law.kd = {kd};
  const std::vector<double> goal = {-0.4, 0.9, 0.1, 1.2, -0.3, 0.5};
  std::vector<double> start;
  for (const JointSpec& joint : scene.joint) start.push_back(joint.coordinates[0] + 0.05);  // begins with an error
  law.trajectory = make_s_curve({start, goal}, 5.0, 40.0, 1500.0);
  scene.controller = {make_controller("arm", 1.0 / T, law)};
  const Trajectory reference(*law.trajectory, 6);
  World world = make_world(scene);
  std::vector<double> q, v(6, 0.0);
  for (const JointSpec& joint : scene.joint) q.push_back(joint.coordinates[0]);
  std::vector<MotionSample> now(6);
  for (int n = 0; n < 500; ++n) {
    reference.sample(n * T, now);
    for (std::size_t i = 0; i < 6; ++i) {
      v[i] += T * (now[i].acceleration + kp * (now[i].value - q[i]) + kd * (now[i].rate - v[i]));
      q[i] += T * v[i];
    }
    ASSERT_TRUE(world.advance((n + 1) * T).is_ok());
    for (std::size_t i = 0; i < 6; ++i) {
      // 1e4 times the rounding of coordinates around 1, over 500 steps of an arm of condition 1e3.
      EXPECT_NEAR(world.coordinates()[i], q[i], 2e-12) << n << " " << i;
      EXPECT_NEAR(world.velocities()[i], v[i], 2e-10) << n << " " << i;
    }
  }
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(q[i], goal[i], 0.02);  // it went where it was sent
}

/// A payload that the controller takes for half as heavy: the arm hangs below by what that is in error.
TEST(ComputedTorque, WrongMassesShowAsAnOffset) {
  SceneSpec scene = make_slider();
  scene.run.duration = 3.0;
  scene.gravity = Vec3(-9.81, 0, 0);
  ComputedTorqueSpec law;
  law.joints = {"slide"};
  law.kp = {100.0};
  law.kd = {20.0};
  NominalMassSpec light;
  light.body = "sled";
  light.mass = 1.0;
  law.nominal = {light};
  scene.controller = {make_controller("arm", 500.0, law)};
  World world = make_world(scene);
  world.advance(3.0);
  // 2 kg g = 1 kg (kp e + g)
  EXPECT_NEAR(world.joint_position("slide"), -9.81 / 100.0, 1e-6);
}

/// At rest under a force the tool gives way by force / stiffness; the arm's own weight is carried.
TEST(Impedance, GivesWayLikeItsSpring) {
  SceneSpec scene = with_steps_of(make_six_joint_arm(), RunSpec::Method::explicit_, 1e-3);
  scene.run.duration = 12.0;
  ForceSpec push;
  push.body = "link6";
  push.point = Vec3(0, 0, 0.15);
  push.force = Vec3(8.0, -5.0, 3.0);
  scene.force = {push};
  ImpedanceSpec law;
  law.joints = six_joints();
  law.body = "link6";
  law.position = Vec3(0, 0, 0.15);
  law.stiffness = Vec3(400.0, 800.0, 600.0);
  law.damping = Vec3::Constant(60.0);
  law.turn_stiffness = Vec3::Constant(10.0);
  law.turn_damping = Vec3::Constant(2.0);
  scene.controller = {make_controller("arm", 1000.0, law)};
  World world = make_world(scene);
  const auto tip = [&world] {
    const BodySample& link = world.body("link6");
    return Vec3(link.position + link.orientation * Vec3(0, 0, 0.15));
  };
  const Vec3 start = tip();
  world.advance(12.0);
  const Vec3 moved = tip() - start;  // it still swings by 0.15 mm, sampled at 1 kHz

  EXPECT_NEAR(moved.x(), 8.0 / 400.0, 2e-4);
  EXPECT_NEAR(moved.y(), -5.0 / 800.0, 2e-4);
  EXPECT_NEAR(moved.z(), 3.0 / 600.0, 2e-4);
}

/// What is held, pending and remembered goes with the state: the same bits, saved, copied and with scratch dropped at
/// every step, between samples too.
TEST(Controllers, StatesGoOnToTheSameBits) {
  SceneSpec scene = make_slider();
  JointPidSpec pid = make_pid(300.0, 250.0, 12.0, 0.3);
  scene.joint[0].damping = 1.0;
  scene.controller = {make_controller("pid", 130.0, pid)};
  scene.controller[0].delay = 0.011;
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::explicit_, RunSpec::Method::lcp,
                            RunSpec::Method::ncp, RunSpec::Method::micro}) {
    SceneSpec own = scene;
    if (method != RunSpec::Method::adaptive) {
      own = with_steps_of(scene, method, 1e-3);
      own.controller[0].rate = 125.0;
    }
    World straight = make_world(own), dropped = make_world(own);
    std::unique_ptr<World> copied = std::make_unique<World>(make_world(own));
    for (int n = 1; n <= 60; ++n) {
      const double t = n * 0.005;
      ASSERT_TRUE(straight.advance(t).is_ok()) << straight.report().message;
      dropped.drop_scratch();
      dropped.advance(t);
      copied = std::make_unique<World>(copied->copy());
      copied->advance(t);
      ASSERT_EQ(straight.save(), dropped.save()) << enum_name(method) << " " << t;
      ASSERT_EQ(straight.save(), copied->save()) << enum_name(method) << " " << t;
    }
    EXPECT_GT(straight.joint_position("slide"), 0.1);
  }
}

/// All methods see the same held forces: without contact the sled is where the exact double integrator is.
TEST(Controllers, AllMethodsTakeTheSameCommands) {
  SceneSpec scene = make_slider();
  scene.controller = {make_controller("pid", 50.0, make_pid(40.0, 0.0, 8.0, 0.2))};
  double x = 0.0, v = 0.0;
  for (int n = 0; n < 50; ++n) {
    const double u = 40.0 * (0.2 - x) - 8.0 * v;
    x += 0.02 * v + 0.5 * 0.0004 * u / 2.0;
    v += 0.02 * u / 2.0;
  }
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::explicit_, RunSpec::Method::lcp,
                            RunSpec::Method::ncp, RunSpec::Method::micro}) {
    World world = make_world(method == RunSpec::Method::adaptive ? scene : with_steps_of(scene, method, 1e-4));
    ASSERT_TRUE(world.advance(1.0).is_ok());
    // First-order methods: half a step of the speed, 0.4 m/s at most.
    EXPECT_NEAR(world.joint_position("slide"), x, method == RunSpec::Method::adaptive ? 1e-11 : 4e-5)
        << enum_name(method);
  }
}

TEST(Controllers, RatesMeetTheSteps) {
  SceneSpec scene = with_steps_of(make_slider(), RunSpec::Method::explicit_, 1e-3);
  scene.controller = {make_controller("pid", 300.0, make_pid(1.0, 0.0, 0.0, 0.1))};
  EXPECT_NE(message_of(scene).find("no whole number of steps"), std::string::npos) << message_of(scene);
  scene.controller[0].rate = 2000.0;
  EXPECT_NE(message_of(scene).find("less than one step"), std::string::npos) << message_of(scene);
  scene.controller[0].rate = 250.0;
  EXPECT_EQ(message_of(scene), "");
  scene.controller[0].delay = 0.0005;
  EXPECT_NE(message_of(scene).find("delay"), std::string::npos);
  scene.controller[0].delay = 0.003;
  EXPECT_EQ(message_of(scene), "");
}

std::string first_problem(const SceneSpec& scene) {
  const std::vector<Problem> problems = validate(scene);
  return problems.empty() ? "" : problems[0].message;
}

TEST(Controllers, MistakesAreNamed) {
  const auto with = [](auto change) {
    SceneSpec scene = make_slider();
    scene.controller = {make_controller("pid", 100.0, make_pid(1.0, 0.0, 0.0, 0.1))};
    change(scene, std::get<JointPidSpec>(scene.controller[0].kind.type));
    return first_problem(scene);
  };
  EXPECT_EQ(with([](SceneSpec&, JointPidSpec&) {}), "");
  EXPECT_EQ(with([](SceneSpec&, JointPidSpec& pid) { pid.joints = {"slid"}; }),
            "there is no joint 'slid' for [[controller]] 'pid'. Did you mean 'slide'?");
  EXPECT_EQ(with([](SceneSpec& scene, JointPidSpec&) { scene.joint[0].motor.reset(); }),
            "joint 'slide' has no motor for [[controller]] 'pid' to command");
  EXPECT_EQ(with([](SceneSpec& scene, JointPidSpec&) {
              scene.joint[0].motor->mode = MotorSpec::Mode::position;
              scene.joint[0].motor->gain = 1.0;
            }),
            "[[controller]] 'pid' commands forces, and the motor of joint 'slide' takes a position");
  EXPECT_EQ(with([](SceneSpec&, JointPidSpec& pid) {
              pid.kp = {1.0, 2.0};
            }),
            "kp has 2 numbers for 1 joints in [[controller]] 'pid'");
  EXPECT_EQ(with([](SceneSpec& scene, JointPidSpec&) {
              scene.controller.push_back(scene.controller[0]);
              scene.controller[1].name = "other";
            }),
            "joint 'slide' is commanded by two controllers, 'pid' and 'other'");
  EXPECT_EQ(with([](SceneSpec&, JointPidSpec& pid) {
              std::get<SplineTrajectorySpec>(pid.trajectory->kind).points[0].at = {1.0, 2.0};
            }),
            "a point of the trajectory has 2 numbers for 1 channels in [[controller]] 'pid'");
}

/// A controller that does not know what it does ends the run in words.
TEST(Controllers, CommandsThatAreNoNumbersEndTheRun) {
  SceneSpec scene = with_steps_of(make_slider(), RunSpec::Method::explicit_, 1e-3);
  scene.controller = {make_controller("pid", 10.0, make_pid(1e300, 0.0, 0.0, 0.1))};
  World world = make_world(scene);
  world.advance(0.5);
  EXPECT_FALSE(world.report().is_ok());
}

TEST(Controllers, NobodyElseCommandsTheirMotors) {
  SceneSpec scene = make_slider();
  scene.controller = {make_controller("pid", 100.0, make_pid(10.0, 0.0, 0.0, 0.1))};
  World world = make_world(scene);
  EXPECT_THROW(world.set_command("slide", 1.0), InputError);
  world.advance(0.105);
  World other = world.copy();
  other.clear_inputs();  // what the controller holds stays
  world.advance(0.2);
  other.advance(0.2);
  EXPECT_NEAR(world.joint_position("slide"), other.joint_position("slide"), 1e-13);
}

}  // namespace
}  // namespace abut
