#include "abut/geometry/distance/support_distance.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/geometry/ellipsoid_pair.hpp"
#include "abut/geometry/point_pair.hpp"
#include "abut/geometry/polyhedron/convex_clip.hpp"
#include "abut/geometry/signed_distance.hpp"
#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::Random;

constexpr int kNumKinds = 6;

/// Sizes between low and high [m].
Shape make_shape(Random& random, int kind, double low = 0.05, double high = 0.3) {
  // Logarithmic, so that slender shapes are as common as stout ones where the range is wide.
  const auto length = [&] { return low * std::pow(high / low, random.uniform(0.0, 1.0)); };
  const double x = length(), y = length(), z = length();
  switch (kind) {
    case 0:
      return Sphere{x};
    case 1:
      return Box{Vec3(x, y, z)};
    case 2:
      return Cylinder{x, y};
    case 3:
      return Cone{std::atan2(x, y), y};
    case 4:
      return Capsule{x, y};
    default:
      return Ellipsoid{Vec3(x, y, z)};
  }
}

/// Upper bound: the two points lie in the solids and are that far apart. Lower bound: a slab of that width lies between
/// the solids. Together they prove the distance, whatever found it.
void expect_proven(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, const Separation& s,
                   double tolerance) {
  EXPECT_LE(calc_signed_distance(a, X_WA.inverse() * s.point_a).distance, tolerance);
  EXPECT_LE(calc_signed_distance(b, X_WB.inverse() * s.point_b).distance, tolerance);
  EXPECT_NEAR((s.point_a - s.point_b).norm(), s.distance, tolerance);
  const SupportSolid solid_a(a), solid_b(b);
  const Vec3 low = X_WA * solid_a.calc_support(X_WA.R.transpose() * -s.normal) - solid_a.margin() * s.normal;
  const Vec3 high = X_WB * solid_b.calc_support(X_WB.R.transpose() * s.normal) + solid_b.margin() * s.normal;
  EXPECT_GE(s.normal.dot(low - high), s.distance - tolerance);
}

/// Largest width of a slab between the solids over some directions: positive proves them apart.
double find_slab(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, Random& random) {
  const SupportSolid solid_a(a), solid_b(b);
  double widest = -1e300;
  for (int i = 0; i < 20; ++i) {
    const Vec3 n = i == 0 ? Vec3((X_WA.p - X_WB.p).normalized()) : random.unit();
    const Vec3 low = X_WA * solid_a.calc_support(X_WA.R.transpose() * -n);
    const Vec3 high = X_WB * solid_b.calc_support(X_WB.R.transpose() * n);
    widest = std::max(widest, n.dot(low - high) - solid_a.margin() - solid_b.margin());
  }
  return widest;
}

TEST(SupportDistance, HundredThousandRandomPairs) {
  Random random(1);
  int num_apart = 0, most_iterations = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const Shape a = make_shape(random, trial % kNumKinds), b = make_shape(random, trial / kNumKinds % kNumKinds);
    const Pose X_WA = random.pose(0.4), X_WB = random.pose(0.4);
    SeparationMemory memory;
    const Separation s = calc_separation(SupportSolid(a), X_WA, SupportSolid(b), X_WB, memory);
    most_iterations = std::max(most_iterations, s.iterations);
    if (s.distance > 0.0) {
      ++num_apart;
      expect_proven(a, X_WA, b, X_WB, s, 1e-12);  // of a size of one metre
    } else {
      EXPECT_LE(find_slab(a, X_WA, b, X_WB, random), 1e-14);
    }
    if (HasFailure()) FAIL() << "trial " << trial << ": " << shape_name(a) << " and " << shape_name(b);
  }
  EXPECT_GT(num_apart, 50000);
  EXPECT_LT(most_iterations, kMaxSupportIterations);
}

/// Plates, needles and everything between, down to a thousandth of their length.
TEST(SupportDistance, SlenderShapes) {
  Random random(2);
  for (int trial = 0; trial < 10000; ++trial) {
    const Shape a = make_shape(random, trial % kNumKinds, 1e-3, 1.0);
    const Shape b = make_shape(random, trial / kNumKinds % kNumKinds, 1e-3, 1.0);
    const Pose X_WA = random.pose(0.7), X_WB = random.pose(0.7);
    SeparationMemory memory;
    const Separation s = calc_separation(SupportSolid(a), X_WA, SupportSolid(b), X_WB, memory);
    if (s.distance > 0.0) {
      // Points of a rim are found to sqrt of the distance's error: the slab's width suffers by the square.
      expect_proven(a, X_WA, b, X_WB, s, 4e-12);
    } else {
      EXPECT_LE(find_slab(a, X_WA, b, X_WB, random), 1e-14);
    }
    if (HasFailure()) FAIL() << "trial " << trial << ": " << shape_name(a) << " and " << shape_name(b);
  }
}

