#include "abut/geometry/volume/mass_properties.hpp"

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/star_mass.hpp"

namespace abut {
namespace {

/// Sums over the cells of a grid whose centres are inside.
template <class Solid>
MassProperties sum_cells(const Solid& solid, double density, int n) {
  const Aabb box = calc_aabb(solid, Pose());
  const Vec3 step = (box.upper - box.lower) / n;
  const double cell_mass = density * step.prod();
  double mass = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const Vec3 p = box.lower + step.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5));
        if (!testing::is_inside(solid, p)) continue;
        mass += cell_mass;
        first += cell_mass * p;
        second += cell_mass * p * p.transpose();
      }
    }
  }
  const Vec3 center = first / mass;
  second -= mass * center * center.transpose();
  return {mass, center, second.trace() * Mat3::Identity() - second};
}

/// 64 cells across: the staircase surface leaves a few parts in a thousand; a wrong coefficient shows as percents.
template <class Solid>
void expect_matches_cells(const Solid& solid) {
  const MassProperties exact = calc_mass_properties(solid, 700.0);
  const MassProperties cells = sum_cells(solid, 700.0, 64);
  EXPECT_NEAR(exact.mass, cells.mass, 4e-3 * cells.mass);
  EXPECT_NEAR(calc_volume(solid) * 700.0, exact.mass, 1e-14 * exact.mass);
  EXPECT_LT((exact.center_of_mass - cells.center_of_mass).norm(), 4e-3);
  EXPECT_LT((exact.inertia - cells.inertia).norm(), 6e-3 * cells.inertia.norm());
}

TEST(MassProperties, MatchesSumsOverCells) {
  expect_matches_cells(Sphere{0.7});
  expect_matches_cells(Box{Vec3(0.3, 0.8, 0.5)});
  expect_matches_cells(Cylinder{0.4, 0.9});
  expect_matches_cells(Cone{0.5, 1.2});
  expect_matches_cells(Capsule{0.4, 0.6});
  expect_matches_cells(Ellipsoid{Vec3(0.3, 0.5, 0.9)});
  expect_matches_cells(Torus{0.6, 0.35});
  expect_matches_cells(Bowl{0.4, 0.3, 0.4});
  expect_matches_cells(Bowl{0.4, 0.4, 0.25});
  expect_matches_cells(Bowl{0.4, 0.3, 0.6});
}

// A socket that is all but closed is a hollow ball: 2/5 m (b^5 - a^5) / (b^3 - a^3).
TEST(MassProperties, ClosedBowlIsAHollowBall) {
  const double a = 0.5, b = 0.6;
  const MassProperties shell = calc_mass_properties(Bowl{a, b - a, 2.0 * a * (1.0 - 1e-9)}, 1.0);
  // The plane of the lip cuts a cap of pi h^2 (3 b - h) / 3 off the outer ball, h = b - a.
  const double h = b - a, cap = testing::kPi * h * h * (3.0 * b - h) / 3.0;
  const double whole = 4.0 / 3.0 * testing::kPi * (b * b * b - a * a * a);
  EXPECT_NEAR(shell.mass, whole - cap, 1e-8 * whole);
  // A thin shell has 2/3 m R^2; what the lip cuts off is of the order of its thickness.
  const double t = 1e-6;
  const MassProperties thin = calc_mass_properties(Bowl{1.0, t, 2.0 - t}, 1.0);
  EXPECT_NEAR(thin.mass, 4.0 * testing::kPi * t, 1e-5 * thin.mass);
  EXPECT_NEAR(thin.inertia(2, 2), 2.0 / 3.0 * thin.mass, 1e-5 * thin.mass);
  EXPECT_NEAR(thin.inertia(0, 0), 2.0 / 3.0 * thin.mass, 1e-5 * thin.mass);
}

// Dirichlet's integrals against quadrature over directions, which is right to the change of its last refinement.
TEST(MassProperties, SuperquadricsMatchQuadrature) {
  for (const Superquadric& shape :
       {Superquadric{Vec3(0.4, 0.3, 0.2), 4.0}, Superquadric{Vec3(0.4, 0.3, 0.2), 2.0, 8.0},
        Superquadric{Vec3(0.4, 0.3, 0.2), 6.0, 2.5}, Superquadric{Vec3(0.1, 0.2, 0.3), 2.0}}) {
    const MassProperties exact = calc_mass_properties(shape, 700.0);
    const StarMass sum = calc_star_mass(ImplicitSurface(shape), 700.0);
    EXPECT_LE(sum.relative_error, 1e-8);
    EXPECT_NEAR(exact.mass, sum.properties.mass, 1e-8 * exact.mass);
    EXPECT_LE(sum.properties.center_of_mass.norm(), 1e-10);
    EXPECT_LE((exact.inertia - sum.properties.inertia).norm(), 1e-8 * exact.inertia.norm());
  }
  const MassProperties egg = calc_mass_properties(Ellipsoid{Vec3(0.1, 0.2, 0.3)}, 700.0);
  const MassProperties same = calc_mass_properties(Superquadric{Vec3(0.1, 0.2, 0.3), 2.0}, 700.0);
  EXPECT_NEAR(egg.mass, same.mass, 1e-13 * egg.mass);
  EXPECT_LE((egg.inertia - same.inertia).norm(), 1e-13 * egg.inertia.norm());
}

