#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/serve/page.hpp"
#include "abut/serve/svg_plot.hpp"
#include "audit/audit.hpp"
#include "static_page.hpp"
#include "text.hpp"

namespace abut {

namespace {

constexpr std::size_t kMostPlots = 6;  ///< pairs, those with the largest energies first

std::string cell(const std::string& text) { return fmt::format("<td class=\"number\">{}</td>", escape_html(text)); }

std::string restitution(double value) { return std::isfinite(value) ? fmt::format("{:.3f}", value) : "stays"; }

std::string make_impacts(const PairAudit& pair) {
  if (pair.impacts.empty()) return {};
  std::string out =
      "<div class=\"scroll\"><table><thead><tr><th>blow "
      "at</th><th>speed</th><th>restitution</th><th>law</th><th>asked</th>"
      "<th>depth</th><th>law</th><th>energy</th></tr></thead><tbody>\n";
  for (const ImpactAudit& impact : pair.impacts) {
    out += "<tr>" + cell(fmt::format("{:.5g} s", impact.time)) + cell(fmt::format("{:.4g} m/s", impact.speed)) +
           cell(restitution(impact.restitution)) + cell(impact.has_law ? restitution(impact.law_restitution) : "-") +
           cell(fmt::format("{:.3f}", impact.asked)) +
           cell(impact.is_resolved ? format_length(impact.depth) : "between samples") +
           cell(impact.has_law ? format_length(impact.law_depth) : "-") +
           cell(fmt::format("{:.3g} J", impact.energy_change)) + "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string make_row(const char* what, const std::string& host, const std::string& law) {
  return fmt::format("<tr><td>{}</td>{}{}</tr>\n", what, cell(host), cell(law));
}

std::string make_numbers(const PairAudit& pair) {
  std::string out =
      "<div class=\"scroll\"><table><thead><tr><th></th><th>trajectory</th><th>law of the scene</th></tr>"
      "</thead><tbody>\n";
  if (pair.share_attributed > 0.0) {
    out += make_row("energy taken", fmt::format("{:.4g} J", pair.energy_lost), "-");
    if (pair.resolved > 0)
      out += make_row("of it lost in touches that samples resolve", fmt::format("{:.4g} J", pair.resolved_lost),
                      fmt::format("{:.4g} J along the same motion", pair.law_lost));
    out += make_row("energy made", fmt::format("{:.3g} J", pair.energy_made), "0 J");
  }
  const auto force = [&](const char* what, const ForceAudit& audit) {
    if (audit.count > 0) out += make_row(what, fmt::format("{:.5g} N", audit.host), fmt::format("{:.5g} N", audit.law));
  };
  force("mean normal force, given", pair.given);
  force("mean normal force, from the motion", pair.inferred);
  if (pair.rest)
    out += make_row(fmt::format("depth at rest under {:.5g} N", pair.rest->load).c_str(),
                    format_length(pair.rest->depth), pair.rest->law_depth ? format_length(*pair.rest->law_depth) : "-");
  if (pair.time_sliding > 0.0)
    out += make_row("tangential over normal force while sliding", fmt::format("{:.4f}", pair.friction),
                    fmt::format("{:.4g}", pair.law_friction));
  if (pair.creep.time > 0.0)
    out += make_row("creep where friction is not used up",
                    fmt::format("{} in {}", format_length(pair.creep.distance), format_duration(pair.creep.time)),
                    fmt::format("{} by yielding", format_length(pair.creep.allowed)));
  return out + "</tbody></table></div>\n";
}

std::string make_plot(const Audit& audit, const PairAudit& pair) {
  const PlotPanel depth{"Depth", "time [s]", "m", {{"trajectory", audit.times, pair.depth}}};
  const PlotPanel force{"Normal force",
                        "time [s]",
                        "N",
                        {{"trajectory", audit.times, pair.host_force}, {"law", audit.times, pair.law_force}}};
  PlotStyle style;
  style.inherits_colors = true;
  style.panel_height = 170;
  return "<figure>" + make_svg("", {depth, force}, style) + "</figure>\n";
}

}  // namespace

std::string audit_to_html(const Audit& audit) {
  std::string body = fmt::format("<p class=\"faint\">{} samples, {:.5g} s to {:.5g} s, every {}</p>\n",
                                 format_count(static_cast<long>(audit.samples)), audit.start, audit.end,
                                 format_duration(audit.interval));
  if (audit.findings.empty()) {
    body += "<p class=\"agrees\">Nothing found: what can be judged is as the laws of the scene have it.</p>\n";
  } else {
    body += "<ul class=\"warnings\">\n";
    for (const std::string& finding : audit.findings) body += "<li>" + escape_html(finding) + "</li>\n";
    body += "</ul>\n";
  }
  for (const std::string& note : audit.notes) body += "<p class=\"faint\">" + escape_html(note) + "</p>\n";
  PlotStyle style;
  style.inherits_colors = true;
  style.panel_height = 170;
  body += "<h2>Energy</h2>\n" +
          fmt::format("<p>{:.5g} J at the start, {:.5g} J at the end; {:.3g} J made and {:.3g} J lost in flight.</p>\n",
                      audit.energy_start, audit.energy_end, audit.made_in_flight, audit.lost_in_flight);
  body +=
      "<figure>" +
      make_svg(
          "", {{"Kinetic and gravitational energy of free bodies", "time [s]", "J", {{"", audit.times, audit.energy}}}},
          style) +
      "</figure>\n";
  const std::vector<const PairAudit*> order = order_pairs(audit);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PairAudit& pair = *order[i];
    body += fmt::format("<h2>{}</h2>\n<p>{}, {} in contact, deepest {}</p>\n",
                        escape_html(pair.body_a + "-" + pair.body_b), format_plural(pair.touches, "touch", "touches"),
                        format_duration(pair.time_in_contact), format_length(pair.deepest));
    body += make_numbers(pair) + make_impacts(pair);
    if (i < kMostPlots) body += make_plot(audit, pair);
  }
  return make_static_page("abut audit: " + audit.name, body);
}

}  // namespace abut
