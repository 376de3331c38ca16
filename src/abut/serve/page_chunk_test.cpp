#include "abut/serve/page_chunk.hpp"

#include <cmath>
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

TEST(PageChunk, RoundsToTwentyEightBits) {
  for (const double value : {0.1, -1.0 / 3.0, 6.02e23, 1e-300, 123456.789}) {
    // Half a unit of the 28th bit.
    EXPECT_LE(std::abs(round_for_page(value) - value), std::ldexp(std::abs(value), -28)) << value;
    EXPECT_EQ(round_for_page(round_for_page(value)), round_for_page(value));
  }
  EXPECT_EQ(round_for_page(0.0), 0.0);
  EXPECT_EQ(round_for_page(-2.5), -2.5);
  EXPECT_TRUE(std::isnan(round_for_page(NAN)));
  EXPECT_EQ(round_for_page(HUGE_VAL), HUGE_VAL);
  EXPECT_TRUE(std::isfinite(round_for_page(std::numeric_limits<double>::max())));
}

TEST(PageChunk, ChoosesTypesByName) {
  EXPECT_EQ(page_type(make_column("body/position", 3, {}, false)), PageType::number);
  EXPECT_EQ(page_type(make_column("contact/point", 3, {}, false)), PageType::drawn);
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
  // 32,000 bytes as doubles; most of what a straight line leaves fits two bytes, and deflates further.
  EXPECT_LT(make_page_chunk({column}, true).data.size(), 9000u);
}

TEST(PageChunk, IsValidJson) {
  const auto json = nlohmann::json::parse(make_page_chunk({make_column("time", 1, {0, 1}, false)}, false).to_json());
  EXPECT_EQ(json["encoding"], "raw");
  EXPECT_EQ(json["columns"][0]["name"], "time");
}

}  // namespace
}  // namespace abut
