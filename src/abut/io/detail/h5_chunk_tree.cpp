#include "abut/io/detail/h5_chunk_tree.hpp"

#include <algorithm>

#include "abut/base/error.hpp"
#include "abut/io/detail/h5_bytes.hpp"

namespace abut {

namespace {

/// Twice the number that a file without other words in its superblock has [HDF Group 2016, II.A].
constexpr std::size_t kMostChildren = 64;

}  // namespace

H5ChunkTree::H5ChunkTree(std::size_t rank, std::uint64_t chunk_rows, std::uint64_t chunk_bytes)
    : rank_(rank), chunk_rows_(chunk_rows), chunk_bytes_(chunk_bytes) {}

std::size_t H5ChunkTree::node_bytes() const {
  const std::size_t key = 8 + 8 * (rank_ + 1);
  return 24 + kMostChildren * 8 + (kMostChildren + 1) * key;
}

const std::vector<std::uint64_t>& H5ChunkTree::children(std::size_t level) const {
  return level == 0 ? chunks_ : levels_[level - 1];
}

std::string H5ChunkTree::encode_node(std::size_t level, std::size_t index, std::uint64_t left,
                                     std::uint64_t right) const {
  const std::vector<std::uint64_t>& below = children(level);
  const std::size_t first = index * kMostChildren, last = std::min(first + kMostChildren, below.size());
  std::uint64_t chunks_a_child = 1;
  for (std::size_t i = 0; i < level; ++i) chunks_a_child *= kMostChildren;
  H5Bytes node;
  // A key says how many bytes the first chunk behind it has, that no filter was left out, and where it begins.
  const auto put_key = [&](std::size_t chunk, std::uint64_t bytes) {
    node.u32(bytes).u32(0).u64(chunk * chunk_rows_);
    for (std::size_t i = 0; i < rank_; ++i) node.u64(0);
  };
  node.text("TREE").u8(1).u8(static_cast<unsigned>(level)).u16(last - first).u64(left).u64(right);
  for (std::size_t i = first; i < last; ++i) {
    put_key(i * chunks_a_child, chunk_bytes_);
    node.u64(below[i]);
  }
  put_key(std::min<std::size_t>(last * chunks_a_child, chunks_.size()), 0);
  return node.fill(node_bytes()).bytes();
}

std::uint64_t H5ChunkTree::write(H5Store& store) {
  ABUT_REQUIRE(!chunks_.empty(), "a tree without chunks");
  std::size_t changed = num_written_;  // the first child that is new or has moved
  for (std::size_t level = 0; level == 0 || levels_[level - 1].size() > 1; ++level) {
    const std::size_t num_nodes = (children(level).size() + kMostChildren - 1) / kMostChildren;
    const std::size_t first = std::min(changed / kMostChildren, num_nodes - 1);
    if (levels_.size() == level) levels_.emplace_back();
    for (std::size_t i = first; i < levels_[level].size(); ++i) store.release(levels_[level][i], node_bytes());
    levels_[level].resize(first);
    for (std::size_t i = first; i < num_nodes; ++i) levels_[level].push_back(store.allocate(node_bytes()));
    const std::vector<std::uint64_t>& nodes = levels_[level];
    for (std::size_t i = first; i < num_nodes; ++i) {
      // Neighbours matter to programs that change the tree. One to the left that was written before does not know this
      // one: none of the two leads to the other until both are written anew.
      const std::uint64_t left = i > first ? nodes[i - 1] : kNoAddress;
      const std::uint64_t right = i + 1 < num_nodes ? nodes[i + 1] : kNoAddress;
      store.write(nodes[i], encode_node(level, i, left, right));
    }
    changed = first;
  }
  num_written_ = chunks_.size();
  return levels_.back().front();
}

void H5ChunkTree::release(H5Store& store) {
  for (const std::vector<std::uint64_t>& level : levels_) {
    for (const std::uint64_t node : level) store.release(node, node_bytes());
  }
  levels_.clear();
  num_written_ = 0;
}

}  // namespace abut
