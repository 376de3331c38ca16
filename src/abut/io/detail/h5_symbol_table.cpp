#include "abut/io/detail/h5_symbol_table.hpp"

#include "abut/io/detail/h5_tree.hpp"

namespace abut {

namespace {

constexpr std::size_t kMostMembers = 1u << 20;

class TableReader {
 public:
  TableReader(const H5Input& input, std::uint64_t heap) : input_(input) {
    const std::string head = input.read(heap, 32);
    H5Cursor cursor(head);
    cursor.expect("HEAP");
    cursor.u32();
    const std::uint64_t bytes = cursor.u64();
    cursor.u64();
    names_ = input.read(cursor.u64(), bytes);
  }

  std::vector<std::pair<std::string, std::uint64_t>> members;

  void read_members(std::uint64_t address) {
    const std::string head = input_.read(address, 8);
    H5Cursor cursor(head);
    cursor.expect("SNOD");
    cursor.u16();
    const unsigned count = cursor.u16();
    const std::string entries = input_.read(address + 8, 40u * count);
    H5Cursor entry(entries);
    for (unsigned i = 0; i < count; ++i) {
      const std::uint64_t name = entry.u64(), header = entry.u64();
      const std::uint32_t kind = entry.u32();
      entry.take(20);
      constexpr std::uint32_t kSoftLink = 2;
      if (kind == kSoftLink) continue;
      if (name >= names_.size()) throw H5Damage("a name lies outside of its heap");
      if (members.size() == kMostMembers) throw H5Damage("a group without an end");
      members.emplace_back(names_.substr(name, names_.find('\0', name) - name), header);
    }
  }

 private:
  const H5Input& input_;
  std::string names_;
};

}  // namespace

std::vector<std::pair<std::string, std::uint64_t>> read_symbol_table(const H5Input& input, std::uint64_t tree,
                                                                     std::uint64_t heap) {
  TableReader reader(input, heap);
  read_tree(input, tree, H5TreeKind::group, 8,
            [&reader](std::string_view, std::uint64_t child) { reader.read_members(child); });
  return std::move(reader.members);
}

}  // namespace abut
