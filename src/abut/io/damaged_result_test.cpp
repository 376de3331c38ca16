#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/io/detail/h5_file.hpp"
#include "abut/io/hdf5_recorder.hpp"
#include "abut/io/record_fixture_test.hpp"
#include "abut/io/result_file.hpp"

namespace abut {
namespace {

/// How many files: a hundred, or what ABUT_DAMAGED_FILES says (./check damage: ten thousand).
int count_files() {
  const char* text = std::getenv("ABUT_DAMAGED_FILES");
  return text == nullptr ? 100 : std::atoi(text);
}

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

/// Right again, so that what lies behind a sum is read: of headers, and of the first bytes.
void mend_sums(std::string& bytes) {
  const auto put = [&bytes](std::size_t at, std::uint32_t sum) { std::memcpy(bytes.data() + at, &sum, sizeof sum); };
  if (bytes.size() >= 48) put(44, calc_header_sum(std::string_view(bytes).substr(0, 44)));
  for (std::size_t at = 0; (at = bytes.find("OHDR", at)) != std::string::npos; at += 4) {
    std::uint32_t size = 0;
    if (at + 10 > bytes.size()) break;
    std::memcpy(&size, bytes.data() + at + 6, sizeof size);
    if (size > bytes.size() || at + 10 + size + 4 > bytes.size()) continue;
    put(at + 10 + size, calc_header_sum(std::string_view(bytes).substr(at, 10 + size)));
  }
}

/// Read, or refused in words that name the file.
bool is_answered(const std::string& path) {
  try {
    const ResultFile file = read_result_file(path);
    const ResultColumn *start = file.find("contact/row_start"), *depth = file.find("contact/depth");
    const bool has_both = start != nullptr && depth != nullptr;
    EXPECT_TRUE(!has_both || start->values.back() <= static_cast<double>(depth->num_rows()));
    return true;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    EXPECT_LT(std::string(error.what()).size(), 1000u) << error.what();
  } catch (const SystemError& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
  }
  return false;
}

class DamagedResult : public testing::Test {
 protected:
  DamagedResult() : folder_(testing::TempDir() + "abut_damaged") {
    Hdf5Recorder recorder(folder_ / "whole.h5");
    recorder.begin(make_test_layout());
    for (int i = 0; i < 7; ++i) recorder.sample(make_test_sample(i));
    recorder.event({0.25, ContactEventKind::stick, 0, 1, 3, -0.5});
    recorder.finish("{\"steps\": 7}");
    whole_ = read_bytes(folder_ / "whole.h5");
  }
  std::size_t place(std::size_t size) { return std::uniform_int_distribution<std::size_t>(0, size - 1)(random_); }
  bool answer(const std::string& bytes) {
    write_bytes(folder_ / "r.h5", bytes);
    return is_answered(folder_ / "r.h5");
  }

