#include "abut/serve/page_chunk.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace abut {
namespace {

std::vector<unsigned char> from_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(letters.find(c));
    count += 6;
    if (count >= 8) bytes.push_back(static_cast<unsigned char>(bits >> (count -= 8)));
  }
  return bytes;
}

ResultColumn make_column(const std::string& name, std::size_t width, std::vector<double> values, bool is_integer) {
  return {name, "m", width, is_integer, std::move(values)};
}

TEST(PageChunk, RoundsToTheBytesItKeeps) {
  for (int bytes = kFewestBytes; bytes <= kExactBytes; ++bytes) {
    // Sign and exponent take 12 bits; half a unit of the last bit that is left.
    const int mantissa_bits = 8 * bytes - 12;
    for (const double value : {0.1, -1.0 / 3.0, 6.02e23, 1e-300, 123456.789}) {
      const double rounded = round_for_page(value, bytes);
      EXPECT_LE(std::abs(rounded - value), std::ldexp(std::abs(value), -mantissa_bits - (bytes == 8 ? 60 : 0)))
          << value;
      EXPECT_EQ(round_for_page(rounded, bytes), rounded);
    }
    EXPECT_EQ(round_for_page(0.0, bytes), 0.0);
    EXPECT_EQ(round_for_page(-2.5, bytes), -2.5);
    EXPECT_TRUE(std::isnan(round_for_page(NAN, bytes)));
    EXPECT_EQ(round_for_page(HUGE_VAL, bytes), HUGE_VAL);
    EXPECT_TRUE(std::isfinite(round_for_page(std::numeric_limits<double>::max(), bytes)));
  }
}

TEST(PageChunk, NumbersAreExactUnlessThereAreTooMany) {
  ResultColumn column = make_column("body/position", 1, {}, false);
  for (int i = 0; i < 3000; ++i) column.values.push_back(std::sin(1e4 * std::sqrt(2.0 + i)));  // noise
  const std::size_t exact = make_page_chunk({column}, true).data.size();
  EXPECT_EQ(make_fitting_chunk({column}, exact).number_bytes, kExactBytes);
  const PageChunk shorter = make_fitting_chunk({column}, exact - 1);
  EXPECT_EQ(shorter.number_bytes, kExactBytes - 1);
  EXPECT_NE(shorter.columns_json.find("\"r56\""), std::string::npos);
  for (const std::size_t limit : {exact * 9 / 10, exact * 3 / 4})
    EXPECT_LE(make_fitting_chunk({column}, limit).data.size(), limit);
  EXPECT_EQ(make_fitting_chunk({column}, 0).number_bytes, kFewestBytes);
}

TEST(PageChunk, KeepsEveryBitOfANumber) {
  const PageChunk chunk = make_page_chunk({make_column("time", 1, {0.1}, false)}, false);
  const std::vector<unsigned char> bytes = from_base64(chunk.data);
  ASSERT_EQ(bytes.size(), 9u);
  std::uint64_t rest = 0;
  for (std::size_t i = 8; i-- > 0;) rest = rest << 8 | bytes[1 + i];
  EXPECT_EQ(std::bit_cast<double>(rest / 2), 0.1);  // an even number: twice the code
}

TEST(PageChunk, ChoosesTypesByName) {
  EXPECT_EQ(page_type(make_column("body/position", 3, {}, false)), PageType::number);
  EXPECT_EQ(page_type(make_column("contact/normal", 3, {}, false)), PageType::drawn);
  EXPECT_EQ(page_type(make_column("curve/segment", 6, {}, false)), PageType::single);
  EXPECT_EQ(page_type(make_column("contact/patch", 1, {}, true)), PageType::integer);
  EXPECT_EQ(page_type(make_column("contact/sticking", 1, {}, true)), PageType::byte);
}

