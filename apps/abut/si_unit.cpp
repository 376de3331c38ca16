#include "si_unit.hpp"

#include <algorithm>
#include <charconv>
#include <numbers>

namespace abut {

namespace {

struct NamedUnit {
  const char* name;
  SiUnit unit;
};

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr auto kNamed = std::to_array<NamedUnit>({
    {"kg", {{1, 0, 0, 0, 0}}},
    {"m", {{0, 1, 0, 0, 0}}},
    {"s", {{0, 0, 1, 0, 0}}},
    {"K", {{0, 0, 0, 1, 0}}},
    {"rad", {{0, 0, 0, 0, 1}}},
    {"deg", {{0, 0, 0, 0, 1}, kTurn / 360.0}},
    {"N", {{1, 1, -2, 0, 0}}},
    {"J", {{1, 2, -2, 0, 0}}},
    {"W", {{1, 2, -3, 0, 0}}},
    {"Pa", {{1, -1, -2, 0, 0}}},
    {"Hz", {{0, 0, -1, 0, 1}, kTurn}},
    {"1", {}},
});

}  // namespace

std::optional<SiUnit> parse_unit(std::string_view text) {
  SiUnit product;
  int sign = 1;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find_first_of(" /"), text.size());
    std::string_view term = text.substr(0, size);
    int power = 1;
    if (const std::size_t hat = term.find('^'); hat != std::string_view::npos) {
      const std::string_view digits = term.substr(hat + 1);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), power);
      if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
      term = term.substr(0, hat);
    }
    const NamedUnit* found = nullptr;
    for (const NamedUnit& named : kNamed) {
      if (term == named.name) found = &named;
    }
    if (found == nullptr || (found->unit.factor != 1.0 && sign * power != 1)) return std::nullopt;
    for (std::size_t i = 0; i < product.powers.size(); ++i) product.powers[i] += sign * power * found->unit.powers[i];
    product.factor *= found->unit.factor;
    if (size == text.size()) return product;
    if (text[size] == '/') {
      if (sign < 0) return std::nullopt;
      sign = -1;
    }
    text.remove_prefix(size + 1);
  }
  return std::nullopt;
}

std::string to_unit_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (c != '^') name += c == ' ' ? '.' : c;
  }
  return name;
}

}  // namespace abut
