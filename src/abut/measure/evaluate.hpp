#pragma once

#include "abut/measure/expression.hpp"
#include "abut/measure/run_record.hpp"

namespace abut {

/// Value of a measure over a run; `t` outside `at` and its kin is the end of the run. Throws MeasureError when the run
/// cannot answer. `record` may be null when the measure was parsed without names, `reference` when it does not ask for
/// it.
double evaluate_measure(const Expression& measure, const RunRecord* record, const RunRecord* reference = nullptr);

/// Whether the function is called anywhere in the measure.
bool asks_for(Function function, const Expression& measure);

}  // namespace abut
