#include "abut/geometry/volume/volume_pair.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/geometry/volume/chord_integral.hpp"
#include "abut/geometry/volume/mass_properties.hpp"
#include "abut/geometry/volume/volume_fixture_test.hpp"

namespace abut {
namespace {

using testing::calc_total;
using testing::Random;
using testing::Total;

struct RandomPair {
  Solid a, b;
  Pose X_WA, X_WB;
};

/// Every kind of bounded shape against every kind, a quarter of them with a hole.
RandomPair make_random_pair(int index) {
  Random random(static_cast<unsigned>(100 + index));
  RandomPair pair{make_solid(testing::make_random_shape(random, index % 6)),
                  make_solid(testing::make_random_partner(random, index / 6 % 10)), random.pose(0.5), random.pose(1.0)};
  if (index % 4 == 3) pair.b = testing::drill(pair.b, random);
  return pair;
}

/// The region of each pair of cells, in the frame of A.
std::vector<Region> make_regions(const RandomPair& pair) {
  std::vector<Region> regions;
  for (const Cell& a : make_cells(pair.a)) {
    for (const Cell& b : make_cells(pair.b)) {
      Region region = a.region, other;
      transform_region(b.region, pair.X_WA.inverse() * pair.X_WB, other);
      for (RegionPlane plane : other.planes) {
        plane.owner = 1;
        region.planes.push_back(plane);
      }
      for (Quadric quadric : other.quadrics) {
        quadric.owner = 1;
        region.quadrics.push_back(quadric);
      }
      if (other.radius < region.radius) region.radius = other.radius, region.center = other.center;
      regions.push_back(region);
    }
  }
  return regions;
}

/// A direction that cuts all quadrics well, other than the one that would be chosen.
Vec3 choose_direction(const Region& region, Random& random) {
  Vec3 best = Vec3::UnitZ();
  double quality = -1.0;
  for (int k = 0; k < 200 && quality < 0.2; ++k) {
    const Vec3 axis = random.unit();
    double worst = 1.0;
    for (const Quadric& quadric : region.quadrics) worst = std::min(worst, calc_slice_quality(quadric, axis));
    if (worst > quality) quality = worst, best = axis;
  }
  return best;
}

/// Slices in a random direction meet other events and other ellipses: the sums must be the same, within the bounds of
/// both, 1e-6 and 1e-8. Measured over these pairs: 1.3e-8 in V, 8e-9 in the moments, 1.1e-6 in the area (whose bound is
/// relative to the sum of the sizes of its parts, here it is taken over V^(2/3)).
TEST(VolumePair, DoesNotDependOnTheDirectionOfSlicing) {
  int num_overlaps = 0;
  for (int index = 0; index < 240; ++index) {
    const RandomPair random_pair = make_random_pair(index);
    VolumePair pair = VolumePair::make(random_pair.a, random_pair.b);
    const Total total = calc_total(pair, Pose(), random_pair.X_WA.inverse() * random_pair.X_WB);
    Random random(static_cast<unsigned>(index));
    Total other;
    RegionVolume volume;
    for (const Region& region : make_regions(random_pair)) {
      std::vector<RegionPiece> pieces;
      volume.calc_along(choose_direction(region, random), region, {1e-8, 400, false, 0.0}, RegionSplit::none, pieces);
      for (const RegionPiece& piece : pieces) {
        other.moments += shift_moments(piece.moments, piece.origin);
        other.area_vector += piece.area_vector;
      }
    }
    const double scale = std::max(total.moments.volume, other.moments.volume);
    if (scale == 0.0) continue;
    ++num_overlaps;
    EXPECT_NEAR(total.moments.volume / scale, other.moments.volume / scale, 1e-6) << index;
    EXPECT_LT((total.moments.first - other.moments.first).norm(), 2e-6 * scale) << index;
    EXPECT_LT((total.moments.second - other.moments.second).norm(), 4e-6 * scale) << index;
    EXPECT_LT((total.area_vector - other.area_vector).norm(), 2e-6 * std::pow(scale, 2.0 / 3.0)) << index;
  }
  EXPECT_GT(num_overlaps, 150);
}

/// Chords share nothing with slices but the quadrature. They are asked for 1e-3 and compared at ten times that; their
/// area, with its poles at the silhouette, at a hundred times that.
TEST(VolumePairLong, AgreesWithChords) {
  for (const int index : {2, 11, 27, 59}) {
    const RandomPair random_pair = make_random_pair(index);
    VolumePair pair = VolumePair::make(random_pair.a, random_pair.b);
    const Total total = calc_total(pair, Pose(), random_pair.X_WA.inverse() * random_pair.X_WB);
    double volume = 0.0;
    Vec3 area_vector = Vec3::Zero();
    ChordIntegral chords;
    for (const Region& region : make_regions(random_pair)) {
      chords.calc(region, 1, {1e-3, 40, false, 0.0});
      volume += chords.sums()[0];
      area_vector += make_area_vector(chords.sums());
    }
    ASSERT_GT(volume, 0.0) << index;
    EXPECT_NEAR(total.moments.volume / volume, 1.0, 1e-2) << index;
    EXPECT_LT((total.area_vector - area_vector).norm(), 1e-1 * std::pow(volume, 2.0 / 3.0)) << index;
  }
}

/// area_vector = dV/dx for a displacement x of B, by differences of fourth order. Step 1e-4: the error of the
/// difference is below 1e-9 where V is smooth, and the noise of V, 1e-9, gives 1e-5 of V / size.
TEST(VolumePair, AreaVectorIsTheDerivativeOfTheVolume) {
  for (int index = 0; index < 120; index += 1) {
    const RandomPair random_pair = make_random_pair(index);
    VolumePair pair = VolumePair::make(random_pair.a, random_pair.b);
    const Pose X_AB = random_pair.X_WA.inverse() * random_pair.X_WB;
    const Total total = calc_total(pair, Pose(), X_AB);
    if (total.moments.volume < 1e-4) continue;
    const auto volume_at = [&](const Vec3& shift) {
      return calc_total(pair, Pose(), Pose(X_AB.R, X_AB.p + shift)).moments.volume;
    };
    Vec3 slope;
    const double h = 1e-4;
    for (int k = 0; k < 3; ++k) {
      const Vec3 d = h * Vec3::Unit(k);
      slope[k] = (8.0 * (volume_at(d) - volume_at(-d)) - (volume_at(2.0 * d) - volume_at(-2.0 * d))) / (12.0 * h);
    }
    EXPECT_LT((slope - total.area_vector).norm(), 1e-4 * std::pow(total.moments.volume, 2.0 / 3.0)) << index;
  }
}

/// V(A and B) + V(A and not B) = V(A), with moments, for every convex B.
TEST(VolumePair, ComplementIsTheRest) {
  Random random(11);
  for (int index = 0; index < 36; ++index) {
    const Shape shape = testing::make_random_shape(random, index % 6);
    const Solid a = make_solid(shape), b = make_solid(testing::make_random_shape(random, index / 6));
    Solid not_b = b;
    not_b.parts[0].is_complement = true;
    const Pose X_AB = random.pose(0.8);
    VolumePair with = VolumePair::make(a, b), without = VolumePair::make(a, not_b);
    const Total inside = calc_total(with, Pose(), X_AB), outside = calc_total(without, Pose(), X_AB);
    const MassProperties whole = calc_mass_properties(shape, 1.0);
    const double volume = inside.moments.volume + outside.moments.volume;
    // The default bound of 1e-6 on both; measured: 3.3e-9 in V, 4.1e-7 m^2 in the area.
    EXPECT_NEAR(volume / whole.mass, 1.0, 1e-6) << index;
    const Vec3 first = inside.moments.first + outside.moments.first;
    EXPECT_LT((first - whole.mass * whole.center_of_mass).norm(), 2e-6 * whole.mass) << index;
    // B's surface inside A has opposite sides in the two.
    EXPECT_LT((inside.area_vector + outside.area_vector).norm(), 1e-5) << index;
  }
}

/// A body cut by planes into cells: the sum over the cells is what the body gave.
TEST(VolumePair, CuttingABodyChangesNothing) {
  Random random(12);
  for (int index = 0; index < 24; ++index) {
    const Shape shape_a = testing::make_random_shape(random, index % 6),
                shape_b = testing::make_random_partner(random, index / 3);
    const Pose X_AB = random.pose(0.6);
    const Solid whole = make_solid(shape_a), b = make_solid(shape_b);
    VolumePair pair = VolumePair::make(whole, b);
    const Total total = calc_total(pair, Pose(), X_AB);
    Total sum;
    const HalfSpace cut_1{random.unit(), random.uniform(-0.2, 0.2)}, cut_2{random.unit(), random.uniform(-0.2, 0.2)};
    for (const bool side_1 : {false, true}) {
      for (const bool side_2 : {false, true}) {
        Solid cell = whole;
        cell.parts.push_back({Shape(cut_1), Pose(), side_1});
        cell.parts.push_back({Shape(cut_2), Pose(), side_2});
        VolumePair part = VolumePair::make(cell, b);
        const Total cell_total = calc_total(part, Pose(), X_AB);
        sum.moments += cell_total.moments;
        sum.area_vector += cell_total.area_vector;
      }
    }
    const double scale = total.moments.volume;
    if (scale < 1e-6) continue;
    EXPECT_NEAR(sum.moments.volume / scale, 1.0, 1e-6) << index;  // the bound of each; measured: 9e-10
    EXPECT_LT((sum.moments.second - total.moments.second).norm(), 4e-6 * scale) << index;
    EXPECT_LT((sum.area_vector - total.area_vector).norm(), 1e-5 * std::pow(scale, 2.0 / 3.0)) << index;
  }
}

/// The metrics belong to the relative pose: a common motion, a kilometre away, carries them along.
TEST(VolumePair, MovesWithTheWorld) {
  const RandomPair random_pair = make_random_pair(26);
  Random random(13);
  VolumePair pair = VolumePair::make(random_pair.a, random_pair.b);
  std::vector<VolumeMetrics> here, there;
  pair.calc(random_pair.X_WA, random_pair.X_WB, here);
  const Pose X = random.pose(1000.0);
  pair.calc(X * random_pair.X_WA, X * random_pair.X_WB, there);
  ASSERT_EQ(here.size(), 1u);
  ASSERT_EQ(there.size(), 1u);
  // The relative pose is known to 1000 m times 1e-16, a few times over.
  EXPECT_NEAR(there[0].volume / here[0].volume, 1.0, 1e-11);
  EXPECT_LT((there[0].centroid - X * here[0].centroid).norm(), 1e-11);
  EXPECT_LT((there[0].inertia - X.R * here[0].inertia * X.R.transpose()).norm(), 1e-11);
  EXPECT_LT((there[0].area_vector - X.R * here[0].area_vector).norm(), 1e-11);
}

/// No memory: what was computed in between leaves no trace in any bit.
TEST(VolumePair, DependsOnThePosesAlone) {
  const RandomPair random_pair = make_random_pair(59);
  VolumePair pair = VolumePair::make(random_pair.a, random_pair.b), fresh = pair;
  std::vector<VolumeMetrics> first, between, again;
  pair.calc(random_pair.X_WA, random_pair.X_WB, first);
  pair.calc(random_pair.X_WB, random_pair.X_WA, between);
  pair.calc(random_pair.X_WA, random_pair.X_WB, again);
  ASSERT_EQ(first.size(), again.size());
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first[0].volume, again[0].volume);
  EXPECT_EQ(first[0].inertia, again[0].inertia);
  fresh.calc(random_pair.X_WA, random_pair.X_WB, again);
  EXPECT_EQ(first[0].volume, again[0].volume);
  EXPECT_EQ(first[0].area_vector, again[0].area_vector);
}

/// A tighter bound is met: against a run at 1e-11.
TEST(VolumePair, ErrorBoundIsKept) {
  for (int index = 0; index < 60; ++index) {
    const RandomPair random_pair = make_random_pair(index);
    VolumePair exact = VolumePair::make(random_pair.a, random_pair.b, {1e-11, 4000});
    const Total reference = calc_total(exact, random_pair.X_WA, random_pair.X_WB);
    if (reference.moments.volume == 0.0) continue;
    for (const double bound : {1e-3, 1e-6, 1e-8}) {
      VolumePair pair = VolumePair::make(random_pair.a, random_pair.b, {bound, 400});
      const Total total = calc_total(pair, random_pair.X_WA, random_pair.X_WB);
      EXPECT_LE(pair.estimated_error(), bound) << index;
      EXPECT_NEAR(total.moments.volume / reference.moments.volume, 1.0, bound) << index;
      const double area = std::max(reference.area_vector.norm(), std::pow(reference.moments.volume, 2.0 / 3.0));
      EXPECT_LT((total.area_vector - reference.area_vector).norm(), 2.0 * bound * area) << index;
    }
  }
}

/// All pieces as one: a pin tilted in a hole touches it at both ends.
TEST(VolumePair, PiecesTogetherAreTheirSum) {
  Solid block = make_solid(Box{Vec3(0.2, 0.2, 0.1)});
  block.parts.push_back({Shape(Cylinder{0.051}), Pose(), true});
  VolumePair pair = VolumePair::make(make_solid(Cylinder{0.05, 0.09}), block);
  const Pose X(Mat3(Eigen::AngleAxisd(0.025, Vec3(1, 0.3, 0).normalized())), Vec3(3e-4, 0, 0));
  std::vector<VolumeMetrics> apart, together;
  pair.calc(X, Pose(), apart);
  pair.calc(X, Pose(), together, Pieces::together);
  ASSERT_EQ(apart.size(), 2u);
  ASSERT_EQ(together.size(), 1u);
  const VolumeMetrics sum = join(apart[0], apart[1]);
  EXPECT_NEAR(together[0].volume, sum.volume, 1e-12 * sum.volume);
  EXPECT_LT((together[0].centroid - sum.centroid).norm(), 1e-12);
  EXPECT_LT((together[0].area_vector - sum.area_vector).norm(), 1e-10 * apart[0].area());
}

}  // namespace
}  // namespace abut
