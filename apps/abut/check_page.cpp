#include "check_page.hpp"

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
  const auto put = [&rows](const char* key, const std::string& value) {
    rows += fmt::format("<tr><td>{}</td><td class=\"number\">{}</td></tr>\n", key, escape_html(value));
  };
  if (advice.impact_speed > 0.0) {
    put("impact", fmt::format("{:.4g} m/s", advice.impact_speed));
    put("depth", format_length(advice.depth));
    put("force", fmt::format("{:.4g} N", advice.force));
    put("lasting", format_duration(advice.duration));
    put("restitution", fmt::format("{:.4g}", advice.restitution));
  } else {
    put("impact", advice.initial_gap < 0.0 ? "in contact from the start" : "none from the initial motion alone");
  }
  put("effective mass", fmt::format("{:.4g} kg", advice.effective_mass));
  put("stiffness at the first touch", fmt::format("{:.6g}", advice.stiffness));
  put("depth under its weight", format_length(advice.static_depth));
  put("largest step, rk4", format_duration(advice.step_rk4));
  put("largest step, semi-implicit-euler", format_duration(advice.step_semi_implicit));
  put("largest step, euler", format_duration(advice.step_euler));
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
