// The row of method micro.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "abut/sim/combination.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/long_wait.hpp"
#include "abut/sim/method_advice.hpp"
#include "abut/sim/method_row.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

std::string describe_micro(const SceneSpec& scene) {
  return fmt::format("micro (contacts followed inside), step {:g} s", scene.run.step.value_or(0.0));
}

/// Smallest size of a body that touches anything [m].
double calc_least_size(const Model& model) {
  double least = std::numeric_limits<double>::infinity();
  for (const Collider& collider : model.colliders) least = std::min(least, collider.bounding_radius);
  return least;
}

/// Springs between points act as at the middle of the step, and limit it.
void warn_of_springs(const Model& model, double h, MethodAdvice& advice) {
  for (const PointSpring& spring : model.springs) {
    double mobility = 0.0;
    for (const int link : {spring.link_a, spring.link_b}) {
      if (!model.tree.is_immovable(link) && model.tree.link(link).mass.mass > 0.0)
        mobility += 1.0 / model.tree.link(link).mass.mass;
    }
    const double pace = std::sqrt(spring.stiffness * mobility) + spring.damping * mobility;
    if (!(h * pace > 1.0)) continue;
    advice.warnings.push_back(
        fmt::format("a spring between points of {:.3g} N/m follows in {:.2g} s, and acts as at the middle of the step: "
                    "take a step below {:.1g} s, or a joint with the stiffness, which limits no step",
                    spring.stiffness, 1.0 / pace, 1.0 / pace));
  }
}

void advise_micro(const Model& model, const std::vector<ContactAdvice>& contacts, MethodAdvice& advice) {
  const MicroSpec& spec = model.scene.micro;
  const double h = model.scene.run.step.value_or(0.0), size = calc_least_size(model);
  advice.values.push_back({"ring", spec.ring, "1", "sub-steps of what swings, over its period by 2 pi"});
  advice.values.push_back({"quiet", spec.quiet, "1", "ripple of a force that a step passes over"});
  for (const ContactAdvice& contact : contacts) {
    if (contact.impact_speed * h > size) {
      advice.warnings.push_back(fmt::format(
          "{}: at {:.3g} m/s bodies come {:.3g} m in a step, more than the smallest is wide ({:.3g} m): "
          "they may pass each other unseen. Take a step below {:.1g} s",
          contact.contact, contact.impact_speed, contact.impact_speed * h, size, size / contact.impact_speed));
    }
  }
  warn_of_springs(model, h, advice);
}

void refuse_mechanisms(const SceneSpec& scene) {
  const auto refuse = [](const SourceLocation& where, const std::string& what) {
    fail_at(
        where,
        fmt::format("method 'micro' does not know {}. Use method adaptive, explicit or lcp.\nNothing was run.", what));
  };
  for (const JointSpec& joint : scene.joint) {
    if (joint.closes_loop) refuse(joint.where, fmt::format("loops, which joint '{}' closes", joint.name));
  }
  for (const JointSpec& joint : scene.joint) {
    if (joint.friction && joint.friction->has_stiction())
      refuse(joint.where, fmt::format("stiction of joints, which joint '{}' has", joint.name));
  }
  for (const CouplingSpec& coupling : scene.coupling)
    refuse(coupling.where, fmt::format("couplings, as of joints '{}' and '{}'", coupling.joint, coupling.of));
  for (const BushingSpec& bushing : scene.bushing)
    refuse(bushing.where, fmt::format("bushings, as between '{}' and '{}'", bushing.parent, bushing.child));
}

}  // namespace

std::string suggest_micro(const Model& model, double explicit_step) {
  constexpr double kShort = 1e-4;    // [s]: ten explicit steps for one of a millisecond
  constexpr std::size_t kMost = 40;  // bodies: it solves islands densely
  const bool is_micro = model.scene.run.method == MethodKind::micro;
  if (is_micro || !(explicit_step < kShort) || model.scene.body.size() > kMost || !model.uses_normal_laws()) return {};
  if (!takes_all(model, -1, ContactDefaultSpec::Region::point, MethodKind::micro)) return {};
  for (const ContactRule& rule : model.rules) {
    if (!rule.traits().takes_nearest_points) return {};
  }
  return fmt::format(
      "method = \"micro\" follows these contacts at steps of {:g} s, stiffness and restitution as they are",
      method_traits(MethodKind::micro).default_step);
}

constinit const MethodRow kMicroRow = {
    .kind = MethodKind::micro,
    .make = make_micro_method,
    .describe = describe_micro,
    .refuse = refuse_mechanisms,
    .advise = advise_micro,
};

}  // namespace abut
