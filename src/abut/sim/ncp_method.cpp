// The row of method ncp.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/geometry/implicit_surface.hpp"
#include "abut/geometry/point_pair.hpp"
#include "abut/sim/combination.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/contact_layer.hpp"
#include "abut/sim/method_advice.hpp"
#include "abut/sim/method_row.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

std::string describe_ncp(const SceneSpec& scene) {
  const double step = scene.run.step.value_or(0.0);
  if (has_layers_by_contact(scene.ncp))
    return fmt::format("ncp (layers by contact, {:g} of the size), step {:g} s", kLayerOverSize, step);
  return fmt::format("ncp (layers of {:g} N/m up to {:g} m), step {:g} s", scene.ncp.stiffness.x(),
                     scene.ncp.max_deflection, step);
}

void refuse_mechanisms(const SceneSpec& scene) {
  const auto refuse = [](const SourceLocation& where, const std::string& what) {
    fail_at(where, fmt::format("method 'ncp' does not know {}. Use method adaptive, explicit or lcp.\nNothing was run.",
                               what));
  };
  for (const JointSpec& joint : scene.joint) {
    if (joint.closes_loop) refuse(joint.where, fmt::format("loops, which joint '{}' closes", joint.name));
  }
  for (const CouplingSpec& coupling : scene.coupling)
    refuse(coupling.where, fmt::format("couplings, as of joints '{}' and '{}'", coupling.joint, coupling.of));
  for (const BushingSpec& bushing : scene.bushing)
    refuse(bushing.where, fmt::format("bushings, as between '{}' and '{}'", bushing.parent, bushing.child));
}

void refuse_what_it_does_not_know(const SceneSpec& scene) {
  refuse_mechanisms(scene);
  for (const JointSpec& joint : scene.joint) {
    if (!joint.motion) continue;
    fail_at(
        joint.where,
        fmt::format("method 'ncp' does not know prescribed motion, which joint '{}' has. Use method lcp, or a motor "
                    "that holds a position.\nNothing was run.",
                    joint.name));
  }
}

std::string find_ncp_obstacle(const Shape& a, const Shape& b) {
  for (const Shape* shape : {&a, &b}) {
    if (!find_implicit_surface(*shape))
      return fmt::format("a {} is no smooth convex body, whose surface ncp follows", shape_name(*shape));
  }
  return find_point_pair(a, b) ? std::string() : describe_missing_point_pair(a, b);
}

void advise_layer(const Model& model, const ContactAdvice& contact, double gravity, MethodAdvice& advice) {
  const NcpSpec& spec = model.scene.ncp;
  const double h = model.scene.run.step.value_or(0.0), m = contact.effective_mass, k = spec.stiffness.x();
  const double layers = spec.soft == NcpSpec::Soft::both ? 2.0 : 1.0;  // in series, alike
  const double rest = m * gravity / k, time_constant = std::sqrt(layers * m / k);
  const double damping = spec.damping ? spec.damping->x() : 0.0;
  // Undamped; damping only lessens it.
  const double impact = std::sqrt(contact.impact_speed * contact.impact_speed * m / (k * layers));
  if (rest > spec.max_deflection) {
    advice.warnings.push_back(
        fmt::format("{}: at rest the layer would deflect by {:.3g} m, more than max_deflection = {:.3g} m: the core "
                    "carries the rest. Raise ncp.stiffness[0] above {:.2g} N/m to stand on the layer",
                    contact.contact, rest, spec.max_deflection, m * gravity / spec.max_deflection));
  } else if (impact > spec.max_deflection && damping < std::sqrt(k * m)) {
    advice.warnings.push_back(fmt::format(
        "{}: an impact at {:.3g} m/s deflects an undamped layer by {:.3g} m, more than max_deflection = {:.3g} m: the "
        "core will take the rest of the speed at once",
        contact.contact, contact.impact_speed, impact, spec.max_deflection));
  }
  warn_of_overlap(contact, -contact.initial_gap - layers * spec.max_deflection, h, "deeper than the layer yields",
                  advice);
  if (h > 0.5 * time_constant) {
    advice.warnings.push_back(
        fmt::format("{}: the step of {:.3g} s does not resolve the layer, whose time constant is {:.3g} s: stable, but "
                    "impacts lose their rebound. A step below {:.1g} s does",
                    contact.contact, h, time_constant, 0.1 * time_constant));
  }
}

void advise_ncp(const Model& model, const std::vector<ContactAdvice>& contacts, MethodAdvice& advice) {
  const NcpSpec& spec = model.scene.ncp;
  const double h = model.scene.run.step.value_or(0.0);
  if (has_layers_by_contact(spec)) {
    // Hard by choice: the core is meant to act, and no step resolves such a layer.
    advice.values.push_back({"layer over size", kLayerOverSize, "1", "of the smaller body; the core takes over there"});
    for (const ContactAdvice& contact : contacts) {
      warn_of_overlap(contact, -contact.initial_gap, h, "and no layer is given", advice);
    }
    return;
  }
  double lightest = HUGE_VAL;
  for (const ContactAdvice& contact : contacts) lightest = std::min(lightest, contact.effective_mass);
  advice.values.push_back({"layer stiffness", spec.stiffness.x(), "N/m", "ncp.stiffness, normal"});
  advice.values.push_back({"max_deflection", spec.max_deflection, "m", "ncp; the core takes over there"});
  if (std::isfinite(lightest)) {
    advice.values.push_back({"critical damping", 2.0 * std::sqrt(spec.stiffness.x() * lightest), "N s/m",
                             "2 sqrt(k m) of the lightest contact; ncp.damping is yours to give"});
  }
  for (const ContactAdvice& contact : contacts) advise_layer(model, contact, model.scene.gravity.norm(), advice);
}

}  // namespace

constinit const MethodRow kNcpRow = {
    .kind = MethodKind::ncp,
    .make = make_ncp_method,
    .describe = describe_ncp,
    .refuse = refuse_what_it_does_not_know,
    .find_point_obstacle = find_ncp_obstacle,
    .advise = advise_ncp,
};

}  // namespace abut
