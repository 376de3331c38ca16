#pragma once

#include <vector>

#include "abut/fmu/fmu_model.hpp"
#include "abut/sim/world.hpp"

namespace abut {

/// What an output shows of a world now.
void read_output(const FmuModel& fmu, std::size_t port, World& world, std::vector<double>& numbers);

}  // namespace abut
