#pragma once

#include <string>
#include <vector>

#include "abut/sim/run_book.hpp"

namespace abut {

/// What to tell someone whose adaptive run will take `wait` [s] more with steps of about `step` [s]: which contact
/// limits the step, by its spring or by its friction, and what would do. Infinite: it gets nowhere.
std::string describe_long_wait(const Model& model, const State& state, const std::vector<PatchResponse>& responses,
                               const RunBook& book, double wait, double step);

/// Whether a run by `method` takes every pair of the scene that may touch, where contacts of `rule`, or all if it is
/// -1, have this region and the others keep theirs: the method is that of the whole run.
bool takes_all(const Model& model, int rule, ContactDefaultSpec::Region region, MethodKind method);

/// What takes the contacts of a rule in less time, and every other pair of the scene as well, whose method it would be.
std::string suggest_faster(const Model& model, int rule);

}  // namespace abut
