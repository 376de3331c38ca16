// Sensors of the scene by links, with one number of each setting for each channel.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "abut/geometry/distance/support_distance.hpp"
#include "abut/geometry/point_pair.hpp"
#include "abut/math/counter_noise.hpp"
#include "abut/scene/contact_match.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/pair_distance.hpp"

namespace abut {

namespace {

int find_link(const LinkByName& links, const std::string& body) { return body == kWorldName ? kWorld : links.at(body); }

Pose make_place(const SensorPlace& place) {
  return make_pose(place.position, calc_orientation(place.orientation, place.rotation));
}

int find_child(const Model& model, const std::string& joint) {
  return std::find_if(model.joints.begin(), model.joints.end(), [&](const NamedJoint& j) { return j.name == joint; })
      ->link;
}

struct PlanMaker {
  const LinkByName& links;
  const Model& model;
  const SensorSpec& spec;

  ReactionPlan operator()(const ReactionSensorSpec& s) const {
    ReactionPlan plan;
    const auto method = model.scene.run.method;
    if (!model.loops.is_empty() && !method_traits(method).follows_laws)
      fail_at(
          spec.kind.location_of("joint"),
          fmt::format("sensor '{}': under method '{}' reactions are not known in a scene with loops or couplings: use "
                      "method adaptive or explicit.\nNothing was run.",
                      spec.name, enum_name(method)));
    plan.link = find_child(model, s.joint);
    plan.part = s.part;
    const Link& link = model.tree.link(plan.link);
    if (s.body) {
      plan.frame = {find_link(links, *s.body), make_place(s)};
    } else if (link.joint == JointType::free) {
      plan.frame = {plan.link, make_place(s)};
    } else if (s.side == ReactionSensorSpec::Side::child) {
      plan.frame = {plan.link, link.X_MB.inverse() * make_place(s)};
    } else {
      plan.frame = {link.parent, link.X_PF * make_place(s)};
    }
    return plan;
  }

  ContactWrenchPlan operator()(const ContactWrenchSensorSpec& s) const {
    ContactWrenchPlan plan;
    for (const BodySpec& body : model.scene.body) {
      const bool is_meant = std::any_of(s.on.begin(), s.on.end(),
                                        [&](const std::string& pattern) { return matches_glob(pattern, body.name); });
      if (is_meant) plan.links.push_back(links.at(body.name));
    }
    const bool is_one = s.on.size() == 1 && !is_glob(s.on.front());
    plan.frame = {find_link(links, s.body.value_or(is_one ? s.on.front() : kWorldName)), make_place(s)};
    return plan;
  }

  MotionPlan operator()(const MotionSensorSpec& s) const {
    return {{find_link(links, s.body), make_place(s)},
            {find_link(links, s.relative_to),
             make_pose(s.relative_position, calc_orientation(s.relative_orientation, s.relative_rotation))}};
  }

  JointPlan operator()(const JointSensorSpec& s) const { return {find_child(model, s.joint)}; }

  GapPlan operator()(const GapSensorSpec& s) const {
    GapPlan plan{links.at(s.between[0]), links.at(s.between[1]), {}};
    for (std::size_t a = 0; a < model.colliders.size(); ++a) {
      if (model.colliders[a].link != plan.link_a) continue;
      for (std::size_t b = 0; b < model.colliders.size(); ++b) {
        if (model.colliders[b].link != plan.link_b) continue;
        if (const std::string obstacle = find_distance_obstacle(model.colliders[a], model.colliders[b]);
            !obstacle.empty())
          fail_at(spec.kind.location_of("between"),
                  fmt::format("sensor '{}' cannot tell the gap of '{}' and '{}': {}.\nNothing was run.", spec.name,
                              s.between[0], s.between[1], obstacle));
        plan.colliders.emplace_back(static_cast<int>(a), static_cast<int>(b));
      }
    }
    return plan;
  }
};

/// Steps of a turn over 2^bits, of angles.
void divide_turns(int bits, const std::vector<SensorQuantity>& quantities, std::vector<double>& quantum) {
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    if (quantities[i].is_coordinate && quantities[i].unit == "rad")
      quantum[i] = std::ldexp(2.0 * std::numbers::pi, -bits);
  }
}

}  // namespace

std::size_t SensorPlan::num_kept() const {
  return is_sampled() ? static_cast<std::size_t>(std::ceil(delay * rate * (1.0 - 1e-12))) + 1 : 0;
}

void compile_sensors(const SceneSpec& scene, const LinkByName& links, Model& model) {
  int first = 0;
  for (const SensorSpec& spec : scene.sensor) {
    SensorPlan plan;
    plan.name = spec.name;
    plan.kind = std::visit(
        [&](const auto& kind) -> decltype(plan.kind) {
          return PlanMaker{links, model, spec}(kind);
        },
        spec.kind.type);
    const std::vector<SensorQuantity> quantities = list_quantities(scene, spec);
    plan.quantities = quantities;
    plan.channels = list_channels(quantities);
    plan.first = first;
    first += plan.num_channels();
    int channel = 0;
    for (const SensorQuantity& quantity : quantities) {
      if (quantity.is_orientation) plan.orientation = channel;
      channel += static_cast<int>(quantity.width());
    }
    plan.rate = spec.rate.value_or(0.0);
    plan.delay = spec.delay;
    plan.low_pass = spec.low_pass.value_or(0.0);
    plan.gain = spread_over_channels(spec.gain, quantities, 1.0);
    plan.offset = spread_over_channels(spec.offset, quantities, 0.0);
    plan.noise = spread_over_channels(spec.noise, quantities, 0.0);
    plan.quantum = spread_over_channels(spec.quantum, quantities, 0.0);
    if (const auto* joint = std::get_if<JointSensorSpec>(&spec.kind.type); joint != nullptr && joint->bits)
      divide_turns(*joint->bits, quantities, plan.quantum);
    plan.noise_key = make_noise_key(spec.seed, spec.name);
    model.sensors.push_back(std::move(plan));
  }
}

}  // namespace abut
