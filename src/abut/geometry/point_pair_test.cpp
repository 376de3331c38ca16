#include "abut/geometry/point_pair.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/geometry/implicit_surface.hpp"
#include "abut/geometry/sphere_kernels.hpp"
#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::Random;

std::vector<std::pair<Shape, Shape>> make_all_pairs() {
  const HalfSpace floor{Vec3(0.3, 0.1, 0.9).normalized(), 0.2};
  const Sphere ball{0.25};
  const Capsule pill{0.2, 0.4};
  const Ellipsoid egg{Vec3(0.2, 0.3, 0.5)};
  return {{ball, Sphere{0.4}},
          {ball, floor},
          {ball, Box{Vec3(0.3, 0.5, 0.7)}},
          {ball, Cylinder{0.3, 0.5}},
          {ball, Bore{1.5}},
          {ball, Cone{0.5, 0.8}},
          {ball, pill},
          {ball, egg},
          {ball, Wedge{Vec3::UnitZ(), Vec3::UnitX()}},
          {ball, Torus{0.6, 0.2}},
          {ball, Cavity{1.6}},
          {ball, Bowl{0.6, 0.2, 0.5}},
          {pill, floor},
          {Box{Vec3(0.3, 0.5, 0.7)}, floor},
          {Cylinder{0.3, 0.5}, floor},
          {Cone{0.5, 0.8}, floor},
          {egg, floor},
          {Torus{0.5, 0.2}, floor},
          {Bowl{0.5, 0.1, 0.4}, floor},
          {pill, Cavity{1.9}},
          {Box{Vec3(0.3, 0.5, 0.7)}, Cavity{2.2}},
          {pill, Capsule{0.1, 0.9}},
          {egg, Ellipsoid{Vec3(0.6, 0.1, 0.3)}}};
}

/// Pairs solved by the functions of both shapes: to 1e-9 of the size, because a flat spot hides its point.
std::vector<std::pair<Shape, Shape>> make_smooth_pairs() {
  const Superquadric pillow{Vec3(0.3, 0.25, 0.2), 4.0};
  const ImplicitSurface ball(Sphere{0.5});
  const Intersection lens{std::make_shared<const RoundedParts>(make_rounded_parts(
      {{ball, Pose(Mat3::Identity(), Vec3(0, 0, 0.25))}, {ball, Pose(Mat3::Identity(), Vec3(0, 0, -0.25))}}, 16.0))};
  const HalfSpace floor{Vec3(0.3, 0.1, 0.9).normalized(), 0.2};
  return {{pillow, floor}, {pillow, Sphere{0.25}}, {pillow, Ellipsoid{Vec3(0.2, 0.3, 0.5)}}, {pillow, pillow},
          {lens, floor},   {lens, Sphere{0.25}},   {lens, Ellipsoid{Vec3(0.2, 0.3, 0.5)}},   {lens, pillow},
          {lens, lens}};
}

std::vector<PointContact> calc(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  const auto pair = find_point_pair(a, b);
  EXPECT_TRUE(pair.has_value());
  PointPairMemory memory;
  std::vector<PointContact> out(pair->num_points);
  calc_point_contacts(*pair, a, X_WA, b, X_WB, memory, out.data());
  return out;
}

/// All contacts, but of two capsules only the one that carries: the others have lifted gaps, numbered along the first.
std::vector<PointContact> calc_carrying(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  const auto all = calc(a, X_WA, b, X_WB);
  if (!std::holds_alternative<Capsule>(a) || !std::holds_alternative<Capsule>(b)) return all;
  return {*std::min_element(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.gap < y.gap; })};
}

TEST(PointPair, EveryListedPairIsFoundInBothOrders) {
  auto pairs = make_all_pairs();
  for (const auto& pair : make_smooth_pairs()) pairs.push_back(pair);
  const auto names = list_point_pairs();
  ASSERT_EQ(names.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& [a, b] = pairs[i];
    EXPECT_NE(names[i].find(fmt::format("{} and {}", shape_name(a), shape_name(b))), std::string::npos) << names[i];
    const auto in_order = find_point_pair(a, b);
    const auto swapped = find_point_pair(b, a);
    ASSERT_TRUE(in_order && swapped);
    EXPECT_FALSE(in_order->swapped);
    EXPECT_EQ(swapped->swapped, a.index() != b.index());
    EXPECT_EQ(in_order->kind, swapped->kind);
    EXPECT_LE(in_order->num_points, kMaxPairPoints);
  }
}

