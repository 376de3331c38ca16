#include "duration_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "abut/base/error.hpp"

namespace abut {

double parse_duration(const std::string& option, const std::string& text) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits = {
      {{"", 1.0}, {"s", 1.0}, {"ms", 1e-3}, {"min", 60.0}, {"h", 3600.0}}};
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const auto& [name, seconds] : kUnits) {
    if (error == std::errc() && unit == name && value > 0.0 && std::isfinite(value)) return value * seconds;
  }
  throw InputError(fmt::format("{} {}: expected a time above zero, such as 10s, 500ms, 2min or 1h.\nNothing was run.",
                               option, text));
}

}  // namespace abut
