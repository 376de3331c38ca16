#include "abut/io/series_file.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/math/types.hpp"

namespace abut {
namespace {

std::string message_of(const std::string& text) {
  try {
    parse_series(text, "log.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SeriesFile, ReadsNamesUnitsAndNumbers) {
  const Series series = parse_series("# of Tuesday\ntime [s]; x [m]; y\n0;1e-3;-2\n0.5;+2e-3;4\r\n", "log.csv");
  EXPECT_EQ(series.names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(series.time, (std::vector<double>{0.0, 0.5}));
  EXPECT_EQ(series.columns[0], (std::vector<double>{1e-3, 2e-3}));
  EXPECT_EQ(series.columns[1], (std::vector<double>{-2.0, 4.0}));
}

TEST(SeriesFile, SaysWhereItIsWrong) {
  EXPECT_EQ(message_of("time,x\n0,1\n0,2\n"), "log.csv:3: times must increase: 0 follows 0");
  EXPECT_EQ(message_of("time,x\n0,1\n1,abc\n"), "log.csv:3: 'abc' is no finite number");
  EXPECT_EQ(message_of("time,x\n0,1\n1\n"), "log.csv:3: 1 numbers for 2 columns");
  EXPECT_EQ(message_of("0,1\n1,2\n"), "log.csv:1: the first line has to name the columns, time first");
  EXPECT_EQ(message_of("time,x\n"), "log.csv:1: it has no line of numbers");
}

/// Two turns about a tilted axis: neither vector nor angles jump, and both give the rotation back.
TEST(SeriesFile, RotationsGoOnWithoutJumps) {
  const Vec3 axis = Vec3(0.3, 0.2, 1.0).normalized();
  std::string text = "t,qw,qx,qy,qz\n";
  for (int k = 0; k <= 200; ++k) {
    Quat q(Eigen::AngleAxisd(4.0 * M_PI * k / 200.0, axis));
    if (k % 3 == 0) q.coeffs() = -q.coeffs();  // the same rotation
    text += fmt::format("{},{},{},{},{}\n", 0.01 * k, q.w(), q.x(), q.y(), q.z());
  }
  const Series series = parse_series(text, "log.csv");
  ASSERT_EQ(series.names.size(), 10u);
  for (std::size_t k = 0; k <= 200; ++k) {
    const Vec3 r(series.columns[4][k], series.columns[5][k], series.columns[6][k]);
    const Vec3 a(series.columns[7][k], series.columns[8][k], series.columns[9][k]);
    EXPECT_LT((r - 4.0 * M_PI * static_cast<double>(k) / 200.0 * axis).norm(), 1e-6) << k;
    const Mat3 by_turns = (Eigen::AngleAxisd(a.x(), Vec3::UnitX()) * Eigen::AngleAxisd(a.y(), Vec3::UnitY()) *
                           Eigen::AngleAxisd(a.z(), Vec3::UnitZ()))
                              .toRotationMatrix();
    const Mat3 exact = Eigen::AngleAxisd(4.0 * M_PI * static_cast<double>(k) / 200.0, axis).toRotationMatrix();
    EXPECT_LT((by_turns - exact).norm(), 1e-6) << k;
    if (k == 0) continue;
    for (std::size_t i = 7; i < 10; ++i) EXPECT_LT(std::abs(series.columns[i][k] - series.columns[i][k - 1]), 0.2) << k;
  }
}

}  // namespace
}  // namespace abut
