#include "abut/contact/law/friction_law.hpp"

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "abut/contact/law/friction_defaults.hpp"

namespace abut {

namespace {

/// Specification and parameters of one law stand at the same place of their lists.
template <std::size_t... I>
constexpr bool are_parallel(std::index_sequence<I...>) {
  return (std::is_same_v<decltype(resolve_friction(std::variant_alternative_t<I, FrictionLawSpec>{}, 0.0).parameters),
                         std::variant_alternative_t<I, FrictionParameters>> &&
          ...);
}
static_assert(std::variant_size_v<FrictionLawSpec> == std::variant_size_v<FrictionParameters>);
static_assert(are_parallel(std::make_index_sequence<std::variant_size_v<FrictionLawSpec>>()));

template <class... Specs>
std::string_view find_name(const std::variant<Specs...>*, std::size_t place) {
  constexpr std::array<const char*, sizeof...(Specs)> kNames{Specs::kTag...};
  return kNames[place];
}

}  // namespace

std::string_view friction_law_name(const FrictionParameters& law) {
  return find_name(static_cast<const FrictionLawSpec*>(nullptr), law.index());
}

int num_friction_states(const FrictionParameters& law) {
  return std::visit(
      [](const auto& own) {
        if constexpr (requires { own.kNumStates; })
          return own.kNumStates;
        else
          return 0;
      },
      law);
}

FrictionCoefficients calc_friction_coefficients(const FrictionParameters& law) {
  return std::visit(
      [](const auto& own) {
        if constexpr (requires { own.coefficients(); })
          return own.coefficients();
        else
          return FrictionCoefficients();
      },
      law);
}

double calc_friction_energy(const FrictionParameters& law, const FrictionState& state, const Vec3& n, double fn) {
  return std::visit(
      [&](const auto& own) {
        if constexpr (requires { own.calc_energy(state, n, fn); })
          return own.calc_energy(state, n, fn);
        else
          return 0.0;
      },
      law);
}

double calc_twist_energy(const FrictionParameters& law, double rim, double fn) {
  return std::visit(
      [&](const auto& own) {
        if constexpr (requires { own.calc_twist_energy(rim, fn); })
          return own.calc_twist_energy(rim, fn);
        else
          return 0.0;
      },
      law);
}

double calc_charge_per_load(const FrictionParameters& law) {
  return std::visit(
      [](const auto& own) {
        if constexpr (requires { own.charge_per_load(); })
          return own.charge_per_load();
        else
          return 0.0;
      },
      law);
}

double calc_break_away(const FrictionParameters& law) {
  return std::visit(
      [](const auto& own) {
        if constexpr (requires { own.break_away(); })
          return own.break_away();
        else
          return 1e-4;
      },
      law);
}

double calc_damping_per_load(const FrictionParameters& law) {
  return std::visit(
      [](const auto& own) {
        if constexpr (requires { own.damping_per_load(); })
          return own.damping_per_load();
        else
          return 0.0;
      },
      law);
}

FrictionPace calc_friction_pace(const FrictionParameters& law, double fn, double effective_mass) {
  return std::visit(
      [&](const auto& own) {
        if constexpr (requires { own.calc_pace(fn, effective_mass); })
          return own.calc_pace(fn, effective_mass);
        else
          return FrictionPace();
      },
      law);
}

double calc_fastest_friction_rate(const FrictionParameters& law, double fn, double effective_mass, double lightest) {
  return std::visit(
      [&](const auto& own) {
        if constexpr (requires { own.calc_fastest_rate(fn, effective_mass, lightest); })
          return own.calc_fastest_rate(fn, effective_mass, lightest);
        else
          return 0.0;
      },
      law);
}

bool bends_at_touch(const FrictionParameters& law) {
  return std::visit(
      [](const auto& own) {
        return requires(Vec3 slip) { own.calc_touch_deflection(slip); };
      },
      law);
}

Vec3 calc_touch_deflection(const FrictionParameters& law, const Vec3& slip) {
  return std::visit(
      [&](const auto& own) {
        if constexpr (requires { own.calc_touch_deflection(slip); })
          return own.calc_touch_deflection(slip);
        else
          return Vec3(Vec3::Zero());
      },
      law);
}

}  // namespace abut
