#include "abut/scene/body_index.hpp"

#include <fmt/format.h>

namespace abut {

bool check_reference(const BodyIndex& index, const Located& spec, const char* key, const std::string& name, World world,
                     const std::string& label, ProblemList& problems) {
  if (spec.is_unusable(key) || name.empty()) return false;
  if (name == kWorldName && world == World::allowed) return true;
  if (index.find(name) != nullptr) return true;
  if (name == kWorldName) {
    problems.add(spec.location_of(key), fmt::format("{} cannot be '{}' in {}", key, name, label),
                 "Declare a [[body]] with fixed = true and a shape, and name that.");
    return false;
  }
  if (!index.knows_all_names()) return false;
  std::vector<std::string> names = index.names();
  if (world == World::allowed) names.emplace_back(kWorldName);
  problems.add(spec.location_of(key),
               fmt::format("there is no body '{}' for {} in {}.{}", name, key, label, suggest(name, names)),
               fmt::format("Bodies: {}.", list_names(names)));
  return false;
}

}  // namespace abut