/// A ball against anything is the signed distance of its centre, in closed form (Newton's method for ellipsoids).
TEST(SupportDistance, BallsInClosedForm) {
  Random random(3);
  for (int trial = 0; trial < 6000; ++trial) {
    const Shape a = make_shape(random, trial % kNumKinds);
    const Sphere ball{random.uniform(0.01, 0.3)};
    const Pose X_WA = random.pose(0.3), X_WB = random.pose(0.6);
    const double expected = calc_signed_distance(a, X_WA.inverse() * X_WB.p).distance - ball.radius;
    SeparationMemory memory;
    EXPECT_NEAR(calc_separation(a, X_WA, Shape(ball), X_WB, memory), std::max(0.0, expected), 2e-15);
  }
}

/// Two ellipsoids by Newton's method on the common normal.
TEST(SupportDistance, Ellipsoids) {
  Random random(4);
  for (int trial = 0; trial < 2000; ++trial) {
    const Shape a = make_shape(random, 5), b = make_shape(random, 5);
    const Pose X_WA = random.pose(0.4), X_WB = random.pose(0.4);
    const double gap = calc_ellipsoid_ellipsoid(std::get<Ellipsoid>(a), X_WA, std::get<Ellipsoid>(b), X_WB).contact.gap;
    SeparationMemory memory;
    EXPECT_NEAR(calc_separation(a, X_WA, b, X_WB, memory), std::max(0.0, gap), 4e-15);
  }
}

/// A capsule against anything: the distance of a point of its axis is convex along it; the best by golden section,
/// whose 1e-8 m in place make nothing in the distance at a smooth minimum and 1e-8 times a rounding at a kink.
TEST(SupportDistance, CapsulesByOneDimensionalSearch) {
  Random random(5);
  for (int trial = 0; trial < 1200; ++trial) {
    const Shape a = make_shape(random, trial % kNumKinds);
    const Capsule capsule = std::get<Capsule>(make_shape(random, 4));
    const Pose X_WA = random.pose(0.4), X_WB = random.pose(0.4), X_AB = X_WA.inverse() * X_WB;
    const auto distance = [&](double z) { return calc_signed_distance(a, X_AB * Vec3(0, 0, z)).distance; };
    double low = -capsule.half_length, high = capsule.half_length;
    for (int i = 0; i < 60; ++i) {
      const double p = low + 0.382 * (high - low), q = high - 0.382 * (high - low);
      (distance(p) < distance(q) ? high : low) = distance(p) < distance(q) ? q : p;
    }
    const double expected = std::max(0.0, distance(0.5 * (low + high)) - capsule.radius);
    SeparationMemory memory;
    // Inside A the distance is not convex, but then they overlap.
    EXPECT_NEAR(calc_separation(a, X_WA, Shape(capsule), X_WB, memory), expected, 1e-13);
  }
}

/// The half-space has a closed form in the models of contact at points: their smallest gap.
TEST(SupportDistance, HalfSpaceInClosedForm) {
  Random random(6);
  for (int trial = 0; trial < 3000; ++trial) {
    const Shape a = make_shape(random, trial % kNumKinds);
    const HalfSpace floor{random.unit(), random.uniform(-0.3, 0.3)};
    const Pose X_WA = random.pose(0.6), X_WB = random.pose(0.2);
    const auto pair = find_point_pair(a, Shape(floor));
    ASSERT_TRUE(pair.has_value());
    PointContact contacts[kMaxPairPoints];
    PointPairMemory point_memory;
    calc_point_contacts(*pair, a, X_WA, Shape(floor), X_WB, point_memory, contacts);
    double gap = contacts[0].gap;
    for (int i = 1; i < pair->num_points; ++i) gap = std::min(gap, contacts[i].gap);
    EXPECT_NEAR(calc_separation(SupportSolid(a), X_WA, floor, X_WB), gap, 1e-15);
    SeparationMemory memory;
    EXPECT_NEAR(calc_separation(Shape(floor), X_WB, a, X_WA, memory), std::max(0.0, gap), 1e-15);
  }
}

/// Polyhedra overlap where clipping finds a volume, and a box is a box either way.
TEST(SupportDistance, PolyhedraAgreeWithClipping) {
  Random random(7);
  PolyhedronClip clip;
  int num_apart = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Vec3> points;
    for (int i = 0; i < 12; ++i) points.push_back(random.vector(0.2));
    const ConvexPolyhedron a = make_convex_hull(points), b = make_box_polyhedron(Vec3(0.1, 0.2, 0.15));
    const Pose X_WA = random.pose(0.3), X_WB = random.pose(0.1);
    SeparationMemory memory;
    const Separation s = calc_separation(SupportSolid(a), X_WA, SupportSolid(b), X_WB, memory);
    EXPECT_EQ(s.distance == 0.0, calc_clip_metrics(a, X_WA, b, X_WB, clip).volume > 0.0);
    SeparationMemory other;
    const Shape box(Box{Vec3(0.1, 0.2, 0.15)});
    EXPECT_NEAR(calc_separation(SupportSolid(a), X_WA, SupportSolid(box), X_WB, other).distance, s.distance, 1e-15);
    num_apart += s.distance > 0.0 ? 1 : 0;
  }
  EXPECT_GT(num_apart, 300);
  EXPECT_LT(num_apart, 1700);
}

