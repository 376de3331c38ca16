#pragma once

#include <optional>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"

namespace abut {

/// Turn about an axis by an angle given either in degrees or in radians.
struct RotationSpec : Located {
  Vec3 axis = Vec3::Zero();
  std::optional<double> degrees;  ///< [deg]
  std::optional<double> radians;  ///< [rad]
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<RotationSpec> auto& s) {
  v(s.axis, FieldInfo{.key = "axis", .unit = "1", .doc = "Axis of the turn; any length but zero.", .required = true});
  v(s.degrees, FieldInfo{.key = "degrees", .unit = "deg", .doc = "Angle.", .otherwise = "`radians` is given"});
  v(s.radians, FieldInfo{.key = "radians", .unit = "rad", .doc = "Angle.", .otherwise = "`degrees` is given"});
}

/// Unit quaternion of an orientation written either way; identity when neither is given. The input must be valid.
Quat calc_orientation(const std::optional<Quat>& orientation, const std::optional<RotationSpec>& rotation);

}  // namespace abut
