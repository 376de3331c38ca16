#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "abut/io/detail/h5_bytes.hpp"

namespace abut {

/// Something in an HDF5 file is not what it says or leads out of the file. H5Reader adds the names of file and object.
struct H5Damage : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Nothing is wrong, but it is kept in a way that is not read here.
struct H5Unknown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file that may hold anything: no read goes beyond its end.
class H5Input {
 public:
  /// SystemError when it cannot be opened or is no ordinary file.
  explicit H5Input(std::string path);
  ~H5Input();
  H5Input(const H5Input&) = delete;
  H5Input& operator=(const H5Input&) = delete;

  /// H5Damage where the file has less.
  std::string read(std::uint64_t address, std::uint64_t bytes) const;
  void read(std::uint64_t address, std::uint64_t bytes, char* to) const;
  std::uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

/// Takes numbers off the front of bytes; H5Damage where there are too few.
class H5Cursor {
 public:
  explicit H5Cursor(std::string_view bytes) : bytes_(bytes) {}

  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size() - at_) throw H5Damage("a structure ends too early");
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  unsigned u8() { return number<std::uint8_t>(); }
  unsigned u16() { return number<std::uint16_t>(); }
  std::uint32_t u32() { return number<std::uint32_t>(); }
  std::uint64_t u64() { return number<std::uint64_t>(); }
  /// Of this many bytes.
  std::uint64_t sized(unsigned bytes);
  void expect(std::string_view signature) {
    if (take(signature.size()) != signature) throw H5Damage(fmt::format("'{}' is missing", signature));
  }
  std::size_t left() const { return bytes_.size() - at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// Product of sizes; H5Damage beyond this limit.
std::uint64_t multiply_sizes(const std::vector<std::uint64_t>& sizes, std::uint64_t limit);

}  // namespace abut
