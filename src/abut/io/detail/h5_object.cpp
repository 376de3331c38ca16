#include "abut/io/detail/h5_object.hpp"

#include <deque>

#include "abut/io/detail/h5_symbol_table.hpp"

namespace abut {

namespace {

/// Of one object: a file cannot make its reader run on [blocks], [bytes].
constexpr int kMostBlocks = 4096;
constexpr std::uint64_t kMostHeaderBytes = 64u << 20;
constexpr unsigned kMostDimensions = 32;

std::vector<std::uint64_t> read_space(std::string_view bytes) {
  H5Cursor cursor(bytes);
  const unsigned version = cursor.u8(), rank = cursor.u8();
  cursor.u8();  // flags: the largest sizes follow
  const unsigned kind = cursor.u8();
  if (version != 1 && version != 2) throw H5Unknown("a dataspace of another version");
  if (rank > kMostDimensions) throw H5Damage(fmt::format("{} dimensions", rank));
  if (version == 1) cursor.u32();
  if (version == 2 && kind == 2) return {0};
  std::vector<std::uint64_t> shape(rank);
  for (std::uint64_t& size : shape) size = cursor.u64();
  return shape;
}

H5ValueType read_type(std::string_view bytes) {
  H5Cursor cursor(bytes);
  const unsigned kind = cursor.u8() & 0x0F, flags = cursor.u8(), sign = cursor.u8();
  cursor.u8();
  H5ValueType type;
  type.bytes = cursor.u32();
  if (type.bytes == 0) throw H5Damage("values of no bytes");
  const bool is_foreign = (flags & 1) != 0;  // the first byte counts most
  if (kind == 0) {
    const bool is_plain = cursor.u16() == 0 && cursor.u16() == 8 * type.bytes;
    const bool is_known = type.bytes == 1 || type.bytes == 2 || type.bytes == 4 || type.bytes == 8;
    if (is_foreign || !is_plain || !is_known) throw H5Unknown("integers of an unusual kind");
    type.kind = H5ValueType::Kind::integer;
    type.is_signed = (flags & 8) != 0;
  } else if (kind == 1) {
    const unsigned offset = cursor.u16(), precision = cursor.u16(), exponent_at = cursor.u8(), exponent = cursor.u8(),
                   mantissa_at = cursor.u8(), mantissa = cursor.u8();
    const std::uint32_t bias = cursor.u32();
    const bool is_ours = offset == 0 && mantissa_at == 0 && !is_foreign && precision == 8 * type.bytes &&
                         sign == 8 * type.bytes - 1 && exponent_at == mantissa;
    const bool is_double = type.bytes == 8 && exponent == 11 && mantissa == 52 && bias == 1023;
    const bool is_float = type.bytes == 4 && exponent == 8 && mantissa == 23 && bias == 127;
    if (!is_ours || (!is_double && !is_float)) throw H5Unknown("numbers of an unusual kind");
    type.kind = H5ValueType::Kind::real;
  } else if (kind == 3) {
    type.kind = H5ValueType::Kind::fixed_text;
  } else if (kind == 9 && (flags & 0x0F) == 1) {
    if (type.bytes != 16) throw H5Damage("references to texts of an odd size");
    type.kind = H5ValueType::Kind::text;
  }
  return type;
}

H5ObjectAttribute read_attribute(std::string_view bytes) {
  H5Cursor cursor(bytes);
  const unsigned version = cursor.u8(), flags = cursor.u8();
  if (version < 1 || version > 3) throw H5Unknown("an attribute of another version");
  if (version > 1 && flags != 0) throw H5Unknown("an attribute of a shared type");
  const unsigned name_bytes = cursor.u16(), type_bytes = cursor.u16(), space_bytes = cursor.u16();
  if (version == 3) cursor.u8();  // letters
  const auto take = [&](unsigned size) { return cursor.take(version == 1 ? (size + 7) / 8 * 8 : size); };
  H5ObjectAttribute attribute;
  const std::string_view name = take(name_bytes);
  attribute.name = name.substr(0, name.find('\0'));
  attribute.type = read_type(take(type_bytes));
  attribute.shape = read_space(take(space_bytes));
  attribute.value = cursor.take(multiply_sizes(attribute.shape, bytes.size()) * attribute.type.bytes);
  return attribute;
}

void read_layout(std::string_view bytes, H5Object& object) {
  H5Cursor cursor(bytes);
  const unsigned version = cursor.u8(), kind = cursor.u8();
  if (version != 3 && !(version == 4 && kind < 2)) throw H5Unknown("a layout of another version");
  if (kind == 0) {
    object.layout = H5Object::Layout::compact;
    object.compact = cursor.take(cursor.u16());
  } else if (kind == 1) {
    object.layout = H5Object::Layout::contiguous;
    object.address = cursor.u64();
    object.bytes = cursor.u64();
  } else if (kind == 2) {
    object.layout = H5Object::Layout::chunked;
    const unsigned rank = cursor.u8();
    if (rank < 2 || rank > kMostDimensions + 1) throw H5Damage("chunks of no dimension");
    object.address = cursor.u64();
    for (unsigned i = 0; i + 1 < rank; ++i) object.chunk.push_back(cursor.u32());
  } else {
    throw H5Unknown("a layout of another kind");
  }
}

void read_link(std::string_view bytes, H5Object& object) {
  H5Cursor cursor(bytes);
  if (cursor.u8() != 1) throw H5Unknown("a link of another version");
  const unsigned flags = cursor.u8();
  const unsigned kind = (flags & 0x08) != 0 ? cursor.u8() : 0;
  if ((flags & 0x04) != 0) cursor.u64();  // order of creation
  if ((flags & 0x10) != 0) cursor.u8();   // letters
  const std::string_view name = cursor.take(cursor.sized(1u << (flags & 3)));
  if (kind == 0) object.members.emplace_back(name, cursor.u64());
}

void read_message(const H5Input& input, unsigned type, unsigned flags, std::string_view bytes, H5Object& object) {
  constexpr unsigned kIsShared = 0x02;
  const bool matters = type == 0x01 || type == 0x03 || type == 0x08 || type == 0x0C;
  if (matters && (flags & kIsShared) != 0) throw H5Unknown("a shared message");
  H5Cursor cursor(bytes);
  switch (type) {
    case 0x01:
      object.shape = read_space(bytes);
      break;
    case 0x03:
      object.type = read_type(bytes);
      break;
    case 0x06:
      read_link(bytes, object);
      break;
    case 0x07:
      throw H5Unknown("values in other files");
    case 0x08:
      read_layout(bytes, object);
      break;
    case 0x0B:
      cursor.u8();
      object.is_filtered = cursor.u8() > 0;
      break;
    case 0x0C:
      object.attributes.push_back(read_attribute(bytes));
      break;
    case 0x11: {
      const std::uint64_t tree = cursor.u64(), heap = cursor.u64();
      for (auto& member : read_symbol_table(input, tree, heap)) object.members.push_back(std::move(member));
      break;
    }
    case 0x02:    // links
    case 0x15: {  // attributes
      cursor.u8();
      const bool has_order = (cursor.u8() & 1) != 0;
      if (has_order) cursor.take(type == 0x02 ? 8 : 2);
      if (cursor.u64() != kNoAddress) throw H5Unknown(type == 0x02 ? "a group of many members" : "many attributes");
      break;
    }
    default:
      break;  // says nothing that matters here
  }
}

class HeaderReader {
 public:
  HeaderReader(const H5Input& input, std::uint64_t address) : input_(input) {
    const bool is_new = input.read(address, 4) == "OHDR";
    if (is_new) {
      begin_new(address);
    } else {
      begin_old(address);
    }
    for (int i = 0; !blocks_.empty(); ++i) {
      if (i == kMostBlocks) throw H5Damage("a header without an end");
      const std::string block = std::move(blocks_.front());
      blocks_.pop_front();
      read_block(block);
    }
  }
  H5Object object;

