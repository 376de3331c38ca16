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

constexpr std::size_t kMostPanels = 4;

const char* verdict_name(Verdict verdict) {
  constexpr std::array<const char*, 3> kNames{"agrees", "differs", "fails"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string number(double value, const char* format = "{:.9g}") {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "-";
}

/// How much of its tolerance a check has used up: a bar that is full at all of it.
std::string make_meter(const CheckSpec& check, const CheckResult& result) {
  if (!std::isfinite(result.obtained) || !(check.tolerance > 0.0)) return "";
  const double share = std::abs(result.obtained - check.expected) / check.tolerance;
  const double width = 60.0 * std::min(share, 1.0);
  return fmt::format(
      "<svg class=\"meter\" width=\"60\" height=\"9\" role=\"img\" aria-label=\"{0}\"><rect width=\"60\" height=\"9\" "
      "fill=\"currentColor\" fill-opacity=\"0.13\"/><rect width=\"{1:.1f}\" height=\"9\" fill=\"currentColor\"/></svg> "
      "{0}",
      share < 1e-4 ? "0 %" : fmt::format("{:.3g} %", 100.0 * share), width);
}

std::string make_row(const CheckSpec& check, const CheckResult& result) {
  const char* verdict = verdict_name(result.verdict);
  std::string why = check.tolerance_reason;
  if (!check.reason.empty()) why = check.reason;
  if (!result.message.empty()) why = result.message;
  return fmt::format(
      "<tr><td class=\"{0}\">{0}</td><td>{1}</td><td class=\"number\">{2}</td><td class=\"number\">{3}</td>"
      "<td class=\"number\">{4}</td><td class=\"number\">{5}</td><td class=\"number\">{6}</td>"
      "<td class=\"number {0}\">{8}</td><td class=\"faint why\">{7}</td></tr>\n",
      verdict, escape_html(check.quantity), escape_html(check.unit), check.published ? number(*check.published) : "",
      number(check.expected), number(result.obtained), number(check.tolerance, "{:.2g}"), escape_html(why),
      make_meter(check, result));
}

/// "loss at e = 0.5, mu = {}" is "loss at e = 0.5" over "mu"; "after {} s" keeps its words, over "s".
struct SeriesNames {
  std::string title, x_label;
};

SeriesNames split_series(const std::string& series) {
  const std::size_t place = series.find("{}");
  if (place == std::string::npos) return {series, ""};
  std::string before = series.substr(0, place), after = series.substr(place + 2);
  if (before.size() >= 3 && before.substr(before.size() - 3) == " = ") {
    before.resize(before.size() - 3);
    const std::size_t word = before.find_last_of(" ,(");
    const std::string name = before.substr(word == std::string::npos ? 0 : word + 1);
    before.resize(word == std::string::npos ? 0 : word);
    while (!before.empty() && (before.back() == ' ' || before.back() == ',')) before.pop_back();
    return {before + after, name};
  }
  const std::size_t unit = after.find_first_not_of(' ');
  return {before + "\u2026" + after,
          unit == std::string::npos ? "" : after.substr(unit, after.find_first_of(" ,)", unit) - unit)};
}

/// The entries of one list as a figure: what was expected as a line, what came out as crosses, print as circles; below
/// it how far they are apart.
std::string make_curve(const std::vector<const CheckSpec*>& checks, const std::vector<const CheckResult*>& results) {
  PlotLine obtained{"obtained", {}, {}, false, true}, expected{"expected", {}, {}, true, false};
  PlotLine published{"published", {}, {}, false, true}, apart{"obtained", {}, {}, false, true};
  for (std::size_t i = 0; i < checks.size(); ++i) {
    double x = static_cast<double>(i + 1);
    const std::string& with = checks[i]->with;
    std::from_chars(with.data(), with.data() + with.size(), x);
    for (PlotLine* line : {&obtained, &expected, &published, &apart}) line->x.push_back(x);
    obtained.y.push_back(results[i]->obtained);
    expected.y.push_back(checks[i]->expected);
    published.y.push_back(checks[i]->published.value_or(NAN));
    apart.y.push_back((results[i]->obtained - checks[i]->expected) / checks[i]->tolerance);
  }
  const auto [title, x_label] = split_series(checks.front()->series);
  PlotPanel panel{title, x_label, checks.front()->unit, {obtained, expected}};
  if (std::any_of(published.y.begin(), published.y.end(), [](double y) { return std::isfinite(y); }))
    panel.lines.push_back(published);
  // The tolerance itself, so that one sees how much of it is used: two lines, with a gap between.
  const auto [first, last] = std::minmax_element(apart.x.begin(), apart.x.end());
  const PlotLine limits{"tolerance", {*first, *last, NAN, *first, *last}, {1.0, 1.0, NAN, -1.0, -1.0}};
  const PlotPanel below{"obtained - expected, in tolerances", x_label, "", {apart, limits}};
  PlotStyle style;
  style.inherits_colors = true;
  style.panel_height = 180;
  return "<figure>" + make_svg("", {panel, below}, style) + "</figure>\n";
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
      "<th>expected</th><th>obtained</th><th>tolerance</th><th>of it used</th><th>why</th></tr></thead><tbody>\n",
      escape_html(spec.name), escape_html(spec.title), verdict, escape_html(spec.source));
  for (std::size_t i = 0; i < spec.checks.size(); ++i) body_ += make_row(spec.checks[i], result.checks[i]);
  body_ += "</tbody></table></div>\n" + make_curves(result) + runs_;
  runs_.clear();
  scenes_.clear();
}

std::string ValidationPage::make_html(const std::string& totals) const {
  return make_static_page("abut: the published results", fmt::format("<p class=\"lines\">{}</p>\n<nav>{}</nav>\n{}",
                                                                     escape_html(totals), contents_, body_));
}

}  // namespace abut
