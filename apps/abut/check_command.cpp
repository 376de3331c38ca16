#include <algorithm>
#include <cmath>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "abut/sim/advice.hpp"
#include "abut/sim/assumptions.hpp"
#include "abut/sim/joint_pair_watch.hpp"
#include "abut/sim/method_advice.hpp"
#include "abut/sim/step_advice.hpp"
#include "check_page.hpp"
#include "check_result.hpp"
#include "commands.hpp"
#include "load_scene.hpp"
#include "result_page.hpp"
#include "summary_text.hpp"
#include "text.hpp"

namespace abut {

namespace {

/// What of a contact's laws acts with the method: all of it, or only its coefficients.
bool does_act(const ResolvedValue& value, const Model& model) {
  if (model.uses_normal_laws()) return true;
  if (value.key.rfind("mu", 0) == 0) return true;
  return find_law_use(model.scene) == LawUse::coefficients && value.key.rfind("restitution", 0) == 0;
}

void print_rule(const ContactRule& rule, const Model& model) {
  const std::string_view law = normal_law_name(rule.normal.law);
  const bool is_hard = find_law_use(model.scene) == LawUse::coefficients;
  fmt::print("contact {}   {}, {}\n", rule.name, rule.traits().name,
             model.uses_normal_laws() ? fmt::format("normal {}", law)
             : is_hard                ? "hard: of its laws only the coefficients act"
                                      : "layer over a core: of its laws only the coefficient of friction acts");
  for (const ResolvedValue& value : rule.resolved) {
    if (!does_act(value, model)) continue;
    fmt::print("  {:<18} {:<12.6g} {:<12} {}\n", value.key, value.value, value.unit, value.origin);
  }
}

/// With all digits: this is how a volume is compared with a reference.
void print_overlap(const ContactSample& at) {
  fmt::print("    overlaps         volume {:.15g} m^3, area {:.15g} m^2, gyration radius {:.15g} m\n", at.volume,
             at.area, at.gyration_radius);
  fmt::print("      centroid       {:.15g} {:.15g} {:.15g} m\n", at.point.x(), at.point.y(), at.point.z());
  fmt::print("      normal         {:.15g} {:.15g} {:.15g}\n", at.normal.x(), at.normal.y(), at.normal.z());
  fmt::print("      inertia        xx {:.15g} yy {:.15g} zz {:.15g} xy {:.15g} xz {:.15g} yz {:.15g} m^5\n",
             at.inertia[0], at.inertia[1], at.inertia[2], at.inertia[3], at.inertia[4], at.inertia[5]);
}

void print_method(const char* name, const MethodAdvice& advice) {
  if (advice.is_empty()) return;
  fmt::print("\nmethod {}\n", name);
  for (const ResolvedValue& value : advice.values) {
    fmt::print("  {:<21} {:<12.6g} {:<12} {}\n", value.key, value.value, value.unit, value.origin);
  }
  for (const std::string& warning : advice.warnings) fmt::print("  warning               {}\n", warning);
}

void print_steps(double rk4, double semi_implicit, double euler, const char* indent, const std::string& limited_by) {
  if (!std::isfinite(rk4)) {
    fmt::print("{}largest step     not known: nothing strikes or presses it\n", indent);
    return;
  }
  const auto show = [](double step) { return std::isfinite(step) ? format_duration(step) : std::string("any"); };
  fmt::print("{}largest step     rk4 {} \u00b7 semi-implicit-euler {} \u00b7 euler {} \u00b7 adaptive chooses{}\n",
             indent, show(rk4), show(semi_implicit), show(euler), limited_by.empty() ? "" : "; set by " + limited_by);
}

void print_patch(const ContactAdvice& advice, const ContactRule& rule) {
  if (!(advice.patch.long_axis > 0.0)) return;
  fmt::print("    patch            half-axes {} and {}; pressure {:.3g} MPa in the middle, {:.3g} MPa in the mean{}\n",
             format_length(advice.patch.short_axis), format_length(advice.patch.long_axis),
             1e-6 * advice.patch.peak_pressure, 1e-6 * advice.patch.mean_pressure,
             find_value(rule, "yield") ? "" : " (not judged: no yield is given)");
}

void print_advice(const ContactAdvice& advice, const Model& model) {
  fmt::print("  pair {}\n", advice.contact);
  if (!model.uses_normal_laws()) {
    fmt::print("    expected         {}; effective mass {:.4g} kg\n", describe_forecast(advice), advice.effective_mass);
    return;
  }
  std::string outcome;
  if (advice.impact_speed > 0.0) {
    outcome = fmt::format(" -> depth {}, {:.4g} N, lasting {}, restitution {:.4g}", format_length(advice.depth),
                          advice.force, format_duration(advice.duration), advice.restitution);
  }
  fmt::print("    expected         {}{}\n", describe_forecast(advice), outcome);
  const std::string_view unit = region_traits(advice.region).stiffness_unit;
  fmt::print("    stiffness        {:.6g}{}{} at the first touch; effective mass {:.4g} kg; depth under its load {}\n",
             advice.stiffness, unit.empty() ? "" : " ", unit, advice.effective_mass,
             format_length(advice.static_depth));
  if (advice.overlap) print_overlap(*advice.overlap);
  print_patch(advice, model.rules[advice.rule]);
  print_steps(advice.step_rk4, advice.step_semi_implicit, advice.step_euler, "    ", "");
  for (const std::string& warning : advice.warnings) fmt::print("    warning          {}\n", warning);
}

/// A fixed step longer than the scene allows is the commonest reason for a run that diverges.
void print_step_warning(const RunSpec& run, const StepAdvice& steps) {
  if (!method_traits(run.method).is_limited || !run.step) return;
  double limit = steps.rk4;
  if (run.integrator == RunSpec::Integrator::semi_implicit_euler) limit = steps.semi_implicit;
  if (run.integrator == RunSpec::Integrator::euler) limit = steps.euler;
  if (*run.step > limit) {
    fmt::print("warning          the step of {} is longer than {} allows ({})\n", format_duration(*run.step),
               enum_name(run.integrator), format_duration(limit));
  }
}

/// Steps of microseconds are a reason to look for another method.
void print_other_method(const Model& model, const StepAdvice& steps) {
  if (const std::string other = suggest_micro(model, steps.rk4); !other.empty())
    fmt::print("advice           {}\n", other);
}

/// Who expects a contact there should know that there is none.
void print_joint_pairs(const Model& model) {
  constexpr std::size_t kMost = 5;
  const std::vector<JointPair> pairs = list_joint_pairs(model);
  for (std::size_t i = 0; i < std::min(pairs.size(), kMost); ++i)
    fmt::print("\n{}", describe_joint_pair(model, pairs[i]));
  if (pairs.size() > kMost) fmt::print("\n{} more pairs are joined and do not touch", pairs.size() - kMost);
  if (!pairs.empty()) fmt::print("\n");
}

struct CheckArguments {
  std::string scene;
  std::vector<std::string> set;
  std::string report;
  std::string result;  ///< a record to test the same assumptions on
};

int check(const CheckArguments& arguments) {
  const std::string& path = arguments.scene;
  const Model model = load_scene(path, arguments.set);
  fmt::print("{}\n", describe_model(path, model));
  for (int link = 0; link < model.tree.num_links(); ++link) {
    const MassProperties& mass = model.tree.link(link).mass;
    if (model.tree.num_links() > 20 || mass.mass == 0.0) continue;
    fmt::print("body {:<16} mass {:.6g} kg, inertia ({:.5g}, {:.5g}, {:.5g}) kg m^2 about ({:.4g}, {:.4g}, {:.4g}) m\n",
               model.body_name(link), mass.mass, mass.inertia(0, 0), mass.inertia(1, 1), mass.inertia(2, 2),
               mass.center_of_mass.x(), mass.center_of_mass.y(), mass.center_of_mass.z());
  }
  const std::vector<ContactAdvice> advice = make_contact_advice(model);
  if (model.uses_normal_laws()) {
    const StepAdvice steps = make_step_advice(model, advice);
    if (std::isfinite(steps.rk4)) print_steps(steps.rk4, steps.semi_implicit, steps.euler, "", steps.limited_by);
    print_step_warning(model.scene.run, steps);
    print_other_method(model, steps);
  }
  for (const std::string& note : make_start_advice(model)) fmt::print("warning          {}\n", note);
  for (const std::string& note : model.loop_notes) fmt::print("note             {}\n", note);
  for (std::size_t rule = 0; rule < model.rules.size(); ++rule) {
    fmt::print("\n");
    print_rule(model.rules[rule], model);
    for (const ContactAdvice& entry : advice) {
      if (entry.rule != static_cast<int>(rule)) continue;
      print_advice(entry, model);
    }
  }
  print_joint_pairs(model);
  const MethodAdvice method = make_method_advice(model, advice);
  print_method(enum_name(model.scene.run.method), method);
  if (model.rules.empty()) fmt::print("no contact is declared: bodies pass through each other\n");
  if (!arguments.result.empty()) print_result_check(arguments.result, model);
  if (!arguments.report.empty())
    write_page(arguments.report, make_check_page(describe_model(path, model), model, advice, method), false);
  return 0;
}

}  // namespace

void add_check_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand(
      "check", "say where every parameter comes from, warn, and advise a step; tries short runs, records none");
  command->add_option("scene", arguments->scene, "scene file (TOML)")->required();
  command->add_option("--set", arguments->set, "change a value of the scene (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--result", arguments->result,
                      "a record of this scene (result.h5 or its folder): tests the same assumptions on what happened");
  CLI::Option* report =
      command->add_option("--report", arguments->report, "also write it as a page (default out/NAME-check.html)")
          ->expected(0, 1);
  command->callback([arguments, report, &status] {
    if (report->count() > 0 && arguments->report.empty())
      arguments->report = make_page_path(std::filesystem::path(arguments->scene).stem().string() + "-check");
    status = check(*arguments);
  });
}

}  // namespace abut
