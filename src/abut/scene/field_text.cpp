#include "abut/scene/field_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace abut {

namespace {

/// No quantity of a scene is larger than this, nor, where it must be positive, smaller than its inverse: the products
/// of a few of them (m v^2, 1/2 k x^2) then stay inside the range of a double, and so does every result.
constexpr double kLargestNumber = 1e50;

}  // namespace

std::string find_number_defect(double value, const FieldInfo& info) {
  const bool is_small = info.exclusive && info.minimum == 0.0 && value > 0.0 && value < 1.0 / kLargestNumber;
  const bool below = info.exclusive ? value <= info.minimum : value < info.minimum;
  if (std::abs(value) <= kLargestNumber && !is_small && !below && value <= info.maximum) return {};
  const std::string unit = info.unit[0] == '\0' || std::string(info.unit) == "1" ? "" : fmt::format(" {}", info.unit);
  if (!std::isfinite(value)) return fmt::format("must be a finite number, found {}", value);
  if (std::abs(value) > kLargestNumber) {
    return fmt::format("must be within {:g}{}, found {}", kLargestNumber, unit, value);
  }
  if (is_small) {
    return fmt::format("must be at least {:g}{}, found {}", 1.0 / kLargestNumber, unit, value);
  }
  const bool has_minimum = std::isfinite(info.minimum), has_maximum = std::isfinite(info.maximum);
  const char* relation = info.exclusive ? ">" : ">=";
  std::string range;
  if (has_minimum) range = fmt::format("{} {}", relation, info.minimum);
  if (has_maximum) range += fmt::format("{}<= {:.9g}", has_minimum ? " and " : "", info.maximum);
  return fmt::format("must be {}{}, found {}", range, unit, value);
}

std::string describe_range(const FieldInfo& info) {
  std::string text;
  if (std::isfinite(info.minimum)) text = fmt::format("{} {}", info.exclusive ? ">" : ">=", info.minimum);
  if (std::isfinite(info.maximum)) text += fmt::format("{}<= {:.6g}", text.empty() ? "" : ", ", info.maximum);
  return text;
}

std::string describe_otherwise(const FieldInfo& info) {
  return std::isnan(info.fallback) ? std::string(info.otherwise) : fmt::format("{:g}", info.fallback);
}

}  // namespace abut
