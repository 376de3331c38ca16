#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/scene/body_index.hpp"
#include "abut/scene/check_specs.hpp"
#include "abut/scene/contact_match.hpp"
#include "abut/scene/sensor_channel.hpp"

namespace abut {
namespace {

std::string format_quantities(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "quantity" : "quantities");
}

/// Steps that end this near to a sample, as a part of a step, end at it.
constexpr double kOnGrid = 1e-6;

class SensorChecker {
 public:
  SensorChecker(const SceneSpec& scene, const SensorSpec& sensor, const BodyIndex& index, ProblemList& problems)
      : scene_(scene),
        sensor_(sensor),
        kind_(sensor.kind),
        index_(index),
        problems_(problems),
        label_(sensor.name.empty() ? "[[sensor]]" : fmt::format("[[sensor]] '{}'", sensor.name)) {}

  void check() {
    check_rate();
    if (sensor_.is_unusable("kind") || kind_.is_unusable("type")) return;
    if (!sensor_.has_key("kind") && sensor_.where.is_known()) return;  // reported as missing
    const bool is_known = std::visit([this](const auto& kind) { return check_kind(kind); }, kind_.type);
    if (is_known) check_counts();
  }

 private:
  void add(const Located& owner, const char* key, const std::string& message, const std::string& hint = {}) {
    problems_.add(owner.location_of(key), message, hint);
  }

  void check_rate() {
    if (!sensor_.rate) {
      if (sensor_.is_unusable("rate")) return;
      const auto needs = [&](const char* key, bool given) {
        if (given)
          add(sensor_, key, fmt::format("{} has {} but no rate", label_, key),
              "Give rate [Hz]: samples are what it acts on.");
      };
      needs("delay", sensor_.delay > 0.0);
      needs("low_pass", sensor_.low_pass.has_value());
      needs("noise", !sensor_.noise.empty());
      return;
    }
    if (sensor_.low_pass && !(*sensor_.low_pass < 0.5 * *sensor_.rate)) {
      add(sensor_, "low_pass",
          fmt::format("low_pass = {} Hz of {} is not below half of its rate, {} Hz", *sensor_.low_pass, label_,
                      0.5 * *sensor_.rate),
          "Sample faster, or leave the filter out: it would let everything through that can be sampled.");
    }
    const RunSpec& run = scene_.run;
    if (scene_.is_unusable("run") || run.is_unusable("method") || run.is_unusable("step")) return;
    const MethodTraits& method = method_traits(run.method);
    const double step = run.step.value_or(method.default_step);
    if (!method.has_fixed_step || !(step > 0.0) || !(*sensor_.rate * step > 1.0 + kOnGrid)) return;
    add(sensor_, "rate",
        fmt::format("{} samples {} times a second, but steps of {} s end only {:.6g} times", label_, *sensor_.rate,
                    step, 1.0 / step),
        fmt::format("Give rate <= {:.6g}, or run.step <= {:.6g}.", 1.0 / step, 1.0 / *sensor_.rate));
  }

  bool check_body(const char* key, const std::string& name, World world = World::allowed) {
    return check_reference(index_, kind_, key, name, world, label_, problems_);
  }

  bool check_joint(const std::string& name) {
    if (kind_.is_unusable("joint") || name.empty()) return false;
    std::vector<std::string> names;
    bool knows_all = !scene_.is_unusable("joint");
    for (const JointSpec& joint : scene_.joint) {
      if (joint.name == name && joint.closes_loop) {
        add(kind_, "joint",
            fmt::format(
                "joint '{}' of {} closes a loop: it is none of the tree, and has neither coordinates nor a known "
                "reaction",
                name, label_),
            "Sense another joint of the loop.");
        return false;
      }
      if (joint.name == name) return !joint.is_unusable("type");
      names.push_back(joint.name);
      knows_all = knows_all && !joint.name.empty() && !joint.is_unusable("name");
    }
    if (!knows_all) return false;
    add(kind_, "joint", fmt::format("there is no joint '{}' for {}.{}", name, label_, suggest(name, names)),
        names.empty() ? std::string("The scene has no [[joint]].") : fmt::format("Joints: {}.", list_names(names)));
    return false;
  }

  void check_place(const char* first, const char* second, const std::optional<Quat>& orientation,
                   const std::optional<RotationSpec>& rotation) {
    if (orientation && rotation)
      add(kind_, second, fmt::format("{} and {} are both given in {}", first, second, label_));
  }
  void check_place(const SensorPlace& place) {
    check_place("orientation", "rotation", place.orientation, place.rotation);
  }