/// Parallel faces a hair apart, where the direction of the shortest vector is mostly rounding.
TEST(SupportDistance, ParallelFacesAtTinyGaps) {
  Random random(8);
  const std::vector<Shape> solids = {Box{Vec3(0.1, 0.2, 0.15)}, Cylinder{0.2, 0.15}};
  const Shape plate = Box{Vec3(0.3, 0.25, 0.05)};
  for (const Shape& solid : solids) {
    for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12}) {
      for (int trial = 0; trial < 50; ++trial) {
        const Pose X = random.pose(0.5);
        const Pose X_PA(Mat3(Eigen::AngleAxisd(random.uniform(0, 6), Vec3::UnitZ())),
                        Vec3(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0.2 + gap));
        SeparationMemory memory;
        // Rounding of the poses: a few units of 0.5 m.
        const Separation s = calc_separation(SupportSolid(solid), X * X_PA, SupportSolid(plate), X, memory);
        EXPECT_NEAR(s.distance, gap, 2e-15) << gap;
        EXPECT_LE((s.normal - X.R.col(2)).norm(), 1e-13) << gap;
        EXPECT_EQ(calc_separation(solid, X * Pose(X_PA.R, X_PA.p - Vec3(0, 0, 1e-6)), plate, X, memory) > 0.0,
                  gap > 1e-6 * (1 + 1e-6));
      }
    }
  }
}

TEST(SupportDistance, WarmStartChangesNothingButTheWork) {
  Random random(9);
  long cold_work = 0, warm_work = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Shape a = make_shape(random, trial % kNumKinds), b = make_shape(random, trial / kNumKinds % kNumKinds);
    const Pose X_WA = random.pose(0.4), X_WB = random.pose(0.4);
    const SupportSolid solid_a(a), solid_b(b);
    SeparationMemory memory;
    for (int step = 0; step < 10; ++step) {
      const Pose moved(X_WA.R, X_WA.p + 1e-5 * step * Vec3(1, 2, 3));
      const Separation warm = calc_separation(solid_a, moved, solid_b, X_WB, memory);
      SeparationMemory none;
      const Separation cold = calc_separation(solid_a, moved, solid_b, X_WB, none);
      EXPECT_NEAR(warm.distance, cold.distance, 1e-12);
      warm_work += step > 0 ? warm.iterations : 0;
      cold_work += step > 0 ? cold.iterations : 0;
    }
  }
  EXPECT_LT(warm_work, cold_work);
}

TEST(SupportDistance, FarFromTheWorldOrigin) {
  Random random(10);
  const Vec3 far(1024.0, -2048.0, 512.0);
  const auto snap = [](const Vec3& p) { return Vec3((p * 0x1p30).array().round() * 0x1p-30); };
  for (int trial = 0; trial < 200; ++trial) {
    const Shape a = make_shape(random, trial % kNumKinds), b = make_shape(random, trial / kNumKinds % kNumKinds);
    Pose X_WA = random.pose(0.4), X_WB = random.pose(0.4);
    X_WA.p = snap(X_WA.p);
    X_WB.p = snap(X_WB.p);
    SeparationMemory near, moved;
    EXPECT_EQ(calc_separation(a, X_WA, b, X_WB, near),
              calc_separation(a, Pose(X_WA.R, X_WA.p + far), b, Pose(X_WB.R, X_WB.p + far), moved));
  }
}

TEST(SupportDistance, SaysWhatItCannotDo) {
  const auto find_error = [](const Shape& a, const Shape& b) -> std::string {
    SeparationMemory memory;
    try {
      calc_separation(a, Pose(), b, Pose(), memory);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(find_error(Wedge{}, Sphere{}),
            "distance: wedge and sphere: at most one may be a half-space, the other must be bounded");
  EXPECT_NE(find_error(HalfSpace{}, HalfSpace{}), "");
  EXPECT_NE(find_error(Sphere{}, Cylinder{}), "");
  EXPECT_EQ(find_error(Sphere{}, HalfSpace{}), "");
  EXPECT_THROW(SupportSolid(Shape(Bore{})), InputError);
}

/// Same centres, one inside the other: no direction to start from.
TEST(SupportDistance, Concentric) {
  Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    const Shape a = make_shape(random, trial % kNumKinds), b = make_shape(random, trial / kNumKinds % kNumKinds);
    const Pose X = random.pose(1.0);
    SeparationMemory memory;
    EXPECT_EQ(calc_separation(a, X, b, X, memory), 0.0);
  }
}

}  // namespace
}  // namespace abut
