#pragma once

#include <string>

#include "abut/sim/model.hpp"

namespace abut {

/// Tests on a record (result.h5 or its folder) what `abut check` asks before a run: were patches small, pressures
/// elastic, volumes flat and shallow, blows long against waves, and did the books close. InputError where the record
/// is not one of this scene.
void print_result_check(const std::string& path, const Model& model);

}  // namespace abut
