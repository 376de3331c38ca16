#pragma once

#include <optional>
#include <variant>

#include "abut/scene/field.hpp"

namespace abut {

struct NoFrictionSpec {
  static constexpr const char* kTag = "none";
  static constexpr const char* kDoc = "No tangential force.";
};

/// Regularised Coulomb friction: mu, or mu_s and mu_c with a Stribeck speed.
struct CoulombSpec {
  static constexpr const char* kTag = "coulomb";
  static constexpr const char* kDoc = "Coulomb friction, smoothed below v_eps.";
  std::optional<double> mu{};          ///< [1]
  std::optional<double> mu_s{};        ///< [1]
  std::optional<double> mu_c{};        ///< [1]
  std::optional<double> v_stribeck{};  ///< [m/s]
  std::optional<double> v_eps{};       ///< [m/s]
};

struct LugreSpec {
  static constexpr const char* kTag = "lugre";
  static constexpr const char* kDoc = "LuGre friction, [Moisio 2013 (3.11)-(3.15)].";
  std::optional<double> mu_s{};        ///< [1]
  std::optional<double> mu_d{};        ///< [1]
  std::optional<double> sigma_0{};     ///< [N/m]
  std::optional<double> sigma_1{};     ///< [N s/m]
  std::optional<double> sigma_2{};     ///< [N s/m]
  std::optional<double> v_stribeck{};  ///< [m/s]
};

struct BristleSpec {
  /// How the direction of slip is smoothed: as printed in [Gonthier 2007 (3.33)], or with continuous slope.
  enum class Regularisation { printed, smooth };

  static constexpr const char* kTag = "bristle";
  static constexpr const char* kDoc =
      "Seven-parameter bristle friction with dwell time, [Gonthier 2007 (3.28)-(3.42)].";
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

template <>
struct EnumNames<BristleSpec::Regularisation> {
  using Regularisation = BristleSpec::Regularisation;
  static constexpr EnumTable<Regularisation, 2> values{
      {{Regularisation::printed, "printed"}, {Regularisation::smooth, "smooth"}}};
  static constexpr PlannedNames<0> planned{};
};

struct FrictionSpec : Located {
  std::variant<NoFrictionSpec, CoulombSpec, LugreSpec, BristleSpec> law;
};

template <class Visitor>
void visit_fields(Visitor&, SpecOf<NoFrictionSpec> auto&) {}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<CoulombSpec> auto& s) {
  v(s.mu,
    FieldInfo{.key = "mu", .unit = "1", .doc = "Friction coefficient.", .minimum = 0, .otherwise = "`mu_c` is given"});
  v(s.mu_s, FieldInfo{.key = "mu_s", .unit = "1", .doc = "Static coefficient.", .minimum = 0, .otherwise = "mu_c"});
  v(s.mu_c,
    FieldInfo{.key = "mu_c", .unit = "1", .doc = "Kinetic coefficient.", .minimum = 0, .otherwise = "`mu` is given"});
  v(s.v_stribeck, FieldInfo{.key = "v_stribeck",
                            .unit = "m/s",
                            .doc = "Stribeck speed.",
                            .minimum = 0,
                            .exclusive = true,
                            .otherwise = "sqrt(mu_s g 1e-4 m)"});
  v(s.v_eps, FieldInfo{.key = "v_eps",
                       .unit = "m/s",
                       .doc = "Speed below which the direction is smoothed.",
                       .minimum = 0,
                       .exclusive = true,
                       .otherwise = "v_stribeck / 100"});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<LugreSpec> auto& s) {
  v(s.mu_s, FieldInfo{.key = "mu_s", .unit = "1", .doc = "Static coefficient.", .minimum = 0, .otherwise = "mu_d"});
  v(s.mu_d, FieldInfo{.key = "mu_d", .unit = "1", .doc = "Dynamic coefficient.", .minimum = 0, .otherwise = "mu_s"});
  v(s.sigma_0, FieldInfo{.key = "sigma_0",
                         .unit = "N/m",
                         .doc = "Bristle stiffness.",
                         .minimum = 0,
                         .exclusive = true,
                         .otherwise = "mu_s fn / 2.5e-5 m, fn the load"});
  v(s.sigma_1, FieldInfo{.key = "sigma_1",
                         .unit = "N s/m",
                         .doc = "Bristle damping.",
                         .minimum = 0,
                         .otherwise = "2 sqrt(sigma_0 m), m the effective mass of each contact"});
  v(s.sigma_2,
    FieldInfo{.key = "sigma_2", .unit = "N s/m", .doc = "Viscous coefficient.", .minimum = 0, .otherwise = "0"});
  v(s.v_stribeck, FieldInfo{.key = "v_stribeck",
                            .unit = "m/s",
                            .doc = "Stribeck speed.",
                            .minimum = 0,
                            .exclusive = true,
                            .otherwise = "sqrt(mu_s g 1e-4 m)"});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<BristleSpec> auto& s) {
  v(s.mu_c, FieldInfo{.key = "mu_c", .unit = "1", .doc = "Kinetic coefficient.", .minimum = 0, .otherwise = "mu_s"});
  v(s.mu_s, FieldInfo{.key = "mu_s", .unit = "1", .doc = "Static coefficient.", .minimum = 0, .otherwise = "mu_c"});
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
                         .otherwise = "2 sqrt(sigma_0 / g)"});
  v(s.sigma_2, FieldInfo{.key = "sigma_2",
                         .unit = "s/m",
                         .doc = "Viscous coefficient for each newton of load.",
                         .minimum = 0,
                         .otherwise = "0"});
  v(s.v_stribeck, FieldInfo{.key = "v_stribeck",
                            .unit = "m/s",
                            .doc = "Stribeck speed.",
                            .minimum = 0,
                            .exclusive = true,
                            .otherwise = "sqrt(mu_s g 1e-4 m)"});
  v(s.tau_dwell, FieldInfo{.key = "tau_dwell",
                           .unit = "s",
                           .doc = "Time in which stiction recovers; 0 for at once.",
                           .minimum = 0,
                           .otherwise = "0"});
  v(s.v_eps, FieldInfo{.key = "v_eps",
                       .unit = "m/s",
                       .doc = "Speed below which the direction is smoothed.",
                       .minimum = 0,
                       .exclusive = true,
                       .otherwise = "v_stribeck / 100"});
  v(s.regularisation, FieldInfo{.key = "regularisation",
                                .doc = "Direction function: as printed in the source, or with "
                                       "continuous slope."});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<FrictionSpec> auto& s) {
  v(s.law, FieldInfo{.key = "law", .doc = "Friction law.", .required = true});
}

}  // namespace abut
