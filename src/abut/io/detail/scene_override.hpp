#pragma once

#include <string>

#include <toml++/toml.h>

#include "abut/scene/problem_list.hpp"

namespace abut {

/// Applies one "path=value" to a parsed scene. Array entries are chosen by index (`contact[0]`, `contact.0`) or by
/// name; a contact without a name by its two bodies, "a-b". Whether the last key exists is judged later, by the reader.
/// Values are TOML; a bare word is a string.
void apply_override(toml::table& scene, const std::string& text, ProblemList& problems);

}  // namespace abut
