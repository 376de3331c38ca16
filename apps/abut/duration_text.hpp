#pragma once

#include <string>

namespace abut {

/// "10s", "2min", "1h", "500ms" or a number of seconds [s]; InputError, with the name of the option, for anything else
/// or where it is not above zero.
double parse_duration(const std::string& option, const std::string& text);

}  // namespace abut
