#include "abut/scene/validate.hpp"

#include <cmath>

#include "abut/scene/check_fields.hpp"
#include "abut/scene/check_specs.hpp"
#include "abut/scene/problem_list.hpp"

namespace abut {
namespace {

/// No quantity of a scene is larger than this, nor, where it must be positive, smaller than its inverse: the products
/// of a few of them (m v^2, 1/2 k x^2) then stay inside the range of a double, and so does every result.
constexpr double kLargestNumber = 1e50;

}  // namespace

Defect split_defect(const std::string& text) {
  constexpr std::string_view kMust = "must be ", kFound = ", found ";
  const std::size_t begin = text.starts_with(kMust) ? kMust.size() : 0;
  const std::size_t end = std::min(text.find(kFound), text.size());
  return {text.substr(begin, end - begin), end == text.size() ? std::string() : text.substr(end + kFound.size())};
}

std::string find_number_defect(double value, const FieldInfo& info) {
  const std::string unit = info.unit[0] == '\0' || std::string(info.unit) == "1" ? "" : fmt::format(" {}", info.unit);
  if (!std::isfinite(value)) return fmt::format("must be a finite number, found {}", value);
  if (std::abs(value) > kLargestNumber) {
    return fmt::format("must be within {:g}{}, found {}", kLargestNumber, unit, value);
  }
  if (info.exclusive && info.minimum == 0.0 && value > 0.0 && value < 1.0 / kLargestNumber) {
    return fmt::format("must be at least {:g}{}, found {}", 1.0 / kLargestNumber, unit, value);
  }
  const bool below = info.exclusive ? value <= info.minimum : value < info.minimum;
  if (!below && value <= info.maximum) return {};
  const bool has_minimum = std::isfinite(info.minimum), has_maximum = std::isfinite(info.maximum);
  const char* relation = info.exclusive ? ">" : ">=";
  std::string range;
  if (has_minimum) range = fmt::format("{} {}", relation, info.minimum);
  if (has_maximum) range += fmt::format("{}<= {:.9g}", has_minimum ? " and " : "", info.maximum);
  return fmt::format("must be {}{}, found {}", range, unit, value);
}

std::vector<Problem> validate(const SceneSpec& scene) {
  ProblemList list;
  FieldChecker checker(scene, "", list);
  visit_fields(checker, scene);
  check_names(scene, list);
  check_joint_tree(scene, list);
  check_loads(scene, list);
  check_contacts(scene, list);
  std::vector<Problem> problems = list.take();
  sort_problems(problems);
  return problems;
}

}  // namespace abut
