#include "abut/io/detail/h5_bytes.hpp"

#include <algorithm>
#include <array>

namespace abut {

namespace {

std::uint32_t load_word(const char* at, std::size_t size = 4) {
  std::uint32_t word = 0;
  std::memcpy(&word, at, size);
  return word;
}

void mix(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c) {
  a = (a - c) ^ std::rotl(c, 4), c += b;
  b = (b - a) ^ std::rotl(a, 6), a += c;
  c = (c - b) ^ std::rotl(b, 8), b += a;
  a = (a - c) ^ std::rotl(c, 16), c += b;
  b = (b - a) ^ std::rotl(a, 19), a += c;
  c = (c - b) ^ std::rotl(b, 4), b += a;
}

std::uint32_t mix_last(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  c = (c ^ b) - std::rotl(b, 14);
  a = (a ^ c) - std::rotl(c, 11);
  b = (b ^ a) - std::rotl(a, 25);
  c = (c ^ b) - std::rotl(b, 16);
  a = (a ^ c) - std::rotl(c, 4);
  b = (b ^ a) - std::rotl(a, 14);
  return (c ^ b) - std::rotl(b, 24);
}

/// Entry [k][b]: what the byte b does when k bytes follow it.
using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables make_crc_tables() {
  CrcTables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0x82F63B78u : 0u);
    tables[0][byte] = sum;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t sum = tables[k - 1][byte];
      tables[k][byte] = (sum >> 8) ^ tables[0][sum & 0xFF];
    }
  }
  return tables;
}

constexpr CrcTables kCrcTables = make_crc_tables();

}  // namespace

std::uint32_t calc_header_sum(std::string_view bytes) {
  std::uint32_t a = 0xDEADBEEFu + static_cast<std::uint32_t>(bytes.size()), b = a, c = a;
  while (bytes.size() > 12) {
    a += load_word(bytes.data());
    b += load_word(bytes.data() + 4);
    c += load_word(bytes.data() + 8);
    mix(a, b, c);
    bytes.remove_prefix(12);
  }
  if (bytes.empty()) return c;
  const std::size_t size = bytes.size();
  a += load_word(bytes.data(), std::min<std::size_t>(size, 4));
  if (size > 4) b += load_word(bytes.data() + 4, std::min<std::size_t>(size - 4, 4));
  if (size > 8) c += load_word(bytes.data() + 8, size - 8);
  return mix_last(a, b, c);
}

std::uint32_t calc_crc32c(std::string_view bytes, std::uint32_t before) {
  std::uint32_t sum = ~before;
  while (bytes.size() >= 8) {
    const std::uint32_t low = load_word(bytes.data()) ^ sum, high = load_word(bytes.data() + 4);
    sum = kCrcTables[7][low & 0xFF] ^ kCrcTables[6][low >> 8 & 0xFF] ^ kCrcTables[5][low >> 16 & 0xFF] ^
          kCrcTables[4][low >> 24] ^ kCrcTables[3][high & 0xFF] ^ kCrcTables[2][high >> 8 & 0xFF] ^
          kCrcTables[1][high >> 16 & 0xFF] ^ kCrcTables[0][high >> 24];
    bytes.remove_prefix(8);
  }
  for (const char byte : bytes) sum = (sum >> 8) ^ kCrcTables[0][(sum ^ static_cast<std::uint8_t>(byte)) & 0xFF];
  return ~sum;
}

}  // namespace abut
