#pragma once

#include <string>
#include <vector>

#include "abut/sim/model.hpp"
#include "abut/sim/run_summary.hpp"

namespace abut {

/// What was wrong with a run, by its summary: energy that came from nowhere, assumptions of laws that did not hold.
/// Nothing where nothing was.
///
/// Energies are compared with what the scene turned over, and with a thousandth of what it takes to lift its lightest
/// body by its own size, or of what its springs hold: less than a hundredth of either is not worth a word, however
/// small a part of nothing it is.
std::vector<std::string> make_run_notes(const Model& model, const RunSummary& summary);

/// Energy that errors are compared with [J].
double calc_energy_scale(const Model& model, const RunSummary& summary);

}  // namespace abut
