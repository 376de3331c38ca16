#pragma once

#include <optional>

#include "abut/scene/field.hpp"
#include "abut/scene/friction_law_row.hpp"
#include "abut/scene/regularisation.hpp"

namespace abut {

/// Friction by bristles whose stiffness follows the load, with seven parameters.
struct BristleSpec {
  static constexpr FrictionLawRow kRow = {
      .text = {.name = "bristle",
               .doc = "Stick-slip with dwell time; force proportional to the load at all times; true rest.",
               .equation =
                   "z' = s vt + (1 - s)(mu_c/sigma_1 dir(vt) - sigma_0/sigma_1 z),  s = exp(-(|vt|/v_stribeck)^2),  "
                   "force = -fn (sat(sigma_0 z + sigma_1 z', mu_max) + sigma_2 vt),  "
                   "mu_max = mu_c + (mu_s - mu_c) dwell",
               .limits = "isotropic; v_stribeck well below working speeds; tau_dwell, if any, at least 10 "
                         "sigma_1/sigma_0",
               .source = "Gonthier 2007 (3.28)-(3.42), Table 3.1"},
      .coefficients = {.sliding = "mu_c", .stuck = "mu_s"},
      .has_volume_form = true};
  static constexpr const char* kTag = kRow.text.name;
  static constexpr const char* kDoc = kRow.text.doc;

  std::optional<double> mu_c{};        ///< [1]
  std::optional<double> mu_s{};        ///< [1]
  std::optional<double> sigma_0{};     ///< [1/m]
  std::optional<double> sigma_1{};     ///< [s/m]
  std::optional<double> sigma_2{};     ///< [s/m]
  std::optional<double> v_stribeck{};  ///< [m/s]
  std::optional<double> tau_dwell{};   ///< [s]
  std::optional<double> v_eps{};       ///< [m/s]
  Regularisation regularisation = Regularisation::printed;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<BristleSpec> auto& s) {
  v(s.mu_c, FieldInfo{.key = "mu_c", .unit = "1", .doc = "Kinetic coefficient.", .minimum = 0, .otherwise = "mu_s"});
  v(s.mu_s,
    FieldInfo{
        .key = "mu_s", .unit = "1", .doc = "Static coefficient; not below mu_c.", .minimum = 0, .otherwise = "mu_c"});
  v(s.sigma_0, FieldInfo{.key = "sigma_0",
                         .unit = "1/m",
                         .doc = "Bristle stiffness for each newton of load.",
                         .minimum = 0,
                         .exclusive = true,
                         .otherwise = "mu_s / 1e-4 m"});
  v(s.sigma_1, FieldInfo{.key = "sigma_1",
                         .unit = "s/m",
                         .doc = "Bristle damping for each newton of load.",
                         .minimum = 0,
                         .exclusive = true,
                         .otherwise = "critical, 2 sqrt(sigma_0 / g)"});
  v(s.sigma_2, FieldInfo{.key = "sigma_2",
                         .unit = "s/m",
                         .doc = "Viscous coefficient for each newton of load.",
                         .minimum = 0,
                         .fallback = 0});
  v(s.v_stribeck, FieldInfo{.key = "v_stribeck",
                            .unit = "m/s",
                            .doc = "Stribeck speed; twice this is full slip.",
                            .minimum = 0,
                            .exclusive = true,
                            .otherwise = "sqrt(mu_s g 1e-4 m), the speed of taking up a load; at least 10 v_eps"});
  v(s.tau_dwell, FieldInfo{.key = "tau_dwell",
                           .unit = "s",
                           .doc = "Time in which stiction recovers; 0 for at once.",
                           .minimum = 0,
                           .fallback = 0});
  v(s.v_eps, FieldInfo{.key = "v_eps",
                       .unit = "m/s",
                       .doc = "Speed below which the direction is smoothed; meant for a tenth of v_stribeck at most.",
                       .minimum = 0,
                       .exclusive = true,
                       .otherwise = "v_stribeck / 100"});
  v(s.regularisation, FieldInfo{.key = "regularisation",
                                .symbol = "dir",
                                .doc = "Direction function: as printed in the source, or with continuous slope."});
}

}  // namespace abut
