#pragma once

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/scene/body_spec.hpp"
#include "abut/scene/field.hpp"

namespace abut {

/// TOML text of single values; numbers with the fewest digits that read back exactly.
std::string to_toml(double value);
std::string to_toml(const std::string& value);
std::string to_toml(const InertiaSpec& value);
inline std::string to_toml(int value) { return std::to_string(value); }
inline std::string to_toml(bool value) { return value ? "true" : "false"; }
std::string to_toml(const Vec3& value);
std::string to_toml(const Quat& value);

template <class Range>
std::string join_toml(const Range& values) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : ", ") + to_toml(value);
  return "[" + text + "]";
}

inline std::string to_toml(const std::vector<double>& value) { return join_toml(value); }
inline std::string to_toml(const std::vector<Vec3>& value) { return join_toml(value); }
inline std::string to_toml(const std::vector<std::string>& value) { return join_toml(value); }
inline std::string to_toml(const std::array<std::string, 2>& value) { return join_toml(value); }

template <class Enum>
requires std::is_enum_v<Enum> std::string to_toml(Enum value) { return to_toml(std::string(enum_name(value))); }

}  // namespace abut
