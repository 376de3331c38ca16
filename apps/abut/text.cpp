#include "text.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace abut {

namespace {

template <std::size_t N>
std::string format_scaled(double value, const std::array<std::pair<double, const char*>, N>& units) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  for (const auto& [scale, unit] : units) {
    if (std::abs(value) >= scale) return fmt::format("{:.4g} {}", value / scale, unit);
  }
  return fmt::format("{:.4g} {}", value / units.back().first, units.back().second);
}

}  // namespace

std::string format_count(long count) {
  const std::string digits = fmt::format("{}", std::labs(count));
  std::string text = count < 0 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string format_plural(long count, const std::string& one, const std::string& many) {
  return format_count(count) + " " + (count == 1 ? one : many);
}

std::string format_length(double meters) {
  constexpr std::array<std::pair<double, const char*>, 4> kUnits{
      {{1.0, "m"}, {1e-3, "mm"}, {1e-6, "um"}, {1e-9, "nm"}}};
  return format_scaled(meters, kUnits);
}

std::string format_duration(double seconds) {
  constexpr std::array<std::pair<double, const char*>, 3> kUnits{{{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}}};
  return format_scaled(seconds, kUnits);
}

std::string format_time_left(double seconds) {
  constexpr double kMinute = 60.0, kHour = 3600.0, kDay = 86400.0, kYear = 365.0 * kDay;
  if (!(seconds < kYear)) return "more than a year";
  if (seconds >= 2.0 * kDay) return fmt::format("{:.0f} days", seconds / kDay);
  if (seconds >= 2.0 * kHour) return fmt::format("{:.0f} h", seconds / kHour);
  if (seconds >= 2.0 * kMinute) return fmt::format("{:.0f} min", seconds / kMinute);
  return fmt::format("{:.0f} s", seconds);
}

std::string format_factor(double factor) {
  if (factor >= 100.0) return format_count(std::lround(factor)) + "x";
  return fmt::format("{:.2g}x", factor);
}

}  // namespace abut
