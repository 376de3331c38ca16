#include "abut/geometry/ellipsoid_pair.hpp"

#include <gtest/gtest.h>

#include "abut/geometry/sphere_kernels.hpp"
#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::kPi;
using testing::Random;

/// From round to 1:20 slender or flat.
Ellipsoid make_random_ellipsoid(Random& random) {
  const double scale = random.uniform(0.3, 1.0);
  return {Vec3(std::pow(20.0, -random.uniform(0, 1)), std::pow(20.0, -random.uniform(0, 1)), 1.0) * scale};
}

/// h(n) straight from its definition, as the largest n . x over the surface.
double calc_support(const Ellipsoid& s, const Pose& X, const Vec3& n) {
  return s.semi_axes.cwiseProduct(Vec3(X.R.transpose() * n)).norm();
}

double calc_width(const Ellipsoid& a, const Pose& X_WA, const Ellipsoid& b, const Pose& X_WB, const Vec3& n) {
  return n.dot(X_WA.p - X_WB.p) - calc_support(a, X_WA, n) - calc_support(b, X_WB, n);
}

double brute_separation(const Ellipsoid& a, const Pose& X_WA, const Ellipsoid& b, const Pose& X_WB) {
  return -testing::minimise_on_square(
      [&](double u, double v) {
        return -calc_width(a, X_WA, b, X_WB, testing::polar(std::sin(kPi * v), 2 * kPi * u, std::cos(kPi * v)));
      },
      120);
}

/// Surface residual and normal residual of a point that should be on the surface with outward normal n.
void expect_on_surface(const Ellipsoid& s, const Pose& X, const Vec3& p_W, const Vec3& n_W) {
  const Vec3 p = X.R.transpose() * (p_W - X.p);
  const Vec3 gradient = p.cwiseQuotient(s.semi_axes.cwiseAbs2());
  const double flatness = s.semi_axes.maxCoeff() / s.semi_axes.minCoeff();
  // A rounding error of the point, eps of the largest axis, is flatness times larger in the surface equation.
  EXPECT_NEAR(p.cwiseQuotient(s.semi_axes).norm(), 1.0, 2e-15 * flatness);
  EXPECT_LT((X.R * gradient.normalized() - n_W).norm(), 4e-15 * flatness * flatness);
}

TEST(EllipsoidPair, RandomPairsApartAreOptimalAndMatchSearch) {
  Random random(42);
  int apart = 0;
  for (int i = 0; i < 400; ++i) {
    const Ellipsoid a = make_random_ellipsoid(random);
    const Ellipsoid b = make_random_ellipsoid(random);
    const Pose X_WA = random.pose(1.0);
    const Pose X_WB = random.pose(1.0);
    const EllipsoidContact at = calc_ellipsoid_ellipsoid(a, X_WA, b, X_WB);
    const double size = (X_WA.p - X_WB.p).norm() + 2.0;
    // Common normal: the line between the surface points is along n and has the length of the gap.
    const Vec3 miss = at.point_a - at.point_b - at.contact.gap * at.contact.normal;
    EXPECT_LT(miss.norm(), 1e-13 * size) << i;
    expect_on_surface(a, X_WA, at.point_a, -at.contact.normal);
    expect_on_surface(b, X_WB, at.point_b, at.contact.normal);
    EXPECT_LT(at.iterations, 40) << i;
    if (at.contact.gap <= 0.0) continue;
    ++apart;
    if (apart <= 25) {
      EXPECT_NEAR(at.contact.gap, brute_separation(a, X_WA, b, X_WB), 1e-9) << i;
    }
  }
  EXPECT_GT(apart, 100);
}

/// Every pair that some direction separates must be reported apart, by at least as much.
TEST(EllipsoidPair, NeverMissesASeparatingDirection) {
  Random random(77);
  for (int i = 0; i < 300; ++i) {
    const Ellipsoid a = make_random_ellipsoid(random);
    const Ellipsoid b = make_random_ellipsoid(random);
    const Pose X_WB = random.pose(0.1);
    const Vec3 n = random.unit();
    // Placed so that the slab along n is 1e-6 wide: barely apart, whatever the shapes.
    Pose X_WA(random.rotation(), X_WB.p);
    const Vec3 sideways = tangential(random.vector(1.0), n);
    X_WA.p += sideways + (calc_support(a, X_WA, n) + calc_support(b, X_WB, n) + 1e-6) * n;
    EXPECT_GE(calc_ellipsoid_ellipsoid(a, X_WA, b, X_WB).contact.gap, 1e-6 - 1e-14) << i;
  }
}

/// Shallow overlaps: the depth is the smallest translation near the touching direction; second-order conditions by
/// search over a cap of directions about the normal.
TEST(EllipsoidPair, OverlapIsALocalMinimumOfTranslation) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Ellipsoid a = make_random_ellipsoid(random);
    const Ellipsoid b = make_random_ellipsoid(random);
    const Pose X_WA = random.pose(0.4);
    const Pose X_WB = random.pose(0.4);
    const PointContact at = calc_ellipsoid_ellipsoid(a, X_WA, b, X_WB).contact;
    for (int k = 0; k < 30; ++k) {
      const Vec3 n = (at.normal + 1e-4 * random.vector(1.0)).normalized();
      EXPECT_LE(calc_width(a, X_WA, b, X_WB, n), at.gap + 1e-15) << i;
    }
  }
}

