#pragma once

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/scene/fmu_port.hpp"
#include "abut/scene/problem_list.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// A name that leads nowhere: what is wrong, what would do.
struct WrongName {
  std::string message, hint, found;
  std::vector<std::string> allowed{};
  bool is_whole = false;  ///< the message says the nearest name itself
};

template <class Specs>
std::vector<std::string> names_of(const Specs& specs) {
  std::vector<std::string> names;
  for (const auto& spec : specs) names.push_back(spec.name);
  return names;
}

template <class Specs>
int find_named(const Specs& specs, const std::string& name, const char* kind) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].name == name) return static_cast<int>(i);
  }
  const std::vector<std::string> names = names_of(specs);
  throw WrongName{fmt::format("there is no {} '{}'", kind, name),
                  names.empty() ? std::string("The scene has none.") : fmt::format("There are: {}.", list_names(names)),
                  name, names};
}

/// The row of a table that has this name.
template <class Rows, class NameOf>
std::size_t find_row(const Rows& rows, const NameOf& name_of, const std::string& name, const std::string& owner) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    names.emplace_back(name_of(rows[i]));
    if (names.back() == name) return i;
  }
  throw WrongName{fmt::format("{} has no '{}'", owner, name), fmt::format("It has: {}.", fmt::join(names, ", ")), name,
                  names};
}

inline std::string plain_unit(const char* unit) { return std::string_view(unit) == "1" ? std::string() : unit; }

/// What a row of a table of columns says.
template <class Column>
void describe_column(const Column& column, FmuPort& port) {
  port.unit = plain_unit(column.unit);
  port.doc = column.doc;
  port.width = column.width;
  port.is_array = column.width > 1;
}

/// The two bodies that a name of a contact stands for, and what is told of them.
void find_contact_pair(const SceneSpec& scene, const std::string& text, FmuPort& port);
void find_contact_column(const SceneSpec& scene, const std::string& name, FmuPort& port);

/// Names for a scene that does not choose.
std::vector<std::string> default_fmu_inputs(const SceneSpec& scene);
std::vector<std::string> default_fmu_outputs(const SceneSpec& scene);

}  // namespace abut
