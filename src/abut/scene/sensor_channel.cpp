#include "abut/scene/sensor_channel.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "abut/scene/scene_spec.hpp"

namespace abut {
namespace {

const std::vector<std::string> kAxes = {"x", "y", "z"};

std::vector<SensorQuantity> list_wrench() { return {{"force", "N", kAxes}, {"torque", "N m", kAxes}}; }

/// "1" and "rad" make "rad"; quaternions have no unit and stand for angles.
std::vector<SensorQuantity> list_joint(const JointTraits& joint) {
  const auto numbers = [](const char* name, std::span<const JointNumber> list, const auto& unit_of) {
    std::vector<SensorQuantity> out;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string full = list.size() == 1 ? std::string(name) : fmt::format("{}_{}", name, i);
      out.push_back({full, unit_of(std::string(list[i].unit)), {}});
    }
    return out;
  };
  std::vector<SensorQuantity> all = numbers("q", joint.coordinates, [](const std::string& unit) { return unit; });
  for (SensorQuantity& quantity : all) quantity.is_coordinate = true;
  const auto add = [&all](const std::vector<SensorQuantity>& more) { all.insert(all.end(), more.begin(), more.end()); };
  add(numbers("v", joint.speeds, [](const std::string& unit) { return unit + "/s"; }));
  add(numbers("force", joint.speeds, [](const std::string& unit) { return unit == "m" ? "N" : "N m"; }));
  return all;
}

struct QuantityLister {
  const SceneSpec& scene;

  std::vector<SensorQuantity> operator()(const ReactionSensorSpec&) const { return list_wrench(); }
  std::vector<SensorQuantity> operator()(const ContactWrenchSensorSpec&) const { return list_wrench(); }
  std::vector<SensorQuantity> operator()(const MotionSensorSpec&) const {
    return {{"position", "m", kAxes},         {"orientation", "1", {"w", "x", "y", "z"}, true},
            {"velocity", "m/s", kAxes},       {"angular_velocity", "rad/s", kAxes},
            {"acceleration", "m/s^2", kAxes}, {"angular_acceleration", "rad/s^2", kAxes}};
  }
  std::vector<SensorQuantity> operator()(const JointSensorSpec& s) const {
    const auto found = std::find_if(scene.joint.begin(), scene.joint.end(),
                                    [&](const JointSpec& joint) { return joint.name == s.joint; });
    return found == scene.joint.end() ? std::vector<SensorQuantity>{} : list_joint(joint_traits(found->type));
  }
  std::vector<SensorQuantity> operator()(const GapSensorSpec&) const { return {{"gap", "m", {}}}; }
};

}  // namespace

std::vector<SensorQuantity> list_quantities(const SceneSpec& scene, const SensorSpec& sensor) {
  return std::visit(QuantityLister{scene}, sensor.kind.type);
}

std::vector<SensorChannel> list_channels(const std::vector<SensorQuantity>& quantities) {
  std::vector<SensorChannel> channels;
  for (const SensorQuantity& quantity : quantities) {
    if (quantity.parts.empty()) channels.push_back({quantity.name, quantity.unit});
    for (const std::string& part : quantity.parts)
      channels.push_back({fmt::format("{}_{}", quantity.name, part), quantity.unit});
  }
  return channels;
}

std::vector<double> spread_over_channels(const std::vector<double>& given,
                                         const std::vector<SensorQuantity>& quantities, double fallback) {
  std::size_t count = 0;
  for (const SensorQuantity& quantity : quantities) count += quantity.width();
  if (given.empty()) return std::vector<double>(count, fallback);
  if (given.size() == 1) return std::vector<double>(count, given.front());
  if (given.size() == count) return given;
  if (given.size() != quantities.size()) return {};
  std::vector<double> spread;
  for (std::size_t i = 0; i < quantities.size(); ++i) spread.insert(spread.end(), quantities[i].width(), given[i]);
  return spread;
}

}  // namespace abut
