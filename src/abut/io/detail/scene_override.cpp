#include "abut/io/detail/scene_override.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "abut/io/detail/toml_value.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/scene/scene_path.hpp"

namespace abut {
namespace {

/// The name by which an entry can be chosen.
std::string entry_name(const toml::node& node) {
  const toml::table* table = node.as_table();
  if (table == nullptr) return {};
  if (const auto* name = table->get_as<std::string>("name")) return **name;
  const toml::node* between = table->get("between");
  const auto pair = between == nullptr ? std::nullopt : to_pair(*between);
  return pair ? fmt::format("{}-{}", (*pair)[0], (*pair)[1]) : std::string();
}

std::string list_entries(const toml::array& array) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::string name = entry_name(*array.get(i));
    names.push_back(name.empty() ? fmt::format("[{}]", i) : name);
  }
  return list_names(names);
}

std::optional<std::size_t> find_entry(const toml::array& array, const std::string& part) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (entry_name(*array.get(i)) == part) return i;
  }
  const std::optional<std::size_t> index = to_index(part);
  return index && *index < array.size() ? index : std::nullopt;
}

bool is_bare_word(std::string_view text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '*' || text[0] == '_') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) ||
                  std::string_view("-_.*?/ ").find(c) != std::string_view::npos;
         });
}

/// A document with the single key `value`, or nothing.
std::optional<toml::table> parse_value(const std::string& value, const std::string& place) {
  try {
    toml::table document = toml::parse("value = " + value, place);
    if (document.size() == 1) return document;
  } catch (const toml::parse_error&) {
    if (!is_bare_word(value)) return std::nullopt;
    return toml::parse("value = \"" + value + "\"", place);
  }
  return std::nullopt;
}

std::string trim(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

class Override {
 public:
  Override(const std::string& text, ProblemList& problems)
      : place_{fmt::format("--set {}", text), 0, 0, 0}, problems_(problems) {}

  void apply(toml::table& scene, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      return refuse("an override is written path=value", "For example --set run.duration=2.");
    const std::vector<std::string> parts = split_path(trim(text.substr(0, equals)));
    if (parts.empty())
      return refuse("this is not a path", "For example body.ball.mass or contact[0].normal.stiffness.");
    std::optional<toml::table> document = parse_value(trim(text.substr(equals + 1)), place_.file);
    if (!document) return refuse("the value is not valid TOML", "For example 2.5, true, [0, 0, 1] or \"a string\".");
    toml::node* node = &scene;
    std::string path;
    for (std::size_t i = 0; i + 1 < parts.size() && node != nullptr; ++i) {
      const toml::table* table = node->as_table();
      if (table != nullptr && !table->contains(parts[i]) && to_index(parts[i + 1])) {
        return refuse(fmt::format("'{}' is not in the file, so that it has no entry {}", parts[i], parts[i + 1]),
                      "Set the whole of it.");
      }
      node = step(*node, parts[i], path);
    }
    if (node != nullptr) assign(*node, parts.back(), path, *document->get("value"));
  }

 private:
  void refuse(const std::string& message, const std::string& hint) { problems_.add(place_, message, hint); }

  void refuse_scalar(const toml::node& node, const std::string& path) {
    refuse(fmt::format("'{}' is {} and has no parts", path, describe_node(node)), "");
  }

  void refuse_entry(const toml::array& array, const std::string& part, const std::string& path) {
    refuse(fmt::format("there is no '{}' in '{}'", part, path),
           array.empty() ? "It is empty." : fmt::format("There are {}: {}.", array.size(), list_entries(array)));
  }

  toml::node* step(toml::node& node, const std::string& part, std::string& path) {
    toml::node* next = nullptr;
    if (toml::table* table = node.as_table()) {
      next = table->get(part);
      // A table that the file leaves out may be set all the same; the reader judges its name.
      if (next == nullptr) next = &table->insert(part, toml::parse("", place_.file)).first->second;
    } else if (toml::array* array = node.as_array()) {
      const std::optional<std::size_t> index = find_entry(*array, part);
      if (index) next = array->get(*index);
      if (!index) refuse_entry(*array, part, path);
    } else {
      refuse_scalar(node, path);
    }
    path += path.empty() ? part : "." + part;
    return next;
  }

  void assign(toml::node& node, const std::string& part, const std::string& path, toml::node& value) {
    toml::table* table = node.as_table();
    toml::array* array = node.as_array();
    if (table == nullptr && array == nullptr) return refuse_scalar(node, path);
    const std::optional<std::size_t> index = array != nullptr ? find_entry(*array, part) : std::nullopt;
    if (array != nullptr && !index) return refuse_entry(*array, part, path);
    value.visit([&](auto& concrete) {
      if (table != nullptr) {
        table->insert_or_assign(part, std::move(concrete));
      } else {
        array->replace(array->cbegin() + static_cast<long>(*index), std::move(concrete));
      }
    });
  }

  SourceLocation place_;
  ProblemList& problems_;
};

}  // namespace

namespace {

std::optional<KeyValue> to_key_value(const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return KeyValue(**flag);
  if (const auto* word = node.as_string()) return KeyValue(**word);
  if (const auto* number = node.as_integer();
      number != nullptr && std::abs(**number) <= std::numeric_limits<int>::max())
    return KeyValue(static_cast<int>(**number));
  if (const auto number = to_number(node)) return KeyValue(*number);
  if (const auto numbers = to_numbers(node)) return KeyValue(*numbers);
  if (const auto pair = to_pair(node)) return KeyValue(std::vector<std::string>{(*pair)[0], (*pair)[1]});
  return std::nullopt;
}

}  // namespace

std::optional<SceneChange> parse_scene_change(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return std::nullopt;
  const std::optional<toml::table> document = parse_value(trim(text.substr(equals + 1)), "--set " + text);
  if (!document) return std::nullopt;
  std::optional<KeyValue> value = to_key_value(*document->get("value"));
  if (!value) return std::nullopt;
  return SceneChange{trim(text.substr(0, equals)), std::move(*value)};
}

void apply_override(toml::table& scene, const std::string& text, ProblemList& problems) {
  Override(text, problems).apply(scene, text);
}

}  // namespace abut
