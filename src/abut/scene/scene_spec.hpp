#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/scene/body_spec.hpp"
#include "abut/scene/contact_spec.hpp"
#include "abut/scene/controller_spec.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/fmu_spec.hpp"
#include "abut/scene/joint_spec.hpp"
#include "abut/scene/load_spec.hpp"
#include "abut/scene/mechanism_spec.hpp"
#include "abut/scene/method_list.hpp"
#include "abut/scene/robot_spec.hpp"
#include "abut/scene/run_spec.hpp"
#include "abut/scene/sensor_spec.hpp"

namespace abut {

/// Everything a scene file says, as it says it. SI units; world frame W with z up by custom.
struct SceneSpec : Located, MethodTables {
  std::string title;
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);  ///< [m/s^2]
  RunSpec run;
  std::vector<BodySpec> body;
  std::vector<JointSpec> joint;
  std::vector<RobotSpec> robot;  ///< empty once the scene is read
  std::vector<CouplingSpec> coupling;
  std::vector<SpringSpec> spring;
  std::vector<BushingSpec> bushing;
  std::vector<ForceSpec> force;
  std::vector<ControllerSpec> controller;
  std::vector<ContactSpec> contact;
  std::optional<ContactDefaultSpec> contact_default;
  std::vector<SensorSpec> sensor;
  FmuSpec fmu;
  /// What was found when robots were read and has no place here; no part of what the scene says.
  std::vector<std::string> notes;
};

/// What acts of the laws of its contacts with the method that the scene asks for.
inline LawUse find_law_use(const SceneSpec& scene) { return method_traits(scene.run.method).find_law_use(scene); }

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<SceneSpec> auto& s) {
  v(s.title, FieldInfo{.key = "title", .doc = "Shown in reports."});
  v(s.gravity, FieldInfo{.key = "gravity", .unit = "m/s^2", .doc = "Acceleration of free fall."});
  v(s.run, FieldInfo{.key = "run", .doc = "How long and how the motion is computed.", .required = true});
  visit_method_tables(v, s);
  v(s.body, FieldInfo{.key = "body", .doc = "A rigid body.", .required = true});
  v(s.joint, FieldInfo{.key = "joint", .doc = "A joint; a body without one moves freely."});
  v(s.robot, FieldInfo{.key = "robot",
                       .doc = "A robot from a file of its own (robots.md): its links become bodies, its joints joints.",
                       .otherwise = "none"});
  v(s.coupling, FieldInfo{.key = "coupling", .doc = "Gear, mimic, rack, screw or belt between two joints."});
  v(s.spring, FieldInfo{.key = "spring", .doc = "Spring and damper between two points."});
  v(s.bushing, FieldInfo{.key = "bushing", .doc = "Spring and damper on six coordinates between two frames."});
  v(s.force, FieldInfo{.key = "force", .doc = "Force or torque on a body."});
  v(s.controller,
    FieldInfo{.key = "controller", .doc = "What commands motors, sampled at its own rate (controllers.md)."});
  v(s.contact, FieldInfo{.key = "contact",
                         .doc = "Contact between bodies; a later entry replaces an earlier one for the "
                                "pairs both cover."});
  v(s.contact_default, FieldInfo{.key = "contact_default",
                                 .doc = "Contact of all pairs that no entry covers; also fills in "
                                        "the laws an entry leaves out.",
                                 .otherwise = "pairs that no entry covers pass through each other",
                                 .alias = "contact-default"});
  v(s.sensor, FieldInfo{.key = "sensor", .doc = "Something that looks at the motion (sensors.md)."});
  v(s.fmu, FieldInfo{.key = "fmu",
                     .doc = "What `abut export-fmu` shows of the scene (fmu.md); no part in the motion.",
                     .otherwise = "chosen from what the scene has"});
}

}  // namespace abut
