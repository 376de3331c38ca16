#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>

namespace abut {

/// Where something was written. Line and column count from 1; line 0 means "not from a file" (built in code, or --set).
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
  int length = 0;  ///< characters to underline

  bool is_known() const { return line > 0 || !file.empty(); }
};

/// Base of every spec: remembers where it and its keys were written, so that a mistake found long after reading can
/// still be reported at its place. Specs built in code leave all of this empty.
struct Located {
  SourceLocation where;
  std::map<std::string, SourceLocation, std::less<>> key_locations;
  /// Keys whose value could not be read and has been reported; later checks must not complain about them again.
  std::set<std::string, std::less<>> unusable_keys;

  bool has_key(std::string_view key) const { return key_locations.contains(key); }
  bool is_unusable(std::string_view key) const { return unusable_keys.contains(key); }
  /// Place of the key's value, or of the whole table when the key was not written.
  const SourceLocation& location_of(std::string_view key) const {
    const auto found = key_locations.find(key);
    return found == key_locations.end() ? where : found->second;
  }
};

/// One row of the table of fields of a spec. Reading, validation, schema, reference and writing all follow from these
/// rows:
///   template <class Visitor> void visit_fields(Visitor& v, SpecOf<RunSpec> auto& s) { v(s.step, {.key = "step", ...});
///   }
/// A std::variant member is spread over its own table: its key is the tag that chooses the alternative.
struct FieldInfo {
  const char* key = "";
  const char* symbol = "";  ///< in equations, where that is not the key
  const char* unit = "";    ///< SI, e.g. "kg/m^3"; empty when there is none; "1" for a dimensionless number
  const char* doc = "";     ///< one sentence
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool exclusive = false;  ///< the minimum itself is not allowed
  bool required = false;
  const char* otherwise = "";  ///< what happens when an optional value is not given: a rule, or another key
  /// The number that then stands for it; not a number: a rule, or nothing.
  double fallback = std::numeric_limits<double>::quiet_NaN();
  const char* alias = "";  ///< second accepted spelling
  bool single = false;     ///< an array that may also be written as its one element
};

/// T is `Spec` or `const Spec`: lets one table of fields serve reading and writing.
template <class T, class Spec>
concept SpecOf = std::same_as<std::remove_const_t<T>, Spec>;

/// Spelling of an enum in scenes. Specialisations give `values` (pairs of value and name) and `planned`: names of the
/// published vocabulary that this version does not offer yet, so that the refusal can say so.
template <class Enum>
struct EnumNames;

template <class Enum>
struct EnumName {
  Enum value;
  const char* name;
};

template <class Enum>
constexpr const char* enum_name(Enum value) {
  for (const EnumName<Enum>& entry : EnumNames<Enum>::values) {
    if (entry.value == value) return entry.name;
  }
  return "?";
}

template <class Enum, std::size_t N>
using EnumTable = std::array<EnumName<Enum>, N>;

template <std::size_t N>
using PlannedNames = std::array<const char*, N>;

}  // namespace abut
