#include "abut/geometry/half_space_pairs.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::Random;

double min_gap(const PointContact* contacts, int count) {
  return std::min_element(contacts, contacts + count, [](auto& a, auto& b) { return a.gap < b.gap; })->gap;
}

/// The smallest gap of the points is the height of the lowest point of the whole surface; the search is exact to 1e-9.
template <class Solid, class Calc>
void expect_lowest(const Solid& solid, int count, const Calc& calc) {
  Random random(5);
  for (int i = 0; i < 15; ++i) {
    const Pose X = random.pose(1.0);
    const WorldPlane plane = make_world_plane(HalfSpace{random.unit(), 0.3}, random.pose(1.0));
    PointContact contacts[8];
    calc(solid, X, plane, contacts);
    double lowest = kInfiniteLength;
    for (const auto& patch : testing::make_patches(solid)) {
      lowest = std::min(lowest, testing::minimise_on_square([&](double u, double v) {
                          return plane.normal.dot(X * patch(u, v)) - plane.offset;
                        }));
    }
    EXPECT_NEAR(min_gap(contacts, count), lowest, 1e-8);
    for (int k = 0; k < count; ++k) {
      EXPECT_EQ(contacts[k].normal, plane.normal);
      EXPECT_NEAR(contacts[k].gap, plane.normal.dot(contacts[k].point) - plane.offset, 1e-14);
    }
  }
}

TEST(HalfSpacePairs, TheLowestPointIsAmongThePoints) {
  expect_lowest(Capsule{0.2, 0.5}, 2, calc_capsule_half_space);
  expect_lowest(Box{Vec3(0.2, 0.3, 0.6)}, 8, calc_box_half_space);
  expect_lowest(Cylinder{0.3, 0.5}, 8, calc_cylinder_half_space);
  expect_lowest(Cone{0.4, 0.8}, 5, calc_cone_half_space);
  expect_lowest(Ellipsoid{Vec3(0.1, 0.4, 0.7)}, 1,
                [](const Ellipsoid& s, const Pose& X, const WorldPlane& p, PointContact* out) {
                  *out = calc_ellipsoid_half_space(s, X, p);
                });
}

/// Where the gap's rate is that of the body at point + arm, a law of the depth does the work it stores.
template <class Solid, class Calc>
void expect_gap_rates(const Solid& solid, int count, const Calc& calc) {
  Random random(17);
  constexpr double kStep = 1e-5;  // the error of central differences is kStep^2 times rates of order one, 1e-10
  for (int i = 0; i < 10; ++i) {
    const Pose X = random.pose(1.0);
    const Vec3 v = random.vector(1.0), w = random.vector(2.0);
    const WorldPlane plane{random.unit(), 0.3};
    const auto gaps_at = [&](double t, PointContact* out) {
      const Mat3 turn(Eigen::AngleAxisd(w.norm() * t, w.normalized()));
      calc(solid, Pose(turn * X.R, X.p + v * t), plane, out);
    };
    PointContact now[8], before[8], after[8];
    gaps_at(0.0, now);
    gaps_at(-kStep, before);
    gaps_at(kStep, after);
    for (int k = 0; k < count; ++k) {
      const Vec3 p = now[k].point + now[k].arm;
      EXPECT_NEAR((after[k].gap - before[k].gap) / (2 * kStep), plane.normal.dot(v + w.cross(p - X.p)), 1e-8) << k;
    }
  }
}

TEST(HalfSpacePairs, GapsChangeWithTheVelocityAtTheirPoints) {
  expect_gap_rates(Capsule{0.2, 0.5}, 2, calc_capsule_half_space);
  expect_gap_rates(Box{Vec3(0.2, 0.3, 0.6)}, 8, calc_box_half_space);
  expect_gap_rates(Cylinder{0.3, 0.5}, 8, calc_cylinder_half_space);
  expect_gap_rates(Cone{0.4, 0.8}, 5, calc_cone_half_space);
  expect_gap_rates(Ellipsoid{Vec3(0.1, 0.4, 0.7)}, 1,
                   [](const Ellipsoid& s, const Pose& X, const WorldPlane& p, PointContact* out) {
                     *out = calc_ellipsoid_half_space(s, X, p);
                   });
}

