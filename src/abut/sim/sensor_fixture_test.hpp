#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"
#include "abut/sim/world.hpp"

namespace abut {

template <class Kind>
SensorSpec make_sensor(const std::string& name, Kind kind, std::optional<double> rate = std::nullopt) {
  SensorSpec sensor;
  sensor.name = name;
  sensor.kind.type = std::move(kind);
  sensor.rate = rate;
  return sensor;
}

inline ContactWrenchSensorSpec contacts_on(std::vector<std::string> bodies,
                                           std::optional<std::string> body = std::nullopt) {
  ContactWrenchSensorSpec kind;
  kind.on = std::move(bodies);
  kind.body = std::move(body);
  return kind;
}

inline ReactionSensorSpec reaction_of(const std::string& joint,
                                      ReactionSensorSpec::Part part = ReactionSensorSpec::Part::total) {
  ReactionSensorSpec kind;
  kind.joint = joint;
  kind.part = part;
  return kind;
}

inline JointSensorSpec encoder_of(const std::string& joint, std::optional<int> bits = std::nullopt) {
  JointSensorSpec kind;
  kind.joint = joint;
  kind.bits = bits;
  return kind;
}

inline JointSpec make_joint(const std::string& name, JointKind type, const std::string& parent,
                            const std::string& child) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  return joint;
}

inline std::string name_of_method(const testing::TestParamInfo<RunSpec::Method>& info) { return enum_name(info.param); }

inline World make_world(const SceneSpec& scene) { return World(std::make_shared<const Model>(compile(scene))); }

}  // namespace abut
