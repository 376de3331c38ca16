#include "validate/case_file.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "abut/base/error.hpp"
#include "abut/base/spelling.hpp"
#include "abut/io/problem_report.hpp"
#include "abut/io/text_file.hpp"
#include "abut/measure/evaluate.hpp"

namespace abut {

namespace {

const std::vector<std::string> kCaseKeys = {"title", "source", "check"};
const std::vector<std::string> kCheckKeys = {
    "quantity",         "unit",      "scene",      "set",     "reference", "measure", "expected", "tolerance",
    "tolerance_reason", "published", "printed_to", "verdict", "reason",    "with"};

/// "{}" stands for the entry of `with` that a check is made for.
std::string fill_in(std::string text, const std::string& value) {
  for (std::size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}", at + value.size()))
    text.replace(at, 2, value);
  return text;
}

class CaseReader {
 public:
  CaseReader(std::string file, CaseSpec& out) : file_(std::move(file)), out_(out) {}

  void read(const toml::table& document) {
    check_keys(document, kCaseKeys, "a case");
    out_.title = read_text(document, "title", true);
    out_.source = read_text(document, "source", true);
    const toml::array* checks = document["check"].as_array();
    if (checks == nullptr || !checks->is_array_of_tables()) return add(document, "a case needs at least one [[check]]");
    for (const toml::node& node : *checks) read_check(*node.as_table());
  }

  void throw_problems(const std::string& text) {
    if (!problems_.empty()) throw InputError(format_problems(std::move(problems_), text));
  }

 private:
  SourceLocation locate(const toml::source_region& region) const {
    const bool is_one_line = region.end.line == region.begin.line && region.end.column > region.begin.column;
    const int length = is_one_line ? static_cast<int>(region.end.column - region.begin.column) : 1;
    return {file_, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column), length};
  }
  void add(const toml::node& node, std::string message) {
    problems_.push_back({locate(node.source()), std::move(message), ""});
  }

  void check_keys(const toml::table& table, const std::vector<std::string>& known, const char* what) {
    for (auto&& [key, node] : table) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::string nearest = nearest_spelling(name, known);
      const std::string hint = nearest.empty() ? "" : fmt::format(" Did you mean '{}'?", nearest);
      problems_.push_back({locate(key.source()), fmt::format("unknown key '{}' in {}.{}", name, what, hint), ""});
    }
  }

