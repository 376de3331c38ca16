#include "abut/geometry/manifold/contact_manifold.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/manifold/hard_pair.hpp"

namespace abut {
namespace {

constexpr double kRad = std::numbers::pi / 180.0;

Pose turn(const Vec3& axis, double degrees, const Vec3& p = Vec3::Zero()) {
  return {Mat3(Eigen::AngleAxisd(degrees * kRad, axis.normalized()).toRotationMatrix()), p};
}

class Pair {
 public:
  Pair(const Shape& a, const Shape& b) : a_(ContactSolid::make(a).value()), b_(ContactSolid::make(b).value()) {}

  std::vector<PointContact> calc(const Pose& X_WA, const Pose& X_WB) {
    calc_manifold(a_, X_WA, b_, X_WB, 10.0, memory, places);
    std::vector<PointContact> found;
    for (const PointContact& contact : places) {
      if (!is_vacant(contact)) found.push_back(contact);
    }
    return found;
  }

  ManifoldMemory memory;
  PointContact places[kManifoldPoints];

 private:
  ContactSolid a_, b_;
};

double least_gap(const std::vector<PointContact>& contacts) {
  double least = 1e300;
  for (const PointContact& contact : contacts) least = std::min(least, contact.gap);
  return least;
}

TEST(ContactManifold, ABoxOnABoxTouchesAtTheCornersOfTheOverlap) {
  Pair pair(Box{Vec3(0.2, 0.1, 0.05)}, Box{Vec3(0.3, 0.3, 0.1)});
  // Moved by 0.2 in x: from x = 0 to 0.3 of the lower one's 0.3, y = -0.1 to 0.1.
  const auto contacts = pair.calc({Mat3::Identity(), Vec3(0.2, 0.0, 0.15)}, {});
  ASSERT_EQ(contacts.size(), 4u);
  for (const PointContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.0, 1e-15);
    EXPECT_NEAR((contact.normal - Vec3::UnitZ()).norm(), 0.0, 1e-15);
    EXPECT_NEAR(contact.point.z(), 0.1, 1e-15);
    EXPECT_NEAR(std::abs(contact.point.y()), 0.1, 1e-15);
    EXPECT_LE(std::min(std::abs(contact.point.x()), std::abs(contact.point.x() - 0.3)), 1e-15);
  }
}

TEST(ContactManifold, ABoxTurnedByAnEighthTouchesAtEightCorners) {
  Pair pair(Box{Vec3(0.1, 0.1, 0.1)}, Box{Vec3(0.1, 0.1, 0.1)});
  const auto contacts = pair.calc(turn(Vec3::UnitZ(), 45.0, Vec3(0, 0, 0.2)), {});
  ASSERT_EQ(contacts.size(), 8u);
  // The octagon |x|, |y| <= 0.1, |x| + |y| <= 0.1 sqrt 2.
  for (const PointContact& contact : contacts) {
    EXPECT_NEAR(contact.point.cwiseAbs().head<2>().maxCoeff(), 0.1, 1e-15);
    EXPECT_NEAR(contact.point.cwiseAbs().head<2>().sum(), 0.1 * std::sqrt(2.0), 1e-15);
  }
}

TEST(ContactManifold, GapsFollowTheTilt) {
  Pair pair(Box{Vec3(0.1, 0.1, 0.1)}, Box{Vec3(1.0, 1.0, 0.1)});
  for (const double tilt : {1e-6, 0.1, 5.0}) {
    const double s = std::sin(tilt * kRad), c = std::cos(tilt * kRad);
    const auto contacts = pair.calc(turn(Vec3::UnitY(), tilt, Vec3(0, 0, 0.1 + 0.1 * (s + c))), {});
    ASSERT_EQ(contacts.size(), 4u) << tilt;
    for (const PointContact& contact : contacts)
      EXPECT_NEAR(contact.gap, contact.point.x() > 0.0 ? 0.0 : 0.2 * s, 1e-15) << tilt;
  }
}

TEST(ContactManifold, EdgesThatCrossTouchAtOnePoint) {
  Pair pair(Box{Vec3(0.1, 0.1, 0.1)}, Box{Vec3(0.1, 0.1, 0.1)});
  // Both stand on edge, along x and along y.
  const double height = 0.2 * std::sqrt(2.0);
  for (const double gap : {0.01, 0.0, -0.01}) {
    pair.memory = {};
    const auto contacts = pair.calc(turn(Vec3::UnitX(), 45.0, Vec3(0, 0, height + gap)), turn(Vec3::UnitY(), 45.0));
    ASSERT_EQ(contacts.size(), 1u) << gap;
    EXPECT_NEAR(contacts[0].gap, gap, 1e-12);
    EXPECT_NEAR((contacts[0].normal - Vec3::UnitZ()).norm(), 0.0, 1e-9);
    EXPECT_NEAR((contacts[0].point - Vec3(0, 0, 0.5 * height + 0.5 * gap)).norm(), 0.0, 1e-9);
  }
}

TEST(ContactManifold, ACornerPastTheEdgeIsNotHeldByTheFace) {
  Pair pair(Box{Vec3(0.1, 0.1, 0.1)}, Box{Vec3(0.1, 0.1, 0.1)});
  // Beside and above: the nearest points are on two edges.
  const auto contacts = pair.calc({Mat3::Identity(), Vec3(0.23, 0.0, 0.24)}, {});
  ASSERT_GE(contacts.size(), 1u);
  EXPECT_NEAR(least_gap(contacts), 0.05, 1e-12);
  EXPECT_NEAR((contacts[0].normal - Vec3(0.6, 0.0, 0.8)).norm(), 0.0, 1e-9);
}

TEST(ContactManifold, RoundBarsTouchAlongLinesAndAtRims) {
  const Shape bar = Cylinder{0.1, 0.3};
  const Pose lying = turn(Vec3::UnitY(), 90.0, Vec3(0, 0, 0.2));
  // On a block shorter than the bar: the ends of the line on it.
  Pair on_block(bar, Box{Vec3(0.2, 0.5, 0.1)});
  auto contacts = on_block.calc(lying, {});
  ASSERT_EQ(contacts.size(), 2u);
  for (const PointContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.0, 1e-15);
    EXPECT_NEAR(std::abs(contact.point.x()), 0.2, 1e-6);
    EXPECT_NEAR(contact.point.y(), 0.0, 1e-15);
  }
  // Standing, half over the edge: marks of the rim inside, and where the rim crosses the edge.
  Pair standing(bar, Box{Vec3(0.2, 0.5, 0.1)});
  contacts = standing.calc({Mat3::Identity(), Vec3(0.2, 0, 0.4)}, {});
  double farthest = 0.0, least = 1.0;
  for (const PointContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.0, 1e-15);
    EXPECT_LE((contact.point - Vec3(0.2, 0, 0.1)).norm(), 0.1 + 1e-12);
    farthest = std::max(farthest, contact.point.x());
    least = std::min(least, contact.point.x());
  }
  EXPECT_NEAR(farthest, 0.2, 1e-6);
  EXPECT_NEAR(least, 0.1, 1e-6);
  // Crosswise: one point; side by side: two.
  Pair bars(bar, bar);
  contacts = bars.calc(turn(Vec3::UnitX(), 90.0, Vec3(0, 0, 0.2)), turn(Vec3::UnitY(), 90.0));
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, 0.0, 1e-12);
  EXPECT_NEAR((contacts[0].point - Vec3(0, 0, 0.1)).norm(), 0.0, 1e-9);
  bars.memory = {};
  contacts = bars.calc(turn(Vec3::UnitY(), 90.0, Vec3(0.1, 0, 0.2)), turn(Vec3::UnitY(), 90.0));
  ASSERT_EQ(contacts.size(), 2u);
  for (const PointContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.0, 1e-12);
    EXPECT_NEAR(std::abs(contact.point.x() - 0.05), 0.25, 1e-9);
  }
  // A can on a can: the lens that both ends share.
  Pair cans(bar, bar);
  contacts = cans.calc({Mat3::Identity(), Vec3(0.1, 0, 0.6)}, {});
  EXPECT_GE(contacts.size(), 4u);
  for (const PointContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.0, 1e-15);
    EXPECT_LE(contact.point.head<2>().norm(), 0.1 + 1e-6);
    EXPECT_LE((contact.point.head<2>() - Vec2(0.1, 0)).norm(), 0.1 + 1e-6);
  }
}