TEST(PointPair, OtherPairsHaveNoPointModel) {
  EXPECT_FALSE(find_point_pair(Box{}, Box{}));
  EXPECT_FALSE(find_point_pair(HalfSpace{}, HalfSpace{}));
  EXPECT_FALSE(find_point_pair(Cylinder{0.1}, HalfSpace{}));
  EXPECT_FALSE(find_point_pair(HalfSpace{}, Cone{0.3}));
  EXPECT_TRUE(find_point_pair(Cylinder{0.1}, Sphere{}));
}

TEST(PointPair, ExchangedShapesGiveTheMirroredContact) {
  Random random(14);
  for (const auto& [a, b] : make_all_pairs()) {
    for (int i = 0; i < 20; ++i) {
      const Pose X_WA = random.pose(1.0);
      const Pose X_WB = random.pose(0.5);
      const auto forward = calc_carrying(a, X_WA, b, X_WB);
      const auto backward = calc_carrying(b, X_WB, a, X_WA);
      ASSERT_EQ(forward.size(), backward.size());
      for (std::size_t k = 0; k < forward.size(); ++k) {
        EXPECT_NEAR(forward[k].gap, backward[k].gap, 1e-14) << shape_name(a) << " " << shape_name(b);
        EXPECT_LT((forward[k].normal + backward[k].normal).norm(), 1e-12) << shape_name(a) << " " << shape_name(b);
        EXPECT_LT((forward[k].point - backward[k].point).norm(), 1e-12) << shape_name(a) << " " << shape_name(b);
      }
    }
  }
}

/// The same motion of both shapes moves the contact with them.
TEST(PointPair, ContactsMoveWithTheWorld) {
  Random random(15);
  for (const auto& [a, b] : make_all_pairs()) {
    const Pose X_WA = random.pose(1.0);
    const Pose X_WB = random.pose(0.5);
    const Pose X = random.pose(3.0);
    const auto before = calc(a, X_WA, b, X_WB);
    const auto after = calc(a, X * X_WA, b, X * X_WB);
    for (std::size_t k = 0; k < before.size(); ++k) {
      EXPECT_NEAR(before[k].gap, after[k].gap, 1e-13) << shape_name(a) << " " << shape_name(b);
      EXPECT_LT((X.R * before[k].normal - after[k].normal).norm(), 1e-12) << shape_name(a) << " " << shape_name(b);
      EXPECT_LT((X * before[k].point - after[k].point).norm(), 1e-12) << shape_name(a) << " " << shape_name(b);
    }
  }
}

/// Moving A by dx changes each gap by n . dx.
TEST(PointPair, GapGradientIsTheNormal) {
  Random random(16);
  constexpr double kStep = 1e-6;
  for (const auto& [a, b] : make_all_pairs()) {
    int compared = 0;
    for (int i = 0; i < 40; ++i) {
      const Pose X_WB = random.pose(0.2);
      const Pose X_WA(random.rotation(), X_WB.p + 1.2 * random.unit());
      const auto at = calc_carrying(a, X_WA, b, X_WB);
      for (std::size_t k = 0; k < at.size(); ++k) {
        if (at[k].gap < -0.1) continue;  // deep inside, where nearest features change
        ++compared;
        for (int axis = 0; axis < 3; ++axis) {
          Pose above = X_WA, below = X_WA;
          above.p[axis] += kStep;
          below.p[axis] -= kStep;
          const double slope =
              (calc_carrying(a, above, b, X_WB)[k].gap - calc_carrying(a, below, b, X_WB)[k].gap) / (2.0 * kStep);
          // Rounding eps / step = 1e-10; the curvature of the gap jumps where a face meets an edge: step / distance.
          EXPECT_NEAR(slope, at[k].normal[axis], 1e-5) << shape_name(a) << " " << shape_name(b);
        }
      }
    }
    EXPECT_GT(compared, 5) << shape_name(a) << " " << shape_name(b);
  }
}

