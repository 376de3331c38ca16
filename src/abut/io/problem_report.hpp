#pragma once

#include <map>
#include <string>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/scene/validate.hpp"

namespace abut {

/// What a person sees of the mistakes in a scene: for each file:line:column and message, the line with the place
/// underlined, and the hint; at most twenty; closes with "Nothing was run.". `text` is the content of the file.
/// `others`: contents of further files, by their names.
std::string format_problems(std::vector<Problem> problems, const std::string& text,
                            const std::map<std::string, std::string>& others = {});

/// The same as an error that also holds them one by one.
InputError make_input_error(std::vector<Problem> problems, const std::string& text,
                            const std::map<std::string, std::string>& others = {});

/// The same for a mistake found after reading, whose message already begins with "file:line:column: ". `text` is the
/// content of `file`; a message without a place gets the name of the file alone. Further lines are the hint.
std::string add_source_line(const std::string& message, const std::string& file, const std::string& text);

}  // namespace abut
