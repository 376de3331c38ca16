#include <cmath>

#include <gtest/gtest.h>

#include "abut/sim/control/control_fixture_test.hpp"

namespace abut {
namespace {

SensorSpec make_wrench_sensor() {
  SensorSpec sensor;
  sensor.name = "wrist";
  sensor.rate = 1000.0;
  ContactWrenchSensorSpec kind;
  kind.on = {"tool"};
  kind.body = "tool";
  kind.position = Vec3(0.25, 0, 0);
  sensor.kind.type = kind;
  return sensor;
}

/// Pressed down at `speed` from the start.
SceneSpec make_pressing_scene(double B, double speed, double delay) {
  SceneSpec scene = make_pressing_arm();
  scene.run.integrator = RunSpec::Integrator::semi_implicit_euler;
  scene.sensor = {make_wrench_sensor()};
  AccommodationSpec law;
  law.joints = arm_joints();
  law.body = "tool";
  law.position = Vec3(0.25, 0, 0);
  law.sensor = "wrist";
  law.b = Vec3::Constant(B);
  law.command.emplace();
  law.command->time = {0.0};
  law.command->linear = {Vec3(0, 0, -speed)};
  scene.controller = {make_controller("fma", 1000.0, law)};
  scene.controller[0].delay = delay;
  return scene;
}

double press_until(const SceneSpec& scene, double until) {
  World world = make_world(scene);
  EXPECT_TRUE(world.advance(until).is_ok()) << world.report().message;
  return world.contacts().empty() ? 0.0 : world.contacts()[0].normal_force;
}

/// F0 + B v_d, whatever the stiffness.
TEST(Accommodation, PlateauIsDeadBandAndSpeed) {
  EXPECT_NEAR(press_until(make_pressing_scene(1e4, 2e-3, 1e-3), 3.0), 30.0, 0.01);
  EXPECT_NEAR(press_until(make_pressing_scene(1e4, 1e-3, 1e-3), 3.0), 20.0, 0.01);
  SceneSpec soft = make_pressing_scene(1e4, 2e-3, 1e-3);
  soft.contact[0].normal->stiffness = 2.5413e6;
  EXPECT_NEAR(press_until(soft, 3.0), 30.0, 0.01);
}

TEST(Accommodation, ForceLimitTakesTheCommandAway) {
  SceneSpec scene = make_pressing_scene(1e4, 2e-3, 1e-3);
  std::get<AccommodationSpec>(scene.controller[0].kind.type).force_limit = 15.0;
  EXPECT_LT(press_until(scene, 3.0), 20.0);
}

/// A load behind a joint whose reaction is sensed: its weight moves nothing, a push moves the tool by force /
/// stiffness.
TEST(Admittance, GivesWayToAPushAndNotToWeight) {
  SceneSpec scene = with_steps_of(make_six_joint_arm(), RunSpec::Method::explicit_, 2e-3);
  scene.run.duration = 6.0;
  scene.body.push_back(make_box("load", 2.0, Vec3::Constant(0.1), Vec3::Zero()));
  JointSpec mount;
  mount.name = "mount";
  mount.type = JointSpec::Type::fixed;
  mount.parent = "link6";
  mount.child = "load";
  mount.parent_position = Vec3(0, 0, 0.2);
  scene.joint.push_back(mount);
  SensorSpec sensor;
  sensor.name = "wrist";
  sensor.rate = 500.0;
  ReactionSensorSpec kind;
  kind.joint = "mount";
  sensor.kind.type = kind;
  scene.sensor = {sensor};
  AdmittanceSpec law;
  law.joints = six_joints();
  law.body = "load";
  law.sensor = "wrist";
  law.mass = Vec3::Constant(20.0);
  law.damping = Vec3::Constant(180.0);
  law.stiffness = Vec3::Constant(400.0);
  law.turn_inertia = Vec3::Constant(2.0);
  law.turn_damping = Vec3::Constant(20.0);
  law.turn_stiffness = Vec3::Constant(50.0);
  scene.controller = {make_controller("arm", 500.0, law)};
  const auto move = [](const SceneSpec& own) {
    World world = make_world(own);
    const Vec3 start = world.body("load").position;
    EXPECT_TRUE(world.advance(6.0).is_ok()) << world.report().message;
    return Vec3(world.body("load").position - start);
  };
  EXPECT_LT(move(scene).norm(), 1e-6);
  ForceSpec push;
  push.body = "load";
  push.force = Vec3(6.0, -4.0, 2.0);
  scene.force = {push};
  const Vec3 moved = move(scene);
  EXPECT_NEAR(moved.x(), 6.0 / 400.0, 1e-5);
  EXPECT_NEAR(moved.y(), -4.0 / 400.0, 1e-5);
  EXPECT_NEAR(moved.z(), 2.0 / 400.0, 1e-5);
}

TEST(Accommodation, StatesGoOnToTheSameBits) {
  World straight = make_world(make_pressing_scene(1e4, 2e-3, 3e-3)),
        dropped = make_world(make_pressing_scene(1e4, 2e-3, 3e-3));
  for (int n = 1; n <= 60; ++n) {
    straight.advance(n * 0.01);
    dropped.drop_scratch();
    dropped.advance(n * 0.01);
    ASSERT_EQ(straight.save(), dropped.save()) << n;
  }
  EXPECT_FALSE(straight.contacts().empty());
}

}  // namespace
}  // namespace abut
