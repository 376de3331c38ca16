#pragma once

#include <atomic>

namespace abut {

/// Calls of operator new so far in this program, whose operator new is replaced by one that counts.
extern std::atomic<long> num_allocations;

}  // namespace abut