/// [Gonthier 2007 (A.1)]: for a sphere against anything but a sphere, the point of action is centre - R n.
TEST(PointPair, PointOfActionOfASphere) {
  Random random(17);
  for (const auto& [a, b] : make_all_pairs()) {
    if (!std::holds_alternative<Sphere>(a) || std::holds_alternative<Sphere>(b)) continue;
    const Pose X_WA = random.pose(1.0);
    const PointContact at = calc(a, X_WA, b, Pose())[0];
    EXPECT_LT((at.point - (X_WA.p - 0.25 * at.normal)).norm(), 1e-15);
  }
}

TEST(PointPair, MemoryNeverChangesAResult) {
  Random random(18);
  const Shape a = Ellipsoid{Vec3(0.05, 0.3, 0.6)};
  const Shape b = Ellipsoid{Vec3(0.6, 0.1, 0.3)};
  const PointPair pair = *find_point_pair(a, b);
  PointPairMemory memory;
  for (int i = 0; i < 200; ++i) {
    const Pose X_WA = random.pose(0.8);
    const Pose X_WB = random.pose(0.2);
    PointContact warm;
    calc_point_contacts(pair, a, X_WA, b, X_WB, memory, &warm);  // remembers an unrelated pose
    EXPECT_TRUE(memory.is_valid);
    const PointContact cold = calc(a, X_WA, b, X_WB)[0];
    EXPECT_NEAR(warm.gap, cold.gap, 1e-14);
    EXPECT_LT((warm.normal - cold.normal).norm(), 1e-11);
  }
}

TEST(PointPair, SmoothPairsHaveTheNormalForGradientAndNoOrder) {
  Random random(19);
  constexpr double kStep = 1e-6;
  for (const auto& [a, b] : make_smooth_pairs()) {
    int compared = 0;
    for (int i = 0; i < 60; ++i) {
      const Pose X_WB = random.pose(0.2);
      const Pose X_WA(random.rotation(), X_WB.p + 0.7 * random.unit());
      const PointContact at = calc(a, X_WA, b, X_WB)[0], back = calc(b, X_WB, a, X_WA)[0];
      if (at.gap < -0.05) continue;
      ++compared;
      EXPECT_NEAR(at.gap, back.gap, 1e-12);
      EXPECT_LT((at.normal + back.normal).norm(), 1e-8);
      for (int axis = 0; axis < 3; ++axis) {
        Pose above = X_WA, below = X_WA;
        above.p[axis] += kStep;
        below.p[axis] -= kStep;
        const double slope = (calc(a, above, b, X_WB)[0].gap - calc(a, below, b, X_WB)[0].gap) / (2.0 * kStep);
        EXPECT_NEAR(slope, at.normal[axis], 1e-5) << shape_name(a) << " " << shape_name(b);
      }
    }
    EXPECT_GT(compared, 5) << shape_name(a) << " " << shape_name(b);
    // Coincident centres: finite, whatever it is.
    const PointContact inside = calc(a, Pose(), b, Pose())[0];
    EXPECT_TRUE(std::isfinite(inside.gap) && inside.point.allFinite());
    EXPECT_NEAR(inside.normal.norm(), 1.0, 1e-12);
  }
}

/// Nothing non-finite comes out where centres, axes or apices coincide.
TEST(PointPair, DegeneratePlacementsAreFinite) {
  for (const auto& [a, b] : make_all_pairs()) {
    for (const PointContact& contact : calc(a, Pose(), b, Pose())) {
      EXPECT_TRUE(std::isfinite(contact.gap)) << shape_name(a) << " " << shape_name(b);
      EXPECT_NEAR(contact.normal.norm(), 1.0, 1e-14) << shape_name(a) << " " << shape_name(b);
      EXPECT_TRUE(contact.point.allFinite()) << shape_name(a) << " " << shape_name(b);
    }
  }
}

}  // namespace
}  // namespace abut
