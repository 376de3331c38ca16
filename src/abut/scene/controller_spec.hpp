#pragma once

#include <string>
#include <variant>
#include <vector>

#include "abut/scene/cartesian_control_spec.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/joint_control_spec.hpp"

namespace abut {

struct ControllerKindSpec : Located {
  std::variant<JointPidSpec, ComputedTorqueSpec, ImpedanceSpec> type;
};

/// What is sampled at its own rate, and commands motors in between by what it last said.
struct ControllerSpec : Located {
  std::string name;
  double rate = 0.0;   ///< [Hz]
  double delay = 0.0;  ///< [s]
  ControllerKindSpec kind;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ControllerKindSpec> auto& s) {
  v(s.type, FieldInfo{.key = "type", .doc = "Kind of controller.", .required = true});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ControllerSpec> auto& s) {
  v(s.name, FieldInfo{.key = "name", .doc = "Unique among controllers.", .required = true});
  v(s.rate, FieldInfo{.key = "rate",
                      .unit = "Hz",
                      .doc = "Samples a second; its commands are held in between.",
                      .minimum = 0,
                      .exclusive = true,
                      .required = true});
  v(s.delay, FieldInfo{.key = "delay",
                       .unit = "s",
                       .doc = "From a sample to the instant at which its commands take hold.",
                       .minimum = 0});
  v(s.kind, FieldInfo{.key = "kind", .doc = "What it does.", .required = true});
}

}  // namespace abut
