#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "abut/io/detail/h5_input.hpp"

namespace abut {

/// Members of a group as files of HDF5 have kept them from the beginning [HDF Group 2016, III.A.1, III.B, III.D]:
/// names, and where their headers are. H5Damage.
std::vector<std::pair<std::string, std::uint64_t>> read_symbol_table(const H5Input& input, std::uint64_t tree,
                                                                     std::uint64_t heap);

}  // namespace abut
