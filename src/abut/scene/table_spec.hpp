#pragma once

#include <vector>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"

namespace abut {

/// A function of time given at points, straight lines between them, constant before the first and after the last.
struct ScalarTableSpec : Located {
  std::vector<double> time;   ///< [s], increasing
  std::vector<double> value;  ///< as many as times
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ScalarTableSpec> auto& s) {
  v(s.time, FieldInfo{.key = "time", .unit = "s", .doc = "Increasing times.", .required = true});
  v(s.value, FieldInfo{.key = "value", .unit = "that of the quantity", .doc = "Value at each time.", .required = true});
}

/// Force and torque over time; either may be left out.
struct ForceTableSpec : Located {
  std::vector<double> time;  ///< [s], increasing
  std::vector<Vec3> force;   ///< [N]
  std::vector<Vec3> torque;  ///< [N m]
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ForceTableSpec> auto& s) {
  v(s.time, FieldInfo{.key = "time", .unit = "s", .doc = "Increasing times.", .required = true});
  v(s.force, FieldInfo{.key = "force", .unit = "N", .doc = "Force at each time."});
  v(s.torque, FieldInfo{.key = "torque", .unit = "N m", .doc = "Torque at each time."});
}

}  // namespace abut
