#include "abut/sim/control/tool_wrench.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

namespace abut {

ToolWrench::ToolWrench(const std::string& sensor, const ControlSite& site, const ToolMotion& tool)
    : gravity_(site.model.scene.gravity) {
  const std::vector<SensorPlan>& plans = site.model.sensors;
  const auto plan =
      std::find_if(plans.begin(), plans.end(), [&](const SensorPlan& other) { return other.name == sensor; });
  if (plan == plans.end()) throw InputError(fmt::format("there is no sensor '{}'", sensor));
  const ArmModel& arm = tool.arm();
  const auto* contacts = std::get_if<ContactWrenchPlan>(&plan->kind);
  const auto* reaction = std::get_if<ReactionPlan>(&plan->kind);
  if (contacts == nullptr && reaction == nullptr) throw InputError(fmt::format("sensor '{}' shows no wrench", sensor));
  const LinkFrame& frame = contacts != nullptr ? contacts->frame : reaction->frame;
  if (frame.link == kWorld) {
    X_WS_ = frame.X_LS;
  } else {
    link_ = arm.find_link(frame.link);
    X_LS_ = frame.X_LS;
    if (link_ < 0)
      throw InputError(
          fmt::format("the frame of sensor '{}' lies on a body that controller '{}' does not move: give "
                      "the sensor body = \"world\", or a body of the arm",
                      sensor, site.spec.name));
  }
  if (reaction == nullptr) return;
  sign_ = -1.0;
  const int first = arm.find_link(reaction->link);
  if (first < 0)
    throw InputError(
        fmt::format("sensor '{}' looks at a joint that is none of controller '{}''s arm", sensor, site.spec.name));
  for (int link = first; link < arm.tree().num_links(); ++link) {
    const int parent = arm.tree().link(link).parent;
    const bool hangs_there = std::find(carried_.begin(), carried_.end(), parent) != carried_.end();
    if (link == first || hangs_there) carried_.push_back(link);
  }
}

Vec6 ToolWrench::read(const ControlInput& input, const ToolMotion& tool) const {
  const std::span<const double> reading = input.sensors[0];
  const Kinematics& k = tool.arm().kinematics();
  const Pose X_WS = link_ == kWorld ? X_WS_ : k.X_WB[static_cast<std::size_t>(link_)] * X_LS_;
  const Vec3 force = sign_ * (X_WS.R * Vec3(reading[0], reading[1], reading[2]));
  const Vec3 torque = sign_ * (X_WS.R * Vec3(reading[3], reading[4], reading[5]));
  Vec6 wrench;
  wrench << force, torque + (X_WS.p - tool.pose().p).cross(force);
  for (const int link : carried_) {
    const Vec3 weight = tool.arm().tree().link(link).mass.mass * gravity_;
    wrench.head<3>() -= weight;
    wrench.tail<3>() -= (k.p_WCm[static_cast<std::size_t>(link)] - tool.pose().p).cross(weight);
  }
  return wrench;
}

}  // namespace abut
