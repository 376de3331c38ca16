#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/geometry/volume/mass_properties.hpp"
#include "abut/geometry/volume/volume_fixture_test.hpp"

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;
using testing::calc_total;
using testing::calc_volume_of;
using testing::Random;
using testing::Total;

Pose at(double x, double y, double z) { return {Mat3(Mat3::Identity()), Vec3(x, y, z)}; }
Pose tilted(double angle, const Vec3& axis, const Vec3& p) { return {Mat3(Eigen::AngleAxisd(angle, axis)), p}; }

std::string get_refusal(const Solid& a, const Solid& b) {
  try {
    VolumePair::make(a, b);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(VolumeExtremes, RefusesWhatIsNeverBounded) {
  const Solid half_space = make_solid(HalfSpace{}), wedge = make_solid(Wedge{}), bore = make_solid(Bore{1.0});
  const Solid bar = make_solid(Cylinder{1.0}), cone = make_solid(Cone{0.5});
  EXPECT_EQ(get_refusal(half_space, half_space),
            "half-space and half-space are both endless and overlap without end in every pose: give one of them an end "
            "(a box, a finite cylinder or cone)");
  for (const Solid* other : {&wedge, &bore, &bar}) EXPECT_NE(get_refusal(half_space, *other), "") << describe(*other);
  for (const Solid* other : {&wedge, &bore, &bar, &cone}) EXPECT_NE(get_refusal(*other, bore), "") << describe(*other);
  EXPECT_EQ(get_refusal(half_space, cone), "");
  EXPECT_EQ(get_refusal(bar, bar), "");
  EXPECT_EQ(get_refusal(make_solid(Sphere{1.0}), bore), "");
  EXPECT_NE(get_refusal(make_solid(Sphere{-1.0}), bore).find("radius must be positive"), std::string::npos);
}

TEST(VolumeExtremes, RefusesAPoseWithoutEnd) {
  VolumePair pair = VolumePair::make(make_solid(Cone{0.5}), make_solid(HalfSpace{}));
  std::vector<VolumeMetrics> pieces;
  pair.calc(tilted(kPi, Vec3::UnitX(), Vec3(0, 0, -0.1)), Pose(), pieces);  // apex down, 0.1 m deep
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_NEAR(pieces[0].volume, kPi / 3.0 * 0.001 * std::pow(std::tan(0.5), 2), 1e-15);
  try {
    pair.calc(at(0, 0, 1), Pose(), pieces);
    FAIL() << "an endless cone below the plane was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("reaches to infinity"), std::string::npos);
  }
}

/// Closed forms: standing, lying; endless cylinders crossed at a right angle (16/3 r^3) and at 30 degrees.
TEST(VolumeExtremes, ClosedFormsOfCylinders) {
  const Solid bar = make_solid(Cylinder{0.3, 0.5}), ground = make_solid(HalfSpace{});
  EXPECT_NEAR(calc_volume_of(bar, ground, at(0, 0, 0.48), Pose()) / (kPi * 0.09 * 0.02), 1.0, 1e-13);
  const double depth = 0.01, angle = std::acos(1.0 - depth / 0.3);
  const double segment = 0.09 * (angle - std::sin(angle) * std::cos(angle));
  EXPECT_NEAR(calc_volume_of(bar, ground, tilted(0.5 * kPi, Vec3::UnitX(), Vec3(0, 0, 0.29)), Pose()) / segment, 1.0,
              1e-13);
  const Solid endless = make_solid(Cylinder{0.3});
  for (const double crossing : {0.5 * kPi, kPi / 6.0}) {
    const double volume = calc_volume_of(endless, endless, Pose(), tilted(crossing, Vec3::UnitX(), Vec3::Zero()));
    EXPECT_NEAR(volume / (16.0 / 3.0 * 0.027 / std::sin(crossing)), 1.0, 1e-9) << crossing;
  }
}

/// Coaxial, equal, touching, swallowed.
TEST(VolumeExtremes, DegeneratePositions) {
  const Solid pin = make_solid(Cylinder{0.3, 0.5}), short_pin = make_solid(Cylinder{0.3, 0.2});
  EXPECT_NEAR(calc_volume_of(pin, pin, Pose(), Pose()), kPi * 0.09, 1e-12);
  EXPECT_NEAR(calc_volume_of(pin, short_pin, Pose(), at(0, 0, 0.4)), kPi * 0.09 * 0.3, 1e-12);
  EXPECT_NEAR(calc_volume_of(pin, make_solid(Bore{0.3}), Pose(), Pose()), 0.0, 1e-12);
  EXPECT_NEAR(calc_volume_of(pin, make_solid(Bore{0.2}), Pose(), Pose()), kPi * 0.05, 1e-12);
  EXPECT_EQ(calc_volume_of(pin, pin, Pose(), at(0, 0, 1.0)), 0.0);
  EXPECT_NEAR(calc_volume_of(pin, pin, Pose(), at(0.6, 0, 0)), 0.0, 1e-15);
  EXPECT_NEAR(calc_volume_of(make_solid(Sphere{0.1}), pin, Pose(), Pose()), 4.0 / 3.0 * kPi * 0.001, 1e-12);
  const Solid egg = make_solid(Ellipsoid{Vec3(0.3, 0.4, 0.5)});
  EXPECT_NEAR(calc_volume_of(egg, egg, Pose(), Pose()), 4.0 / 3.0 * kPi * 0.06, 1e-9);
  // A square bar inscribed in a round one: each edge is a line of three faces.
  const Solid square = make_solid(Box{Vec3(0.3, 0.3, 1.0)}), round = make_solid(Cylinder{0.3 * std::sqrt(2.0), 1.0});
  EXPECT_NEAR(calc_volume_of(square, round, Pose(), Pose()) / 0.72, 1.0, 1e-6);
  // Ball centred on an edge and on a corner of a box.
  const Solid ball = make_solid(Sphere{0.1}), box = make_solid(Box{Vec3(1, 1, 1)});
  EXPECT_NEAR(calc_volume_of(ball, box, at(1, 1, 0), Pose()) / (kPi * 0.001 / 3.0), 1.0, 1e-12);
  EXPECT_NEAR(calc_volume_of(ball, box, at(1, 1, 1), Pose()) / (kPi * 0.001 / 6.0), 1.0, 1e-12);
}

/// Depths from 1e-2 to 1e-9: V follows the elliptic paraboloid, pi sqrt(R1 R2) d^2, to the relative depth and to what
/// rounding of the pose leaves of it, 1e-16 / d.
TEST(VolumeExtremes, ShallowSmoothContacts) {
  const auto expect_law = [](const Solid& a, const Solid& b, const std::function<Pose(double)>& pose, double radius) {
    for (const double depth : {1e-2, 1e-4, 1e-6, 1e-8, 1e-9}) {
      const double volume = calc_volume_of(a, b, pose(depth), Pose());
      EXPECT_NEAR(volume / (kPi * radius * depth * depth), 1.0, 20.0 * depth + 1e-14 / depth)
          << describe(a) << " " << describe(b) << " " << depth;
    }
  };
  const Solid ball = make_solid(Sphere{0.5}), egg = make_solid(Ellipsoid{Vec3(0.5, 0.5, 0.6)});
  // Ball and cylinder: 1/R1 = 1/0.5 + 1/0.5, R2 = 0.5.
  expect_law(
      ball, make_solid(Cylinder{0.5, 2.0}), [](double d) { return at(1.0 - d, 0, 0.3); }, std::sqrt(0.125));
  // Ball in a bore of 1 m: 1/R1 = 2 - 1.
  expect_law(
      ball, make_solid(Bore{1.0}), [](double d) { return at(0.5 + d, 0, 0.3); }, std::sqrt(0.5));
  // The egg's curvatures at its end are 0.5 / 0.5^2 and 0.5 / 0.6^2, the ball's 2 and 2.
  const double radius = 1.0 / std::sqrt(4.0 * (2.0 + 0.5 / 0.36));
  expect_law(
      egg, ball, [](double d) { return at(1.0 - d, 0, 0); }, radius);
  // Crossed cylinders.
  expect_law(
      make_solid(Cylinder{0.5, 2.0}), make_solid(Cylinder{0.5, 2.0}),
      [](double d) { return tilted(0.5 * kPi, Vec3::UnitX(), Vec3(1.0 - d, 0, 0)); }, 0.5);
  // Ball on a box face, beside an edge.
  expect_law(
      ball, make_solid(Box{Vec3(1, 1, 1)}), [](double d) { return at(0.8, 0.1, 1.5 - d); }, 0.5);
  // Egg on its side in a capsule's middle.
  expect_law(
      ball, make_solid(Capsule{0.5, 1.0}), [](double d) { return at(1.0 - d, 0, 0.2); }, std::sqrt(0.125));
}

/// Ball rolling over the edge of a table [Gonthier 2007, 5.2.1], depth 2.5 mm: the third differences of V over steps of
/// 0.1 mm stay small (V is three times differentiable but at isolated events), so nothing jumps when the patch meets
/// the edge.
TEST(VolumeExtremes, SmoothOverATableEdge) {
  VolumePair pair = VolumePair::make(make_solid(Sphere{0.1}), make_solid(Box{Vec3(1.0, 1.0, 0.25)}));
  const Pose X_table = at(0.0, -0.7, -0.25);
  std::vector<double> volumes;
  std::vector<Vec3> areas, centroids;
  const double step = 1e-4;
  for (double y = 0.25; y < 0.36; y += step) {
    std::vector<VolumeMetrics> pieces;
    pair.calc(at(0.0, y, 0.0975), X_table, pieces);
    volumes.push_back(pieces.empty() ? 0.0 : pieces[0].volume);
    areas.push_back(pieces.empty() ? Vec3(Vec3::Zero()) : pieces[0].area_vector);
    centroids.push_back(pieces.empty() ? Vec3(Vec3::Zero()) : pieces[0].centroid);
  }
  ASSERT_GT(volumes.size(), 1000u);
  for (std::size_t k = 3; k < volumes.size(); ++k) {
    const double second = volumes[k] - 2.0 * volumes[k - 1] + volumes[k - 2];
    // V'' = d(area_y)/dy is at most the height of the cut times its width: 0.0025 x 0.045 / 0.0025, rounded up.
    EXPECT_LT(std::abs(second), 0.06 * step * step) << k;
    EXPECT_LT((areas[k] - areas[k - 1]).norm(), 0.06 * step) << k;
    if (volumes[k] > 1e-9) {
      EXPECT_LT((centroids[k] - centroids[k - 1]).norm(), 3.0 * step) << k;
    }
  }
}

/// A pin tilted in a hole touches at both ends, on opposite sides: two pieces, mirror images of each other.
TEST(VolumeExtremes, TiltedPinInAHoleHasTwoPieces) {
  VolumePair pair = VolumePair::make(make_solid(Cylinder{0.05, 0.2}), make_solid(Bore{0.051}));
  std::vector<VolumeMetrics> pieces;
  pair.calc(tilted(0.012, Vec3::UnitX(), Vec3::Zero()), Pose(), pieces);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_GT(pieces[0].volume, 0.0);
  EXPECT_NEAR(pieces[1].volume / pieces[0].volume, 1.0, 1e-8);
  EXPECT_LT((pieces[0].centroid + pieces[1].centroid).norm(), 1e-9);
  EXPECT_LT((pieces[0].area_vector + pieces[1].area_vector).norm(), 1e-8 * pieces[0].area());
  EXPECT_GT(pieces[1].centroid.z(), 0.1);
  pair.calc(tilted(0.001, Vec3::UnitX(), Vec3::Zero()), Pose(), pieces);
  EXPECT_TRUE(pieces.empty());
}

/// A bar through a ring, a capsule across a hole: pieces joined where cells of one solid meet, and only there.
TEST(VolumeExtremes, PiecesAreConnectedComponents) {
  Solid ring = make_solid(Cylinder{1.0, 0.2});
  ring.parts.push_back({Shape(Cylinder{0.5}), Pose(), true});
  VolumePair pair = VolumePair::make(make_solid(Box{Vec3(3.0, 0.1, 0.1)}), ring);
  std::vector<VolumeMetrics> pieces;
  pair.calc(Pose(), Pose(), pieces);
  EXPECT_EQ(pieces.size(), 2u);
  // A capsule lying in the wall crosses all of its own cells and stays one.
  VolumePair other = VolumePair::make(make_solid(Capsule{0.1, 0.15}), ring);
  other.calc(tilted(0.5 * kPi, Vec3::UnitX(), Vec3(0.75, 0, 0)), Pose(), pieces);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_NEAR(pieces[0].volume / calc_volume(Capsule{0.1, 0.15}), 1.0, 1e-6);
  EXPECT_LT(pieces[0].area(), 1e-8);
}

/// Wide cones that cross at a right angle: no direction cuts both into ellipses, pyramids stand in. By symmetry the
/// centroid lies in the plane of the axes; against a plain sum over a fine grid.
TEST(VolumeExtremes, WideConesByPyramids) {
  const Cone cone{1.1, 0.5};
  const Pose X_B = tilted(0.5 * kPi, Vec3::UnitY(), Vec3(-0.3, 0, -0.3));
  VolumePair pair = VolumePair::make(make_solid(cone), make_solid(cone), {1e-4, 100});
  const Total total = calc_total(pair, Pose(), X_B);
  double sum = 0.0;
  constexpr int kCells = 120;
  const double h = 2.0 / kCells;
  const auto is_in = [&cone](const Vec3& p) {
    return p.z() <= 0.0 && p.z() >= -cone.height && p.head<2>().norm() <= -p.z() * std::tan(cone.half_angle);
  };
  for (int m = 0; m < kCells * kCells * kCells; ++m) {
    const Vec3 p = h * Vec3(m % kCells + 0.5, m / kCells % kCells + 0.5, m / kCells / kCells + 0.5) - Vec3(1, 1, 1);
    if (is_in(p) && is_in(X_B.inverse() * p)) sum += h * h * h;
  }
  ASSERT_GT(sum, 0.01);
  EXPECT_NEAR(total.moments.volume / sum, 1.0, 5e-3);  // surface 1 m^2 over cells of 0.017 m, errors of random sign
  EXPECT_LT(std::abs(total.moments.first.y()), 1e-4 * total.moments.volume);
}

/// Weights sum to V, points lie inside, first and second moments come out to the order of the cubature.
TEST(VolumeExtremes, SamplesIntegrate) {
  Random random(21);
  for (int index = 0; index < 12; ++index) {
    const Solid a = make_solid(testing::make_random_shape(random, index % 6));
    Solid b = make_solid(testing::make_random_shape(random, index / 2));
    if (index % 3 == 2) b = testing::drill(b, random);
    const Pose X_B = random.pose(0.5);
    VolumePair pair = VolumePair::make(a, b);
    const Total total = calc_total(pair, Pose(), X_B);
    double coarse_error = 0.0;
    for (const int detail : {1, 4}) {
      std::vector<VolumeSample> samples;
      pair.calc_samples(Pose(), X_B, detail, samples);
      VolumeMoments sum;
      for (const VolumeSample& sample : samples) {
        sum += {sample.weight, Vec3(sample.weight * sample.point),
                Mat3(sample.weight * sample.point * sample.point.transpose())};
      }
      EXPECT_NEAR(sum.volume / total.moments.volume, 1.0, 1e-6) << index;
      const double error = (sum.second - total.moments.second).norm() / total.moments.volume;
      EXPECT_LT(error, detail == 1 ? 3e-2 : 3e-3) << index;
      if (detail == 1) coarse_error = error;
      if (detail == 4) {
        EXPECT_LT(error, coarse_error + 1e-9) << index;
      }
    }
  }
}

}  // namespace
}  // namespace abut
