#pragma once

#include "abut/multibody/tree.hpp"

namespace abut {

/// Throws InputError, naming the link, where a joint that is neither fixed nor prescribed carries no inertia in one of
/// its directions (a massless last link, a point mass on its own axis): its acceleration would not be defined. Looks at
/// the neutral configuration, so it finds what is wrong by construction, not poses that are singular in passing.
void require_movable(const Tree& tree);

}  // namespace abut
