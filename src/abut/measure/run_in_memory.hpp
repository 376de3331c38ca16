#pragma once

#include "abut/measure/expression.hpp"
#include "abut/measure/run_record.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// Names that measures of its runs may use.
MeasureNames make_measure_names(const Model& model);

/// Runs a model to the end of its duration and keeps everything.
RunRecord run_in_memory(const Model& model);

}  // namespace abut
