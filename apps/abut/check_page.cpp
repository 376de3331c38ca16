#include "check_page.hpp"

#include <cmath>

#include <fmt/format.h>

#include "abut/serve/page.hpp"
#include "abut/serve/scene_values.hpp"
#include "static_page.hpp"
#include "text.hpp"

namespace abut {

namespace {

std::string row(const std::string& key, const std::string& value, const std::string& unit, const std::string& origin) {
  return fmt::format("<tr><td>{}</td><td class=\"number\">{} {}</td><td>{}</td></tr>\n", escape_html(key),
                     escape_html(value), escape_html(unit == "1" ? "" : unit), escape_html(origin));
}

std::string table(const std::string& rows) {
  return "<div class=\"scroll\"><table><thead><tr><th>key</th><th>value</th><th>origin</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

std::string describe_advice(const ContactAdvice& advice) {
  std::string rows;
  const auto step = [](double value) { return std::isfinite(value) ? format_duration(value) : std::string("any"); };
  const auto put = [&rows](const char* key, const std::string& value) {
    rows += fmt::format("<tr><td>{}</td><td class=\"number\">{}</td></tr>\n", key, escape_html(value));
  };
  put("expected", describe_forecast(advice));
  if (advice.impact_speed > 0.0) {
    put("impact", fmt::format("{:.4g} m/s", advice.impact_speed));
    put("depth", format_length(advice.depth));
    put("force", fmt::format("{:.4g} N", advice.force));
    put("lasting", format_duration(advice.duration));
    put("restitution", fmt::format("{:.4g}", advice.restitution));
  }
  put("effective mass", fmt::format("{:.4g} kg", advice.effective_mass));
  put("stiffness at the first touch", fmt::format("{:.6g}", advice.stiffness));
  put("depth under its load", format_length(advice.static_depth));
  if (advice.patch.long_axis > 0.0) {
    put("half-axes of the patch",
        format_length(advice.patch.short_axis) + ", " + format_length(advice.patch.long_axis));
    put("largest pressure", fmt::format("{:.3g} MPa", 1e-6 * advice.patch.peak_pressure));
  }
  put("largest step, rk4", step(advice.step_rk4));
  put("largest step, semi-implicit-euler", step(advice.step_semi_implicit));
  put("largest step, euler", step(advice.step_euler));
  std::string out =
      fmt::format("<h3>Expected: {}</h3><table><tbody>\n{}</tbody></table>\n", escape_html(advice.contact), rows);
  if (!advice.warnings.empty()) {
    out += "<ul class=\"warnings\">";
    for (const std::string& warning : advice.warnings) out += "<li>" + escape_html(warning) + "</li>";
    out += "</ul>\n";
  }
  return out;
}

std::string describe_method(const std::string& name, const MethodAdvice& method) {
  if (method.is_empty()) return "";
  std::string rows, warnings;
  for (const ResolvedValue& value : method.values) {
    rows += row(value.key, fmt::format("{:.6g}", value.value), value.unit, value.origin);
  }
  for (const std::string& warning : method.warnings) warnings += "<li>" + escape_html(warning) + "</li>";
  return fmt::format("<h2>Method {}</h2>\n{}{}", escape_html(name), table(rows),
                     warnings.empty() ? "" : "<ul class=\"warnings\">" + warnings + "</ul>\n");
}

}  // namespace

std::string describe_forecast(const ContactAdvice& advice) {
  using Forecast = ContactAdvice::Forecast;
  const std::string impact =
      advice.impact_speed > 0.0 ? fmt::format("impact {:.4g} m/s", advice.impact_speed) : std::string();
  switch (advice.forecast) {
    case Forecast::touching: {
      std::string text = "in contact from the start";
      if (advice.initial_gap < 0.0) text += fmt::format(", {} deep", format_length(-advice.initial_gap));
      return impact.empty() ? text : text + ", " + impact;
    }
    case Forecast::impact:
      return fmt::format("{} at {:.4g} s", impact.empty() ? "a touch without speed" : impact, advice.time);
    case Forecast::apart:
      return "no touch within the run, as bodies, joints and loads move without contact";
    case Forecast::unknown:
      break;
  }
  return impact.empty() ? "not known: contacts or the limits of this look ahead come before"
                        : impact + " if it falls freely from the start (contacts that come before are not looked at)";
}

std::string make_check_page(const std::string& title, const Model& model, const std::vector<ContactAdvice>& advice,
                            const MethodAdvice& method) {
  std::string body = "<p class=\"faint\">Where every parameter comes from. Nothing was simulated.</p>\n";
  body += describe_method(enum_name(model.scene.run.method), method);
  for (std::size_t i = 0; i < model.rules.size(); ++i) {
    const ContactRule& rule = model.rules[i];
    std::string rows;
    for (const ResolvedValue& value : rule.resolved)
      rows += row(value.key, fmt::format("{:.6g}", value.value), value.unit, value.origin);
    body += fmt::format("<h2>Contact {}: {}</h2>\n{}", escape_html(rule.name), normal_law_name(rule.normal.law),
                        table(rows));
    for (const std::string& note : rule.notes) body += "<p class=\"differs\">" + escape_html(note) + "</p>\n";
    for (const ContactAdvice& entry : advice) {
      if (entry.rule == static_cast<int>(i)) body += describe_advice(entry);
    }
  }
  std::string group, rows;
  const auto close = [&] {
    if (!rows.empty()) body += fmt::format("<h2>{}</h2>\n{}", escape_html(group), table(rows));
    rows.clear();
  };
  for (const SceneValue& value : list_scene_values(model.scene)) {
    if (value.group != group) {
      close();
      group = value.group;
    }
    rows += row(value.key, value.text, value.unit, value.is_given ? "given" : "default");
  }
  close();
  return make_static_page(title, body);
}

}  // namespace abut
