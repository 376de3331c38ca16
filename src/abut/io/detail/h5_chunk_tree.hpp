#pragma once

#include <cstdint>
#include <vector>

#include "abut/io/detail/h5_store.hpp"

namespace abut {

/// Where the chunks of a growing dataset lie: a tree of nodes with up to 64 children, version 1, which every version of
/// HDF5 reads [HDF Group 2016, III.A.1]. Chunks follow one another in the first dimension. A node that changes is
/// written anew elsewhere, with those above it; the others stay.
class H5ChunkTree {
 public:
  /// rank: of the dataset. chunk_rows, chunk_bytes: of each chunk.
  H5ChunkTree(std::size_t rank, std::uint64_t chunk_rows, std::uint64_t chunk_bytes);

  void add(std::uint64_t address) { chunks_.push_back(address); }
  const std::vector<std::uint64_t>& chunks() const { return chunks_; }

  /// Writes what has changed; the address of the root. There is at least one chunk.
  std::uint64_t write(H5Store& store);
  /// Forgets which nodes are written: the next write() gives each of them its neighbours, too.
  void release(H5Store& store);

 private:
  std::string encode_node(std::size_t level, std::size_t index, std::uint64_t left, std::uint64_t right) const;
  const std::vector<std::uint64_t>& children(std::size_t level) const;
  std::size_t node_bytes() const;

  std::size_t rank_;
  std::uint64_t chunk_rows_, chunk_bytes_;
  std::vector<std::uint64_t> chunks_;
  std::size_t num_written_ = 0;                     ///< chunks that the nodes know
  std::vector<std::vector<std::uint64_t>> levels_;  ///< addresses of the nodes, the leaves first
};

}  // namespace abut
