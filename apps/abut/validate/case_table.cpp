#include "validate/case_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace abut {

namespace {

constexpr const char* kMarks[] = {"ok", "!=", "FAIL"};

const char* mark(Verdict verdict) { return kMarks[static_cast<int>(verdict)]; }

std::string describe_quantity(const CheckSpec& check) {
  return check.unit.empty() ? check.quantity : fmt::format("{} [{}]", check.quantity, check.unit);
}

std::string describe_tolerance(const CheckSpec& check) {
  if (check.differs) return check.reason;
  const std::string tolerance = fmt::format("{:.2g}", check.tolerance);
  return check.printed_to > check.tolerance ? fmt::format("{}, printed to {:.2g}", tolerance, check.printed_to)
                                            : tolerance;
}

std::string describe_row(const CaseResult& result, std::size_t i, std::size_t case_width, std::size_t quantity_width) {
  const CaseSpec& spec = result.prepared->spec();
  const CheckSpec& check = spec.checks[i];
  const CheckResult& outcome = result.checks[i];
  const std::string published = check.published ? fmt::format("{:.6g}", *check.published) : "";
  std::string row = fmt::format("{:<4}  {:<{}}  {:<{}}  {:>10}  {:>14.8g}  {:>16.10g}  {}\n", mark(outcome.verdict),
                                spec.name, case_width, describe_quantity(check), quantity_width, published,
                                check.expected, outcome.obtained, describe_tolerance(check));
  if (!outcome.message.empty()) row += fmt::format("      {}\n", outcome.message);
  return row;
}

/// Text beyond ASCII counts by characters, not bytes, as fmt pads.
std::size_t count_characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json check_to_json(const CheckSpec& check, const CheckResult& outcome) {
  nlohmann::ordered_json json = {{"quantity", check.quantity},
                                 {"unit", check.unit},
                                 {"scene", check.scene},
                                 {"set", check.set},
                                 {"measure", check.measure},
                                 {"published", nullptr},
                                 {"expected", check.expected},
                                 {"obtained", number_or_null(outcome.obtained)},
                                 {"tolerance", check.tolerance},
                                 {"tolerance_reason", check.tolerance_reason},
                                 {"verdict", mark(outcome.verdict)}};
  if (check.published) json["published"] = *check.published;
  if (check.published) json["printed_to"] = check.printed_to;
  if (!check.reason.empty()) json["reason"] = check.reason;
  if (!outcome.message.empty()) json["message"] = outcome.message;
  return json;
}

struct Totals {
  std::size_t all = 0;
  std::size_t by_verdict[3] = {0, 0, 0};

  void count(Verdict verdict) {
    ++all;
    ++by_verdict[static_cast<int>(verdict)];
  }
};

nlohmann::ordered_json totals_to_json(const Totals& totals) {
  return {{"all", totals.all},
          {"agree", totals.by_verdict[0]},
          {"differ", totals.by_verdict[1]},
          {"fail", totals.by_verdict[2]}};
}

void count_all(const std::vector<CaseResult>& results, Totals& cases, Totals& checks) {
  for (const CaseResult& result : results) {
    cases.count(result.verdict());
    for (const CheckResult& check : result.checks) checks.count(check.verdict);
  }
}

}  // namespace

Verdict CaseResult::verdict() const {
  Verdict worst = Verdict::agrees;
  for (const CheckResult& check : checks) worst = std::max(worst, check.verdict);
  return worst;
}

CaseTable::CaseTable(const std::vector<PreparedCase>& cases) {
  for (const PreparedCase& entry : cases) {
    case_width_ = std::max(case_width_, count_characters(entry.spec().name));
    for (const CheckSpec& check : entry.spec().checks)
      quantity_width_ = std::max(quantity_width_, count_characters(describe_quantity(check)));
  }
}

std::string CaseTable::header() const {
  return fmt::format("{:<4}  {:<{}}  {:<{}}  {:>10}  {:>14}  {:>16}  {}\n", "", "case", case_width_, "quantity",
                     quantity_width_, "published", "expected", "obtained", "tolerance");
}

std::string CaseTable::rows(const CaseResult& result) const {
  std::string text;
  for (std::size_t i = 0; i < result.checks.size(); ++i) text += describe_row(result, i, case_width_, quantity_width_);
  return text;
}

std::string format_totals(const std::vector<CaseResult>& results) {
  Totals cases, checks;
  count_all(results, cases, checks);
  return fmt::format(
      "{} checks: {} ok, {} !=, {} FAIL\n{} {}: {} agree, {} differ from print for a stated reason, {} fail.",
      checks.all, checks.by_verdict[0], checks.by_verdict[1], checks.by_verdict[2], cases.all,
      cases.all == 1 ? "case" : "cases", cases.by_verdict[0], cases.by_verdict[1], cases.by_verdict[2]);
}

std::string results_to_json(const std::vector<CaseResult>& results) {
  nlohmann::ordered_json json;
  json["cases"] = nlohmann::ordered_json::array();
  for (const CaseResult& result : results) {
    const CaseSpec& spec = result.prepared->spec();
    nlohmann::ordered_json entry = {
        {"name", spec.name}, {"title", spec.title}, {"source", spec.source}, {"verdict", mark(result.verdict())}};
    entry["checks"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < result.checks.size(); ++i)
      entry["checks"].push_back(check_to_json(spec.checks[i], result.checks[i]));
    json["cases"].push_back(std::move(entry));
  }
  Totals cases, checks;
  count_all(results, cases, checks);
  json["total"] = {{"cases", totals_to_json(cases)}, {"checks", totals_to_json(checks)}};
  return json.dump(2) + "\n";
}

}  // namespace abut
