#pragma once

#include <optional>
#include <string>

#include "abut/scene/field.hpp"

namespace abut {

class ProblemList;

/// How contacts are stepped with method = "lcp". Coefficients of friction, restitution and stiffness are those of the
/// contacts' own laws.
struct LcpSpec : Located {
  enum class Friction { regularised, box, polygon, cone };
  enum class Normal { hard, compliant };
  enum class PositionVelocity { end, start };

  Friction friction = Friction::regularised;
  int facets = 8;
  std::optional<double> tangential_stiffness;  ///< k_T [N/m]
  std::optional<double> v_threshold;           ///< v_th [m/s]
  int bound_updates = 5;
  Normal normal = Normal::hard;
  bool restitution = true;
  double stabilisation = 0.2;
  PositionVelocity position_velocity = PositionVelocity::end;
  double tolerance = 1e-10;
};

template <>
struct EnumNames<LcpSpec::Friction> {
  using Friction = LcpSpec::Friction;
  static constexpr EnumTable<Friction, 4> values{{{Friction::regularised, "regularised"},
                                                  {Friction::box, "box"},
                                                  {Friction::polygon, "polygon"},
                                                  {Friction::cone, "cone"}}};
  static constexpr PlannedNames<0> planned{};
};

template <>
struct EnumNames<LcpSpec::Normal> {
  using Normal = LcpSpec::Normal;
  static constexpr EnumTable<Normal, 2> values{{{Normal::hard, "hard"}, {Normal::compliant, "compliant"}}};
  static constexpr PlannedNames<0> planned{};
};

template <>
struct EnumNames<LcpSpec::PositionVelocity> {
  using PositionVelocity = LcpSpec::PositionVelocity;
  static constexpr EnumTable<PositionVelocity, 2> values{
      {{PositionVelocity::end, "end"}, {PositionVelocity::start, "start"}}};
  static constexpr PlannedNames<0> planned{};
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<LcpSpec> auto& s) {
  v(s.friction, FieldInfo{.key = "friction",
                          .doc = "Form of Coulomb's law: regularised (bristle while sticking, aligned with the slip "
                                 "while sliding), a box or a polygon on world axes, or the exact cone."});
  v(s.facets, FieldInfo{.key = "facets", .doc = "Corners of the polygon, even.", .minimum = 4, .maximum = 64});
  v(s.tangential_stiffness, FieldInfo{.key = "tangential_stiffness",
                                      .unit = "N/m",
                                      .doc = "Bristle stiffness of regularised friction.",
                                      .minimum = 0,
                                      .exclusive = true,
                                      .otherwise = "infinite"});
  v(s.v_threshold, FieldInfo{.key = "v_threshold",
                             .unit = "m/s",
                             .doc = "Slip above which regularised friction counts as sliding. Rolling contacts begin "
                                    "a step with a slip of the order of step times acceleration.",
                             .minimum = 0,
                             .exclusive = true,
                             .otherwise = "2 step |gravity|"});
  v(s.bound_updates, FieldInfo{.key = "bound_updates",
                               .doc = "Times the friction limit of regularised and box follows the normal force of the "
                                      "same step; 0 takes that of the step before.",
                               .minimum = 0,
                               .maximum = 100});
  v(s.normal, FieldInfo{.key = "normal", .doc = "Rigid, or with the contact's own normal law, implicitly."});
  v(s.restitution, FieldInfo{.key = "restitution", .doc = "Whether hard contacts rebound with their restitution."});
  v(s.stabilisation, FieldInfo{.key = "stabilisation",
                               .unit = "1",
                               .doc = "Part of a penetration that a hard contact removes in one step.",
                               .minimum = 0,
                               .maximum = 1});
  v(s.position_velocity, FieldInfo{.key = "position_velocity",
                                   .doc = "Velocity that moves the bodies: of the end of the step, or of its start, as "
                                          "printed in [Peiret et al. 2016 (7)]."});
  v(s.tolerance, FieldInfo{.key = "tolerance",
                           .unit = "1",
                           .doc = "Residual of the contact problem over the largest contact speed without contact.",
                           .minimum = 1e-14,
                           .maximum = 1e-2});
}

/// Keys that exclude each other, and what their rows cannot say.
void check_whole(const LcpSpec& lcp, const std::string& label, ProblemList& problems);

}  // namespace abut
