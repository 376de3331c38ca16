#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abut/sim/scene_fixture_test.hpp"
#include "abut/sim/world.hpp"

namespace abut {

/// Small machines with motors that take torques, for the tests of controllers.

inline JointSpec make_driven_joint(const std::string& name, JointSpec::Type type, const std::string& parent,
                                   const std::string& child, const Vec3& axis) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.axis = axis;
  joint.motor.emplace();
  joint.motor->mode = MotorSpec::Mode::torque;
  joint.motor->value = 0.0;
  return joint;
}

/// A box of 2 kg on a slide along x, without gravity.
inline SceneSpec make_slider() {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.run.duration = 1.0;
  scene.run.tolerance = 1e-12;
  scene.body = {make_box("sled", 2.0, Vec3::Constant(0.1), Vec3::Zero())};
  scene.joint = {make_driven_joint("slide", JointSpec::Type::prismatic, kWorldName, "sled", Vec3::UnitX())};
  return scene;
}

/// Six turning joints, each link 0.3 m along z from the last: axes z, y, y, z, y, z.
inline SceneSpec make_six_joint_arm() {
  SceneSpec scene;
  scene.run.duration = 0.5;
  const Vec3 axes[] = {Vec3::UnitZ(), Vec3::UnitY(), Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitY(), Vec3::UnitZ()};
  std::string parent = kWorldName;
  for (int i = 0; i < 6; ++i) {
    const std::string link = "link" + std::to_string(i + 1), name = "j" + std::to_string(i + 1);
    scene.body.push_back(make_box(link, 5.0 - 0.6 * i, Vec3(0.08, 0.1, 0.3), Vec3::Zero()));
    JointSpec joint = make_driven_joint(name, JointSpec::Type::revolute, parent, link, axes[i]);
    joint.parent_position = Vec3(0, 0, i == 0 ? 0.0 : 0.15);
    joint.child_position = Vec3(0, 0, -0.15);
    joint.coordinates = {0.2 + 0.15 * i};
    scene.joint.push_back(joint);
    parent = link;
  }
  return scene;
}

inline std::vector<std::string> six_joints() { return {"j1", "j2", "j3", "j4", "j5", "j6"}; }

template <class Kind>
ControllerSpec make_controller(const std::string& name, double rate, Kind kind) {
  ControllerSpec controller;
  controller.name = name;
  controller.rate = rate;
  controller.kind.type = std::move(kind);
  return controller;
}

inline TrajectorySpec make_s_curve(std::vector<std::vector<double>> points, double speed, double acceleration,
                                   double jerk) {
  SCurveTrajectorySpec kind;
  for (std::vector<double>& at : points) {
    PathPointSpec point;
    point.at = std::move(at);
    kind.points.push_back(std::move(point));
  }
  kind.speed = {speed};
  kind.acceleration = {acceleration};
  kind.jerk = {jerk};
  TrajectorySpec spec;
  spec.kind = std::move(kind);
  return spec;
}

inline SceneSpec with_steps_of(SceneSpec scene, RunSpec::Method method, double step) {
  scene.run.method = method;
  scene.run.step = step;
  return scene;
}

inline World make_world(const SceneSpec& scene) { return World(std::make_shared<const Model>(compile(scene))); }

}  // namespace abut
