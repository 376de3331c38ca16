#include "abut/scene/fmu_port.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/math/time_table.hpp"
#include "abut/scene/check_specs.hpp"
#include "abut/scene/detail/port_names.hpp"
#include "abut/scene/energy_list.hpp"
#include "abut/scene/get_value.hpp"
#include "abut/scene/joint_list.hpp"
#include "abut/scene/record.hpp"
#include "abut/scene/scene_path.hpp"
#include "abut/scene/sensor_channel.hpp"
#include "abut/scene/set_value.hpp"

namespace abut {

namespace {

using Role = FmuPort::Role;
using Source = FmuPort::Source;

/// That of all numbers; none where they differ.
std::string joint_unit(std::span<const JointNumber> numbers, const char* suffix) {
  std::string unit;
  for (const JointNumber& number : numbers) {
    const std::string own = std::string_view(number.unit) == "1" ? std::string() : number.unit + std::string(suffix);
    if (!unit.empty() && own != unit) return {};
    unit = own;
  }
  return unit;
}

/// Resolves names against one scene.
class PortFinder {
 public:
  explicit PortFinder(const SceneSpec& scene) : scene_(scene) {}

  FmuPort find(Role role, const std::string& path) const {
    if (role == Role::parameter) return find_parameter(path);
    std::vector<std::string> parts = split_path(path);
    const std::vector<std::string> kinds =
        role == Role::input ? std::vector<std::string>{"body", "joint"}
                            : std::vector<std::string>{"body", "joint", "contact", "energy", "sensor"};
    if (parts.empty() || std::find(kinds.begin(), kinds.end(), parts[0]) == kinds.end()) {
      const std::string first = parts.empty() ? path : parts[0];
      throw WrongName{
          fmt::format("'{}' begins with no kind of {}", path, role == Role::input ? "input" : "output"),
          fmt::format("{} begin with: {}.", role == Role::input ? "Inputs" : "Outputs", fmt::join(kinds, ", ")), first,
          kinds};
    }
    // "contact.a-b.force" where names have points may have more parts; the last one is the quantity.
    const std::size_t wanted = parts[0] == "energy" ? 2 : 3;
    if (parts.size() != wanted)
      throw WrongName{fmt::format("'{}' has {} parts, not {}", path, parts.size(), wanted),
                      "For example body.crate.position, contact.crate-floor.force, energy.kinetic; names with a point "
                      "stand in quotes.",
                      path};
    FmuPort port = role == Role::input ? find_input(parts) : find_output(parts);
    port.role = role;
    port.path = path;
    port.name = to_structured_name(parts);
    return port;
  }

 private:
  FmuPort find_parameter(const std::string& path) const {
    const std::optional<KeyNumbers> numbers = find_numbers(scene_, path);
    if (!numbers) {
      try {  // says what is wrong with the path, if it is the path
        SceneSpec copy = scene_;
        set(copy, path, 0.0);
      } catch (const InputError& error) {
        const Mistake& mistake = error.mistakes().front();
        const bool is_lost = mistake.message.starts_with("unknown key") || mistake.message.starts_with("there is no");
        if (is_lost) throw WrongName{mistake.message, mistake.hint, mistake.found, mistake.allowed, true};
      }
      throw WrongName{fmt::format("'{}' has no numbers in the scene", path),
                      "A parameter begins with the numbers that are written there.", path};
    }
    FmuPort port;
    port.role = Role::parameter;
    port.source = Source::key;
    port.path = path;
    port.name = to_structured_name(split_path(path));
    port.unit = numbers->unit == "1" ? std::string() : numbers->unit;
    port.doc = numbers->doc;
    port.width = numbers->values.size();
    port.is_array = numbers->is_array;
    port.start = numbers->values;
    if (port.width == 0) throw WrongName{fmt::format("'{}' has no numbers", path), {}, path};
    return port;
  }

