#include "abut/io/detail/toml_value.hpp"

#include <fmt/format.h>

namespace abut {

SourceLocation locate(const toml::source_region& region, const std::string& file) {
  if (region.path && region.path->starts_with("--set")) return {*region.path, 0, 0, 0};
  SourceLocation where{file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column), 1};
  if (region.end.line == region.begin.line && region.end.column > region.begin.column) {
    where.length = static_cast<int>(region.end.column - region.begin.column);
  }
  return where;
}

std::string describe_node(const toml::node& node) {
  constexpr std::size_t kMostCharacters = 40;
  switch (node.type()) {
    case toml::node_type::string: {
      const std::string& text = **node.as_string();
      if (text.size() <= kMostCharacters) return fmt::format("the string \"{}\"", text);
      std::size_t end = kMostCharacters;
      while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 character
      return fmt::format("the string \"{}...\"", text.substr(0, end));
    }
    case toml::node_type::integer:
      return fmt::format("the integer {}", **node.as_integer());
    case toml::node_type::floating_point:
      return fmt::format("the number {}", **node.as_floating_point());
    case toml::node_type::boolean:
      return **node.as_boolean() ? "true" : "false";
    case toml::node_type::array:
      return fmt::format("an array of {}", node.as_array()->size());
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

std::optional<double> to_number(const toml::node& node) {
  if (const auto* number = node.as_floating_point()) return **number;
  if (const auto* number = node.as_integer()) return static_cast<double>(**number);
  return std::nullopt;
}

std::optional<std::vector<double>> to_numbers(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::vector<double> numbers;
  for (const toml::node& element : *array) {
    const std::optional<double> number = to_number(element);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<Vec3> to_vector(const toml::node& node) {
  const std::optional<std::vector<double>> numbers = to_numbers(node);
  if (!numbers || numbers->size() != 3) return std::nullopt;
  return Vec3((*numbers)[0], (*numbers)[1], (*numbers)[2]);
}

std::optional<std::vector<Vec3>> to_vectors(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::vector<Vec3> vectors;
  for (const toml::node& element : *array) {
    const std::optional<Vec3> vector = to_vector(element);
    if (!vector) return std::nullopt;
    vectors.push_back(*vector);
  }
  return vectors;
}

std::optional<Quat> to_quaternion(const toml::node& node) {
  const std::optional<std::vector<double>> numbers = to_numbers(node);
  if (!numbers || numbers->size() != 4) return std::nullopt;
  return Quat((*numbers)[0], (*numbers)[1], (*numbers)[2], (*numbers)[3]);
}

std::optional<std::vector<std::string>> to_words(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::vector<std::string> words;
  for (const toml::node& element : *array) {
    const auto* word = element.as_string();
    if (word == nullptr) return std::nullopt;
    words.push_back(**word);
  }
  return words;
}

std::optional<std::array<std::string, 2>> to_pair(const toml::node& node) {
  const std::optional<std::vector<std::string>> words = to_words(node);
  if (!words || words->size() != 2) return std::nullopt;
  return std::array<std::string, 2>{(*words)[0], (*words)[1]};
}

std::optional<InertiaSpec> to_inertia(const toml::node& node) {
  if (const std::optional<std::vector<double>> numbers = to_numbers(node)) {
    if (numbers->size() == 3 || numbers->size() == 6) return InertiaSpec{*numbers};
    return std::nullopt;
  }
  const std::optional<std::vector<Vec3>> rows = to_vectors(node);
  if (!rows || rows->size() != 3) return std::nullopt;
  InertiaSpec inertia;
  for (const Vec3& row : *rows) inertia.numbers.insert(inertia.numbers.end(), {row.x(), row.y(), row.z()});
  return inertia;
}

}  // namespace abut
