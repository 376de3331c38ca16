#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace abut {

/// A unit by its powers of base units, and what one of it is in them.
struct SiUnit {
  std::array<int, 5> powers{};  ///< of kg, m, s, K, rad
  double factor = 1.0;
};
inline constexpr std::array<const char*, 5> kSiBase = {"kg", "m", "s", "K", "rad"};

/// "N s/m", "kg m^2", "rad/s"; nothing for what is no such product, as the tables' "m or rad".
std::optional<SiUnit> parse_unit(std::string_view text);

/// As descriptions of units spell it: "N.s/m", "kg.m2".
std::string to_unit_name(std::string_view text);

}  // namespace abut
