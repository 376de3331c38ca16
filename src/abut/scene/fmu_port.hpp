#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "abut/scene/problem_list.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// One thing that a unit shows: where its numbers go or come from.
struct FmuPort {
  enum class Role { parameter, input, output };
  enum class Source {
    key,             ///< a number of the scene
    body_force,      ///< at the origin of the body's frame, world axes
    body_torque,     ///< world axes
    command,         ///< of a motor
    motion,          ///< prescribed coordinate
    motion_rate,     ///< and its rate
    body_column,     ///< column: row of kBodyColumns
    joint_column,    ///< row of kJointColumns
    contact_column,  ///< row of kContactColumns, the patches of the pair joined as the row says
    touching,        ///< whether the pair has a patch
    energy,          ///< row of kEnergyNames; past the last: what the ledger misses
    sensor,          ///< column: its first channel
  };

  Role role = Role::output;
  Source source = Source::key;
  std::string path;  ///< as in the scene
  std::string name;  ///< as the unit shows it: a structured name, in quotes where it is no identifier
  std::string unit;  ///< SI; empty where there is none, or where its numbers differ in it
  std::string doc;
  int body_a = -1, body_b = -1;  ///< of the scene; the force acts on a
  int joint = -1;                ///< of the scene
  int sensor = -1;               ///< of the scene
  bool is_held = false;          ///< shows samples
  std::size_t column = 0;
  std::size_t width = 1;
  bool is_array = false;      ///< of `width` numbers; otherwise one number
  std::vector<double> start;  ///< of parameters and inputs

  bool is_flag() const { return source == Source::touching; }
  /// Of use within a communication step: numbers that flow, but not prescribed motion, which is known at its ends.
  bool is_continuous() const {
    return role != Role::parameter && !is_flag() && !is_held && source != Source::motion &&
           source != Source::motion_rate;
  }
};

/// Parameters, inputs, outputs, in the order in which [fmu] names them; where it does not, what the scene has. Names
/// that lead nowhere are reported at their places.
std::vector<FmuPort> find_fmu_ports(const SceneSpec& scene, ProblemList& problems);

/// The path of a name: body.crate.position, body.'crate-1'.position; whole numbers are indices.
std::string to_structured_name(const std::vector<std::string>& parts);

}  // namespace abut
