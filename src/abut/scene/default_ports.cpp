#include <set>

#include "abut/scene/body_sample.hpp"
#include "abut/scene/detail/port_names.hpp"
#include "abut/scene/joint_list.hpp"

namespace abut {

std::vector<std::string> default_fmu_inputs(const SceneSpec& scene) {
  std::vector<std::string> paths;
  std::set<std::string> held;
  const auto add = [&](const char* kind, const std::string& name, const char* what) {
    paths.push_back(fmt::format("{}.\"{}\".{}", kind, name, what));
  };
  for (const JointSpec& joint : scene.joint) {
    if (joint.closes_loop) continue;
    if (joint.type != JointSpec::Type::free) held.insert(joint.child);
    if (joint.motor) add("joint", joint.name, "command");
    if (!joint.motion) continue;
    add("joint", joint.name, "motion");
    add("joint", joint.name, "motion_rate");
  }
  for (const BodySpec& body : scene.body) {
    if (body.fixed || held.contains(body.name)) continue;
    add("body", body.name, "force");
    add("body", body.name, "torque");
  }
  return paths;
}

std::vector<std::string> default_fmu_outputs(const SceneSpec& scene) {
  std::vector<std::string> paths;
  for (const BodySpec& body : scene.body) {
    if (body.fixed) continue;
    for (const auto& column : kBodyColumns) paths.push_back(fmt::format("body.\"{}\".{}", body.name, column.name));
  }
  for (const JointSpec& joint : scene.joint) {
    if (joint.closes_loop || kJoints[static_cast<std::size_t>(joint.type)].coordinates.empty()) continue;
    paths.push_back(fmt::format("joint.\"{}\".q", joint.name));
    paths.push_back(fmt::format("joint.\"{}\".v", joint.name));
  }
  for (const char* name : {"applied_force", "motor", "prescribed_motion", "residual"})
    paths.push_back(fmt::format("energy.{}", name));
  return paths;
}

}  // namespace abut
