#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abut/contact/candidate_list.hpp"
#include "abut/contact/collider.hpp"
#include "abut/contact/contact_rule.hpp"
#include "abut/math/motion_profile.hpp"
#include "abut/math/time_table.hpp"
#include "abut/multibody/joint_load.hpp"
#include "abut/multibody/loop_set.hpp"
#include "abut/multibody/tree.hpp"
#include "abut/scene/scene_spec.hpp"
#include "abut/scene/set_value.hpp"
#include "abut/sim/mechanism_parts.hpp"
#include "abut/sim/sensor_plan.hpp"

namespace abut {

/// Spring, damper, limits, friction and motor of one scalar joint coordinate.
struct JointLoadEntry {
  int q_index = 0;  ///< in q
  int v_index = 0;  ///< in v
  JointLoad load;
  TimeTable command;  ///< of the motor, by its mode
};

/// A joint whose coordinate is a given function of time.
struct PrescribedJoint {
  int q_index = 0;
  int v_index = 0;
  MotionProfile motion;
};

/// Spring and damper between two points; kWorld stands for the world.
struct PointSpring {
  int link_a = kWorld, link_b = kWorld;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  ///< in the link frames [m]
  double stiffness = 0.0;                               ///< [N/m]
  double damping = 0.0;                                 ///< [N s/m]
  double rest_length = 0.0;                             ///< [m]
};

/// Force and torque on a link, constant or over time.
struct AppliedForce {
  int link = 0;
  Vec3 point = Vec3::Zero();  ///< in the link frame [m]
  bool in_body_axes = false;
  std::array<TimeTable, 3> force, torque;  ///< components over time [N], [N m]
};

/// A declared joint, for records and messages.
struct NamedJoint {
  std::string name;
  int link = 0;
};

/// Everything about a scene that does not change while it runs. Made once by compile().
struct Model {
  SceneSpec scene;  ///< what it was made from
  Tree tree;
  std::vector<int> link_of_body;  ///< scene order -> tree order
  std::vector<int> body_of_link;
  std::vector<NamedJoint> joints;
  std::vector<Collider> colliders;
  std::vector<ContactRule> rules;
  std::vector<int> body_class;  ///< of each link: bodies that every contact entry treats alike share a class
  std::vector<std::vector<RuleMatch>> class_rules;  ///< [class of a][class of b]
  std::vector<std::pair<int, int>> never_touch;  ///< links joined to each other (sorted pairs), unless named outright
  std::vector<JointLoadEntry> joint_loads;
  std::vector<PrescribedJoint> prescribed;
  LoopSet loops;
  std::vector<std::string> loop_notes;  ///< what closing them took, and what is special about them
  std::vector<CompliantCoupling> gearboxes;
  std::vector<PointSpring> springs;
  std::vector<Bushing> bushings;
  std::vector<AppliedForce> forces;
  std::vector<SensorPlan> sensors;
  std::vector<double> breakpoints;  ///< times where tables have corners [s], sorted
  std::vector<double> q0, v0;       ///< initial coordinates and velocities

  const std::string& body_name(int link) const { return scene.body[body_of_link[link]].name; }
  RuleMatch find_rule(int link_a, int link_b) const;
  /// Whether the contacts' own normal laws act: not where contacts are hard (lcp) or have layers of their own (ncp).
  bool uses_normal_laws() const;

  /// The same with other values, without reading anything again: shapes, meshes, trees of boxes, fields and solids of
  /// bodies whose shapes stay are shared. What comes out is what reading and compiling the changed text would give, bit
  /// for bit. Throws InputError as set(), validate() and compile() do. `read_meshes` is asked for the triangles of
  /// meshes whose file, scale or weld was changed (io/scene_reader.hpp: read_missing_meshes); without it such a change
  /// is refused.
  Model with(std::span<const SceneChange> changes, const std::function<void(SceneSpec&)>& read_meshes = {}) const;
};

}  // namespace abut
