#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

namespace abut::detail {

/// Numbers from bytes in either order. The caller checks that they are there.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, bool is_big_endian)
      : bytes_(bytes), is_swapped_(is_big_endian != (std::endian::native == std::endian::big)) {}

  template <class Number>
  Number read(std::size_t position) const {
    std::array<char, sizeof(Number)> raw;
    std::memcpy(raw.data(), bytes_.data() + position, sizeof(Number));
    if (is_swapped_) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<Number>(raw);
  }

 private:
  std::string_view bytes_;
  bool is_swapped_;
};

}  // namespace abut::detail
