#pragma once

#include <optional>

#include "abut/scene/field.hpp"
#include "abut/scene/friction_law_row.hpp"

namespace abut {

/// Regularised Coulomb friction: mu, or mu_s and mu_c with a Stribeck speed.
struct CoulombSpec {
  static constexpr FrictionLawRow kRow = {
      .text = {.name = "coulomb",
               .doc = "Coulomb friction without memory, smoothed below v_eps; cheapest.",
               .equation = "force = -fn mu(|vt|) dir(vt),  mu(v) = mu_c + (mu_s - mu_c) exp(-(v/v_stribeck)^2)",
               .limits = "no stiction: a body on a slope creeps at a fraction of v_eps; stiff when v_eps is small",
               .source = "Gonthier 2007 (3.30), (3.32), (3.33) in its smooth form"},
      .coefficients = {.sliding = "mu_c", .stuck = "mu_s", .both = "mu"},
      .has_volume_form = true,
      .has_perimeter_form = true};
  static constexpr const char* kTag = kRow.text.name;
  static constexpr const char* kDoc = kRow.text.doc;

  std::optional<double> mu{};          ///< [1]
  std::optional<double> mu_s{};        ///< [1]
  std::optional<double> mu_c{};        ///< [1]
  std::optional<double> v_stribeck{};  ///< [m/s]
  std::optional<double> v_eps{};       ///< [m/s]
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<CoulombSpec> auto& s) {
  v(s.mu, FieldInfo{.key = "mu",
                    .unit = "1",
                    .doc = "Friction coefficient: short for the same mu_c and mu_s.",
                    .minimum = 0,
                    .otherwise = "`mu_c` is given"});
  v(s.mu_s, FieldInfo{.key = "mu_s",
                      .unit = "1",
                      .doc = "Static coefficient, at small slip; not below mu_c.",
                      .minimum = 0,
                      .otherwise = "mu_c"});
  v(s.mu_c, FieldInfo{.key = "mu_c",
                      .unit = "1",
                      .doc = "Kinetic coefficient, of sliding.",
                      .minimum = 0,
                      .otherwise = "mu, or mu_s"});
  v(s.v_stribeck, FieldInfo{.key = "v_stribeck",
                            .unit = "m/s",
                            .doc = "Stribeck speed; twice this is full slip.",
                            .minimum = 0,
                            .exclusive = true,
                            .otherwise = "sqrt(mu_s g 1e-4 m), the speed of taking up a load; at least 10 v_eps"});
  v(s.v_eps, FieldInfo{.key = "v_eps",
                       .unit = "m/s",
                       .doc = "Speed below which the direction is smoothed; meant for a tenth of v_stribeck at most.",
                       .minimum = 0,
                       .exclusive = true,
                       .otherwise = "v_stribeck / 100"});
}

}  // namespace abut
