#pragma once

#include <span>
#include <string>
#include <vector>

#include "abut/sim/control/control_law.hpp"

namespace abut {

/// The lines that go between a run and a controller in another process, JSON of one line each (docs/controllers.md).

/// What the program is told first: who asks, how often, what the numbers to come are.
std::string write_greeting(const ControlSite& site, const std::vector<std::string>& sensors);
/// A sample.
std::string write_measurement(double time, std::span<const double> q, std::span<const double> v,
                              std::span<const std::span<const double>> sensors);

struct ControlAnswer {
  std::vector<double> commands;
  std::string stop;   ///< why the program ends the run; empty: it goes on
  std::string error;  ///< why the line is no answer; empty: it is one
};
/// {"commands": [1.5, -2]} or {"stop": "why"}.
ControlAnswer read_answer(const std::string& line, std::size_t count);

}  // namespace abut
