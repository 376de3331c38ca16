#include "abut/io/detail/h5_tree.hpp"

namespace abut {

namespace {

constexpr std::uint64_t kNodeHeadBytes = 24;
constexpr unsigned kMostLevels = 32;

struct TreeReader {
  const H5Input& input;
  H5TreeKind kind;
  std::size_t key_bytes;
  const std::function<void(std::string_view, std::uint64_t)>& on_leaf;
  std::uint64_t nodes_left;

  /// level: that the node must have; -1 for the root.
  void read_node(std::uint64_t address, int wanted_level) {
    if (nodes_left-- == 0) throw H5Damage("a tree has more nodes than the file has room for");
    const std::string head = input.read(address, kNodeHeadBytes);
    H5Cursor cursor(head);
    cursor.expect("TREE");
    const unsigned type = cursor.u8(), level = cursor.u8(), num_children = cursor.u16();
    const bool is_expected = wanted_level < 0 ? level < kMostLevels : static_cast<int>(level) == wanted_level;
    if (type != static_cast<unsigned>(kind) || !is_expected) throw H5Damage("a tree that is none");
    const std::string entries = input.read(address + kNodeHeadBytes, num_children * (8 + key_bytes) + key_bytes);
    H5Cursor entry(entries);
    for (unsigned i = 0; i < num_children; ++i) {
      const std::string_view key = entry.take(key_bytes);
      const std::uint64_t child = entry.u64();
      if (level > 0) {
        read_node(child, static_cast<int>(level) - 1);
      } else {
        on_leaf(key, child);
      }
    }
  }
};

}  // namespace

void read_tree(const H5Input& input, std::uint64_t root, H5TreeKind kind, std::size_t key_bytes,
               const std::function<void(std::string_view, std::uint64_t)>& on_leaf) {
  TreeReader{input, kind, key_bytes, on_leaf, input.size() / kNodeHeadBytes}.read_node(root, -1);
}

}  // namespace abut
