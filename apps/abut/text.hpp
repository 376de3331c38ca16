#pragma once

#include <string>

namespace abut {

/// Numbers and words as the terminal shows them.

/// "1,284".
std::string format_count(long count);
/// "1 body", "3 bodies".
std::string format_plural(long count, const std::string& one, const std::string& many);
/// A length with a fitting unit: "0.55 mm", "1.2 um", "3.4 m".
std::string format_length(double meters);
/// A time with a fitting unit: "8.9 ms", "0.12 ms", "3.4 s".
std::string format_duration(double seconds);
/// A wait: "8 s", "5 min", "3 h", "12 days", "more than a year".
std::string format_time_left(double seconds);
/// "75x", "0.3x".
std::string format_factor(double factor);

}  // namespace abut
