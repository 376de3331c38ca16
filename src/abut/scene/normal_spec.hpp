#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/scene/field.hpp"
#include "abut/scene/normal_law_list.hpp"

namespace abut {

/// Restitution measured at several impact speeds; straight lines between, constant outside.
struct RestitutionTableSpec : Located {
  std::vector<double> speed;        ///< [m/s], increasing
  std::vector<double> restitution;  ///< [1]
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<RestitutionTableSpec> auto& s) {
  v(s.speed,
    FieldInfo{.key = "speed", .unit = "m/s", .doc = "Increasing impact speeds.", .minimum = 0, .required = true});
  v(s.restitution, FieldInfo{.key = "restitution",
                             .symbol = "e",
                             .unit = "1",
                             .doc = "Restitution at each speed.",
                             .minimum = 0,
                             .maximum = 1,
                             .required = true});
}

/// Parameters of a normal force law. Stiffness is given, or follows from young and poisson and the local curvature.
/// Damping is given, or follows from one of the three forms of restitution.
struct NormalSpec : Located {
  using Law = NormalLaw;

  Law law = Law::gonthier;
  std::optional<double> stiffness;          ///< k [N/m^exponent]
  std::optional<double> stiffness_b;        ///< of the second body's layer [N/m^3], region volume
  std::optional<double> thickness;          ///< of the elastic layer [m], region volume
  std::optional<double> thickness_b;        ///< of the second body's [m], region volume
  std::optional<double> young;              ///< [Pa], of both bodies unless young_b is given
  std::optional<double> poisson;            ///< [1], of both bodies unless poisson_b is given
  std::optional<double> young_b;            ///< [Pa], second body of `between`
  std::optional<double> poisson_b;          ///< [1], second body of `between`
  std::optional<double> yield;              ///< [Pa], of both bodies unless yield_b is given
  std::optional<double> yield_b;            ///< [Pa], second body of `between`
  std::optional<double> exponent;           ///< [1]
  std::optional<double> damping;            ///< lambda; unit by law
  std::optional<double> restitution;        ///< [1]
  std::optional<double> restitution_slope;  ///< alpha [s/m] of e = 1 - alpha v, [Gonthier 2007 (3.12)]
  std::optional<RestitutionTableSpec> restitution_table;
  double v_small = 1e-3;  ///< low-speed floor of the damping [m/s], [Gonthier 2007 (3.43)]
  /// Whose speed makes the damping while a contact lasts.
  enum class Damper { blow, touch };
  Damper damper = Damper::blow;

