#pragma once

#include <cstdint>

#include "abut/scene/scene_spec.hpp"

namespace abut {

/// A number for everything a scene says, defaults and meshes included, by which saved runs know their model (FNV-1a, 64
/// bits). Without part are the title, how long the run is, how many threads there are, and what mesh files are called:
/// a run may go on with others.
std::uint64_t calc_digest(const SceneSpec& scene);

}  // namespace abut
