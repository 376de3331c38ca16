#include "abut/io/detail/h5_reader.hpp"

#include <algorithm>
#include <limits>

#include "abut/base/error.hpp"
#include "abut/io/detail/h5_tree.hpp"

namespace abut {

namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr int kMostDepth = 16;
constexpr std::size_t kMostObjects = 1u << 16;

/// Header of the root group [HDF Group 2016, II.A].
std::uint64_t read_superblock(const H5Input& input) {
  const std::string head = input.read(0, std::min<std::uint64_t>(input.size(), 96));
  H5Cursor cursor(head);
  cursor.expect(kSignature);
  const unsigned version = cursor.u8();
  if (version > 3) throw H5Unknown("a superblock of another version");
  std::uint64_t base = 0, root = 0;
  if (version >= 2) {
    const bool is_ordinary = cursor.u8() == 8 && cursor.u8() == 8;
    if (!is_ordinary) throw H5Unknown("addresses of another size");
    cursor.u8();
    base = cursor.u64();
    cursor.u64();
    cursor.u64();
    root = cursor.u64();
    if (cursor.u32() != calc_header_sum(std::string_view(head).substr(0, 44)))
      throw H5Damage("the sum of its first bytes is not that of these bytes");
  } else {
    cursor.take(4);
    const bool is_ordinary = cursor.u8() == 8 && cursor.u8() == 8;
    if (!is_ordinary) throw H5Unknown("addresses of another size");
    cursor.take(version == 1 ? 13 : 9);
    base = cursor.u64();
    cursor.take(3 * 8 + 8);
    root = cursor.u64();
  }
  if (base != 0) throw H5Unknown("a file that begins later");
  return root;
}

double to_double(const H5ValueType& type, const char* at) {
  const auto load = [at]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
  };
  if (type.kind == H5ValueType::Kind::real) return type.bytes == 8 ? load(double{}) : load(float{});
  switch (type.bytes) {
    case 1:
      return type.is_signed ? load(std::int8_t{}) : load(std::uint8_t{});
    case 2:
      return type.is_signed ? load(std::int16_t{}) : load(std::uint16_t{});
    case 4:
      return type.is_signed ? load(std::int32_t{}) : load(std::uint32_t{});
    default:
      return type.is_signed ? load(std::int64_t{}) : load(std::uint64_t{});
  }
}

const H5ObjectAttribute* find_attribute(const H5Object& object, const std::string& name) {
  const auto found = std::find_if(object.attributes.begin(), object.attributes.end(),
                                  [&name](const H5ObjectAttribute& attribute) { return attribute.name == name; });
  return found == object.attributes.end() ? nullptr : &*found;
}

}  // namespace

H5Reader::H5Reader(const std::string& path) : input_(path) {
  const bool is_hdf5 = input_.size() >= kSignature.size() && input_.read(0, kSignature.size()) == kSignature;
  if (!is_hdf5) throw InputError(fmt::format("{}: this is not an HDF5 file", path));
  const std::uint64_t root = guard("", [this] { return read_superblock(input_); });
  guard("", [&] { read_group(root, "", 0); });
}

void H5Reader::fail(const std::string& object, const std::string& reason, bool is_damage) const {
  const std::string of = object.empty() ? "" : fmt::format("/{}: ", object);
  if (is_damage) throw InputError(fmt::format("{}: this file is damaged: {}{}", input_.path(), of, reason));
  throw InputError(
      fmt::format("{}: {}{} is not read by this program; HDF5's h5repack can write the file anew in the "
                  "oldest form and without filters",
                  input_.path(), of, reason));
}

void H5Reader::read_group(std::uint64_t address, const std::string& name, int depth) {
  if (depth > kMostDepth) throw H5Damage("groups lie in groups without an end");
  H5Object group = read_object(input_, address);
  const auto members = std::move(group.members);
  groups_[name] = std::move(group);
  for (const auto& [member, header] : members) {
    const std::string full = name.empty() ? member : name + "/" + member;
    if (groups_.size() + datasets_.size() > kMostObjects) throw H5Damage("more objects than a record has");
    guard(full, [&, &at = header] {
      H5Object object = read_object(input_, at);
      if (!object.shape) return read_group(at, full, depth + 1);
      datasets_[full] = std::move(object);
    });
  }
}