/// Solids near each other in any pose: the least gap is the distance that an independent search finds.
TEST(ContactManifold, TheLeastGapIsTheDistance) {
  std::vector<Vec3> corners;
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.12, 0.12}) {
      corners.emplace_back(x, y, -0.1);
      corners.emplace_back(0.6 * x, 0.5 * y, 0.1);
    }
  }
  const Polyhedron frustum{std::make_shared<const ConvexPolyhedron>(make_convex_hull(corners))};
  const std::vector<Shape> shapes = {
      Box{Vec3(0.1, 0.07, 0.05)},      Cylinder{0.08, 0.1}, Cone{0.6, 0.2}, Capsule{0.05, 0.1}, frustum, Sphere{0.1},
      Ellipsoid{Vec3(0.1, 0.05, 0.08)}};
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto draw = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      const ContactSolid solid_a = ContactSolid::make(a).value(), solid_b = ContactSolid::make(b).value();
      for (int trial = 0; trial < 50; ++trial) {
        const Pose X_WB = turn(draw(), 180.0 * uniform(random), draw());
        Pose X_WA = turn(draw(), 180.0 * uniform(random), X_WB.p + 2.0 * draw().normalized());
        SeparationMemory separation;
        Separation apart = calc_separation(solid_a.support(), X_WA, solid_b.support(), X_WB, separation);
        // To a distance of 1e-3, 1e-6 and none.
        for (const double goal : {1e-3, 1e-6, 0.0}) {
          for (int k = 0; k < 30; ++k) {
            apart = calc_separation(solid_a.support(), X_WA, solid_b.support(), X_WB, separation);
            if (std::abs(apart.distance - goal) < 1e-12) break;
            X_WA.p -= (apart.distance - goal) * apart.normal;
          }
          Pair pair(a, b);
          const auto contacts = pair.calc(X_WA, X_WB);
          ASSERT_FALSE(contacts.empty()) << shape_name(a) << " on " << shape_name(b);
          // Faces that lean by less than 3.6 degrees against the nearest points are preferred to them. Touching, the
          // direction of rims on rims is that of solids a thousandth smaller, off by up to 0.01: 5e-5 of their size.
          EXPECT_NEAR(least_gap(contacts), goal, goal > 1e-5 ? 2.1e-3 * goal : 1e-5)
              << shape_name(a) << " on " << shape_name(b) << " " << goal << " trial " << trial;
        }
      }
    }
  }
}