  double exponent_or_default() const { return exponent.value_or(normal_law_row(law).exponent); }
};

template <>
struct EnumNames<NormalSpec::Damper> {
  using Damper = NormalSpec::Damper;
  static constexpr EnumTable<Damper, 2> values{{{Damper::blow, "blow"}, {Damper::touch, "touch"}}};
  static constexpr PlannedNames<0> planned{};
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<NormalSpec> auto& s) {
  v(s.law, FieldInfo{.key = "law", .doc = "Normal force law.", .required = true});
  v(s.stiffness, FieldInfo{.key = "stiffness",
                           .symbol = "k",
                           .unit = "N/m^exponent",
                           .doc = "Contact stiffness; with region = \"volume\" force per volume [N/m^3], with "
                                  "\"perimeter\" force per depth and length of the curve [N/m^2].",
                           .minimum = 0,
                           .exclusive = true,
                           .otherwise = "from `young` and `poisson`"});
  v(s.stiffness_b, FieldInfo{.key = "stiffness_b",
                             .symbol = "k_b",
                             .unit = "N/m^3",
                             .doc = "With region = \"volume\": that of the second body's layer, in series with "
                                    "`stiffness` of the first.",
                             .minimum = 0,
                             .exclusive = true,
                             .otherwise = "`stiffness` is that of the pair"});
  v(s.thickness, FieldInfo{.key = "thickness",
                           .symbol = "h",
                           .unit = "m",
                           .doc = "With region = \"volume\": of the elastic layer that `young` and `poisson` describe.",
                           .minimum = 0,
                           .exclusive = true,
                           .otherwise = "`stiffness` is given"});
  v(s.thickness_b, FieldInfo{.key = "thickness_b",
                             .symbol = "h_b",
                             .unit = "m",
                             .doc = "With region = \"volume\": of the second body's layer.",
                             .minimum = 0,
                             .exclusive = true,
                             .otherwise = "the second body is rigid, or same as `thickness`"});
  v(s.young, FieldInfo{.key = "young",
                       .symbol = "E_a",
                       .unit = "Pa",
                       .doc = "Young's modulus of both bodies, or of the first.",
                       .minimum = 0,
                       .exclusive = true,
                       .otherwise = "`stiffness` is given"});
  v(s.poisson, FieldInfo{.key = "poisson",
                         .symbol = "nu_a",
                         .unit = "1",
                         .doc = "Poisson's ratio of both bodies, or of the first.",
                         .minimum = -1,
                         .maximum = 0.5,
                         .exclusive = true,
                         .otherwise = "`stiffness` is given"});
  v(s.young_b, FieldInfo{.key = "young_b",
                         .symbol = "E_b",
                         .unit = "Pa",
                         .doc = "Young's modulus of the second body.",
                         .minimum = 0,
                         .exclusive = true,
                         .otherwise = "same as `young`"});
  v(s.poisson_b, FieldInfo{.key = "poisson_b",
                           .symbol = "nu_b",
                           .unit = "1",
                           .doc = "Poisson's ratio of the second body.",
                           .minimum = -1,
                           .maximum = 0.5,
                           .exclusive = true,
                           .otherwise = "same as `poisson`"});
  v(s.yield, FieldInfo{.key = "yield",
                       .symbol = "Y_a",
                       .unit = "Pa",
                       .doc = "Yield stress of both bodies, or of the first: runs and `abut check` say where the "
                              "pressure of a contact passes what stays elastic. It changes no force.",
                       .minimum = 0,
                       .exclusive = true,
                       .otherwise = "the pressure is not judged"});
  v(s.yield_b, FieldInfo{.key = "yield_b",
                         .symbol = "Y_b",
                         .unit = "Pa",
                         .doc = "Yield stress of the second body.",
                         .minimum = 0,
                         .exclusive = true,
                         .otherwise = "same as `yield`"});
  v(s.exponent, FieldInfo{.key = "exponent",
                          .symbol = "p",
                          .unit = "1",
                          .doc = "Power of the depth; 3/2 for smooth elastic surfaces (Hertz).",
                          .minimum = kLeastExponent,
                          .maximum = kMostExponent,
                          .otherwise = normal_docs().exponent.c_str()});
  v(s.damping, FieldInfo{.key = "damping",
                         .symbol = "lambda",
                         .unit = "by law",
                         .doc = normal_docs().damping.c_str(),
                         .minimum = 0,
                         .otherwise = "from restitution"});
  v(s.restitution, FieldInfo{.key = "restitution",
                             .symbol = "e",
                             .unit = "1",
                             .doc = "Speed of separation over speed of approach, the same at every speed.",
                             .minimum = 0,
                             .maximum = 1,
                             .otherwise = "another form, or damping"});
  v(s.restitution_slope,
    FieldInfo{.key = "restitution_slope",
              .symbol = "alpha",
              .unit = "s/m",
              .doc = "alpha of e = 1 - alpha v, not below 0.01; steel, bronze, ivory 0.08 to 0.32.",
              .minimum = 0,
              .otherwise = "another form, or damping"});
  v(s.restitution_table, FieldInfo{.key = "restitution_table",
                                   .symbol = "e(v)",
                                   .doc = "Restitution over impact speed, straight lines between points.",
                                   .otherwise = "another form, or damping"});
  v(s.v_small, FieldInfo{.key = "v_small",
                         .unit = "m/s",
                         .doc = "Impact speeds below this count as this.",
                         .minimum = 0,
                         .exclusive = true});
  v(s.damper, FieldInfo{.key = "damper",
                        .symbol = "v",
                        .doc = "Damping from restitution is made for the blow that acts, or for the speed at touch as "
                               "long as the contact lasts."});
}

/// Whether a law takes a key of NormalSpec.
bool takes_key(const NormalLawRow& row, std::string_view key);

/// "gonthier takes: stiffness or (young, poisson), ...": what its choices are.
std::string describe_normal_law(NormalLaw law);

/// "N s/m^1.5" for lambda of x^0.5.
std::string describe_damping_unit(const NormalLawRow& row);

}  // namespace abut
