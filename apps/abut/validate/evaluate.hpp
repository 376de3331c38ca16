#pragma once

#include "validate/expression.hpp"
#include "validate/run_record.hpp"

namespace abut {

/// Value of a measure over a run; `t` outside `at` and its kin is the end of the run. Throws MeasureError when the run
/// cannot answer. `record` may be null when the measure was parsed without names.
double evaluate_measure(const Expression& measure, const RunRecord* record);

/// True when the measure asks whether the run reached its end, so that a failed run is an answer.
bool asks_for_outcome(const Expression& measure);

}  // namespace abut