  bool check_kind(const ReactionSensorSpec& s) {
    check_place(s);
    if (s.body) check_body("body", *s.body);
    if (s.body && kind_.has_key("side"))
      add(kind_, "side", fmt::format("side has no meaning beside body in {}", label_), "Leave one of them out.");
    return check_joint(s.joint);
  }

  bool check_kind(const ContactWrenchSensorSpec& s) {
    check_place(s);
    if (s.body) check_body("body", *s.body);
    if (s.on.empty() && !kind_.is_unusable("on"))
      add(kind_, "on", fmt::format("on names no body in {}", label_), "Give names, or patterns with * and ?.");
    for (const std::string& pattern : s.on) {
      if (!is_glob(pattern)) {
        check_body("on", pattern, World::refused);
        continue;
      }
      const bool found = std::any_of(scene_.body.begin(), scene_.body.end(),
                                     [&](const BodySpec& body) { return matches_glob(pattern, body.name); });
      if (!found && index_.knows_all_names()) {
        add(kind_, "on", fmt::format("'{}' matches no body in {}", pattern, label_),
            fmt::format("Bodies: {}.", list_names(index_.names())));
      }
    }
    return true;
  }

  bool check_kind(const MotionSensorSpec& s) {
    check_place(s);
    check_place("relative_orientation", "relative_rotation", s.relative_orientation, s.relative_rotation);
    check_body("body", s.body);
    check_body("relative_to", s.relative_to);
    for (const char* key : {"gain", "offset"}) {
      if (!(key[0] == 'g' ? sensor_.gain : sensor_.offset).empty())
        add(sensor_, key, fmt::format("{} has no meaning for an orientation, which {} shows", key, label_));
    }
    return true;
  }

  bool check_kind(const JointSensorSpec& s) {
    if (!check_joint(s.joint)) return false;
    const std::vector<SensorQuantity> quantities = list_quantities(scene_, sensor_);
    if (quantities.empty())
      add(kind_, "joint", fmt::format("joint '{}' of {} is fixed: it has no coordinates", s.joint, label_),
          "What it bears is sensed by type = \"reaction\".");
    const bool has_angle = std::any_of(quantities.begin(), quantities.end(),
                                       [](const SensorQuantity& q) { return q.is_coordinate && q.unit == "rad"; });
    if (s.bits && !has_angle)
      add(kind_, "bits", fmt::format("joint '{}' of {} has no angle that bits could divide", s.joint, label_),
          "Give quantum.");
    if (s.bits && !sensor_.quantum.empty())
      add(kind_, "bits", fmt::format("bits and quantum are both given in {}", label_), "Leave one of them out.");
    return !quantities.empty();
  }

  bool check_kind(const GapSensorSpec& s) {
    bool is_fine = !kind_.is_unusable("between");
    for (const std::string& name : s.between) {
      if (!check_body("between", name, World::refused)) {
        is_fine = false;
        continue;
      }
      if (index_.find(name)->shape.empty() && !index_.find(name)->is_unusable("shape"))
        add(kind_, "between", fmt::format("body '{}' of {} has no shape to measure from", name, label_));
    }
    if (is_fine && s.between[0] == s.between[1])
      add(kind_, "between", fmt::format("{} is between '{}' and itself", label_, s.between[0]));
    return true;
  }

  void check_counts() {
    const std::vector<SensorQuantity> quantities = list_quantities(scene_, sensor_);
    const auto check = [&](const char* key, const std::vector<double>& values) {
      if (sensor_.is_unusable(key) || !spread_over_channels(values, quantities, 0.0).empty()) return;
      std::vector<std::string> names;
      for (const SensorQuantity& quantity : quantities) names.push_back(quantity.name);
      add(sensor_, key,
          fmt::format("{} has {} numbers in {}, which shows {} in {}", key, values.size(), label_,
                      list_channels(quantities).size(), format_quantities(quantities.size())),
          fmt::format("One for all, one for each quantity ({}), or one for each number.", list_names(names)));
    };
    check("gain", sensor_.gain);
    check("offset", sensor_.offset);
    check("noise", sensor_.noise);
    check("quantum", sensor_.quantum);
  }

  const SceneSpec& scene_;
  const SensorSpec& sensor_;
  const SensorKindSpec& kind_;
  const BodyIndex& index_;
  ProblemList& problems_;
  std::string label_;
};

}  // namespace

void check_sensors(const SceneSpec& scene, ProblemList& problems) {
  if (scene.sensor.empty()) return;
  const BodyIndex index(scene);
  for (const SensorSpec& sensor : scene.sensor) SensorChecker(scene, sensor, index, problems).check();
}

}  // namespace abut
