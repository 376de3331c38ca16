#pragma once

#include <string>

#include "abut/sim/model.hpp"
#include "abut/sim/run_summary.hpp"

namespace abut {

/// A run's summary as JSON, for scripts and for the record: what the terminal shows and more. `version` is that of the
/// program that ran it.
std::string summary_to_json(const RunSummary& summary, const Model& model, const std::string& name,
                            const std::string& version);

}  // namespace abut