TEST(ContactManifold, CornersKeepTheirPlaces) {
  Pair pair(Box{Vec3(0.1, 0.1, 0.1)}, Box{Vec3(0.5, 0.5, 0.1)});
  pair.calc({Mat3::Identity(), Vec3(0, 0, 0.2)}, {});
  const auto ids = pair.memory.ids;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  // Sliding and trembling: no corner changes its place.
  for (int k = 0; k < 200; ++k) {
    const Vec3 axis(uniform(random), uniform(random), uniform(random));
    const auto contacts =
        pair.calc(turn(axis, 1e-4 * uniform(random), Vec3(1e-3 * k, 0, 0.2 + 1e-6 * uniform(random))), {});
    ASSERT_EQ(contacts.size(), 4u) << k;
    EXPECT_EQ(pair.memory.ids, ids) << k;
  }
}

TEST(HardPair, SaysWhichPairsItKnows) {
  const Shape box = Box{}, bar = Cylinder{0.1, 0.2}, plane = HalfSpace{}, wedge = Wedge{}, pipe = Cylinder{};
  EXPECT_EQ(find_hard_pair(box, box)->kind, PointPairKind::kManifold);
  EXPECT_EQ(find_hard_pair(box, bar)->kind, PointPairKind::kManifold);
  EXPECT_EQ(find_hard_pair(box, plane)->kind, PointPairKind::kBoxHalfSpace);
  EXPECT_FALSE(find_hard_pair(plane, plane));
  EXPECT_FALSE(find_hard_pair(box, wedge));
  EXPECT_FALSE(find_hard_pair(box, pipe));
  EXPECT_NE(find_hard_obstacle(box, pipe).find("without end"), std::string::npos);
}

}  // namespace
}  // namespace abut