// With one part alone an intersection is that part, wherever its origin is; two equal parts shrink it by a known
// factor.
TEST(MassProperties, IntersectionsMatchTheirParts) {
  const Vec3 axes(0.3, 0.2, 0.15), place(0.05, -0.03, 0.02);
  const ImplicitSurface egg{Ellipsoid{axes}};
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 2) / 3.0).toRotationMatrix();
  const auto make = [&](int count) {
    const std::vector<std::pair<ImplicitSurface, Pose>> parts(count, {egg, Pose(turn, place)});
    return Intersection{std::make_shared<const RoundedParts>(make_rounded_parts(parts, 8.0))};
  };
  const MassProperties exact = calc_mass_properties(Ellipsoid{axes}, 700.0);
  const MassProperties one = calc_mass_properties(make(1), 700.0);
  EXPECT_NEAR(one.mass, exact.mass, 1e-8 * exact.mass);
  EXPECT_LE((one.center_of_mass - place).norm(), 1e-9);
  EXPECT_LE((one.inertia - turn * exact.inertia * turn.transpose()).norm(), 1e-8 * exact.inertia.norm());
  // Levels are squares of lengths: (2 l^8)^(1/8) = 1 at l = 2^(-1/8), lengths by its root.
  const double shrink = std::pow(2.0, -1.0 / 16.0);
  EXPECT_NEAR(calc_volume(make(2)) * 700.0, exact.mass * std::pow(shrink, 3), 1e-8 * exact.mass);
}

TEST(MassProperties, LimitsAgree) {
  const MassProperties ball = calc_mass_properties(Sphere{0.3}, 1000.0);
  const MassProperties stub = calc_mass_properties(Capsule{0.3, 1e-12}, 1000.0);
  const MassProperties round = calc_mass_properties(Ellipsoid{Vec3::Constant(0.3)}, 1000.0);
  // The stub is longer by 1e-12 m: relative 1e-11.
  EXPECT_LT((ball.inertia - stub.inertia).norm(), 2e-11 * ball.inertia.norm());
  EXPECT_LT((ball.inertia - round.inertia).norm(), 1e-14 * ball.inertia.norm());
}

TEST(MassProperties, PartsMakeTheWhole) {
  const MassProperties whole = calc_mass_properties(Box{Vec3(0.2, 0.3, 0.8)}, 500.0);
  const MassProperties half = calc_mass_properties(Box{Vec3(0.2, 0.3, 0.4)}, 500.0);
  testing::Random random(1);
  const Pose X_BS = random.pose(2.0);
  const Pose up = X_BS * Pose(Mat3(Mat3::Identity()), Vec3(0, 0, 0.4));
  const Pose down = X_BS * Pose(Mat3(Eigen::AngleAxisd(testing::kPi, Vec3::UnitX())), Vec3(0, 0, -0.4));
  const MassProperties joined = combine_mass_properties({{half, up}, {half, down}});
  const MassProperties expected = transform_mass_properties(whole, X_BS);
  EXPECT_NEAR(joined.mass, expected.mass, 1e-13 * expected.mass);
  EXPECT_LT((joined.center_of_mass - expected.center_of_mass).norm(), 1e-14);
  // Parallel axes over distances of metres: a few eps of m d^2.
  EXPECT_LT((joined.inertia - expected.inertia).norm(), 1e-13 * expected.mass * 12.0);
}

TEST(MassProperties, OfNothingIsZero) {
  const MassProperties nothing = combine_mass_properties({});
  EXPECT_EQ(nothing.mass, 0.0);
  EXPECT_EQ(nothing.center_of_mass, Vec3(Vec3::Zero()));
  try {
    calc_mass_properties(Cylinder{0.1}, 1.0);
    FAIL() << "it has none";
  } catch (const InvariantError& error) {
    EXPECT_NE(std::string(error.what()).find("unbounded cylinder has no mass properties"), std::string::npos);
  }
}

}  // namespace
}  // namespace abut