  std::string read_text(const toml::table& table, const char* key, bool is_required) {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      if (is_required) add(table, fmt::format("'{}' is missing", key));
      return "";
    }
    if (const auto* text = node->as_string()) return **text;
    add(*node, fmt::format("'{}' must be text", key));
    return "";
  }

  std::optional<double> read_number(const toml::node& node, const char* key) {
    if (const auto* number = node.as_floating_point(); number != nullptr && std::isfinite(**number)) return **number;
    if (const auto* number = node.as_integer()) return static_cast<double>(**number);
    add(node, fmt::format("'{}' must be a finite number", key));
    return std::nullopt;
  }

  std::vector<std::string> read_texts(const toml::table& table, const char* key) {
    std::vector<std::string> texts;
    const toml::node* node = table.get(key);
    if (node == nullptr) return texts;
    const toml::array* array = node->as_array();
    if (array == nullptr) {
      add(*node, fmt::format("'{}' must be a list of texts", key));
      return texts;
    }
    for (const toml::node& element : *array) {
      if (const auto* text = element.as_string()) {
        texts.push_back(**text);
      } else if (std::string_view(key) == "with" && element.is_number()) {
        texts.push_back(fmt::format("{}", *element.value<double>()));
      } else {
        add(element, fmt::format("'{}' must be a list of texts", key));
      }
    }
    return texts;
  }

  /// A number, a closed form in quotes, or with `with` a list of these.
  std::optional<double> read_value(const toml::table& table, const char* key, std::size_t index,
                                   const std::string& with) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    if (const toml::array* list = node->as_array()) {
      if (with.empty() || index >= list->size()) {
        add(*node, fmt::format("'{}' must have one entry for each of 'with'", key));
        return std::nullopt;
      }
      node = list->get(index);
    }
    const auto* text = node->as_string();
    if (text == nullptr) return read_number(*node, key);
    try {
      return evaluate_measure(parse_arithmetic(fill_in(**text, with)), nullptr);
    } catch (const ExpressionError& error) {
      SourceLocation where = locate(node->source());
      if (with.empty())
        where = {file_, where.line, where.column + 1 + static_cast<int>(error.offset()),
                 static_cast<int>(error.length())};
      problems_.push_back({where, error.what(), ""});
      return std::nullopt;
    }
  }

  /// What is expected must not come from the library that is being checked.
  static Expression parse_arithmetic(const std::string& text) {
    Expression form = parse_expression(text, nullptr);
    refuse_library(form, text);
    return form;
  }
  static void refuse_library(const Expression& form, const std::string& text) {
    if (form.kind == Expression::Kind::call && form.function > Function::max) {
      throw ExpressionError("an expected value may use arithmetic only, none of the formulas it is to check", 0,
                            text.size());
    }
    for (const Expression& part : form.operands) refuse_library(part, text);
  }

  void read_check(const toml::table& table) {
    check_keys(table, kCheckKeys, "[[check]]");
    const std::vector<std::string> with = read_texts(table, "with");
    const std::size_t problems_before = problems_.size();
    for (std::size_t i = 0; i < std::max<std::size_t>(1, with.size()) && problems_.size() == problems_before; ++i) {
      read_one(table, i, with.empty() ? "" : with[i]);
    }
  }

  void read_one(const toml::table& table, std::size_t index, const std::string& with) {
    CheckSpec check;
    check.is_from_list = !with.empty();
    check.with = with;
    if (check.is_from_list) check.series = read_text(table, "quantity", false);
    check.quantity = fill_in(read_text(table, "quantity", true), with);
    check.unit = read_text(table, "unit", false);
    check.scene = fill_in(read_text(table, "scene", false), with);
    for (const std::string& item : read_texts(table, "set")) check.set.push_back(fill_in(item, with));
    for (const std::string& item : read_texts(table, "reference")) check.reference.push_back(fill_in(item, with));
    check.has_reference = table.contains("reference");
    if (check.has_reference && check.scene.empty()) add(*table.get("reference"), "'reference' needs a 'scene'");
    check.measure = fill_in(read_text(table, "measure", true), with);
    check.tolerance_reason = read_text(table, "tolerance_reason", true);
    const std::optional<double> expected = read_value(table, "expected", index, with);
    const std::optional<double> tolerance = read_value(table, "tolerance", index, with);
    check.published = read_value(table, "published", index, with);
    check.printed_to = read_value(table, "printed_to", index, with).value_or(0.0);
    if (!table.contains("expected")) add(table, "'expected' is missing");
    if (!table.contains("tolerance")) add(table, "'tolerance' is missing");
    if (tolerance && !(*tolerance >= 0.0)) add(*table.get("tolerance"), "'tolerance' must not be negative");
    check.expected = expected.value_or(0.0);
    check.tolerance = tolerance.value_or(0.0);
    read_verdict(table, check);
    if (const toml::node* node = table.get("measure")) {
      check.measure_place = locate(node->source());
      ++check.measure_place.column;
    }
    out_.checks.push_back(std::move(check));
  }

  void read_verdict(const toml::table& table, CheckSpec& check) {
    const std::string verdict = table.contains("verdict") ? read_text(table, "verdict", false) : "agrees";
    check.reason = read_text(table, "reason", false);
    check.differs = verdict == "differs";
    if (verdict != "agrees" && verdict != "differs")
      add(*table.get("verdict"), "'verdict' must be \"agrees\" or \"differs\"");
    if (check.differs && check.reason.empty())
      add(table, "a check that differs from print needs a 'reason', and evidence in the README");
    if (check.differs && !table.contains("published"))
      add(table, "a check that differs from print needs the 'published' number");
    if (!check.differs && !check.reason.empty()) add(*table.get("reason"), "'reason' belongs to verdict = \"differs\"");
  }

  std::string file_;
  CaseSpec& out_;
  std::vector<Problem> problems_;
};

}  // namespace

CaseSpec read_case_text(const std::string& text, const std::filesystem::path& folder) {
  CaseSpec spec;
  spec.folder = folder;
  spec.name = folder.filename().string();
  spec.text = text;
  const std::string file = (folder / "case.toml").string();
  CaseReader reader(file, spec);
  try {
    reader.read(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    const SourceLocation where{file, static_cast<int>(error.source().begin.line),
                               static_cast<int>(error.source().begin.column), 1};
    throw InputError(
        format_problems({{where, fmt::format("this is not valid TOML: {}", error.description()), ""}}, text));
  }
  reader.throw_problems(text);
  return spec;
}

CaseSpec read_case(const std::filesystem::path& folder) {
  return read_case_text(read_text_file((folder / "case.toml").string()), folder);
}

std::vector<std::string> list_cases(const std::filesystem::path& cases_folder) {
  std::error_code error;
  std::filesystem::directory_iterator entries(cases_folder, error);
  if (error)
    throw SystemError(fmt::format("{}: cannot list this folder of cases: {}", cases_folder.string(), error.message()));
  std::vector<std::string> names;
  for (const auto& entry : entries) {
    if (std::filesystem::exists(entry.path() / "case.toml")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace abut
