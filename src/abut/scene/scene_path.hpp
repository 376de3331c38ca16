#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace abut {

/// Places in a scene as text: "body.ball.mass", "contact[0].normal.restitution", "gravity[2]",
/// "contact.ball-incline.friction.mu_c", "body.\"odd.name\".mass". Entries of arrays are chosen by name or by index; a
/// contact without a name by its two bodies, "a-b".

/// The parts of a path: "contact", "0", "normal", "restitution"; empty when it is not well formed.
std::vector<std::string> split_path(std::string_view path);

/// The number a part stands for.
std::optional<std::size_t> to_index(const std::string& part);

/// The name by which an entry can be chosen; empty when it has none.
template <class Spec>
std::string entry_name(const Spec& spec) {
  if constexpr (requires { spec.name; }) {
    if (!spec.name.empty()) return spec.name;
  }
  if constexpr (requires { spec.between; }) return fmt::format("{}-{}", spec.between[0], spec.between[1]);
  return {};
}

/// Names of entries, "[2]" for one without.
template <class Spec>
std::vector<std::string> entry_names(const std::vector<Spec>& specs) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string name = entry_name(specs[i]);
    names.push_back(name.empty() ? fmt::format("[{}]", i) : name);
  }
  return names;
}

/// A name goes before an index.
template <class Spec>
std::optional<std::size_t> find_entry(const std::vector<Spec>& specs, const std::string& part) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (entry_name(specs[i]) == part) return i;
  }
  const std::optional<std::size_t> index = to_index(part);
  return index && *index < specs.size() ? index : std::nullopt;
}

}  // namespace abut
