#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "abut/scene/set_value.hpp"

namespace abut {

inline std::optional<double> as_number(const KeyValue& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  if (const int* number = std::get_if<int>(&value)) return *number;
  return std::nullopt;
}

/// What a field of type T takes, in words, and the value as one, where it fits.
template <class T>
struct Taken;

template <>
struct Taken<double> {
  static constexpr const char* kKind = "a number";
  static std::optional<double> from(const KeyValue& value) { return as_number(value); }
};
template <>
struct Taken<int> {
  static constexpr const char* kKind = "an integer";
  static std::optional<int> from(const KeyValue& value) {
    const std::optional<double> number = as_number(value);
    constexpr double kMost = std::numeric_limits<int>::max();
    if (!number || *number != std::floor(*number) || std::abs(*number) > kMost) return std::nullopt;
    return static_cast<int>(*number);
  }
};
template <class T>
requires std::is_same_v<T, bool> || std::is_same_v<T, std::string>
struct Taken<T> {
  static constexpr const char* kKind = std::is_same_v<T, bool> ? "true or false" : "a string";
  static std::optional<T> from(const KeyValue& value) {
    const T* given = std::get_if<T>(&value);
    return given == nullptr ? std::nullopt : std::optional<T>(*given);
  }
};
template <>
struct Taken<std::vector<double>> {
  static constexpr const char* kKind = "an array of numbers";
  static std::optional<std::vector<double>> from(const KeyValue& value) {
    const auto* given = std::get_if<std::vector<double>>(&value);
    return given == nullptr ? std::nullopt : std::optional(*given);
  }
};
template <>
struct Taken<Vec3> {
  static constexpr const char* kKind = "three numbers";
  static std::optional<Vec3> from(const KeyValue& value) {
    const auto* n = std::get_if<std::vector<double>>(&value);
    if (n == nullptr || n->size() != 3) return std::nullopt;
    return Vec3((*n)[0], (*n)[1], (*n)[2]);
  }
};
template <>
struct Taken<Quat> {
  static constexpr const char* kKind = "four numbers (w, x, y, z)";
  static std::optional<Quat> from(const KeyValue& value) {
    const auto* n = std::get_if<std::vector<double>>(&value);
    if (n == nullptr || n->size() != 4) return std::nullopt;
    return Quat((*n)[0], (*n)[1], (*n)[2], (*n)[3]);
  }
};
template <>
struct Taken<InertiaSpec> {
  static constexpr const char* kKind = "3, 6 or 9 numbers";
  static std::optional<InertiaSpec> from(const KeyValue& value) {
    const auto* n = std::get_if<std::vector<double>>(&value);
    if (n == nullptr || (n->size() != 3 && n->size() != 6 && n->size() != 9)) return std::nullopt;
    return InertiaSpec{*n};
  }
};
template <>
struct Taken<std::array<std::string, 2>> {
  static constexpr const char* kKind = "two names";
  static std::optional<std::array<std::string, 2>> from(const KeyValue& value) {
    const auto* names = std::get_if<std::vector<std::string>>(&value);
    if (names == nullptr || names->size() != 2) return std::nullopt;
    return std::array<std::string, 2>{(*names)[0], (*names)[1]};
  }
};
template <>
struct Taken<std::vector<std::string>> {
  static constexpr const char* kKind = "an array of strings";
  static std::optional<std::vector<std::string>> from(const KeyValue& value) {
    if (const auto* words = std::get_if<std::vector<std::string>>(&value)) return *words;
    const auto* numbers = std::get_if<std::vector<double>>(&value);  // [] has no kind
    if (numbers == nullptr || !numbers->empty()) return std::nullopt;
    return std::vector<std::string>();
  }
};

template <class T>
concept Takeable = requires(const KeyValue& value) {
  Taken<T>::from(value);
};

}  // namespace abut
