#pragma once

#include <atomic>

namespace abut {

/// Calls of operator new so far, in programs linked with allocation_count.cpp.
extern std::atomic<long> num_allocations;

}  // namespace abut
