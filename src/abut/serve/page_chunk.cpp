#include "abut/serve/page_chunk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

constexpr std::size_t kLongData = 20'000'000;  // beyond this the last percent is not worth minutes [bytes]
constexpr int kDroppedOfFloat = 8;             // bits of a float, which leaves 24

/// A PageType with the size of its numbers.
struct Coding {
  PageType type;
  int number_bytes;

  int num_bytes() const {
    constexpr std::array<int, 5> kBytes{0, 4, 3, 4, 1};
    return type == PageType::number ? number_bytes : kBytes[static_cast<std::size_t>(type)];
  }
  std::string name() const {
    constexpr std::array<const char*, 5> kNames{"", "r32", "r24", "i32", "u8"};
    return type == PageType::number ? fmt::format("r{}", 8 * number_bytes) : kNames[static_cast<std::size_t>(type)];
  }
};

/// Rounds to the nearest multiple of 2^dropped of the bit pattern; a number that would round to infinity stays.
template <class Bits>
Bits round_bits(Bits bits, int dropped, Bits infinity) {
  const Bits half = Bits{1} << (dropped - 1), mask = ~((Bits{1} << dropped) - 1);
  const Bits rounded = (bits + half) & mask;
  const Bits magnitude = ~(Bits{1} << (8 * sizeof(Bits) - 1));
  const bool was_finite = (bits & magnitude) < infinity;
  return was_finite && (rounded & magnitude) >= infinity ? bits & mask : rounded;
}

/// The value as an unsigned number of 8 num_bytes bits whose differences are small where the series is smooth.
std::uint64_t to_code(double value, Coding coding) {
  switch (coding.type) {
    case PageType::number:
      return std::bit_cast<std::uint64_t>(round_for_page(value, coding.number_bytes)) >> (64 - 8 * coding.number_bytes);
    case PageType::single:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case PageType::drawn: {
      constexpr std::uint32_t kInfinity = 0x7f800000u;
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
      return (std::isnan(value) ? 0x7fc00000u : round_bits(bits, kDroppedOfFloat, kInfinity)) >> kDroppedOfFloat;
    }
    case PageType::integer:
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
    case PageType::byte:
      return static_cast<std::uint8_t>(value);
  }
  return 0;
}

/// Codes modulo 2^bits, predicted from the rows before: 0 nothing, 1 the same again, 2 on a straight line.
class Predictor {
 public:
  Predictor(int order, int bits) : order_(order), mask_(~std::uint64_t{0} >> (64 - bits)), sign_((mask_ >> 1) + 1) {}

  /// What is left of a code, small for a good prediction: 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
  std::uint64_t encode(std::uint64_t code) {
    const std::uint64_t guess = order_ == 0 ? 0 : order_ == 1 ? last_ : 2 * last_ - before_;
    const std::uint64_t rest = (code - guess) & mask_;
    before_ = num_rows_++ == 0 ? code : last_;
    last_ = code;
    return (rest & sign_) != 0 ? 2 * (mask_ - rest) + 1 : 2 * rest;
  }

 private:
  int order_;
  std::uint64_t mask_, sign_;
  std::uint64_t last_ = 0, before_ = 0;
  long num_rows_ = 0;
};

const ResultColumn* find_column(const std::vector<ResultColumn>& columns, const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&name](const auto& c) { return c.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

/// Columns by which a contact is recognised; they are coded in the order of the record.
constexpr std::array<const char*, 4> kContactKeys{"contact/row_start", "contact/body_a", "contact/body_b",
                                                  "contact/patch"};

bool is_reordered(const std::string& name) {
  return name.rfind("contact/", 0) == 0 &&
         std::find(kContactKeys.begin(), kContactKeys.end(), name) == kContactKeys.end();
}

/// Rows of /contact with those of one contact (two bodies and a patch) together, otherwise in their order: what one
/// contact does is smooth, what the next one does has nothing to do with it.
std::vector<std::size_t> order_contact_rows(const std::vector<ResultColumn>& columns) {
  const ResultColumn *a = find_column(columns, "contact/body_a"), *b = find_column(columns, "contact/body_b");
  const ResultColumn* patch = find_column(columns, "contact/patch");
  if (a == nullptr || b == nullptr || patch == nullptr) return {};
  std::vector<std::size_t> order(a->num_rows());
  for (std::size_t row = 0; row < order.size(); ++row) order[row] = row;
  const auto key = [&](std::size_t row) { return std::array{a->values[row], b->values[row], patch->values[row]}; };
  std::stable_sort(order.begin(), order.end(), [&key](std::size_t x, std::size_t y) { return key(x) < key(y); });
  return order;
}

/// order: empty for the order of the record.
std::vector<std::uint64_t> make_codes(const ResultColumn& column, std::size_t component, Coding coding,
                                      const std::vector<std::size_t>& order) {
  std::vector<std::uint64_t> codes(column.num_rows());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::size_t row = order.empty() ? i : order[i];
    codes[i] = to_code(column.values[row * column.width + component], coding);
  }
  return codes;
}

