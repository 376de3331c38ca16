#pragma once

#include <optional>
#include <string>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"

namespace abut {

class ProblemList;

/// The compliant layers of method = "ncp".   [Chakraborty et al. 2007 (10)-(13)]
struct NcpSpec : Located {
  enum class Tangent { acting, printed };
  enum class Soft { second, both };

  Vec3 stiffness = Vec3(1e5, 1e5, 1e5);  ///< K: normal and two tangents [N/m]
  std::optional<Vec3> damping;           ///< C [N s/m]
  double max_deflection = 1e-2;          ///< d_n^max [m]
  Vec3 ellipsoid = Vec3(1.0, 1.0, 0.0);  ///< e_t, e_o [1], e_r [m]
  Tangent tangent = Tangent::acting;
  Soft soft = Soft::second;
  double tolerance = 1e-9;
};

template <>
struct EnumNames<NcpSpec::Tangent> {
  using Tangent = NcpSpec::Tangent;
  static constexpr EnumTable<Tangent, 2> values{{{Tangent::acting, "acting"}, {Tangent::printed, "printed"}}};
  static constexpr PlannedNames<0> planned{};
};

template <>
struct EnumNames<NcpSpec::Soft> {
  using Soft = NcpSpec::Soft;
  static constexpr EnumTable<Soft, 2> values{{{Soft::second, "second"}, {Soft::both, "both"}}};
  static constexpr PlannedNames<0> planned{};
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<NcpSpec> auto& s) {
  v(s.stiffness, FieldInfo{.key = "stiffness",
                           .unit = "N/m",
                           .doc = "Of the layer: normal and two tangents; without it, damping and max_deflection each "
                                  "contact has one of 1e-4 of its smaller body."});
  v(s.damping,
    FieldInfo{.key = "damping", .unit = "N s/m", .doc = "Of the layer: normal and two tangents.", .otherwise = "none"});
  v(s.max_deflection, FieldInfo{.key = "max_deflection",
                                .unit = "m",
                                .doc = "Normal deflection at which the rigid core takes over.",
                                .minimum = 0,
                                .exclusive = true});
  v(s.ellipsoid, FieldInfo{.key = "ellipsoid",
                           .doc = "Half-axes of the friction ellipsoid over mu times the normal force: two tangential "
                                  "ones [1] and the torsional one [m]; 0 for none."});
  v(s.tangent, FieldInfo{.key = "tangent",
                         .doc = "Whether tangential deflection takes part in the slip, or not, as printed in "
                                "[Chakraborty et al. 2007 (14)]."});
  v(s.soft, FieldInfo{.key = "soft", .doc = "Which body of a contact carries a layer: the second, or both."});
  v(s.tolerance, FieldInfo{.key = "tolerance",
                           .unit = "1",
                           .doc = "Residual of a step over the size of its terms.",
                           .minimum = 1e-12,
                           .maximum = 1e-3});
}

/// Keys that exclude each other, and what their rows cannot say.
void check_whole(const NcpSpec& ncp, const std::string& label, ProblemList& problems);

}  // namespace abut
