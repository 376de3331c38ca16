#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "abut/scene/check_specs.hpp"

namespace abut {
namespace {

/// What the kinds of trajectories have in common, as far as they have it.
struct TrajectoryParts {
  const std::vector<PathPointSpec>* points = nullptr;
  std::vector<std::pair<const char*, const std::vector<double>*>> limits;
  bool has_times = false;
  bool is_read = true;  ///< the points are there
};

struct PartsOf {
  TrajectoryParts operator()(const TrapezoidTrajectorySpec& s) const {
    return {&s.points, {{"speed", &s.speed}, {"acceleration", &s.acceleration}}, false, true};
  }
  TrajectoryParts operator()(const SCurveTrajectorySpec& s) const {
    return {&s.points, {{"speed", &s.speed}, {"acceleration", &s.acceleration}, {"jerk", &s.jerk}}, false, true};
  }
  TrajectoryParts operator()(const SplineTrajectorySpec& s) const { return {&s.points, {}, true, true}; }
  TrajectoryParts operator()(const FileTrajectorySpec& s) const { return {&s.points, {}, true, !s.points.empty()}; }
};

/// Looks at one controller beside the whole scene.
class ControllerCheck {
 public:
  ControllerCheck(const SceneSpec& scene, const ControllerSpec& controller, ProblemList& problems)
      : scene_(scene),
        owner_(controller.kind),
        label_(fmt::format("[[controller]] '{}'", controller.name)),
        problems_(problems) {}

  void operator()(const JointPidSpec& s) {
    check_joints(s.joints, true);
    check_count("kp", s.kp, s.joints.size());
    check_count("ki", s.ki, s.joints.size());
    check_count("kd", s.kd, s.joints.size());
    check_count("limit", s.limit, s.joints.size());
    check_trajectory(s.trajectory, s.joints.size());
  }
  void operator()(const ComputedTorqueSpec& s) {
    check_joints(s.joints, true);
    check_count("kp", s.kp, s.joints.size());
    check_count("kd", s.kd, s.joints.size());
    check_nominal(s.nominal);
    check_trajectory(s.trajectory, s.joints.size());
  }
  void operator()(const ImpedanceSpec& s) {
    check_tool(s);
    check_nominal(s.nominal);
    check_trajectory(s.trajectory, 6);
  }
  void operator()(const AdmittanceSpec& s) {
    check_tool(s);
    check_wrench_sensor(s.sensor);
    check_nominal(s.nominal);
    check_trajectory(s.trajectory, 6);
  }
  void operator()(const AccommodationSpec& s) {
    check_tool(s);
    check_wrench_sensor(s.sensor);
    check_nominal(s.nominal);
  }
  void operator()(const LibraryControlSpec& s) {
    check_joints(s.joints, false);
    check_sensors(s.sensors);
  }
  void operator()(const SocketControlSpec& s) {
    check_joints(s.joints, false);
    check_sensors(s.sensors);
    if (owner_.is_unusable("address") || s.address.find('/') != std::string::npos) return;
    const std::size_t colon = s.address.rfind(':');
    const std::string port = colon == std::string::npos ? "" : s.address.substr(colon + 1);
    const bool is_number =
        !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number || s.address.substr(0, colon) != "localhost" || std::stoi(port) > 65535)
      add("address", fmt::format("'{}' is no address of {}", s.address, label_),
          "Give localhost:PORT, or the path of a socket with a / in it.");
  }

 private:
  void add(const char* key, std::string message, std::string hint = {}) {
    problems_.add(owner_.location_of(key), std::move(message), std::move(hint));
  }

