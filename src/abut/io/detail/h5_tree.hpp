#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "abut/io/detail/h5_input.hpp"

namespace abut {

enum class H5TreeKind : unsigned { group = 0, chunks = 1 };

/// Goes through the leaves of a tree of version 1 [HDF Group 2016, III.A.1] in order, with the key before each child.
/// Ends also where the nodes lead in circles: H5Damage.
void read_tree(const H5Input& input, std::uint64_t root, H5TreeKind kind, std::size_t key_bytes,
               const std::function<void(std::string_view key, std::uint64_t child)>& on_leaf);

}  // namespace abut