TEST(EllipsoidPair, SpheresAreSpheres) {
  Random random(6);
  for (int i = 0; i < 50; ++i) {
    const Pose X_WA = random.pose(0.5);
    const Pose X_WB = random.pose(0.5);
    const PointContact expected = sphere_sphere(X_WA.p, 0.3, X_WB.p, 0.2);
    const PointContact at = calc_ellipsoid_ellipsoid({Vec3::Constant(0.3)}, X_WA, {Vec3::Constant(0.2)}, X_WB).contact;
    EXPECT_NEAR(at.gap, expected.gap, 1e-15);
    EXPECT_LT((at.normal - expected.normal).norm(), 2e-14);  // eps of the sizes over a distance of about 0.1
    EXPECT_LT((at.point - expected.point).norm(), 1e-14);
  }
}

TEST(EllipsoidPair, ASphereIsTheOffsetOfAPoint) {
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const Ellipsoid b = make_random_ellipsoid(random);
    const Pose X_WA = random.pose(1.0);
    const Pose X_WB = random.pose(1.0);
    const PointContact expected = sphere_solid(X_WA.p, 0.1, b, X_WB);
    const PointContact at = calc_ellipsoid_ellipsoid({Vec3::Constant(0.1)}, X_WA, b, X_WB).contact;
    // Two methods; deep inside they may choose different surface points, so compare near contact only.
    if (expected.gap > -0.1) {
      EXPECT_NEAR(at.gap, expected.gap, 1e-14) << i;
    }
  }
}

TEST(EllipsoidPair, TheLastNormalDoesNotChangeTheAnswer) {
  Random random(9);
  for (int i = 0; i < 300; ++i) {
    const Ellipsoid a = make_random_ellipsoid(random);
    const Ellipsoid b = make_random_ellipsoid(random);
    const Pose X_WA = random.pose(0.7);
    const Pose X_WB = random.pose(0.7);
    const PointContact cold = calc_ellipsoid_ellipsoid(a, X_WA, b, X_WB).contact;
    const Vec3 hint = random.unit();
    const PointContact warm = calc_ellipsoid_ellipsoid(a, X_WA, b, X_WB, &hint).contact;
    EXPECT_NEAR(warm.gap, cold.gap, 1e-14) << i;
    // The normal is determined to eps over the smallest radius of curvature, relative: 1:400 for these shapes.
    EXPECT_LT((warm.normal - cold.normal).norm(), 1e-11) << i;
  }
}

TEST(EllipsoidPair, AWarmStartIsFast) {
  Random random(10);
  const Ellipsoid a{Vec3(0.05, 0.3, 1.0)};
  const Ellipsoid b{Vec3(0.4, 0.2, 0.6)};
  const Pose X_WA(random.rotation(), Vec3(0, 0, 2));
  Pose X_WB(random.rotation(), Vec3::Zero());
  Vec3 normal = calc_ellipsoid_ellipsoid(a, X_WA, b, X_WB).contact.normal;
  for (int i = 0; i < 100; ++i) {
    X_WB.p += Vec3(1e-3, 0, 0);
    const EllipsoidContact at = calc_ellipsoid_ellipsoid(a, X_WA, b, X_WB, &normal);
    EXPECT_LE(at.iterations, 6);
    normal = at.contact.normal;
  }
}

TEST(EllipsoidPair, GapGradientIsTheNormal) {
  Random random(11);
  constexpr double kStep = 1e-6;
  for (int i = 0; i < 50; ++i) {
    const Ellipsoid a = make_random_ellipsoid(random);
    const Ellipsoid b = make_random_ellipsoid(random);
    const Pose X_WA = random.pose(1.0);
    const Pose X_WB = random.pose(1.0);
    const PointContact at = calc_ellipsoid_ellipsoid(a, X_WA, b, X_WB).contact;
    if (at.gap < 0.0) continue;
    for (int k = 0; k < 3; ++k) {
      Pose above = X_WA, below = X_WA;
      above.p[k] += kStep;
      below.p[k] -= kStep;
      const double slope = (calc_ellipsoid_ellipsoid(a, above, b, X_WB).contact.gap -
                            calc_ellipsoid_ellipsoid(a, below, b, X_WB).contact.gap) /
                           (2 * kStep);
      // Rounding eps / step = 1e-10 and truncation step^2 / radius^2, radius at least 1e-3.
      EXPECT_NEAR(slope, at.normal[k], 2e-6) << i;
    }
  }
}

TEST(EllipsoidPair, TouchingTipsAndFlats) {
  const Ellipsoid needle{Vec3(0.05, 0.05, 1.0)};
  const Pose up(Mat3(Mat3::Identity()), Vec3(0, 0, 2.0 - 1e-5));
  const PointContact tips = calc_ellipsoid_ellipsoid(needle, up, needle, Pose()).contact;
  EXPECT_NEAR(tips.gap, -1e-5, 1e-15);
  EXPECT_LT((tips.normal - Vec3::UnitZ()).norm(), 1e-12);
  const Pose beside(Mat3(Mat3::Identity()), Vec3(0.1 - 1e-5, 0, 0));
  const PointContact flats = calc_ellipsoid_ellipsoid(needle, beside, needle, Pose()).contact;
  EXPECT_NEAR(flats.gap, -1e-5, 1e-16);
  EXPECT_LT((flats.normal - Vec3::UnitX()).norm(), 1e-12);
}

TEST(EllipsoidPair, ConcentricPairsHaveAFiniteAnswer) {
  const Ellipsoid a{Vec3(0.5, 0.2, 0.9)};
  const PointContact at = calc_ellipsoid_ellipsoid(a, Pose(), a, Pose()).contact;
  EXPECT_NEAR(at.gap, -0.4, 1e-15);
  EXPECT_LT((at.normal.cwiseAbs() - Vec3::UnitY()).norm(), 1e-14);
}

}  // namespace
}  // namespace abut
