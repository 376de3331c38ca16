#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "abut/math/types.hpp"
#include "abut/scene/check_specs.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/field_text.hpp"
#include "abut/scene/problem_list.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// "must be > 0 kg, found -2" as "> 0 kg" and "-2".
struct Defect {
  std::string allowed, found;
};
Defect split_defect(const std::string& text);

/// "[[body]] 'ball'" for entries with a name, "[[body]]" without.
template <class Spec>
std::string label_entry(const std::string& label, const char* key, const Spec& spec) {
  std::string text = label.empty() ? fmt::format("[[{}]]", key) : fmt::format("{} {}", label, key);
  if constexpr (requires { spec.name; }) {
    if (!spec.name.empty()) text += fmt::format(" '{}'", spec.name);
  }
  return text;
}

/// Walks a spec by its table of fields: limits and finiteness of every number, unit quaternions, missing names; then
/// the checks of check_specs.hpp that look at one spec as a whole.
class FieldChecker {
 public:
  FieldChecker(const Located& owner, std::string label, ProblemList& problems)
      : owner_(owner), label_(std::move(label)), problems_(problems) {}

  template <class T>
  void operator()(const T& value, const FieldInfo& info) {
    if (!owner_.is_unusable(info.key)) check(value, info);
  }

 private:
  void complain(const FieldInfo& info, const std::string& defect) {
    const std::string place = label_.empty() ? std::string() : " in " + label_;
    const Defect parts = split_defect(defect);
    problems_.add(owner_.location_of(info.key), fmt::format("{} {}{}", info.key, defect, place), {}, parts.found,
                  {parts.allowed});
  }

  void check(double value, const FieldInfo& info) {
    const std::string defect = find_number_defect(value, info);
    if (!defect.empty()) complain(info, defect);
  }
  void check(int value, const FieldInfo& info) { check(static_cast<double>(value), info); }
  void check(bool, const FieldInfo&) {}
  void check(const std::string& value, const FieldInfo& info) {
    if (info.required && value.empty()) complain(info, "must not be empty");
  }
  void check(const std::array<std::string, 2>& value, const FieldInfo& info) {
    if (info.required && (value[0].empty() || value[1].empty())) complain(info, "must name two bodies");
  }
  void check(const std::vector<std::string>&, const FieldInfo&) {}
  template <class Enum>
  requires std::is_enum_v<Enum>
  void check(Enum, const FieldInfo&) {}

  template <class Range>
  void check_numbers(const Range& numbers, const FieldInfo& info) {
    for (const double number : numbers) {
      const std::string defect = find_number_defect(number, info);
      if (defect.empty()) continue;
      complain(info, defect);
      return;
    }
  }
  void check(const Vec3& value, const FieldInfo& info) {
    check_numbers(std::array{value.x(), value.y(), value.z()}, info);
  }
  void check(const std::vector<double>& value, const FieldInfo& info) { check_numbers(value, info); }
  void check(const InertiaSpec& value, const FieldInfo& info) { check_numbers(value.numbers, info); }
  void check(const std::vector<Vec3>& value, const FieldInfo& info) {
    for (const Vec3& vector : value) check(vector, info);
  }
  void check(const Quat& value, const FieldInfo& info) {
    check_numbers(std::array{value.w(), value.x(), value.y(), value.z()}, info);
    const double length = value.norm();
    // 1e-6: six written decimals pass, a forgotten component does not.
    if (std::isfinite(length) && std::abs(length - 1.0) > 1e-6) {
      complain(info, fmt::format("must be a unit quaternion (w, x, y, z), its length is {:.9g}", length));
    }
  }

  template <class T>
  void check(const std::optional<T>& value, const FieldInfo& info) {
    if (value) check(*value, info);
  }
  template <std::derived_from<Located> Spec>
  void check(const Spec& spec, const FieldInfo& info) {
    check_spec(spec, label_.empty() ? fmt::format("[{}]", info.key) : fmt::format("{} {}", label_, info.key));
  }
  template <std::derived_from<Located> Spec>
  void check(const std::vector<Spec>& specs, const FieldInfo& info) {
    if (info.required && specs.empty())
      complain(info, fmt::format("is missing: a scene needs at least one [[{}]]", info.key));
    for (const Spec& spec : specs) check_spec(spec, label_entry(label_, info.key, spec));
  }
  template <class... Alternatives>
  void check(const std::variant<Alternatives...>& variant, const FieldInfo&) {
    std::visit([this](const auto& alternative) { visit_fields(*this, alternative); }, variant);
  }

  template <class Spec>
  void check_spec(const Spec& spec, const std::string& label) {
    FieldChecker inner(spec, label, problems_);
    visit_fields(inner, spec);
    if constexpr (requires { check_whole(spec, label, problems_); }) check_whole(spec, label, problems_);
  }

  const Located& owner_;
  std::string label_;
  ProblemList& problems_;
};

}  // namespace abut
