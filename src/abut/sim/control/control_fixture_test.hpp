#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abut/sim/scene_fixture_test.hpp"
#include "abut/sim/world.hpp"

namespace abut {

/// Small machines with motors that take torques, for the tests of controllers.

inline SceneSpec with_steps_of(SceneSpec scene, RunSpec::Method method, double step) {
  scene.run.method = method;
  scene.run.step = step;
  return scene;
}

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

/// Backhoe layout, the tool with a ball of 50 mm pointing down on a plate 0.8 mm below it; masses of a mid-size arm.
inline SceneSpec make_pressing_arm() {
  struct Part {
    const char *body, *joint;
    double mass;
    Vec3 center, inertia, axis, place;
    double angle;
  };
  const Part parts[] = {
      {"post", "swing", 60.0, {0, 0, 0.2}, {0.95, 0.95, 0.3}, Vec3::UnitZ(), Vec3::Zero(), 0.0},
      {"upper", "shoulder", 40.0, {0.4, 0, 0}, {0.072, 2.169, 2.169}, Vec3::UnitY(), {0, 0, 0.4}, -0.7},
      {"fore", "elbow", 25.0, {0.35, 0, 0}, {0.031, 1.036, 1.036}, Vec3::UnitY(), {0.8, 0, 0}, 1.2},
      {"pitch", "pitch", 6.0, {0.05, 0, 0}, {0.0075, 0.00875, 0.00875}, Vec3::UnitY(), {0.7, 0, 0}, 1.0707963267948966},
      {"yaw", "yaw", 4.0, {0.05, 0, 0}, {0.005, 0.00583, 0.00583}, Vec3::UnitZ(), {0.1, 0, 0}, 0.0},
      {"tool", "roll", 3.0, {0.1, 0, 0}, {0.00135, 0.0107, 0.0107}, Vec3::UnitX(), {0.1, 0, 0}, 0.0}};
  SceneSpec scene;
  std::string parent = kWorldName;
  for (const Part& part : parts) {
    BodySpec body;
    body.name = part.body;
    body.mass = part.mass;
    body.center_of_mass = part.center;
    body.inertia.emplace();
    body.inertia->numbers = {part.inertia.x(), part.inertia.y(), part.inertia.z()};
    scene.body.push_back(body);
    JointSpec joint = make_driven_joint(part.joint, JointSpec::Type::revolute, parent, part.body, part.axis);
    joint.parent_position = part.place;
    joint.coordinates = {part.angle};
    scene.joint.push_back(joint);
    parent = part.body;
  }
  scene.body.back().shape = {make_shape_spec(SphereSpec{0.05}, Vec3(0.2, 0, 0))};
  BodySpec plate = make_floor(Vec3::UnitZ(), 0.129);
  plate.name = "plate";
  scene.body.push_back(plate);
  ContactSpec contact = make_contact(NormalSpec::Law::gonthier, 2.5413e8, 0.85);
  contact.normal->v_small = 1e-3;
  scene.contact = {contact};
  scene.run.duration = 3.0;
  return with_steps_of(std::move(scene), RunSpec::Method::explicit_, 1e-3);
}

inline std::vector<std::string> arm_joints() { return {"swing", "shoulder", "elbow", "pitch", "yaw", "roll"}; }

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

inline World make_world(const SceneSpec& scene) { return World(std::make_shared<const Model>(compile(scene))); }

}  // namespace abut