const H5Object* H5Reader::find(const std::string& name) const {
  const auto found = datasets_.find(name);
  return found == datasets_.end() ? nullptr : &found->second;
}

std::optional<std::string> H5Reader::read_text(const std::string& object, const std::string& attribute) const {
  const auto group = groups_.find(object);
  const H5Object* owner = group != groups_.end() ? &group->second : find(object);
  const H5ObjectAttribute* found = owner == nullptr ? nullptr : find_attribute(*owner, attribute);
  if (found == nullptr || !found->type.is_text() || found->value.size() < found->type.bytes) return std::nullopt;
  return guard(object, [&] { return decode_text(found->type, std::string_view(found->value)); });
}

std::optional<std::int64_t> H5Reader::read_integer(const std::string& object, const std::string& attribute) const {
  const auto group = groups_.find(object);
  const H5Object* owner = group != groups_.end() ? &group->second : find(object);
  const H5ObjectAttribute* found = owner == nullptr ? nullptr : find_attribute(*owner, attribute);
  const bool is_integer = found != nullptr && found->type.kind == H5ValueType::Kind::integer &&
                          found->type.bytes <= 8 && found->value.size() >= found->type.bytes;
  if (!is_integer) return std::nullopt;
  std::int64_t value = 0;
  std::memcpy(&value, found->value.data(), found->type.bytes);
  if (found->type.is_signed && found->type.bytes == 4) value = static_cast<std::int32_t>(value);
  return value;
}

/// Objects of a collection [HDF Group 2016, III.E] by their numbers.
const H5Reader::Heap& H5Reader::read_heap(std::uint64_t address) const {
  const auto known = heaps_.find(address);
  if (known != heaps_.end()) return known->second;
  const std::string head = input_.read(address, 16);
  H5Cursor front(head);
  front.expect("GCOL");
  front.u32();
  const std::uint64_t bytes = front.u64();
  heap_bytes_ += bytes;
  if (bytes < 16 || heap_bytes_ > input_.size()) throw H5Damage("texts lie beyond its end");
  Heap heap{input_.read(address, bytes), {}};
  for (std::uint64_t at = 16; at + 16 <= bytes;) {
    H5Cursor object(std::string_view(heap.bytes).substr(at));
    const unsigned index = object.u16();
    object.take(6);
    const std::uint64_t size = object.u64();
    if (index == 0) break;
    if (size > object.left()) throw H5Damage("a text is longer than its heap");
    heap.objects.emplace(index, std::pair(at + 16, size));
    at += 16 + (size + 7) / 8 * 8;
  }
  return heaps_.emplace(address, std::move(heap)).first->second;
}

std::string H5Reader::read_heap_text(std::string_view reference) const {
  H5Cursor cursor(reference);
  const std::uint32_t size = cursor.u32();
  const std::uint64_t address = cursor.u64();
  const std::uint32_t index = cursor.u32();
  if (size == 0) return {};
  const Heap& heap = read_heap(address);
  const auto found = heap.objects.find(index);
  if (found == heap.objects.end()) throw H5Damage("a text is missing");
  if (size > found->second.second) throw H5Damage("a text is longer than it is");
  const std::string text = heap.bytes.substr(found->second.first, size);
  return text.substr(0, text.find('\0'));
}