 private:
  void begin_old(std::uint64_t address) {
    const std::string prefix = input_.read(address, 16);
    H5Cursor cursor(prefix);
    if (cursor.u8() != 1) throw H5Damage("no header of an object");
    cursor.u8();
    cursor.u16();
    cursor.u32();
    add(address + 16, cursor.u32());
  }

  void begin_new(std::uint64_t address) {
    is_new_ = true;
    const std::string prefix = input_.read(address, std::min<std::uint64_t>(34, input_.size() - address));
    H5Cursor cursor(prefix);
    cursor.expect("OHDR");
    if (cursor.u8() != 2) throw H5Unknown("a header of another version");
    const unsigned flags = cursor.u8();
    has_order_ = (flags & 0x04) != 0;
    if ((flags & 0x20) != 0) cursor.take(16);  // times
    if ((flags & 0x10) != 0) cursor.u32();     // when attributes move
    const std::uint64_t bytes = cursor.sized(1u << (flags & 3));
    add_summed(address, prefix.size() - cursor.left(), bytes);
  }

  void add(std::uint64_t address, std::uint64_t bytes) {
    total_ += bytes;
    if (bytes > kMostHeaderBytes || total_ > kMostHeaderBytes) throw H5Damage("a header of absurd size");
    blocks_.push_back(input_.read(address, bytes));
  }

  /// A block behind `skipped` bytes, with a sum over both at its end.
  void add_summed(std::uint64_t address, std::uint64_t skipped, std::uint64_t bytes) {
    if (bytes > kMostHeaderBytes) throw H5Damage("a header of absurd size");
    const std::string whole = input_.read(address, skipped + bytes + 4);
    const std::string_view summed(whole.data(), skipped + bytes);
    if (H5Cursor(std::string_view(whole).substr(skipped + bytes)).u32() != calc_header_sum(summed))
      throw H5Damage("the sum of a header is not that of its bytes");
    add(address + skipped, bytes);
  }

  void read_block(const std::string& block) {
    H5Cursor cursor(block);
    const std::size_t head = is_new_ ? (has_order_ ? 6 : 4) : 8;
    while (cursor.left() >= head) {
      const unsigned type = is_new_ ? cursor.u8() : cursor.u16(), size = cursor.u16(), flags = cursor.u8();
      cursor.take(head - (is_new_ ? 4 : 5));
      const std::string_view body = cursor.take(size);
      if (type == 0x10) {
        go_on(body);
      } else {
        read_message(input_, type, flags, body, object);
      }
    }
  }

  void go_on(std::string_view body) {
    H5Cursor cursor(body);
    const std::uint64_t address = cursor.u64(), bytes = cursor.u64();
    if (!is_new_) return add(address, bytes);
    if (bytes < 8) throw H5Damage("a header ends too early");
    if (input_.read(address, 4) != "OCHK") throw H5Damage("a header does not go on where it says");
    add_summed(address, 4, bytes - 8);
  }

  const H5Input& input_;
  bool is_new_ = false, has_order_ = false;
  std::uint64_t total_ = 0;
  std::deque<std::string> blocks_;
};

}  // namespace

H5Object read_object(const H5Input& input, std::uint64_t address) { return HeaderReader(input, address).object; }

}  // namespace abut
