#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace abut {

/// Numbers of an HDF5 file are written as they lie in memory.
static_assert(std::endian::native == std::endian::little);

/// An address that leads nowhere [HDF Group 2016, I.B].
inline constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

/// Bytes of a structure of an HDF5 file, one after another.
class H5Bytes {
 public:
  template <class T>
  H5Bytes& put(T value) {
    bytes_.resize(bytes_.size() + sizeof value);
    std::memcpy(bytes_.data() + bytes_.size() - sizeof value, &value, sizeof value);
    return *this;
  }
  H5Bytes& u8(unsigned value) { return put(static_cast<std::uint8_t>(value)); }
  H5Bytes& u16(std::size_t value) { return put(static_cast<std::uint16_t>(value)); }
  H5Bytes& u32(std::size_t value) { return put(static_cast<std::uint32_t>(value)); }
  H5Bytes& u64(std::uint64_t value) { return put(value); }
  H5Bytes& text(std::string_view value) {
    bytes_.append(value);
    return *this;
  }
  /// Zeros up to this size.
  H5Bytes& fill(std::size_t size) {
    bytes_.resize(size, '\0');
    return *this;
  }
  /// Replaces four bytes that were put before.
  void set_u32(std::size_t at, std::size_t value) {
    const auto narrow = static_cast<std::uint32_t>(value);
    std::memcpy(bytes_.data() + at, &narrow, sizeof narrow);
  }

  const std::string& bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

/// Sum under superblocks and headers of objects, with 0 as its first value [Jenkins 2006, hashlittle].
std::uint32_t calc_header_sum(std::string_view bytes);

/// Cyclic redundancy check with Castagnoli's polynomial [Castagnoli, Braeuer and Herrmann 1993], of bytes that follow
/// those with the sum `before`; 0 for the first ones.
std::uint32_t calc_crc32c(std::string_view bytes, std::uint32_t before = 0);

}  // namespace abut
