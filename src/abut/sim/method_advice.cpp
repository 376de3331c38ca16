#include "abut/sim/method_advice.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/sim/contact_layer.hpp"

namespace abut {

namespace {

void advise_lcp(const Model& model, double gravity, MethodAdvice& advice) {
  const LcpSpec& spec = model.scene.lcp;
  const double h = model.scene.run.step.value_or(0.0);
  const auto put = [&advice](const char* key, double value, const char* unit, std::string origin) {
    advice.values.push_back({key, value, unit, std::move(origin)});
  };
  if (spec.friction == LcpSpec::Friction::regularised) {
    const double v_threshold = spec.v_threshold.value_or(calc_default_v_threshold(h, gravity));
    put("v_threshold", v_threshold, "m/s", spec.v_threshold ? "given" : "rule: 2 step g");
    const double slip = calc_rolling_slip(h, gravity);
    if (v_threshold < slip) {
      advice.warnings.push_back(fmt::format(
          "v_threshold = {:.3g} m/s is less than the slip with which a rolling contact may begin a step, step g = "
          "{:.3g} m/s: such contacts creep. Leave it out (2 step g = {:.3g} m/s), or take a step below {:.1g} s",
          v_threshold, slip, calc_default_v_threshold(h, gravity), v_threshold / std::max(gravity, 1e-300)));
    }
    if (!spec.tangential_stiffness) {
      put("tangential_stiffness", HUGE_VAL, "N/m", "default: sticking contacts hold exactly");
    }
  }
  if (spec.friction == LcpSpec::Friction::regularised || spec.friction == LcpSpec::Friction::box) {
    put("bound_updates", spec.bound_updates, "",
        spec.bound_updates > 0 ? "friction limits follow the normal force of the same step"
                               : "friction limits are those of the step before");
  }
  if (spec.normal == LcpSpec::Normal::hard && spec.restitution) {
    put("least rebound", 2.0 * h * gravity, "m/s", "rule: 2 step g; slower approaches do not rebound");
  }
  if (spec.normal == LcpSpec::Normal::hard) {
    put("gap closed late", 0.5 * h * h * gravity, "m", "what a body falls in a step: a touch is found to a step");
  }
}

/// A step takes bodies out of an overlap by a velocity, which they keep.
void warn_of_overlap(const ContactAdvice& contact, double depth, double h, const char* who, MethodAdvice& advice) {
  constexpr double kSlow = 0.1;  // [m/s]
  if (!(h > 0.0) || depth / h < kSlow) return;
  advice.warnings.push_back(fmt::format(
      "{}: the bodies overlap by {:.3g} m at the start, {}: in the first step they are thrown apart at up to "
      "{:.3g} m/s. Begin with them apart or touching",
      contact.contact, -contact.initial_gap, who, depth / h));
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

void advise_ncp(const Model& model, const std::vector<ContactAdvice>& contacts, double gravity, MethodAdvice& advice) {
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
  for (const ContactAdvice& contact : contacts) advise_layer(model, contact, gravity, advice);
}

}  // namespace

double calc_default_v_threshold(double step, double gravity) { return 2.0 * step * gravity; }

double calc_rolling_slip(double step, double gravity) { return step * gravity; }

MethodAdvice make_method_advice(const Model& model, const std::vector<ContactAdvice>& contacts) {
  MethodAdvice advice;
  const double gravity = model.scene.gravity.norm();
  if (model.scene.run.method == RunSpec::Method::lcp) {
    advise_lcp(model, gravity, advice);
    if (model.scene.lcp.normal == LcpSpec::Normal::hard) {
      for (const ContactAdvice& contact : contacts) {
        const double left = -contact.initial_gap * model.scene.lcp.stabilisation;
        warn_of_overlap(contact, left, model.scene.run.step.value_or(0.0), "and hard contacts leave that", advice);
      }
    }
  }
  if (model.scene.run.method == RunSpec::Method::ncp) advise_ncp(model, contacts, gravity, advice);
  return advice;
}

}  // namespace abut
