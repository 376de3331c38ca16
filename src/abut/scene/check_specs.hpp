#pragma once

#include <string>

#include "abut/scene/problem_list.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// Checks of one spec as a whole: keys that exclude or need each other, tables, directions. `label` names it in
/// messages. Those of a method's own settings stand beside them (lcp_spec.hpp, ncp_spec.hpp).
void check_whole(const RunSpec& run, const std::string& label, ProblemList& problems);
void check_whole(const RotationSpec& rotation, const std::string& label, ProblemList& problems);
void check_whole(const ShapeSpec& shape, const std::string& label, ProblemList& problems);
void check_whole(const CellPartSpec& part, const std::string& label, ProblemList& problems);
void check_whole(const IntersectionPartSpec& part, const std::string& label, ProblemList& problems);
void check_whole(const BodySpec& body, const std::string& label, ProblemList& problems);
void check_whole(const ScalarTableSpec& table, const std::string& label, ProblemList& problems);
void check_whole(const ForceTableSpec& table, const std::string& label, ProblemList& problems);
void check_whole(const JointSpec& joint, const std::string& label, ProblemList& problems);
void check_whole(const MotorSpec& motor, const std::string& label, ProblemList& problems);
void check_whole(const MotionSpec& motion, const std::string& label, ProblemList& problems);
void check_whole(const RobotSpec& robot, const std::string& label, ProblemList& problems);
void check_whole(const JointFrictionSpec& friction, const std::string& label, ProblemList& problems);
void check_whole(const CouplingSpec& coupling, const std::string& label, ProblemList& problems);
void check_whole(const BushingSpec& bushing, const std::string& label, ProblemList& problems);
void check_whole(const ToolVelocitySpec& table, const std::string& label, ProblemList& problems);
void check_whole(const TrajectorySpec& trajectory, const std::string& label, ProblemList& problems);
void check_whole(const SpringSpec& spring, const std::string& label, ProblemList& problems);
void check_whole(const ForceSpec& force, const std::string& label, ProblemList& problems);
void check_whole(const RestitutionTableSpec& table, const std::string& label, ProblemList& problems);
void check_whole(const NormalSpec& normal, const std::string& label, ProblemList& problems);
void check_whole(const FrictionSpec& friction, const std::string& label, ProblemList& problems);

/// Whether a key was given, also when its value could not be read: its absence must not be reported a second time.
template <class T>
bool is_given(const Located& spec, const char* key, const std::optional<T>& value) {
  return value.has_value() || spec.has_key(key) || spec.is_unusable(key);
}

/// Checks that concern several entries: unique names, references, the tree of joints, contact pairs.
void check_names(const SceneSpec& scene, ProblemList& problems);
void check_joint_tree(const SceneSpec& scene, ProblemList& problems);
/// Couplings name joints that can be coupled, and do not contradict each other.
void check_couplings(const SceneSpec& scene, ProblemList& problems);
void check_loads(const SceneSpec& scene, ProblemList& problems);
void check_contacts(const SceneSpec& scene, ProblemList& problems);
/// Joints, bodies and trajectories of controllers.
void check_controllers(const SceneSpec& scene, ProblemList& problems);
/// What sensors name exists, and their numbers fit it and the steps of the run.
void check_sensors(const SceneSpec& scene, ProblemList& problems);
/// Inputs, outputs and parameters of [fmu] exist.
void check_fmu(const SceneSpec& scene, ProblemList& problems);

}  // namespace abut
