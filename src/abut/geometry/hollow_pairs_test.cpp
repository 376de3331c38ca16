#include "abut/geometry/hollow_pairs.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "abut/geometry/half_space_pairs.hpp"
#include "abut/geometry/point_pair.hpp"
#include "abut/geometry/signed_distance.hpp"
#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::Random;

double calc_least_gap(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  const PointPair pair = *find_point_pair(a, b);
  std::array<PointContact, kMaxPairPoints> out;
  PointPairMemory memory;
  calc_point_contacts(pair, a, X_WA, b, X_WB, memory, out.data());
  double least = kInfiniteLength;
  for (int k = 0; k < pair.num_points; ++k) least = std::min(least, out[k].gap);
  return least;
}

/// The lowest point of a surface above the plane z = 0, by search.
template <class Solid>
double search_height(const Solid& solid, const Pose& X) {
  double least = kInfiniteLength;
  for (const auto& patch : testing::make_patches(solid))
    least = std::min(least, testing::minimise_on_square([&](double u, double v) { return (X * patch(u, v)).z(); }));
  return least;
}

TEST(HollowPairs, LowestPointAboveAPlaneMatchesSearch) {
  Random random(3);
  for (int i = 0; i < 12; ++i) {
    const Pose X = random.pose(1.0);
    // The search ends within 1e-10 of a patch.
    for (const Torus& ring : {Torus{0.5, 0.1}, Torus{0.3, 0.25}})
      EXPECT_NEAR(calc_least_gap(ring, X, HalfSpace{}, Pose()), search_height(ring, X), 1e-8);
    for (const Bowl& bowl : {Bowl{0.5, 0.1, 0.5}, Bowl{0.5, 0.1, 0.2}, Bowl{0.5, 0.2, 0.9}})
      EXPECT_NEAR(calc_least_gap(bowl, X, HalfSpace{}, Pose()), search_height(bowl, X), 1e-8);
  }
}

/// Each gap changes by the normal velocity at point + arm, also where the bowl goes over from its wall to its lip.
TEST(HollowPairs, GapsAbovePlanesChangeWithTheVelocityAtTheArm) {
  Random random(4);
  constexpr double kStep = 1e-6;
  for (const Shape& shape : {Shape(Torus{0.5, 0.1}), Shape(Bowl{0.5, 0.1, 0.5}), Shape(Bowl{0.5, 0.1, 0.3})}) {
    const PointPair pair = *find_point_pair(shape, HalfSpace{});
    const auto calc = [&](const Pose& X) {
      std::array<PointContact, kMaxPairPoints> out;
      PointPairMemory memory;
      calc_point_contacts(pair, shape, X, HalfSpace{}, Pose(), memory, out.data());
      return out;
    };
    for (int i = 0; i < 40; ++i) {
      const Pose X = random.pose(1.0);
      const Vec3 v = random.vector(1.0), w = random.vector(1.0);
      const auto moved = [&](double t) {
        const Mat3 turn = Eigen::AngleAxisd(t * w.norm(), w.normalized()).toRotationMatrix();
        return calc(Pose(turn * X.R, X.p + t * v));
      };
      const auto now = calc(X), above = moved(kStep), below = moved(-kStep);
      for (int k = 0; k < pair.num_points; ++k) {
        const double rate = (above[k].gap - below[k].gap) / (2.0 * kStep);
        const Vec3 arm = now[k].point + now[k].arm - X.p;
        // Curvature jumps where wall and lip meet: an error of the order of the step.
        EXPECT_NEAR(rate, now[k].normal.dot(v + w.cross(arm)), 1e-5) << shape_name(shape) << " point " << k;
      }
    }
  }
}

TEST(HollowPairs, CapsulesAndBoxesInACavityMatchSearch) {
  Random random(5);
  const Cavity cavity{1.0};
  for (int i = 0; i < 12; ++i) {
    const Pose X = random.pose(0.4), X_hole = random.pose(0.1);
    const auto search = [&](const auto& solid) {
      double least = kInfiniteLength;
      for (const auto& patch : testing::make_patches(solid)) {
        least = std::min(least, testing::minimise_on_square([&](double u, double v) {
                           return cavity.radius - (X * patch(u, v) - X_hole.p).norm();
                         }));
      }
      return least;
    };
    const Capsule pill{0.2, 0.3};
    const Box box{Vec3(0.1, 0.2, 0.3)};
    EXPECT_NEAR(calc_least_gap(pill, X, cavity, X_hole), search(pill), 1e-8);
    EXPECT_NEAR(calc_least_gap(box, X, cavity, X_hole), search(box), 1e-8);
  }
}

TEST(HollowPairs, WideBallHasPointsAllAround) {
  const Sphere ball{0.5};
  EXPECT_FALSE(touches_all_around(ball, Torus{0.8, 0.2}));
  EXPECT_TRUE(touches_all_around(Torus{0.6, 0.2}, ball));
  EXPECT_TRUE(touches_all_around(ball, Bowl{0.6, 0.1, 0.2}));
  EXPECT_FALSE(touches_all_around(ball, Bowl{0.6, 0.1, 0.6}));
  EXPECT_FALSE(touches_all_around(ball, Cavity{0.1}));
  EXPECT_EQ(find_point_pair(ball, Torus{0.8, 0.2})->num_points, 1);
  EXPECT_EQ(find_point_pair(Torus{0.6, 0.2}, ball)->num_points, 1 + kRingPoints);
  EXPECT_EQ(find_point_pair(ball, Bowl{0.6, 0.1, 0.2})->num_points, 1 + kRingPoints);

  // On the axis all are as near as the nearest, and their horizontal parts cancel.
  const Pose above(Mat3(Mat3::Identity()), Vec3(0, 0, 0.4));
  std::array<PointContact, kRingPoints> out;
  const auto expect_even = [&](const SurfaceDistance& nearest) {
    Vec3 sum = Vec3::Zero();
    for (const PointContact& contact : out) {
      EXPECT_NEAR(contact.gap, nearest.distance - ball.radius, 1e-15);
      sum += contact.normal;
    }
    EXPECT_NEAR(sum.head<2>().norm(), 0.0, 1e-14);
    EXPECT_NEAR(sum.z(), kRingPoints * nearest.normal.z(), 1e-14);
  };
  const Torus ring{0.6, 0.2};
  calc_sphere_ring(ball, above, ring, Pose(), out.data());
  expect_even(calc_signed_distance(ring, above.p));
  const Bowl dish{0.6, 0.1, 0.2};
  calc_sphere_mouth(ball, above, dish, Pose(), out.data());
  expect_even(calc_signed_distance(dish, above.p));
}

}  // namespace
}  // namespace abut
