#include "abut/measure/signal_search.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;

std::vector<double> make_times(double end, int n) {
  std::vector<double> times;
  for (int i = 0; i <= n; ++i) times.push_back(end * i / n);
  return times;
}

// A flat maximum is found to the square root of rounding, 1.5e-8, in time.
constexpr double kTimeOfMaximum = 1e-7;

TEST(SignalSearch, FindsTheLargestValueBetweenSamples) {
  const Extremum found = find_max([](double t) { return std::sin(t); }, make_times(3.0, 7));
  EXPECT_NEAR(found.time, kPi / 2, kTimeOfMaximum);
  EXPECT_NEAR(found.value, 1.0, 1e-15);
}

TEST(SignalSearch, TheEndsCountForTheLargestValue) {
  EXPECT_EQ(find_max([](double t) { return t; }, make_times(2.0, 5)).value, 2.0);
  EXPECT_EQ(find_max([](double t) { return -t; }, make_times(2.0, 5)).time, 0.0);
}

TEST(SignalSearch, CountsLocalMaximaFromOne) {
  const Signal wave = [](double t) { return std::sin(t); };
  const std::vector<double> times = make_times(20.0, 200);
  EXPECT_NEAR(find_peak(wave, times, 1)->time, kPi / 2, kTimeOfMaximum);
  EXPECT_NEAR(find_peak(wave, times, 3)->time, kPi / 2 + 4 * kPi, kTimeOfMaximum);
  EXPECT_FALSE(find_peak(wave, times, 4).has_value());
}

TEST(SignalSearch, FindsCornersToo) {
  const Signal corner = [](double t) { return 1.0 - std::abs(t - 0.7321); };
  // Sixty golden sections of an interval of 0.2 leave 6e-14.
  EXPECT_NEAR(find_peak(corner, make_times(2.0, 20), 1)->time, 0.7321, 1e-12);
}

TEST(SignalSearch, BisectsWhereTheSignalCrossesZero) {
  const Signal wave = [](double t) { return std::cos(t); };
  const std::vector<double> times = make_times(6.0, 31);
  EXPECT_EQ(find_first_positive(wave, times), 0.0);
  EXPECT_EQ(find_last_positive(wave, times), 6.0);
  const Signal falling = [](double t) { return std::cos(t / 2); };
  EXPECT_NEAR(*find_last_positive(falling, times), kPi, 1e-14);
  const Signal rising = [](double t) { return -std::cos(t / 2); };
  EXPECT_NEAR(*find_first_positive(rising, times), kPi, 1e-14);
}

TEST(SignalSearch, SaysWhenTheSignalIsNeverAboveZero) {
  const Signal below = [](double) { return 0.0; };
  EXPECT_FALSE(find_first_positive(below, make_times(1.0, 4)).has_value());
  EXPECT_FALSE(find_last_positive(below, make_times(1.0, 4)).has_value());
}

TEST(SignalSearch, MeanOfAStraightLineIsItsMiddleWhateverTheSamples) {
  EXPECT_NEAR(calc_mean([](double t) { return 3.0 * t; }, {1.0, 1.1, 2.5, 3.0}), 6.0, 1e-14);
}

}  // namespace
}  // namespace abut