  FmuPort find_input(const std::vector<std::string>& parts) const {
    FmuPort port;
    if (parts[0] == "body") {
      port.body_a = find_named(scene_.body, parts[1], "body");
      const std::size_t row = find_row(std::array{"force", "torque"}, std::identity(), parts[2], "a body as input");
      if (scene_.body[static_cast<std::size_t>(port.body_a)].fixed)
        throw WrongName{fmt::format("body '{}' is fixed: nothing pushes it", parts[1]), {}, parts[1]};
      port.source = row == 0 ? Source::body_force : Source::body_torque;
      port.unit = row == 0 ? "N" : "N m";
      port.doc = row == 0 ? "Force at the origin of the body's frame, world axes." : "Torque on the body, world axes.";
      port.width = 3;
      port.is_array = true;
      port.start.assign(3, 0.0);
      return port;
    }
    port.joint = find_named(scene_.joint, parts[1], "joint");
    const JointSpec& joint = scene_.joint[static_cast<std::size_t>(port.joint)];
    const std::size_t row =
        find_row(std::array{"command", "motion", "motion_rate"}, std::identity(), parts[2], "a joint as input");
    if (row == 0 && !joint.motor)
      throw WrongName{fmt::format("joint '{}' has no motor to command", joint.name), {}, {}};
    if (row != 0 && !joint.motion)
      throw WrongName{fmt::format("joint '{}' has no prescribed motion to replace", joint.name), {}, {}};
    const JointTraits& traits = kJoints[static_cast<std::size_t>(joint.type)];
    const bool is_turning = traits.coordinates.size() == 1 && std::string_view(traits.coordinates[0].unit) == "rad";
    if (row == 0) return find_command(joint, std::move(port), is_turning);
    port.source = row == 1 ? Source::motion : Source::motion_rate;
    port.unit = std::string(is_turning ? "rad" : "m") + (row == 1 ? "" : "/s");
    port.doc = row == 1 ? "Where the joint is to be." : "How fast it is to move there.";
    port.start = {0.0};  // where it is at the start is known to the model
    return port;
  }

  static FmuPort find_command(const JointSpec& joint, FmuPort port, bool is_turning) {
    const MotorSpec& motor = *joint.motor;
    port.source = Source::command;
    const char* const units[][2] = {{"N", "N m"}, {"m/s", "rad/s"}, {"m", "rad"}};
    port.unit = units[static_cast<std::size_t>(motor.mode)][is_turning];
    port.doc = fmt::format("Command of the motor: {}.", enum_name(motor.mode));
    double start = motor.value.value_or(0.0);
    if (motor.table && !motor.table->value.empty() && motor.table->value.size() == motor.table->time.size())
      start = TimeTable(motor.table->time, motor.table->value).value(0.0);
    port.start = {start};
    return port;
  }

  FmuPort find_output(const std::vector<std::string>& parts) const {
    FmuPort port;
    if (parts[0] == "body") {
      port.source = Source::body_column;
      port.body_a = find_named(scene_.body, parts[1], "body");
      port.column = find_row(
          kBodyColumns, [](const auto& row) { return row.name; }, parts[2], "a body");
      describe_column(kBodyColumns[port.column], port);
    } else if (parts[0] == "joint") {
      port.source = Source::joint_column;
      port.joint = find_named(scene_.joint, parts[1], "joint");
      if (scene_.joint[static_cast<std::size_t>(port.joint)].closes_loop)
        throw WrongName{fmt::format("joint '{}' closes a loop and has no coordinates", parts[1]), {}, {}};
      port.column = find_row(
          kJointColumns, [](const JointColumn& row) { return row.name; }, parts[2], "a joint");
      describe_joint(scene_.joint[static_cast<std::size_t>(port.joint)], port);
    } else if (parts[0] == "energy") {
      port.source = Source::energy;
      std::vector<std::string> names(kEnergyNames.begin(), kEnergyNames.end());
      names.emplace_back("residual");
      port.column = find_row(names, std::identity(), parts[1], "the ledger");
      port.unit = "J";
      port.doc = port.column == kNumEnergies ? "What the ledger of the scene misses." : "Of the ledger of the scene.";
    } else if (parts[0] == "sensor") {
      find_sensor(parts, port);
    } else {
      find_contact_pair(scene_, parts[1], port);
      find_contact_column(scene_, parts[2], port);
    }
    return port;
  }

