#include "abut/math/bracketed_root.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace abut {
namespace {

TEST(Bisect, EndsWhereNoNumberLiesBetween) {
  int looks = 0;
  const Bracket found = bisect({0.0, 2.0}, 1000, 0.0, [&](double x) { return ++looks, x * x < 2.0; });
  EXPECT_LT(found.low * found.low, 2.0);
  EXPECT_EQ(std::nextafter(found.low, 2.0), found.high);
  EXPECT_LE(looks, 54);
}

TEST(Bisect, EndsAfterItsTurnsOrWhenTheBracketIsNarrow) {
  int looks = 0;
  const auto is_low = [&](double x) { return ++looks, x < 0.3; };
  Bracket found = bisect({0.0, 1.0}, 5, 0.0, is_low);
  EXPECT_EQ(looks, 5);
  EXPECT_EQ(found.high - found.low, 1.0 / 32.0);
  EXPECT_TRUE(found.low < 0.3 && found.high >= 0.3);
  looks = 0;
  found = bisect({0.0, 1.0}, 100, 0.1, is_low);
  EXPECT_EQ(looks, 4);  // 1/16 is the first that is narrow enough
  EXPECT_EQ(found.high - found.low, 1.0 / 16.0);
}

NewtonLook look_at(double f, double slope, double x) {
  return {.is_low = f <= 0.0, .is_high = f >= 0.0, .next = x - f / slope};
}

const auto kIsSettled = [](double from, double to) { return std::abs(to - from) <= 4e-16 * std::abs(from) + 1e-16; };

TEST(NewtonInABracket, FindsRootsToRounding) {
  for (const double a : {0.01, 0.5, 2.0, 1e6}) {
    for (const BracketEnds ends : {BracketEnds::outside, BracketEnds::inside}) {
      int looks = 0;
      const auto look = [&](double x) { return ++looks, look_at(x * x - a, 2.0 * x, x); };
      const double root = find_root_by_newton({0.0, 1.0 + a}, 0.5 * (1.0 + a), ends, look, kIsSettled);
      EXPECT_NEAR(root, std::sqrt(a), 4e-16 * std::sqrt(a) + 1e-16);
      EXPECT_LE(looks, 70);
    }
  }
}

TEST(NewtonInABracket, BisectsWhereNewtonRunsAway) {
  // From 2 on, Newton's steps for the arc tangent alternate and grow.
  std::vector<double> places;
  const auto look = [&](double x) {
    places.push_back(x);
    return look_at(std::atan(x), 1.0 / (1.0 + x * x), x);
  };
  EXPECT_NEAR(find_root_by_newton({-3.0, 20.0}, 10.0, BracketEnds::inside, look, kIsSettled), 0.0, 1e-15);
  EXPECT_EQ(places[1], 0.5 * (-3.0 + 10.0));
  for (const double x : places) EXPECT_TRUE(x >= -3.0 && x <= 20.0);
}

TEST(NewtonInABracket, EndsThatCountTakeAStepOfNothing) {
  // At the root itself the step is zero and leads to an end of the bracket.
  int looks = 0;
  const auto look = [&](double x) { return ++looks, NewtonLook{.is_low = true, .is_high = false, .next = x}; };
  EXPECT_EQ(find_root_by_newton({0.0, 4.0}, 1.0, BracketEnds::inside, look, kIsSettled), 1.0);
  EXPECT_EQ(looks, 1);
  looks = 0;
  EXPECT_NE(find_root_by_newton({0.0, 4.0}, 1.0, BracketEnds::outside, look, kIsSettled), 1.0);
  EXPECT_GT(looks, 1);
}

TEST(Chord, RootsAreThoseOfTheLine) {
  const Chord chord{1.0, -2.0, 4.0, 1.0};
  EXPECT_DOUBLE_EQ(chord.root_from_first(), 3.0);
  EXPECT_DOUBLE_EQ(chord.root_from_second(), 3.0);
  EXPECT_DOUBLE_EQ(chord.root_between(), 3.0);
  EXPECT_EQ(chord.width(), 3.0);
}

/// Turns until x^9 = 0.5 is known to 1e-12, where plain false position keeps its upper end for hundreds of them.
template <class Take>
int count_turns(Take&& take) {
  const auto f = [](double x) { return std::pow(x, 9) - 0.5; };
  const double root = std::pow(0.5, 1.0 / 9.0);
  Chord chord{0.0, f(0.0), 2.0, f(2.0)};
  for (int turn = 1; turn < 2000; ++turn) {
    const double x = chord.root_from_second();
    if (std::abs(x - root) < 1e-12) return turn;
    take(chord, x, f(x));
  }
  return 2000;
}

TEST(Chord, HalvedValuesLetNeitherEndStay) {
  const int plain =
      count_turns([](Chord& c, double x, double f) { f < 0.0 ? c.move_first(x, f) : c.move_second(x, f); });
  const int pulled =
      count_turns([](Chord& c, double x, double f) { f < 0.0 ? c.pull_first(x, f) : c.pull_second(x, f); });
  const int followed = count_turns([](Chord& c, double x, double f) { c.follow(x, f); });
  EXPECT_GT(plain, 500);
  EXPECT_LT(pulled, 60);
  EXPECT_LT(followed, 40);
}

TEST(Chord, FollowsTheLastPlaceAndKeepsTheSignsApart) {
  Chord chord{0.0, -1.0, 1.0, 3.0};
  chord.follow(0.25, -0.5);  // the sign changes: the former last place becomes the first
  EXPECT_EQ(chord.x_0, 1.0);
  EXPECT_EQ(chord.f_0, 3.0);
  EXPECT_EQ(chord.x_1, 0.25);
  chord.follow(0.5, -0.25);  // it does not: the first stays, with half its value
  EXPECT_EQ(chord.x_0, 1.0);
  EXPECT_EQ(chord.f_0, 1.5);
  EXPECT_EQ(chord.f_1, -0.25);
}

/// Turns until a bracket of the change is narrower than 1e-12.
template <class Function>
int count_cuts(Function&& f) {
  double low = 0.0, high = 1.0, f_low = f(low), f_high = f(high);
  ProjectedCut cut(high - low);
  int turns = 0;
  for (; high - low > 1e-12 && turns < 200; ++turns) {
    const double x = 0.5 * (low + high) + cut.calc_offset(high - low, f_low, f_high);
    const double value = f(x);
    if ((value > 0.0) == (f_high > 0.0)) {
      high = x, f_high = value;
    } else {
      low = x, f_low = value;
    }
  }
  return turns;
}

TEST(ProjectedCut, IsFastWhereTheFunctionIsSmoothAndNeverSlowerThanBisectionAndOne) {
  constexpr int kBisection = 40;  // 2^-40 < 1e-12
  EXPECT_LT(count_cuts([](double x) { return std::exp(x) - 1.7; }), 20);
  EXPECT_LE(count_cuts([](double x) { return x < 0.3 ? -1.0 : 1e-6; }), kBisection + 1);
  EXPECT_LE(count_cuts([](double x) { return std::pow(x, 25) - 1e-9; }), kBisection + 1);
}

TEST(ProjectedCut, LooksAtTheMiddleWhereNoLineCrosses) {
  ProjectedCut cut(1.0);
  EXPECT_EQ(cut.calc_offset(1.0, 1.0, 2.0), 0.0);
  EXPECT_EQ(cut.calc_offset(0.5, 0.0, 2.0), 0.0);
}

TEST(CrossingFraction, IsThatOfTheLine) {
  EXPECT_EQ(calc_crossing_fraction(1.0, -3.0), 0.25);
  EXPECT_EQ(calc_crossing_fraction(0.0, -3.0), 0.0);
  EXPECT_EQ(calc_crossing_fraction(0.0, 0.0), 0.0);
}

// A parabola that is a millionth as high at the end next to its root as at the other: where secants creep.
TEST(QuadraticCut, FindsARootBesideALowEndInFewLooks) {
  for (const double root : {1e-3, 1e-2, 0.3, 0.999}) {
    const auto f = [root](double x) { return x * x - root * root; };
    QuadraticCut cut(0.0, f(0.0), 1.0, f(1.0));
    int looks = 0;
    while (cut.width() > 1e-9 && looks < 60) {
      const double value = f(cut.place());
      ++looks;
      if (value == 0.0) break;
      cut.take(value, 1e-9);
    }
    EXPECT_NEAR(cut.place(), root, 1e-9);
    EXPECT_LE(looks, 20) << root;
  }
}

}  // namespace
}  // namespace abut
