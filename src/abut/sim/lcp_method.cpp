// The row of method lcp.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/geometry/manifold/hard_pair.hpp"
#include "abut/geometry/point_pair.hpp"
#include "abut/sim/method_advice.hpp"
#include "abut/sim/method_row.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

std::string describe_lcp(const SceneSpec& scene) {
  return fmt::format("lcp ({} friction, {} contacts), step {:g} s", enum_name(scene.lcp.friction),
                     enum_name(scene.lcp.normal), scene.run.step.value_or(0.0));
}

std::string find_lcp_obstacle(const Shape& a, const Shape& b) {
  return find_point_pair(a, b) ? std::string() : find_hard_obstacle(a, b);
}

std::string find_compliant_obstacle(const SceneSpec& scene, const Shape& a, const Shape& b) {
  if (scene.lcp.normal == LcpSpec::Normal::hard || find_point_pair(a, b)) return {};
  return "with lcp.normal = \"compliant\": how many corners of flat faces touch changes as they move, and each would "
         "bring a spring of its own.\nUse lcp.normal = \"hard\", or region = \"volume\" with method = \"adaptive\" or "
         "\"explicit\"";
}

void advise_steps(const Model& model, double gravity, MethodAdvice& advice) {
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

void advise_lcp(const Model& model, const std::vector<ContactAdvice>& contacts, MethodAdvice& advice) {
  advise_steps(model, model.scene.gravity.norm(), advice);
  if (model.scene.lcp.normal != LcpSpec::Normal::hard) return;
  for (const ContactAdvice& contact : contacts) {
    const double left = -contact.initial_gap * model.scene.lcp.stabilisation;
    warn_of_overlap(contact, left, model.scene.run.step.value_or(0.0), "and hard contacts leave that", advice);
  }
}

}  // namespace

double calc_default_v_threshold(double step, double gravity) { return 2.0 * step * gravity; }

double calc_rolling_slip(double step, double gravity) { return step * gravity; }

constinit const MethodRow kLcpRow = {
    .kind = MethodKind::lcp,
    .make = make_lcp_method,
    .describe = describe_lcp,
    .find_point_obstacle = find_lcp_obstacle,
    .find_setting_obstacle = find_compliant_obstacle,
    .advise = advise_lcp,
    .way_out = MethodRow::WayOut{ContactDefaultSpec::Region::point, true},
};

}  // namespace abut
