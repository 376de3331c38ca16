#pragma once

#include <optional>

#include "abut/scene/field.hpp"
#include "abut/scene/friction_law_row.hpp"

namespace abut {

/// Friction by bristles with a stiffness of their own.
struct LugreSpec {
  static constexpr FrictionLawRow kRow = {
      .text = {.name = "lugre",
               .doc = "LuGre friction: stiction and pre-sliding, with absolute bristle stiffness where it is given.",
               .equation = "z' = vt - (sigma_0 |vt| / g) z,  g = fn (mu_d + (mu_s - mu_d) exp(-(|vt|/v_stribeck)^2)),  "
                           "force = -(sigma_0 z + sigma_1 s z' + sigma_2 vt),  s = exp(-(|vt|/v_stribeck)^2)",
               .limits = "a given stiffness does not follow the load: no friction in short impacts, relaxation stiff "
                         "as fn -> 0; creeps under oscillating load",
               .source = "Moisio 2013 (3.11)-(3.15)"},
      .coefficients = {.sliding = "mu_d", .stuck = "mu_s"},
      .has_perimeter_form = true};
  static constexpr const char* kTag = kRow.text.name;
  static constexpr const char* kDoc = kRow.text.doc;

  std::optional<double> mu_s{};        ///< [1]
  std::optional<double> mu_d{};        ///< [1]
  std::optional<double> sigma_0{};     ///< [N/m]
  std::optional<double> sigma_1{};     ///< [N s/m]
  std::optional<double> sigma_2{};     ///< [N s/m]
  std::optional<double> v_stribeck{};  ///< [m/s]
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<LugreSpec> auto& s) {
  v(s.mu_s,
    FieldInfo{
        .key = "mu_s", .unit = "1", .doc = "Static coefficient; not below mu_d.", .minimum = 0, .otherwise = "mu_d"});
  v(s.mu_d,
    FieldInfo{.key = "mu_d", .unit = "1", .doc = "Dynamic coefficient; above 0.", .minimum = 0, .otherwise = "mu_s"});
  v(s.sigma_0, FieldInfo{.key = "sigma_0",
                         .unit = "N/m",
                         .doc = "Bristle stiffness.",
                         .minimum = 0,
                         .exclusive = true,
                         .otherwise = "mu_s fn / 2.5e-5 m, fn the load that acts"});
  v(s.sigma_1,
    FieldInfo{.key = "sigma_1",
              .unit = "N s/m",
              .doc = "Bristle damping.",
              .minimum = 0,
              .otherwise = "critical, 2 sqrt(sigma_0 m), m of each contact; without sigma_0 at most fn / g"});
  v(s.sigma_2,
    FieldInfo{.key = "sigma_2", .unit = "N s/m", .doc = "Viscous coefficient.", .minimum = 0, .fallback = 0});
  v(s.v_stribeck, FieldInfo{.key = "v_stribeck",
                            .unit = "m/s",
                            .doc = "Stribeck speed; twice this is full slip.",
                            .minimum = 0,
                            .exclusive = true,
                            .otherwise = "sqrt(mu_s g 1e-4 m), the speed of taking up a load"});
}

}  // namespace abut
