#include "abut/math/union_find.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "abut/math/test_random.hpp"

namespace abut {
namespace {

/// Random pairs of n numbers, too few to join them all.
std::vector<std::pair<int, int>> make_pairs(int n, testing::Random& random) {
  std::vector<std::pair<int, int>> pairs;
  const auto pick = [&] { return std::min(n - 1, static_cast<int>(random.uniform(0.0, n))); };
  for (int k = 0; k < n / 2; ++k) pairs.emplace_back(pick(), pick());
  return pairs;
}

/// Names of sets by going through all pairs until nothing changes: the least member names a set.
std::vector<int> name_slowly(int n, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<int> names(n);
  for (int i = 0; i < n; ++i) names[i] = i;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (const auto& [i, j] : pairs) {
      const int least = std::min(names[i], names[j]);
      has_changed |= names[i] != least || names[j] != least;
      names[i] = names[j] = least;
    }
  }
  return names;
}

TEST(UnionFind, NamesSetsByTheirLeastMemberInAnyOrder) {
  testing::Random random(3);
  for (const int n : {1, 2, 7, 300}) {
    std::vector<std::pair<int, int>> pairs = make_pairs(n, random);
    const std::vector<int> names = name_slowly(n, pairs);
    for (int turn = 0; turn < 2; ++turn) {
      UnionFind sets(n);
      for (const auto& [i, j] : pairs) {
        const int name = sets.join(i, j);
        EXPECT_EQ(name, sets.find(i));
        EXPECT_EQ(name, sets.find(j));
      }
      for (int i = 0; i < n; ++i) EXPECT_EQ(sets.find(i), names[i]);
      std::reverse(pairs.begin(), pairs.end());
    }
  }
}

TEST(UnionFind, JoinsIntoTheNameOfTheOther) {
  UnionFind sets(4);
  sets.join_into(0, 2);
  EXPECT_EQ(sets.find(0), 2);
  sets.join_into(2, 3);
  EXPECT_EQ(sets.find(0), 3);
  sets.join_into(3, 0);  // already one
  EXPECT_EQ(sets.find(2), 3);
  EXPECT_EQ(sets.find(1), 1);
}

TEST(UnionFind, GrowsAndBeginsAnew) {
  UnionFind sets;
  EXPECT_EQ(sets.add(), 0);
  EXPECT_EQ(sets.add(), 1);
  sets.join(0, 1);
  EXPECT_EQ(sets.add(), 2);
  EXPECT_EQ(sets.find(1), 0);
  EXPECT_EQ(sets.find(2), 2);
  sets.reset(2);
  EXPECT_EQ(sets.size(), 2);
  EXPECT_EQ(sets.find(1), 1);
}

}  // namespace
}  // namespace abut
