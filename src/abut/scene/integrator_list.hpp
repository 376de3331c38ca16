#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "abut/scene/field.hpp"
#include "abut/scene/method_list.hpp"

namespace abut {

/// automatic is a choice by the solver with `adaptive`, and a fixed one elsewhere (MethodTraits::automatic).
enum class IntegratorKind { automatic, rk, radau, bdf, adams, euler, semi_implicit_euler, heun, rk3, rk4, rk5 };

struct IntegratorRow {
  IntegratorKind kind;
  const char* name;                    ///< in scenes
  std::optional<MethodKind> method{};  ///< it belongs to; none: to all
};

inline constexpr auto kIntegrators = std::to_array<IntegratorRow>({
    {IntegratorKind::automatic, "auto"},
    {IntegratorKind::rk, "rk", MethodKind::adaptive},
    {IntegratorKind::radau, "radau", MethodKind::adaptive},
    {IntegratorKind::bdf, "bdf", MethodKind::adaptive},
    {IntegratorKind::adams, "adams", MethodKind::adaptive},
    {IntegratorKind::euler, "euler", MethodKind::explicit_},
    {IntegratorKind::semi_implicit_euler, "semi-implicit-euler", MethodKind::explicit_},
    {IntegratorKind::heun, "heun", MethodKind::explicit_},
    {IntegratorKind::rk3, "rk3", MethodKind::explicit_},
    {IntegratorKind::rk4, "rk4", MethodKind::explicit_},
    {IntegratorKind::rk5, "rk5", MethodKind::explicit_},
});

/// The method that the integrator brings along, or none for automatic, which belongs to all.
constexpr std::optional<MethodKind> method_of(IntegratorKind integrator) {
  return kIntegrators[static_cast<std::size_t>(integrator)].method;
}

constexpr bool is_integrator_of(MethodKind method, IntegratorKind integrator) {
  return method_of(integrator).value_or(method) == method;
}

template <>
struct EnumNames<IntegratorKind> {
  static constexpr EnumTable<IntegratorKind, kIntegrators.size()> values = [] {
    EnumTable<IntegratorKind, kIntegrators.size()> names{};
    for (std::size_t i = 0; i < kIntegrators.size(); ++i) names[i] = {kIntegrators[i].kind, kIntegrators[i].name};
    return names;
  }();
  static constexpr PlannedNames<0> planned{};
};

/// What the keys of [run] that depend on the tables above say of themselves.
struct RunDocs {
  std::string method, integrator, step;
};
const RunDocs& run_docs();

}  // namespace abut
