#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/scene/field.hpp"

namespace abut {

/// What a functional mock-up unit of the scene shows to the program that drives it (docs/fmu.md). Names are resolved in
/// fmu_port.hpp. No part in the motion: scenes that differ in it alone have the same states.
struct FmuSpec : Located {
  std::optional<std::vector<std::string>> inputs{};
  std::optional<std::vector<std::string>> outputs{};
  std::vector<std::string> parameters{};
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<FmuSpec> auto& s) {
  v(s.inputs,
    FieldInfo{.key = "inputs",
              .doc = "What the importer sets: `body.NAME.force`, `.torque`, `joint.NAME.command`, `.motion`, "
                     "`.motion_rate`.",
              .otherwise = "commands of all motors, all prescribed motions, forces and torques on all free bodies"});
  v(s.outputs,
    FieldInfo{.key = "outputs",
              .doc = "What it reads: `body.NAME.COLUMN`, `joint.NAME.COLUMN`, `contact.A-B.COLUMN`, "
                     "`contact.A-B.touching`, `energy.NAME`, with the columns of records; `sensor.NAME.QUANTITY`.",
              .otherwise = "motion of all bodies that move, coordinates of all joints, energies put in and missing"});
  v(s.parameters, FieldInfo{.key = "parameters",
                            .doc = "Numbers of the scene that it may change before the start: paths as of `--set`."});
}

}  // namespace abut
