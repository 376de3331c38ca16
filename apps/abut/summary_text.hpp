#pragma once

#include <string>

#include "abut/sim/model.hpp"
#include "abut/sim/run_summary.hpp"

namespace abut {

/// One line that says what is about to run: "ball-on-incline . 2 bodies . 1 contact (...) . adaptive, tolerance 1e-6".
std::string describe_model(const std::string& name, const Model& model);

/// What the terminal shows after a run.
std::string describe_summary(const RunSummary& summary, const Model& model);

}  // namespace abut
