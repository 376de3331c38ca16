#pragma once

#include <string>
#include <vector>

#include "abut/scene/validate.hpp"

namespace abut {

/// What a person sees of the mistakes in a scene: for each file:line:column and message, the line with the place
/// underlined, and the hint; at most twenty; closes with "Nothing was run.". `text` is the content of the file.
std::string format_problems(std::vector<Problem> problems, const std::string& text);

}  // namespace abut