std::string H5Reader::decode_text(const H5ValueType& type, std::string_view value) const {
  if (type.kind == H5ValueType::Kind::text) return read_heap_text(value.substr(0, type.bytes));
  std::string text(value.substr(0, type.bytes));
  text = text.substr(0, text.find('\0'));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

void H5Reader::read_chunks(const H5Object& object, std::uint64_t row_bytes, std::string& values) const {
  const std::vector<std::uint64_t>& shape = *object.shape;
  bool has_whole_rows = object.chunk.size() == shape.size() && object.chunk[0] > 0;
  for (std::size_t i = 1; has_whole_rows && i < shape.size(); ++i) has_whole_rows = object.chunk[i] == shape[i];
  if (!has_whole_rows) throw H5Unknown("chunks of parts of rows");
  const std::uint64_t num_chunks = (shape[0] + object.chunk[0] - 1) / object.chunk[0];
  std::vector<bool> is_there(num_chunks, false);
  std::uint64_t num_there = 0;
  read_tree(input_, object.address, H5TreeKind::chunks, 8 + 8 * (shape.size() + 1),
            [&](std::string_view key, std::uint64_t child) {
              H5Cursor cursor(key);
              const std::uint64_t bytes = cursor.u32(), mask = cursor.u32(), first = cursor.u64();
              if (mask != 0 || bytes != object.chunk[0] * row_bytes || first % object.chunk[0] != 0)
                throw H5Damage("a chunk of another size");
              if (first >= shape[0]) return;
              const std::uint64_t rows = std::min(object.chunk[0], shape[0] - first);
              if (is_there[first / object.chunk[0]]) throw H5Damage("a chunk is there twice");
              is_there[first / object.chunk[0]] = true;
              ++num_there;
              input_.read(child, rows * row_bytes, values.data() + first * row_bytes);
            });
  if (num_there != num_chunks) throw H5Damage("a chunk is missing");
}

std::string H5Reader::read_values(const H5Object& object) const {
  if (object.is_filtered) throw H5Unknown("a filter, such as compression,");
  std::vector<std::uint64_t> sizes = *object.shape;
  sizes.push_back(object.type.bytes);
  const std::uint64_t bytes = multiply_sizes(sizes, input_.size());
  if (bytes == 0) return {};
  switch (object.layout) {
    case H5Object::Layout::compact:
      if (object.compact.size() < bytes) throw H5Damage("announces more than it holds");
      return object.compact.substr(0, bytes);
    case H5Object::Layout::contiguous:
      if (object.bytes < bytes) throw H5Damage("announces more than it holds");
      return input_.read(object.address, bytes);
    case H5Object::Layout::chunked: {
      if (object.shape->empty()) throw H5Damage("chunks of a single value");
      std::string values(bytes, '\0');
      read_chunks(object, bytes / object.shape->front(), values);
      return values;
    }
    default:
      throw H5Damage("has no values");
  }
}

void H5Reader::check_sum(const H5Object& object, std::string_view values) const {
  const H5ObjectAttribute* sum = find_attribute(object, "crc32c");
  if (sum == nullptr || sum->value.size() != 4) return;
  if (H5Cursor(sum->value).u32() != calc_crc32c(values)) throw H5Damage("the sum of its values is not what it was");
}

std::vector<std::string> H5Reader::read_texts(const std::string& dataset) const {
  return guard(dataset, [&] {
    const H5Object& object = datasets_.at(dataset);
    if (!object.type.is_text()) throw H5Damage("holds no texts");
    const std::string values = read_values(object);
    check_sum(object, values);
    std::vector<std::string> texts;
    std::uint64_t bytes = 0;
    for (std::size_t at = 0; at < values.size(); at += object.type.bytes) {
      texts.push_back(decode_text(object.type, std::string_view(values).substr(at)));
      bytes += texts.back().size();
      if (bytes > input_.size()) throw H5Damage("holds more text than the file");
    }
    return texts;
  });
}

std::vector<double> H5Reader::read_numbers(const std::string& dataset) const {
  return guard(dataset, [&] {
    const H5Object& object = datasets_.at(dataset);
    const std::string values = read_values(object);
    check_sum(object, values);
    std::vector<double> numbers(values.size() / object.type.bytes);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = to_double(object.type, values.data() + i * object.type.bytes);
    return numbers;
  });
}

void H5Reader::copy_rows(const std::string& dataset, std::uint64_t rows,
                         const std::function<void(std::string_view)>& take) const {
  guard(dataset, [&] {
    const H5Object& object = datasets_.at(dataset);
    const std::string values = read_values(object);
    check_sum(object, values);
    if (object.shape->empty() || rows > object.shape->front()) throw H5Damage("has fewer rows than it had");
    const std::uint64_t bytes = object.shape->front() == 0 ? 0 : values.size() / object.shape->front();
    take(std::string_view(values).substr(0, rows * bytes));
  });
}

}  // namespace abut
