#include "abut/geometry/mesh/mesh_interference.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_fixture_test.hpp"
#include "abut/geometry/mesh/mesh_queries.hpp"

namespace abut {
namespace {

using testing::RandomPoses;

constexpr double kPi = std::numbers::pi;

Pose shift(double x, double y, double z) { return {Mat3::Identity(), Vec3(x, y, z)}; }

double sum_volume(const std::vector<VolumeMetrics>& pieces) {
  double volume = 0.0;
  for (const VolumeMetrics& m : pieces) volume += m.volume;
  return volume;
}

VolumeMetrics make_box_metrics(const Vec3& lower, const Vec3& upper) {
  const Vec3 d = upper - lower;
  VolumeMetrics m;
  m.volume = d.prod();
  m.centroid = 0.5 * (lower + upper);
  const Vec3 square = d.cwiseAbs2();
  m.inertia =
      m.volume / 12.0 * Vec3(square.y() + square.z(), square.z() + square.x(), square.x() + square.y()).asDiagonal();
  return m;
}

void expect_same(const VolumeMetrics& a, const VolumeMetrics& b, double tolerance) {
  const double size = std::cbrt(b.volume);
  EXPECT_NEAR(a.volume, b.volume, tolerance * b.volume);
  EXPECT_LT((a.centroid - b.centroid).norm(), tolerance * size);
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

TEST(MeshInterference, AlignedBoxesAreExact) {
  // Every face, edge and corner of one is in line with the other's: all decisions are ties.
  MeshInterference interference;
  for (const int level : {0, 1, 2}) {
    const ClosedMesh box = make_closed_mesh(make_divided(make_box_mesh(Vec3::Constant(0.5)), level));
    for (const double x : {-1.0, -0.75, -0.5, 0.0, 0.25, 0.5, 1.0}) {
      for (const double y : {-0.5, 0.0, 0.125}) {
        for (const double z : {-1.0, 0.0, 0.75}) {
          const auto& pieces = interference.calc(box, Pose(), box, shift(x, y, z));
          const Vec3 d = Vec3(x, y, z).cwiseAbs();
          const double volume = (1.0 - d.x()) * (1.0 - d.y()) * (1.0 - d.z());
          ASSERT_EQ(pieces.size(), volume > 0.0 ? 1u : 0u) << x << " " << y << " " << z << " level " << level;
          if (pieces.empty()) continue;
          const Vec3 lower = Vec3(x, y, z).cwiseMax(0.0) - Vec3::Constant(0.5);
          const Vec3 upper = Vec3(x, y, z).cwiseMin(0.0) + Vec3::Constant(0.5);
          // Sums of a few hundred terms; the worst is the inertia with 8e-15.
          expect_same(pieces[0], make_box_metrics(lower, upper), 2e-14);
        }
      }
    }
  }
}

TEST(MeshInterference, AlignedBoxesTurnedTogetherKeepTheirVolume) {
  // The relative rotation is the identity up to rounding: faces are coplanar to a few 1e-17 m, at random.
  RandomPoses random(1);
  MeshInterference interference;
  const ClosedMesh box = make_closed_mesh(make_divided(make_box_mesh(Vec3::Constant(0.5)), 1));
  for (int i = 0; i < 100; ++i) {
    const Pose X = random.pose(2.0);
    const Vec3 d(i % 2 ? 0.0 : 0.5, i % 3 ? 0.0 : -0.25, 0.9);
    const auto& pieces = interference.calc(box, X, box, X * Pose(Mat3::Identity(), d));
    ASSERT_EQ(pieces.size(), 1u) << i;
    EXPECT_NEAR(pieces[0].volume, (1.0 - std::abs(d.x())) * (1.0 - std::abs(d.y())) * 0.1, 1e-14);
    EXPECT_LT((pieces[0].centroid - X * Vec3(0.5 * d)).norm(), 1e-13);
  }
}

MeshData make_staircase(RandomPoses& random) {
  std::vector<Vec2> outline = {Vec2(0, 0), Vec2(5, 0)};
  int height = 1 + static_cast<int>(random.uniform(0, 2));
  for (int x = 5; x > 0; --x) {
    outline.emplace_back(x, height);
    outline.emplace_back(x - 1, height);
    height += 1 + static_cast<int>(random.uniform(0, 1.99));
  }
  return make_prism_mesh(outline, 0, 1 + static_cast<int>(random.uniform(0, 4)));
}

/// A product of quarter turns.
Mat3 make_turn(RandomPoses& random) {
  Mat3 R = Mat3::Identity();
  for (int i = 0; i < 3; ++i) {
    const Mat3 quarter = skew(Vec3::Unit(i)) + Vec3::Unit(i) * Vec3::Unit(i).transpose();
    for (int k = static_cast<int>(random.uniform(0, 3.99)); k > 0; --k) R = quarter * R;
  }
  return R;
}

TEST(MeshInterference, StaircasesOnOneGridAreExact) {
  // Prisms over staircase outlines with small integer coordinates, turned by right angles: non-convex, and nearly all
  // vertices lie on faces or edges of the other. Volumes are whole numbers, counted cell by cell.
  RandomPoses random(2);
  MeshInterference interference;
  MeshQueryScratch scratch;
  int num_overlapping = 0;
  for (int round = 0; round < 150; ++round) {
    const ClosedMesh a = make_closed_mesh(make_staircase(random)), b = make_closed_mesh(make_staircase(random));
    const Pose X(make_turn(random), Vec3(random.vector(3.0).array().round().matrix()));
    int cells = 0;
    for (int i = 0; i < 8 * 12 * 8; ++i) {
      const Vec3 p(i % 8 + 0.5, i / 8 % 12 + 0.5, i / 96 + 0.5);
      if (is_inside(a, p, scratch) && is_inside(b, X.inverse() * p, scratch)) ++cells;
    }
    EXPECT_NEAR(sum_volume(interference.calc(a, Pose(), b, X)), cells, 1e-12) << round;
    num_overlapping += cells > 0 ? 1 : 0;
  }
  EXPECT_GT(num_overlapping, 30);
}

TEST(MeshInterference, StaircasesSlightlyTurnedAreContinuous) {
  // Turned by angles from far below rounding to visible ones: the volume differs from the aligned one by no more than
  // the angle times (surface) x (size), a few hundred, and its two ways round agree.
  RandomPoses random(21);
  MeshInterference interference;
  for (int round = 0; round < 150; ++round) {
    const ClosedMesh a = make_closed_mesh(make_staircase(random)), b = make_closed_mesh(make_staircase(random));
    const Pose X(make_turn(random), Vec3(random.vector(3.0).array().round().matrix()));
    const double aligned = sum_volume(interference.calc(a, Pose(), b, X));
    const double angle = std::pow(10.0, random.uniform(-18.0, -3.0));
    const Mat3 R = Eigen::AngleAxisd(angle, random.vector(1.0).normalized()).toRotationMatrix();
    const Pose Y(Mat3(X.R * R), Vec3(X.p + angle * random.vector(1.0)));
    const double turned = sum_volume(interference.calc(a, Pose(), b, Y));
    EXPECT_NEAR(turned, aligned, 500.0 * angle + 1e-12) << round << " angle " << angle;
    EXPECT_NEAR(sum_volume(interference.calc(b, Y, a, Pose())), turned, 1e-11) << round << " angle " << angle;
  }
}

TEST(MeshInterference, RandomPosesAgreeWithSumsOfTetrahedra) {
  RandomPoses random(3);
  MeshInterference interference;
  const std::vector<MeshData> shapes = {
      make_box_mesh(Vec3(0.3, 0.4, 0.5)), make_torus_mesh(0.5, 0.2, 6, 4), make_sphere_mesh(0.5, 1),
      make_prism_mesh({Vec2(-0.5, -0.5), Vec2(0.5, -0.5), Vec2(0.5, 0.5), Vec2(0.2, 0.5), Vec2(0.2, -0.2),
                       Vec2(-0.2, -0.2), Vec2(-0.2, 0.5), Vec2(-0.5, 0.5)},
                      -0.2, 0.2)};
  int num_touching = 0;
  for (int round = 0; round < 40; ++round) {
    const MeshData &a = shapes[round % 4], &b = shapes[round / 4 % 4];
    const Pose X = random.pose(0.5);
    const auto& pieces = interference.calc(make_closed_mesh(a), Pose(), make_closed_mesh(b), X);
    const double expected = testing::calc_volume_by_tetrahedra(a, make_moved(b, X));
    // 1e-12 of the solids' size: the oracle adds up to a thousand signed terms.
    EXPECT_NEAR(sum_volume(pieces), expected, 1e-13) << round;
    num_touching += expected > 1e-3 ? 1 : 0;
  }
  EXPECT_GT(num_touching, 20);
}

TEST(MeshInterference, MetricsAreThoseOfTheSameRegionByCutting) {
  // Cut invariance: a bar cut in two gives the same total moments, to rounding, as the whole.
  RandomPoses random(4);
  MeshInterference whole, part;
  const ClosedMesh torus = make_closed_mesh(make_torus_mesh(0.5, 0.2, 24, 16));
  const ClosedMesh bar = make_closed_mesh(make_box_mesh(Vec3(0.6, 0.1, 0.1)));
  const ClosedMesh left = make_closed_mesh(make_moved(make_box_mesh(Vec3(0.2, 0.1, 0.1)), shift(-0.4, 0, 0)));
  const ClosedMesh right = make_closed_mesh(make_moved(make_box_mesh(Vec3(0.4, 0.1, 0.1)), shift(0.2, 0, 0)));
  const auto total = [](const std::vector<VolumeMetrics>& pieces, double& volume, Vec3& first, Mat3& second) {
    for (const VolumeMetrics& m : pieces) {
      volume += m.volume;
      first += m.volume * m.centroid;
      second += 0.5 * m.inertia.trace() * Mat3::Identity() - m.inertia + m.volume * m.centroid * m.centroid.transpose();
    }
  };
  for (int i = 0; i < 50; ++i) {
    const Pose X = random.pose(0.4);
    double v = 0, w = 0;
    Vec3 f = Vec3::Zero(), g = f;
    Mat3 s = Mat3::Zero(), t = s;
    total(whole.calc(torus, Pose(), bar, X), v, f, s);
    total(part.calc(torus, Pose(), left, X), w, g, t);
    total(part.calc(torus, Pose(), right, X), w, g, t);
    EXPECT_NEAR(v, w, 1e-12 * v);
    EXPECT_LE((f - g).norm(), 1e-12 * v);
    EXPECT_LE((s - t).norm(), 1e-12 * v);
  }
}

TEST(MeshInterference, DividingFacesChangesNothing) {
  RandomPoses random(5);
  MeshInterference interference;
  const MeshData a = make_torus_mesh(0.5, 0.2, 10, 8), b = make_box_mesh(Vec3(0.2, 0.3, 0.4));
  const ClosedMesh coarse_a = make_closed_mesh(a), coarse_b = make_closed_mesh(b);
  const ClosedMesh fine_a = make_closed_mesh(make_divided(a, 2)), fine_b = make_closed_mesh(make_divided(b, 3));
  for (int i = 0; i < 30; ++i) {
    const Pose X = random.pose(0.5);
    const std::vector<VolumeMetrics> coarse = interference.calc(coarse_a, Pose(), coarse_b, X);
    const std::vector<VolumeMetrics> fine = interference.calc(fine_a, Pose(), fine_b, X);
    ASSERT_EQ(coarse.size(), fine.size());
    EXPECT_NEAR(sum_volume(coarse), sum_volume(fine), 1e-13 * sum_volume(coarse) + 1e-17);
    if (coarse.size() != 1) continue;
    expect_same(fine[0], coarse[0], 1e-12);
    EXPECT_LT((fine[0].area_vector - coarse[0].area_vector).norm(), 1e-13);
  }
}

TEST(MeshInterference, WorldOffsetAndExchangeChangeNothing) {
  RandomPoses random(6);
  MeshInterference interference;
  const ClosedMesh a = make_closed_mesh(make_torus_mesh(0.5, 0.2, 16, 12));
  const ClosedMesh b = make_closed_mesh(make_sphere_mesh(0.4, 2));
  const Vec3 offset(1024.0, -512.0, 2048.0);  // exact in binary, so that the poses lose nothing but their last bits
  for (int i = 0; i < 30; ++i) {
    const Pose X = random.pose(0.1), Y = random.pose(0.5);
    const std::vector<VolumeMetrics> here = interference.calc(a, X, b, Y);
    const std::vector<VolumeMetrics> there = interference.calc(a, Pose(X.R, X.p + offset), b, Pose(Y.R, Y.p + offset));
    const std::vector<VolumeMetrics> exchanged = interference.calc(b, Y, a, X);
    ASSERT_EQ(here.size(), there.size());
    ASSERT_EQ(here.size(), exchanged.size());
    // Adding 2048 rounds the positions at 2^-42 = 2.3e-13 m.
    EXPECT_NEAR(sum_volume(here), sum_volume(there), 1e-12);
    EXPECT_NEAR(sum_volume(here), sum_volume(exchanged), 1e-14);
    if (here.size() != 1) continue;
    expect_same(exchanged[0].mirrored(), here[0], 1e-11);
    EXPECT_LT((exchanged[0].mirrored().area_vector - here[0].area_vector).norm(), 1e-13);
  }
}

TEST(MeshInterference, AreaVectorIsTheDerivativeOfTheVolume) {
  RandomPoses random(7);
  MeshInterference interference;
  const ClosedMesh a = make_closed_mesh(make_torus_mesh(0.5, 0.2, 16, 12));
  const ClosedMesh b = make_closed_mesh(make_box_mesh(Vec3(0.2, 0.3, 0.4)));
  const double h = 1e-5;
  for (int i = 0; i < 30; ++i) {
    const Pose X = random.pose(0.5);
    Vec3 area = Vec3::Zero();
    for (const VolumeMetrics& m : interference.calc(a, Pose(), b, X)) area += m.area_vector;
    for (int k = 0; k < 3; ++k) {
      const Vec3 step = h * Vec3::Unit(k);
      const double more = sum_volume(interference.calc(a, Pose(Mat3::Identity(), step), b, X));
      const double less = sum_volume(interference.calc(a, Pose(Mat3::Identity(), -step), b, X));
      // Central difference of a volume of third order: h^2 times its third derivative, near 1, and rounding 1e-16 / h.
      EXPECT_NEAR(area[k], -(more - less) / (2.0 * h), 2e-9) << i;
    }
  }
}

TEST(MeshInterference, MovesSmoothlyThroughVerticesAndFaces) {
  // A box is let down, corner first and tilted, into another through all its vertices and faces: between two steps the
  // volume changes by no more than the area does allow, and centroid and area vector by no more than their rates.
  MeshInterference interference;
  const ClosedMesh box = make_closed_mesh(make_box_mesh(Vec3::Constant(0.5)));
  const ClosedMesh other = make_closed_mesh(make_box_mesh(Vec3(0.4, 0.45, 0.3)));
  const Mat3 R = (Eigen::AngleAxisd(0.3, Vec3::UnitX()) * Eigen::AngleAxisd(0.2, Vec3::UnitY())).toRotationMatrix();
  const double step = 1e-4;
  VolumeMetrics last;
  int count = 0;
  for (int i = 0; i < 14000; ++i) {
    const auto& pieces = interference.calc(box, Pose(R, Vec3(0.05, 0.02, 1.2 - step * i)), other, Pose());
    if (pieces.empty()) continue;
    ASSERT_EQ(pieces.size(), 1u);
    const VolumeMetrics& m = pieces[0];
    if (last.volume > 1e-6) {
      const double change = m.volume - last.volume, expected = 0.5 * step * (m.area_vector.z() + last.area_vector.z());
      EXPECT_NEAR(change, expected, 3.0 * step * step);
      EXPECT_LT((m.area_vector - last.area_vector).norm(), 5.0 * step * (1.0 + 0.1 / std::sqrt(last.volume)));
      EXPECT_LT((m.centroid - last.centroid).norm(), 2.0 * step);
      ++count;
    }
    last = m;
  }
  EXPECT_GT(count, 10000);
}

}  // namespace
}  // namespace abut