  const TestFolder folder_;
  std::string whole_;
  std::mt19937_64 random_{7};
};

TEST_F(DamagedResult, IsAnsweredWhereverBitsFlip) {
  int num_read = 0;
  for (int i = 0; i < count_files(); ++i) {
    std::string bytes = whole_;
    const int flips = 1 << (i % 4);
    for (int k = 0; k < flips; ++k) bytes[place(bytes.size())] ^= static_cast<char>(1 << place(8));
    num_read += answer(bytes) ? 1 : 0;
  }
  // Bits of what is not in use do no harm.
  EXPECT_LT(num_read, count_files());
}

TEST_F(DamagedResult, IsAnsweredWhereSumsAgree) {
  for (int i = 0; i < count_files(); ++i) {
    std::string bytes = whole_;
    for (int k = 0; k < 1 + i % 3; ++k) {
      const std::size_t at = place(bytes.size() - 8);
      const std::uint64_t lies[] = {0,  1,   ~std::uint64_t{0}, std::uint64_t{1} << 60, std::uint64_t{1} << 31,
                                    at, 255, random_()};
      std::memcpy(bytes.data() + at, &lies[place(8)], std::size_t{1} << place(4));
    }
    mend_sums(bytes);
    answer(bytes);
  }
}

TEST_F(DamagedResult, IsAnsweredWhereverItEnds) {
  for (int i = 0; i < count_files(); ++i) answer(whole_.substr(0, place(whole_.size())));
  EXPECT_TRUE(answer(whole_));
}

TEST_F(DamagedResult, ABitOfAValueIsNoticed) {
  const double value = make_test_sample(3).bodies[0].position.y();
  const std::size_t at = whole_.find(std::string(reinterpret_cast<const char*>(&value), sizeof value));
  ASSERT_NE(at, std::string::npos);
  std::string bytes = whole_;
  bytes[at] ^= 1;
  EXPECT_FALSE(answer(bytes));
}

/// A record that is whole and lies: what each dataset holds is what its sum says.
struct Lie {
  const char* dataset;
  std::vector<std::uint64_t> shape;  ///< of a row
  std::vector<double> values;
  const char* words;
};

TEST_F(DamagedResult, ALieIsNamed) {
  const Lie lies[] = {
      {"contact/row_start", {}, {0, -1, 1}, "/contact/row_start: its entry 1 is -1"},
      {"contact/row_start", {}, {0, 2, 1}, "/contact/row_start: its entry 2 is 1"},
      {"contact/row_start", {}, {0, 0.5, 1}, "/contact/row_start: its entry 1 is 0.5"},
      {"contact/row_start", {}, {0, NAN, 1}, "/contact/row_start: its entry 1 is nan"},
      {"contact/row_start", {2}, {0, 1, 1, 1}, "/contact/row_start: has 2 numbers in a row"},
      {"contact/body_a", {}, {2}, "/contact/body_a: names body 2, and there are 2"},
      {"contact/body_b", {}, {-1}, "/contact/body_b: names body -1"},
      {"contact/force", {0}, {}, "/contact/force: has 0 numbers in a row, not 3"},
      {"body/position", {2, 2}, {0, 0, 0, 0, 0, 0, 0, 0}, "/body/position: has 4 numbers in a row, not 6"},
      {"time", {}, {1, 0}, "/time: 0 s follows 1 s"},
      {"time", {}, {0, INFINITY}, "/time: inf s follows 0 s"},
      {"joint/q_start", {}, {0, 0}, "/joint/q_start: 2 entries for 0 joints"},
      {"event/body_a", {}, {7}, "/event/body_a: names body 7"},
  };
  for (const Lie& lie : lies) {
    SCOPED_TRACE(lie.words);
    {
      H5File file(folder_ / "lie.h5");
      for (const char* group : {"body", "joint", "contact", "event"}) file.make_group(group);
      file.add_texts("body/name", {"a", "b"}, "name");
      file.add_texts("joint/name", {}, "name");
      const Lie truths[] = {{"time", {}, {0, 1}, ""},
                            {"body/position", {2, 3}, std::vector<double>(12, 0.0), ""},
                            {"body/orientation", {2, 4}, std::vector<double>(16, 0.5), ""},
                            {"contact/row_start", {}, {0, 1, 1}, ""},
                            {"contact/body_a", {}, {0}, ""},
                            {"contact/body_b", {}, {1}, ""},
                            {"contact/force", {3}, {0, 0, 1}, ""},
                            {"joint/q_start", {}, {}, ""},
                            {"event/body_a", {}, {0}, ""}};
      for (const Lie& truth : truths) {
        const Lie& chosen = std::string(truth.dataset) == lie.dataset ? lie : truth;
        file.add_column(chosen.dataset, H5Type::float64, chosen.shape, "1").push(chosen.values);
      }
      file.commit();
      file.store().put_in_place();
    }
    try {
      read_result_file(folder_ / "lie.h5");
      ADD_FAILURE() << "it is read";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(lie.words), std::string::npos) << error.what();
    }
  }
}

TEST_F(DamagedResult, ABrokenSummaryIsLeftOut) {
  Hdf5Recorder recorder(folder_ / "r.h5");
  recorder.begin(make_test_layout());
  recorder.sample(make_test_sample(0));
  recorder.finish("{\"steps\": ");
  const ResultFile file = read_result_file(folder_ / "r.h5");
  EXPECT_EQ(file.summary_json, "");
  ASSERT_EQ(file.warnings.size(), 1u);
}

}  // namespace
}  // namespace abut
