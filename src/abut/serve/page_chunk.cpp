#include "abut/serve/page_chunk.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// Bits of the mantissa that are dropped: 52 - 32.
constexpr int kDroppedBits = 20;

std::size_t value_bytes(PageType type) {
  switch (type) {
    case PageType::rounded_double:
      return 8;
    case PageType::single:
    case PageType::integer:
      return 4;
    case PageType::byte:
      return 1;
  }
  return 0;
}

const char* type_name(PageType type) {
  constexpr std::array<const char*, 4> kNames{"f64", "f32", "i32", "u8"};
  return kNames[static_cast<std::size_t>(type)];
}

/// Little-endian bytes of a value, lowest first, whatever the machine.
std::uint64_t to_bits(double value, PageType type) {
  switch (type) {
    case PageType::rounded_double:
      return std::bit_cast<std::uint64_t>(round_for_page(value));
    case PageType::single:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case PageType::integer:
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
    case PageType::byte:
      return static_cast<std::uint8_t>(value);
  }
  return 0;
}

void append_series(const ResultColumn& column, std::size_t component, PageType type, std::string& out) {
  const std::size_t rows = column.num_rows(), bytes = value_bytes(type), begin = out.size();
  out.resize(begin + rows * bytes);
  std::uint64_t last = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t bits = to_bits(column.values[row * column.width + component], type);
    const std::uint64_t change = bits ^ last;
    last = bits;
    for (std::size_t plane = 0; plane < bytes; ++plane)
      out[begin + plane * rows + row] = static_cast<char>((change >> (8 * plane)) & 0xff);
  }
}

std::string deflate_text(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  ABUT_REQUIRE(status == Z_OK, "zlib answered {} for {} bytes", status, bytes.size());
  out.resize(size);
  return out;
}

std::string to_base64(const std::string& bytes) {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : kLetters[(group >> (18 - 6 * k)) & 63u];
  }
  return out;
}

}  // namespace

double round_for_page(double value) {
  if (!std::isfinite(value)) return value;
  std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t half = std::uint64_t{1} << (kDroppedBits - 1);
  bits = (bits + half) & ~((std::uint64_t{1} << kDroppedBits) - 1);
  const double rounded = std::bit_cast<double>(bits);
  return std::isfinite(rounded) ? rounded : value;  // the very largest numbers would round up to infinity
}

PageType page_type(const ResultColumn& column) {
  if (column.name == "contact/sticking") return PageType::byte;
  if (column.is_integer) return PageType::integer;
  for (const char* drawn : {"body/orientation", "contact/point", "contact/normal"}) {
    if (column.name == drawn) return PageType::single;
  }
  return PageType::rounded_double;
}

PageChunk make_page_chunk(const std::vector<ResultColumn>& columns, bool deflates) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string bytes;
  for (const ResultColumn& column : columns) {
    const PageType type = page_type(column);
    list.push_back({{"name", column.name},
                    {"unit", column.unit},
                    {"width", column.width},
                    {"rows", column.num_rows()},
                    {"type", type_name(type)}});
    for (std::size_t i = 0; i < column.width; ++i) append_series(column, i, type, bytes);
  }
  return {list.dump(), to_base64(deflates ? deflate_text(bytes) : bytes), deflates};
}

std::string PageChunk::to_json() const {
  return fmt::format(R"({{"columns":{},"encoding":"{}","data":"{}"}})", columns_json, is_deflated ? "deflate" : "raw",
                     data);
}

}  // namespace abut
