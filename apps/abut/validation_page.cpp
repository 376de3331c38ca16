#include "validation_page.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "abut/serve/page.hpp"
#include "abut/serve/record_columns.hpp"
#include "abut/serve/svg_plot.hpp"
#include "static_page.hpp"

namespace abut {

namespace {

constexpr std::size_t kMostPanels = 3;

const char* verdict_name(Verdict verdict) {
  constexpr std::array<const char*, 3> kNames{"agrees", "differs", "fails"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string number(double value, const char* format = "{:.9g}") {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "-";
}

std::string make_row(const CheckSpec& check, const CheckResult& result) {
  const char* verdict = verdict_name(result.verdict);
  std::string why = check.tolerance_reason;
  if (!check.reason.empty()) why = check.reason;
  if (!result.message.empty()) why = result.message;
  return fmt::format(
      "<tr><td class=\"{0}\">{0}</td><td>{1}</td><td class=\"number\">{2}</td><td class=\"number\">{3}</td>"
      "<td class=\"number\">{4}</td><td class=\"number\">{5}</td><td class=\"number\">{6}</td>"
      "<td class=\"faint\">{7}</td></tr>\n",
      verdict, escape_html(check.quantity), escape_html(check.unit), check.published ? number(*check.published) : "",
      number(check.expected), number(result.obtained), number(check.tolerance, "{:.2g}"), escape_html(why));
}

/// The entries of one list as a figure: what was expected as a line, what came out as crosses, print as circles.
std::string make_curve(const std::vector<const CheckSpec*>& checks, const std::vector<const CheckResult*>& results) {
  PlotLine obtained{"obtained", {}, {}, false, true}, expected{"expected", {}, {}, true, false};
  PlotLine published{"published", {}, {}, false, true};
  for (std::size_t i = 0; i < checks.size(); ++i) {
    double x = static_cast<double>(i + 1);
    const std::string& with = checks[i]->with;
    std::from_chars(with.data(), with.data() + with.size(), x);
    obtained.x.push_back(x);
    obtained.y.push_back(results[i]->obtained);
    expected.x.push_back(x);
    expected.y.push_back(checks[i]->expected);
    published.x.push_back(x);
    published.y.push_back(checks[i]->published.value_or(NAN));
  }
  PlotPanel panel{checks.front()->series, "{}", checks.front()->unit, {obtained, expected}};
  if (std::any_of(published.y.begin(), published.y.end(), [](double y) { return std::isfinite(y); }))
    panel.lines.push_back(published);
  PlotStyle style;
  style.inherits_colors = true;
  return "<figure>" + make_svg("", {panel}, style) + "</figure>\n";
}

std::string make_curves(const CaseResult& result) {
  const std::vector<CheckSpec>& checks = result.prepared->spec().checks;
  std::string out;
  for (std::size_t i = 0; i < checks.size();) {
    std::vector<const CheckSpec*> list;
    std::vector<const CheckResult*> results;
    const auto belongs = [&](std::size_t k) {
      return k < checks.size() && checks[k].is_from_list && checks[k].series == checks[i].series;
    };
    std::size_t next = i;
    for (; belongs(next); ++next) {
      list.push_back(&checks[next]);
      results.push_back(&result.checks[next]);
    }
    if (list.size() >= 3) out += make_curve(list, results);
    i = std::max(next, i + 1);
  }
  return out;
}

}  // namespace

void ValidationPage::add_run(const std::string& run, const RunRecord& record) {
  const std::string scene = run.substr(0, run.find('\n'));
  if (std::find(scenes_.begin(), scenes_.end(), scene) != scenes_.end()) return;
  scenes_.push_back(scene);
  RecordColumns columns;
  columns.begin(record.layout());
  for (const Sample& sample : record.samples()) columns.sample(sample);
  std::vector<PlotPanel> panels = make_result_panels(columns.file());
  panels.resize(std::min(panels.size(), kMostPanels));
  if (panels.empty() || record.samples().size() < 3) return;
  PlotStyle style;
  style.inherits_colors = true;
  style.panel_height = 170;
  std::string name = run;
  std::replace(name.begin(), name.end(), '\n', ' ');
  runs_ += fmt::format("<figure>{}<figcaption>course of {}</figcaption></figure>\n", make_svg("", panels, style),
                       escape_html(name));
}

void ValidationPage::add_case(const CaseResult& result) {
  const CaseSpec& spec = result.prepared->spec();
  const char* verdict = verdict_name(result.verdict());
  contents_ += fmt::format("<a href=\"#{0}\" class=\"{1}\">{0}</a>\n", escape_html(spec.name), verdict);
  body_ += fmt::format(
      "<h2 id=\"{0}\">{1} <span class=\"{2}\">{2}</span></h2>\n<p class=\"faint\">{0} &#183; {3}</p>\n"
      "<div class=\"scroll\"><table><thead><tr><th>verdict</th><th>quantity</th><th>unit</th><th>published</th>"
      "<th>expected</th><th>obtained</th><th>tolerance</th><th>why</th></tr></thead><tbody>\n",
      escape_html(spec.name), escape_html(spec.title), verdict, escape_html(spec.source));
  for (std::size_t i = 0; i < spec.checks.size(); ++i) body_ += make_row(spec.checks[i], result.checks[i]);
  body_ += "</tbody></table></div>\n" + make_curves(result) + runs_;
  runs_.clear();
  scenes_.clear();
}

std::string ValidationPage::make_html(const std::string& totals) const {
  return make_static_page("abut: the published results",
                          fmt::format("<p>{}</p>\n<nav>{}</nav>\n{}", escape_html(totals), contents_, body_));
}

}  // namespace abut