  void check_joints(const std::vector<std::string>& names, bool needs_torque) {
    if (owner_.is_unusable("joints")) return;
    if (names.empty()) add("joints", fmt::format("{} commands no joint", label_));
    std::set<std::string> seen;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const SourceLocation& place = owner_.location_of(fmt::format("joints[{}]", i));
      const auto joint = std::find_if(scene_.joint.begin(), scene_.joint.end(),
                                      [&](const JointSpec& other) { return other.name == names[i]; });
      if (!seen.insert(names[i]).second) {
        problems_.add(place, fmt::format("joint '{}' stands twice in {}", names[i], label_));
      } else if (joint == scene_.joint.end()) {
        refuse_unknown(place, names[i]);
      } else if (!joint->is_unusable("motor") && !joint->motor) {
        problems_.add(place, fmt::format("joint '{}' has no motor for {} to command", names[i], label_),
                      "Give motor = { mode = \"torque\", value = 0 } to that joint.");
      } else if (joint->motor && needs_torque && !joint->motor->is_unusable("mode") &&
                 joint->motor->mode != MotorSpec::Mode::torque) {
        problems_.add(place,
                      fmt::format("{} commands forces, and the motor of joint '{}' takes a {}", label_, names[i],
                                  enum_name(joint->motor->mode)),
                      "Give that motor mode = \"torque\".");
      }
    }
  }
  void refuse_unknown(const SourceLocation& place, const std::string& name) {
    if (scene_.is_unusable("joint")) return;
    std::vector<std::string> names;
    for (const JointSpec& joint : scene_.joint) names.push_back(joint.name);
    problems_.add(place, fmt::format("there is no joint '{}' for {}.{}", name, label_, suggest(name, names)),
                  names.empty() ? "The scene has no joints." : fmt::format("Joints: {}.", list_names(names)), name,
                  names);
  }

  const SensorSpec* find_sensor(const SourceLocation& place, const std::string& name) {
    if (scene_.is_unusable("sensor")) return nullptr;
    std::vector<std::string> names;
    for (const SensorSpec& sensor : scene_.sensor) {
      if (sensor.name == name) return &sensor;
      names.push_back(sensor.name);
    }
    problems_.add(place, fmt::format("there is no sensor '{}' for {}.{}", name, label_, suggest(name, names)),
                  names.empty() ? "The scene has no [[sensor]]." : fmt::format("Sensors: {}.", list_names(names)), name,
                  names);
    return nullptr;
  }
  void check_sensors(const std::vector<std::string>& names) {
    if (owner_.is_unusable("sensors")) return;
    for (std::size_t i = 0; i < names.size(); ++i)
      find_sensor(owner_.location_of(fmt::format("sensors[{}]", i)), names[i]);
  }
  void check_wrench_sensor(const std::string& name) {
    if (owner_.is_unusable("sensor") || name.empty()) return;
    const SensorSpec* sensor = find_sensor(owner_.location_of("sensor"), name);
    if (sensor == nullptr || sensor->is_unusable("kind") || sensor->kind.is_unusable("type")) return;
    const bool has_wrench = std::holds_alternative<ReactionSensorSpec>(sensor->kind.type) ||
                            std::holds_alternative<ContactWrenchSensorSpec>(sensor->kind.type);
    if (!has_wrench)
      add("sensor", fmt::format("sensor '{}' shows no wrench, which {} needs", name, label_),
          "Name one whose kind is contact_wrench or reaction.");
  }

  void check_body(const SourceLocation& place, const std::string& body) {
    if (scene_.is_unusable("body") || body.empty()) return;
    std::vector<std::string> names;
    for (const BodySpec& other : scene_.body) names.push_back(other.name);
    if (std::find(names.begin(), names.end(), body) != names.end()) return;
    problems_.add(place, fmt::format("there is no body '{}' for {}.{}", body, label_, suggest(body, names)),
                  fmt::format("Bodies: {}.", list_names(names)), body, names);
  }

  void check_tool(const ToolSpec& s) {
    check_joints(s.joints, true);
    if (!owner_.is_unusable("body")) check_body(owner_.location_of("body"), s.body);
    if (s.orientation && s.rotation)
      add("rotation", fmt::format("orientation and rotation are both given in {}", label_));
  }

  void check_nominal(const std::vector<NominalMassSpec>& nominal) {
    for (const NominalMassSpec& entry : nominal) check_body(entry.location_of("body"), entry.body);
  }

  void check_count(const char* key, const std::vector<double>& numbers, std::size_t joints) {
    if (owner_.is_unusable(key) || numbers.empty() || numbers.size() == 1 || numbers.size() == joints) return;
    add(key, fmt::format("{} has {} numbers for {} joints in {}", key, numbers.size(), joints, label_),
        "Give one for all joints, or one each.");
  }

