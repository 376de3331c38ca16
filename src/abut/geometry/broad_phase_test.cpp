#include "abut/geometry/broad_phase.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::Random;
using Pairs = BroadPhase::Pairs;

struct Boxes {
  std::vector<Aabb> boxes;
  std::vector<unsigned char> is_static;

  void add(const Vec3& lower, const Vec3& size, bool fixed = false) {
    boxes.push_back({lower, lower + size});
    is_static.push_back(fixed ? 1 : 0);
  }
};

bool is_empty(const Aabb& box) { return (box.lower.array() > box.upper.array()).any(); }

Pairs find_by_brute_force(const Boxes& set) {
  Pairs pairs;
  for (std::size_t i = 0; i < set.boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < set.boxes.size(); ++j) {
      if (is_empty(set.boxes[i]) || is_empty(set.boxes[j]) || (set.is_static[i] && set.is_static[j])) continue;
      if (is_overlapping(set.boxes[i], set.boxes[j])) pairs.emplace_back(int(i), int(j));
    }
  }
  return pairs;
}

void expect_matches_brute_force(const Boxes& set, std::size_t at_least) {
  BroadPhase broad_phase;
  Pairs pairs;
  broad_phase.find_pairs(set.boxes, set.is_static, pairs);
  EXPECT_EQ(pairs, find_by_brute_force(set));
  EXPECT_GE(pairs.size(), at_least);  // otherwise the comparison proves nothing
}

TEST(BroadPhase, FindsAllPairsOfSimilarBoxes) {
  Random random(1);
  Boxes set;
  for (int i = 0; i < 1500; ++i) set.add(random.vector(1.0), 0.1 * (random.vector(0.5) + Vec3::Ones()), i % 7 == 0);
  expect_matches_brute_force(set, 1000);
}

TEST(BroadPhase, FindsAllPairsOverManySizes) {
  Random random(2);
  Boxes set;
  for (int i = 0; i < 1500; ++i) {
    const double scale = std::pow(10.0, random.uniform(-5.0, 0.5));
    set.add(random.vector(1.0), scale * (random.vector(0.5) + Vec3::Constant(0.6)), i % 5 == 0);
  }
  expect_matches_brute_force(set, 1000);
}

TEST(BroadPhase, FindsPairsFarFromTheOrigin) {
  Random random(3);
  for (double far : {1e3, 1e8, 1e15, 1e300}) {
    Boxes set;
    for (int i = 0; i < 400; ++i) {
      const Vec3 lower = Vec3(far, -far, 0.5 * far) + random.vector(1.0);
      set.add(lower, 0.2 * (random.vector(0.5) + Vec3::Ones()));
    }
    set.add(Vec3::Zero(), Vec3::Ones());
    expect_matches_brute_force(set, 100);
  }
}

/// Touching faces on exact cell borders, points, sheets, lines, and boxes whose size is a power of two.
TEST(BroadPhase, FindsDegenerateAndTouchingBoxes) {
  Boxes set;
  for (int x = -3; x < 3; ++x) {
    for (int y = -3; y < 3; ++y) {
      for (int z = -3; z < 3; ++z) {
        set.add(Vec3(x, y, z), Vec3::Ones());
        set.add(Vec3(x, y, z), Vec3::Zero());
        set.add(Vec3(x, y, z), Vec3(1, 0, 0));
        set.add(Vec3(x, y, z) + Vec3::Constant(0.5), Vec3(0.5, 0.5, 0));
      }
    }
  }
  expect_matches_brute_force(set, 3000);
}

TEST(BroadPhase, HoldsUnboundedBoxesAgainstAll) {
  Random random(4);
  Boxes set;
  for (int i = 0; i < 50; ++i) set.add(random.vector(1.0), Vec3::Constant(0.3));
  set.boxes[10] = {Vec3::Constant(-kInfiniteLength), Vec3::Constant(kInfiniteLength)};
  set.boxes[20] = {Vec3::Constant(-kInfiniteLength), Vec3(kInfiniteLength, kInfiniteLength, 0.0)};
  set.boxes[30] = Aabb{};  // empty
  set.boxes[40].lower.y() = std::numeric_limits<double>::quiet_NaN();
  set.boxes[45] = {Vec3::Constant(-1.5e308), Vec3::Constant(1.5e308)};
  set.is_static[10] = set.is_static[20] = 1;
  expect_matches_brute_force(set, 100);
}

TEST(BroadPhase, HandlesNothing) {
  BroadPhase broad_phase;
  Pairs pairs = {{1, 2}};
  broad_phase.find_pairs({}, {}, pairs);
  EXPECT_TRUE(pairs.empty());
}

/// A pile of spheres of radius 0.05 at 60 percent of close packing.
Boxes make_pile(int count, Random& random) {
  Boxes set;
  const int side = int(std::ceil(std::cbrt(count)));
  for (int i = 0; i < count; ++i) {
    const Vec3 cell(i % side, (i / side) % side, i / (side * side));
    set.add(0.095 * cell + random.vector(0.01), Vec3::Constant(0.1));
  }
  return set;
}

/// Reused memory changes nothing, whatever was looked at before.
TEST(BroadPhase, DependsOnItsArgumentsOnly) {
  Random random(5);
  const Boxes small = make_pile(100, random);
  const Boxes large = make_pile(1000, random);
  BroadPhase used;
  Pairs pairs;
  used.find_pairs(large.boxes, large.is_static, pairs);
  used.find_pairs(small.boxes, small.is_static, pairs);
  EXPECT_EQ(pairs, find_by_brute_force(small));
  const auto* memory = pairs.data();
  used.find_pairs(small.boxes, small.is_static, pairs);
  EXPECT_EQ(pairs.data(), memory);
}

std::size_t count_comparisons(const Boxes& set) {
  BroadPhase broad_phase;
  Pairs pairs;
  broad_phase.find_pairs(set.boxes, set.is_static, pairs);
  return broad_phase.num_compared();
}

/// Ten times the boxes cost about ten times the comparisons; brute force would cost a hundred. Half as many more: the
/// larger pile has less surface for its volume, and boxes within one and a half of the surface have fewer neighbours,
/// ((1 - 1.5 / 28) / (1 - 1.5 / 13))^3 = 1.22.
TEST(BroadPhase, CostIsLinear) {
  Random random(6);
  const std::size_t small = count_comparisons(make_pile(2000, random));
  const std::size_t large = count_comparisons(make_pile(20000, random));
  EXPECT_GT(small, 2000u);
  EXPECT_LT(large, 15 * small);
}

}  // namespace
}  // namespace abut