  void find_sensor(const std::vector<std::string>& parts, FmuPort& port) const {
    port.source = Source::sensor;
    port.sensor = find_named(scene_.sensor, parts[1], "sensor");
    const SensorSpec& sensor = scene_.sensor[static_cast<std::size_t>(port.sensor)];
    const std::vector<SensorQuantity> quantities = list_quantities(scene_, sensor);
    const std::size_t row = find_row(
        quantities, [](const SensorQuantity& quantity) { return quantity.name; }, parts[2],
        fmt::format("sensor '{}'", sensor.name));
    for (std::size_t i = 0; i < row; ++i) port.column += quantities[i].width();
    port.unit = plain_unit(quantities[row].unit.c_str());
    port.doc = "As the sensor shows it.";
    port.width = quantities[row].width();
    port.is_array = port.width > 1;
    port.is_held = sensor.rate.has_value();
  }

  static void describe_joint(const JointSpec& joint, FmuPort& port) {
    const JointTraits& traits = kJoints[static_cast<std::size_t>(joint.type)];
    const JointColumn& column = kJointColumns[port.column];
    const auto numbers = column.is_coordinate ? traits.coordinates : traits.speeds;
    if (numbers.empty()) throw WrongName{fmt::format("joint '{}' does not move", joint.name), {}, joint.name};
    port.width = numbers.size();
    port.is_array = port.width > 1;
    port.doc = column.doc;
    if (column.is_coordinate) {
      port.unit = joint_unit(numbers, "");
    } else if (std::string_view(column.name) == "v") {
      port.unit = joint_unit(numbers, "/s");
    } else {
      const std::string unit = joint_unit(numbers, "");
      port.unit = unit == "m" ? "N" : unit == "rad" ? "N m" : "";
    }
  }

  const SceneSpec& scene_;
};

}  // namespace

std::string to_structured_name(const std::vector<std::string>& parts) {
  std::string name;
  for (const std::string& part : parts) {
    if (!name.empty() && to_index(part)) {
      name += "[" + part + "]";
      continue;
    }
    if (!name.empty()) name += '.';
    const bool is_plain = !part.empty() && !std::isdigit(static_cast<unsigned char>(part[0])) &&
                          std::all_of(part.begin(), part.end(),
                                      [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_'); });
    if (is_plain) {
      name += part;
      continue;
    }
    name += '\'';
    for (const char c : part) {
      if (c == '\'' || c == '\\') name += '\\';
      name += c;
    }
    name += '\'';
  }
  return name;
}

std::vector<FmuPort> find_fmu_ports(const SceneSpec& scene, ProblemList& problems) {
  const PortFinder finder(scene);
  std::vector<FmuPort> ports;
  std::set<std::string> seen;
  const auto add = [&](Role role, const std::vector<std::string>& paths, const char* key) {
    if (scene.fmu.is_unusable(key)) return;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const SourceLocation& place = scene.fmu.location_of(fmt::format("{}[{}]", key, i));
      try {
        FmuPort port = finder.find(role, paths[i]);
        if (!seen.insert(port.name).second) throw WrongName{fmt::format("'{}' is named twice", paths[i]), {}, paths[i]};
        ports.push_back(std::move(port));
      } catch (const WrongName& wrong) {
        const std::string message =
            fmt::format("{} in [fmu] {}.{}", wrong.message, key, suggest(wrong.found, wrong.allowed));
        problems.add(place, wrong.is_whole ? wrong.message : message, wrong.hint, wrong.found, wrong.allowed);
      }
    }
  };
  add(Role::parameter, scene.fmu.parameters, "parameters");
  add(Role::input, scene.fmu.inputs ? *scene.fmu.inputs : default_fmu_inputs(scene), "inputs");
  add(Role::output, scene.fmu.outputs ? *scene.fmu.outputs : default_fmu_outputs(scene), "outputs");
  return ports;
}

void check_fmu(const SceneSpec& scene, ProblemList& problems) {
  const bool is_whole = !scene.is_unusable("body") && !scene.is_unusable("joint") && !scene.is_unusable("contact");
  const FmuSpec& fmu = scene.fmu;
  if (is_whole && (fmu.inputs || fmu.outputs || !fmu.parameters.empty())) find_fmu_ports(scene, problems);
}

}  // namespace abut