TEST(PageChunk, LaysOutPlanesOfWhatThePredictorLeaves) {
  // 5, 7, 9, 11: a straight line leaves only its first value and slope, coded as twice the difference.
  const PageChunk chunk = make_page_chunk({make_column("contact/patch", 1, {5, 7, 9, 11}, true)}, false);
  const std::vector<unsigned char> expected = {2, 10, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(from_base64(chunk.data), expected);
  const auto columns = nlohmann::json::parse(chunk.columns_json);
  EXPECT_EQ(columns[0]["type"], "i32");
  EXPECT_EQ(columns[0]["rows"], 4);
}

TEST(PageChunk, CodesNegativeDifferences) {
  const PageChunk chunk = make_page_chunk({make_column("contact/sticking", 1, {1, 0, 1, 1}, true)}, false);
  // "The same again" leaves the fewest bits: 1, -1, 1, 0 as 2, 1, 2, 0.
  EXPECT_EQ(from_base64(chunk.data), (std::vector<unsigned char>{1, 2, 1, 2, 0}));
  const PageChunk falling = make_page_chunk({make_column("contact/patch", 1, {3, 2, 2, 2}, true)}, false);
  EXPECT_EQ(from_base64(falling.data)[1], 6);
  EXPECT_EQ(from_base64(falling.data)[2], 1);  // -1
}

TEST(PageChunk, PutsComponentsOneAfterTheOther) {
  const PageChunk chunk = make_page_chunk({make_column("contact/sticking", 2, {1, 4, 2, 4}, true)}, false);
  const std::vector<unsigned char> bytes = from_base64(chunk.data);
  ASSERT_EQ(bytes.size(), 6u);
  EXPECT_EQ(bytes[1], 2);
  EXPECT_EQ(bytes[4], 8);
}

TEST(PageChunk, RowsOfOneContactAreCodedTogether) {
  // Two contacts that alternate: by contact both are straight lines, row by row they jump.
  const PageChunk chunk = make_page_chunk({make_column("contact/body_a", 1, {0, 1, 0, 1, 0, 1}, true),
                                           make_column("contact/body_b", 1, {2, 2, 2, 2, 2, 2}, true),
                                           make_column("contact/patch", 1, {0, 0, 0, 0, 0, 0}, true),
                                           make_column("contact/row_start", 1, {0, 2, 4, 6}, true),
                                           make_column("contact/age", 1, {1, 50, 2, 51, 3, 52}, true)},
                                          false);
  const std::vector<unsigned char> bytes = from_base64(chunk.data);
  // The last series: order 2, then the lowest bytes for 1, 2, 3, 50, 51, 52 on a straight line.
  const std::size_t begin = bytes.size() - 25;
  EXPECT_EQ(std::vector<unsigned char>(bytes.begin() + static_cast<long>(begin),
                                       bytes.begin() + static_cast<long>(begin) + 7),
            (std::vector<unsigned char>{1, 2, 2, 2, 94, 2, 2}));
}

TEST(PageChunk, SmoothSeriesShrink) {
  ResultColumn column = make_column("body/position", 1, {}, false);
  for (int i = 0; i < 4000; ++i) column.values.push_back(1.0 + 1e-3 * std::sin(1e-3 * i));
  // 32,000 bytes as doubles. Of 28 bits of mantissa most of what a straight line leaves fits two bytes, and deflates
  // further.
  EXPECT_LT(make_page_chunk({column}, true, kFewestBytes).data.size(), 9000u);
  EXPECT_LT(make_page_chunk({column}, true).data.size(), 32000u);
}

TEST(PageChunk, IsValidJson) {
  const auto json = nlohmann::json::parse(make_page_chunk({make_column("time", 1, {0, 1}, false)}, false).to_json());
  EXPECT_EQ(json["encoding"], "raw");
  EXPECT_EQ(json["columns"][0]["name"], "time");
  EXPECT_EQ(json["columns"][0]["type"], "r64");
}

}  // namespace
}  // namespace abut
