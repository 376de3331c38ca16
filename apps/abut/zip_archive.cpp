#include "zip_archive.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <zlib.h>

#include "abut/base/error.hpp"

namespace abut {

namespace {

constexpr std::uint16_t kStored = 0, kDeflated = 8;
constexpr std::uint16_t kVersionNeeded = 20;                // 2.0: deflate
constexpr std::uint16_t kMadeBy = 3 << 8 | 20;              // Unix: the upper half of the attributes is a mode
constexpr std::uint16_t kUtf8 = 1 << 11;                    // names are UTF-8
constexpr std::uint32_t kFirstDate = (1u << 5 | 1u) << 16;  // 1 January 1980, 0:00

void put16(std::string& out, std::uint32_t value) {
  out += static_cast<char>(value & 0xff);
  out += static_cast<char>(value >> 8 & 0xff);
}
void put32(std::string& out, std::uint32_t value) {
  put16(out, value & 0xffff);
  put16(out, value >> 16);
}

/// Raw deflate, without the header of zlib.
std::string deflate_raw(std::string_view content) {
  z_stream stream{};
  ABUT_REQUIRE(
      deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK,
      "zlib does not start");
  std::string packed(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  ABUT_REQUIRE(status == Z_STREAM_END, "zlib answered {} for {} bytes", status, content.size());
  return packed;
}

}  // namespace

void ZipArchive::add(std::string name, std::string_view content, bool is_executable) {
  const bool is_known =
      std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  if (is_known) throw InputError(fmt::format("'{}' would be in the archive twice", name));
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
  if (content.size() > kMost || bytes_.size() > kMost || entries_.size() >= 0xfffe)
    throw InputError(fmt::format("'{}' makes the archive too large", name));
  std::string packed = deflate_raw(content);
  const bool is_smaller = packed.size() < content.size();
  Entry entry;
  entry.name = std::move(name);
  entry.crc = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
  entry.size = static_cast<std::uint32_t>(content.size());
  entry.packed_size = is_smaller ? static_cast<std::uint32_t>(packed.size()) : entry.size;
  entry.method = is_smaller ? kDeflated : kStored;
  entry.offset = static_cast<std::uint32_t>(bytes_.size());
  entry.is_executable = is_executable;
  put32(bytes_, 0x04034b50);
  put16(bytes_, kVersionNeeded);
  put16(bytes_, kUtf8);
  put16(bytes_, entry.method);
  put32(bytes_, kFirstDate);
  put32(bytes_, entry.crc);
  put32(bytes_, entry.packed_size);
  put32(bytes_, entry.size);
  put16(bytes_, static_cast<std::uint32_t>(entry.name.size()));
  put16(bytes_, 0);  // no extra fields
  bytes_ += entry.name;
  bytes_ += is_smaller ? std::string_view(packed) : content;
  entries_.push_back(std::move(entry));
}

std::string ZipArchive::finish() {
  const auto begin = static_cast<std::uint32_t>(bytes_.size());
  for (const Entry& entry : entries_) {
    put32(bytes_, 0x02014b50);
    put16(bytes_, kMadeBy);
    put16(bytes_, kVersionNeeded);
    put16(bytes_, kUtf8);
    put16(bytes_, entry.method);
    put32(bytes_, kFirstDate);
    put32(bytes_, entry.crc);
    put32(bytes_, entry.packed_size);
    put32(bytes_, entry.size);
    put16(bytes_, static_cast<std::uint32_t>(entry.name.size()));
    put16(bytes_, 0);  // no extra fields
    put16(bytes_, 0);  // no comment
    put16(bytes_, 0);  // first disk
    put16(bytes_, 0);  // internal attributes
    put32(bytes_, (entry.is_executable ? 0100755u : 0100644u) << 16);
    put32(bytes_, entry.offset);
    bytes_ += entry.name;
  }
  const auto size = static_cast<std::uint32_t>(bytes_.size()) - begin;
  put32(bytes_, 0x06054b50);
  put16(bytes_, 0);  // disks
  put16(bytes_, 0);
  put16(bytes_, static_cast<std::uint32_t>(entries_.size()));
  put16(bytes_, static_cast<std::uint32_t>(entries_.size()));
  put32(bytes_, size);
  put32(bytes_, begin);
  put16(bytes_, 0);  // no comment
  return std::move(bytes_);
}

}  // namespace abut