TEST(HalfSpacePairs, PlaneIsCarriedToTheWorld) {
  Random random(9);
  const HalfSpace half_space{random.unit(), 0.7};
  const Pose X = random.pose(2.0);
  const WorldPlane plane = make_world_plane(half_space, X);
  const Vec3 p_S = random.vector(1.0);
  EXPECT_NEAR(plane.normal.dot(X * p_S) - plane.offset, half_space.normal.dot(p_S) - 0.7, 1e-15);
}

TEST(HalfSpacePairs, CornersKeepTheirNumbers) {
  PointContact contacts[8];
  const Pose X(Mat3(Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized())), Vec3(0, 0, 1));
  calc_box_half_space(Box{Vec3(1, 2, 3)}, X, WorldPlane{}, contacts);
  EXPECT_LT((contacts[0].point - X * Vec3(-1, -2, -3)).norm(), 1e-15);
  EXPECT_LT((contacts[5].point - X * Vec3(1, -2, 3)).norm(), 1e-15);
}

/// A cylinder that stands on its end is carried all around: the four points balance about the axis.
TEST(HalfSpacePairs, StandingCylinderIsCarriedAllAround) {
  const Cylinder cylinder{0.2, 0.5};
  for (double tilt : {0.0, 1e-12, 1e-9, 0.8e-7, 1e-7, 3e-7, 1e-5}) {
    const Pose X(Mat3(Eigen::AngleAxisd(tilt, Vec3::UnitY())), Vec3(0, 0, 0.5));
    PointContact contacts[8];
    calc_cylinder_half_space(cylinder, X, WorldPlane{}, contacts);
    Vec3 sum = Vec3::Zero();
    for (int k = 4; k < 8; ++k) {
      sum += contacts[k].point;
      // The rim rises and falls by R tilt; its centre by half_length tilt^2 / 2.
      EXPECT_LE(std::abs(contacts[k].gap), 0.2 * tilt + 0.25 * tilt * tilt + 1e-15);
      EXPECT_NEAR((contacts[k].point - (X.p - 0.5 * X.R.col(2))).norm(), 0.2, 1e-15);
      EXPECT_GT(contacts[k - 4].gap, 0.9);
    }
    EXPECT_LT((sum / 4 - (X.p - 0.5 * X.R.col(2))).norm(), 1e-15);
  }
}

/// Upright and spinning about its axis, the support points turn with the body and do not jump.
TEST(HalfSpacePairs, UprightPointsAreFixedInTheBody) {
  const Cylinder cylinder{0.2, 0.5};
  for (int i = 0; i < 20; ++i) {
    const Pose X(Mat3(Eigen::AngleAxisd(0.3 * i, Vec3::UnitZ())), Vec3(0, 0, 0.5));
    PointContact contacts[8];
    calc_cylinder_half_space(cylinder, X, WorldPlane{}, contacts);
    EXPECT_LT((contacts[4].point - X * Vec3(0.2, 0, -0.5)).norm(), 1e-14);
    EXPECT_LT((contacts[5].point - X * Vec3(0, 0.2, -0.5)).norm(), 1e-14);
  }
}

TEST(HalfSpacePairs, PointsMoveContinuouslyWhileACylinderRollsOnItsRim) {
  const Cylinder cylinder{0.2, 0.5};
  Vec3 last = Vec3::Zero();
  for (int i = 0; i <= 1000; ++i) {
    const double turn = 2 * testing::kPi * i / 1000;
    const Mat3 R = Mat3(Eigen::AngleAxisd(turn, Vec3::UnitZ())) * Mat3(Eigen::AngleAxisd(0.4, Vec3::UnitY()));
    PointContact contacts[8];
    calc_cylinder_half_space(cylinder, Pose(R, Vec3::Zero()), WorldPlane{}, contacts);
    // The lowest point goes round a circle of at most R + half_length.
    if (i > 0) {
      EXPECT_LT((contacts[4].point - last).norm(), 0.7 * 2 * testing::kPi / 1000 * 1.01);
    }
    last = contacts[4].point;
  }
}

}  // namespace
}  // namespace abut