  void check_trajectory(const std::optional<TrajectorySpec>& trajectory, std::size_t channels) {
    if (!trajectory || trajectory->is_unusable("kind")) return;
    const TrajectoryParts parts = std::visit(PartsOf{}, trajectory->kind);
    for (const PathPointSpec& point : *parts.points) {
      if (point.is_unusable("at") || point.at.size() == channels) continue;
      problems_.add(point.location_of("at"),
                    fmt::format("a point of the trajectory has {} numbers for {} channels in {}", point.at.size(),
                                channels, label_));
    }
    for (const auto& [key, numbers] : parts.limits) {
      if (trajectory->is_unusable(key) || numbers->size() == 1 || numbers->size() == channels) continue;
      problems_.add(trajectory->location_of(key),
                    fmt::format("{} has {} numbers for {} channels in {}", key, numbers->size(), channels, label_),
                    "Give one for all channels, or one each.");
    }
  }

  const SceneSpec& scene_;
  const ControllerKindSpec& owner_;
  std::string label_;
  ProblemList& problems_;
};

}  // namespace

void check_whole(const ToolVelocitySpec& table, const std::string& label, ProblemList& problems) {
  if (table.is_unusable("time")) return;
  const auto complain = [&](const char* key, const std::string& what) {
    problems.add(table.location_of(key), fmt::format("{} in {}", what, label));
  };
  if (table.time.empty()) complain("time", "time must not be empty");
  for (std::size_t i = 1; i < table.time.size(); ++i) {
    if (!(table.time[i] > table.time[i - 1])) return complain("time", "time must increase");
  }
  const auto check = [&](const char* key, std::size_t size) {
    if (size == 0 || table.is_unusable(key) || size == table.time.size()) return;
    complain(key, fmt::format("{} has {} entries but time has {}", key, size, table.time.size()));
  };
  check("linear", table.linear.size());
  check("angular", table.angular.size());
}

void check_whole(const TrajectorySpec& trajectory, const std::string& label, ProblemList& problems) {
  if (trajectory.is_unusable("kind") || trajectory.is_unusable("points")) return;
  const TrajectoryParts parts = std::visit(PartsOf{}, trajectory.kind);
  if (!parts.is_read) return;
  if (parts.points->empty()) {
    problems.add(trajectory.location_of("points"), fmt::format("points must not be empty in {}", label));
    return;
  }
  const PathPointSpec* before = nullptr;
  for (const PathPointSpec& point : *parts.points) {
    if (point.time.has_value() != parts.has_times && !point.is_unusable("time")) {
      problems.add(point.has_key("time") ? point.location_of("time") : point.where,
                   parts.has_times ? fmt::format("a point of {} needs its time", label)
                                   : fmt::format("time has no meaning in {}: speed and acceleration decide", label));
      return;
    }
    if (parts.has_times && before != nullptr && !(*point.time > *before->time)) {
      problems.add(point.location_of("time"),
                   fmt::format("times must increase in {}: {} follows {}", label, *point.time, *before->time));
      return;
    }
    before = &point;
  }
}

void check_controllers(const SceneSpec& scene, ProblemList& problems) {
  std::map<std::string, const ControllerSpec*> of_joint;
  for (const ControllerSpec& controller : scene.controller) {
    if (controller.is_unusable("kind") || controller.kind.is_unusable("type")) continue;
    ControllerCheck check(scene, controller, problems);
    std::visit(check, controller.kind.type);
    const auto& joints = std::visit([](const auto& kind) -> const std::vector<std::string>& { return kind.joints; },
                                    controller.kind.type);
    for (const std::string& joint : joints) {
      const auto [place, is_new] = of_joint.emplace(joint, &controller);
      if (is_new || place->second == &controller) continue;
      problems.add(controller.kind.location_of("joints"),
                   fmt::format("joint '{}' is commanded by two controllers, '{}' and '{}'", joint, place->second->name,
                               controller.name));
    }
  }
}

}  // namespace abut