/// The order that leaves the fewest bits.
int choose_order(const std::vector<std::uint64_t>& codes, int bits) {
  std::array<std::uint64_t, 3> cost{};
  for (int order = 0; order < 3; ++order) {
    Predictor predictor(order, bits);
    for (const std::uint64_t code : codes)
      cost[static_cast<std::size_t>(order)] += static_cast<std::uint64_t>(std::bit_width(predictor.encode(code)));
  }
  return static_cast<int>(std::min_element(cost.begin(), cost.end()) - cost.begin());
}

void append_series(const std::vector<std::uint64_t>& codes, Coding coding, std::string& out) {
  const auto num_bytes = static_cast<std::size_t>(coding.num_bytes());
  const int bits = 8 * coding.num_bytes();
  const int order = choose_order(codes, bits);
  out += static_cast<char>(order);
  const std::size_t begin = out.size();
  out.resize(begin + codes.size() * num_bytes);
  Predictor predictor(order, bits);
  for (std::size_t row = 0; row < codes.size(); ++row) {
    const std::uint64_t rest = predictor.encode(codes[row]);
    for (std::size_t plane = 0; plane < num_bytes; ++plane)
      out[begin + plane * codes.size() + row] = static_cast<char>((rest >> (8 * plane)) & 0xff);
  }
}

std::string deflate_text(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()),
                               bytes.size() < kLongData ? Z_BEST_COMPRESSION : Z_DEFAULT_COMPRESSION);
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
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : kLetters[(group >> (18 - 6 * k)) & 63u];
  }
  return out;
}

}  // namespace

double round_for_page(double value, int number_bytes) {
  constexpr std::uint64_t kInfinity = 0x7ff0000000000000u;
  if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
  if (number_bytes == kExactBytes) return value;
  return std::bit_cast<double>(round_bits(std::bit_cast<std::uint64_t>(value), 64 - 8 * number_bytes, kInfinity));
}

PageType page_type(const ResultColumn& column) {
  constexpr std::string_view kContact = "contact/";
  const bool is_contact = column.name.rfind(kContact, 0) == 0;
  const ContactColumn* known =
      is_contact ? find_contact_column(std::string_view(column.name).substr(kContact.size())) : nullptr;
  if (known != nullptr && known->type == ColumnType::flag) return PageType::byte;
  if (column.is_integer) return PageType::integer;
  if (column.name == "curve/segment") return PageType::single;
  if (known != nullptr && known->is_drawn) return PageType::drawn;
  return PageType::number;
}

PageChunk make_page_chunk(const std::vector<ResultColumn>& columns, bool deflates, int number_bytes) {
  ABUT_REQUIRE(number_bytes >= kFewestBytes && number_bytes <= kExactBytes, "numbers of {} bytes", number_bytes);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const std::vector<std::size_t> order = order_contact_rows(columns), as_recorded;
  std::string bytes;
  for (const ResultColumn& column : columns) {
    const Coding coding{page_type(column), number_bytes};
    list.push_back({{"name", column.name},
                    {"unit", column.unit},
                    {"width", column.width},
                    {"rows", column.num_rows()},
                    {"type", coding.name()}});
    const std::vector<std::size_t>& rows = is_reordered(column.name) ? order : as_recorded;
    for (std::size_t i = 0; i < column.width; ++i) append_series(make_codes(column, i, coding, rows), coding, bytes);
  }
  return {list.dump(), to_base64(deflates ? deflate_text(bytes) : bytes), deflates, number_bytes};
}

PageChunk make_fitting_chunk(const std::vector<ResultColumn>& columns, std::size_t most_size) {
  double num_numbers = 0.0;
  for (const ResultColumn& column : columns) {
    if (page_type(column) == PageType::number) num_numbers += static_cast<double>(column.values.size());
  }
  // The last bytes of a number are noise that does not deflate: each takes four letters of base64 for three. Of the
  // first ones deflate rarely leaves less than one.
  const double letters = num_numbers * 4.0 / 3.0, limit = static_cast<double>(most_size);
  int bytes = kExactBytes;
  if (letters * (kExactBytes - kFewestBytes + 1) > 4.0 * limit) bytes = kFewestBytes;
  PageChunk chunk = make_page_chunk(columns, true, bytes);
  if (chunk.data.size() <= most_size || bytes == kFewestBytes) return chunk;
  const double dropped = std::ceil((static_cast<double>(chunk.data.size()) - limit) / std::max(1.0, letters));
  bytes -= static_cast<int>(std::min(dropped, double{kExactBytes - kFewestBytes}));
  for (; bytes >= kFewestBytes; --bytes) {
    chunk = make_page_chunk(columns, true, bytes);
    if (chunk.data.size() <= most_size) break;
  }
  return chunk;
}

std::string PageChunk::to_json() const {
  return fmt::format(R"({{"columns":{},"encoding":"{}","data":"{}"}})", columns_json, is_deflated ? "deflate" : "raw",
                     data);
}

}  // namespace abut
