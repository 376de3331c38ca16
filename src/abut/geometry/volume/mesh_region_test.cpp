#include "abut/geometry/volume/mesh_region.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/volume/cell.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/geometry/volume/region_volume.hpp"
#include "abut/geometry/volume/volume_fixture_test.hpp"

namespace abut {
namespace {

using testing::Random;
constexpr double kPi = std::numbers::pi;

std::shared_ptr<const ClosedMesh> share(MeshData data) {
  return std::make_shared<const ClosedMesh>(make_closed_mesh(std::move(data)));
}

Pose at(double x, double y, double z) { return {Mat3(Mat3::Identity()), Vec3(x, y, z)}; }

std::vector<Shape> make_curved_shapes() {
  return {Sphere{0.12},        Ellipsoid{Vec3(0.1, 0.2, 0.07)},
          Cylinder{0.08, 0.2}, Cylinder{0.08},
          Cone{0.6, 0.3},      Cone{1.2, 0.15},
          Bore{0.17}};
}

/// The only cell of a shape in a pose, owned by the second solid.
Region place(const Shape& shape, const Pose& X) {
  const Cell cell = make_cells(make_solid(shape)).front();
  Region region;
  transform_region(cell.region, X, region);
  for (RegionPlane& plane : region.planes) plane.owner = 1;
  for (Quadric& quadric : region.quadrics) quadric.owner = 1;
  return region;
}

RegionPiece sum_up(const std::vector<RegionPiece>& pieces) {
  RegionPiece sum;
  for (const RegionPiece& piece : pieces) {
    sum.moments += shift_moments(piece.moments, piece.origin);
    sum.area_vector += piece.area_vector;
  }
  return sum;
}

RegionPiece calc_with_mesh(Region region, const std::shared_ptr<const ClosedMesh>& mesh, const Pose& X_mesh) {
  region.meshes.push_back({mesh, X_mesh, false, 0});
  std::vector<RegionPiece> pieces;
  MeshRegion().calc(region, false, pieces);
  return sum_up(pieces);
}

void expect_same(const RegionPiece& found, const RegionPiece& expected, double tolerance, const std::string& what) {
  const double volume = expected.moments.volume, length = 0.3;  // size of the solids [m]
  EXPECT_NEAR(found.moments.volume, volume, tolerance * volume) << what;
  EXPECT_LT((found.moments.first - expected.moments.first).norm(), tolerance * length * volume) << what;
  EXPECT_LT((found.moments.second - expected.moments.second).norm(), tolerance * length * length * volume) << what;
  // An area vector of slices is known to the error over the whole area, about 0.1 m^2 here.
  EXPECT_LT((found.area_vector - expected.area_vector).norm(), 100.0 * tolerance * 0.1) << what;
}

/// The box as a mesh, with line integrals, and as six planes, with slices: two methods that share nothing.
TEST(MeshRegion, ABoxAgreesWithSlices) {
  const Vec3 half(0.1, 0.2, 0.15);
  const std::shared_ptr<const ClosedMesh> mesh = share(make_box_mesh(half));
  Random random(31);
  for (const Shape& shape : make_curved_shapes()) {
    int count = 0;
    for (int i = 0; i < 25; ++i) {
      const Pose X_A = random.pose(0.12), X_B = random.pose(0.12);
      Region region = place(shape, X_B);
      const RegionPiece found = calc_with_mesh(region, mesh, X_A);
      Region box = place(Box{half}, X_A);
      for (RegionPlane plane : box.planes) {
        plane.owner = 0;
        region.planes.push_back(plane);
      }
      region.center = X_A.p;
      region.radius = half.norm();
      RegionVolume slices;
      std::vector<RegionPiece> pieces;
      slices.calc(region, {1e-9, 2000, false, 0.0}, RegionSplit::none, pieces);
      if (pieces.empty() || pieces[0].moments.volume < 1e-7) continue;
      ++count;
      expect_same(found, sum_up(pieces), 3e-9, std::string(shape_name(shape)) + " " + std::to_string(i));
    }
    EXPECT_GT(count, 12) << shape_name(shape);
  }
}

/// A ring that is not convex, against the signed sum of slices over its tetrahedra.
TEST(MeshRegion, ATorusAgreesWithTheSumOfItsTetrahedra) {
  const std::shared_ptr<const ClosedMesh> torus = share(make_torus_mesh(0.15, 0.06, 8, 5));
  Random random(32);
  int count = 0;
  for (const Shape& shape : make_curved_shapes()) {
    for (int i = 0; i < 2; ++i) {
      const Pose X_A = random.pose(0.05), X_B = random.pose(0.08);
      const Region region = place(shape, X_B);
      const RegionPiece found = calc_with_mesh(region, torus, X_A);
      if (found.moments.volume < 1e-6) continue;
      ++count;
      RegionPiece sum;
      for (const std::array<int, 3>& corner : torus->triangles()) {
        std::vector<Vec3> x;
        for (const int v : corner) x.push_back(X_A * torus->vertices()[v]);
        const double det = (x[0] - X_A.p).dot((x[1] - X_A.p).cross(x[2] - X_A.p));
        Region part = region;
        x.push_back(X_A.p);
        for (std::size_t k = 0; k < 4; ++k) {
          Vec3 n = (x[(k + 2) % 4] - x[(k + 1) % 4]).cross(x[(k + 3) % 4] - x[(k + 1) % 4]).normalized();
          if (n.dot(x[k] - x[(k + 1) % 4]) > 0.0) n = -n;
          part.planes.push_back({n, n.dot(x[(k + 1) % 4]), 0});
        }
        part.center = X_A.p;
        part.radius = 0.25;
        std::vector<RegionPiece> pieces;
        RegionVolume().calc(part, {1e-8, 2000, false, 0.0}, RegionSplit::none, pieces);
        const RegionPiece piece = sum_up(pieces);
        const double sign = det > 0.0 ? 1.0 : -1.0;
        sum.moments.volume += sign * piece.moments.volume;
        sum.moments.first += sign * piece.moments.first;
        sum.moments.second += sign * piece.moments.second;
        sum.area_vector += sign * piece.area_vector;
      }
      // Slices of the parts to 1e-8 each, which are up to a few times larger than the sum.
      expect_same(found, sum, 2e-7, std::string(shape_name(shape)));
    }
  }
  EXPECT_GT(count, 9);
}

/// Area vector = -dV/dx, by central differences; they would show any jump of V too.
TEST(MeshRegion, AreaVectorIsTheSlopeOfTheVolume) {
  const std::shared_ptr<const ClosedMesh> torus = share(make_torus_mesh(0.15, 0.06, 24, 12));
  Random random(33);
  constexpr double kStep = 1e-6;
  for (const Shape& shape : make_curved_shapes()) {
    for (int i = 0; i < 4; ++i) {
      const Pose X_A = random.pose(0.05), X_B = random.pose(0.1);
      const Region region = place(shape, X_B);
      const RegionPiece here = calc_with_mesh(region, torus, X_A);
      Vec3 slope;
      for (int k = 0; k < 3; ++k) {
        Pose X_plus = X_A, X_minus = X_A;
        X_plus.p[k] += kStep;
        X_minus.p[k] -= kStep;
        slope[k] = (calc_with_mesh(region, torus, X_plus).moments.volume -
                    calc_with_mesh(region, torus, X_minus).moments.volume) /
                   (2.0 * kStep);
      }
      // Second derivatives of V jump by about 1 m where an edge is passed: 1e-6 m of step, and rounding 1e-17/1e-6.
      EXPECT_LT((here.area_vector + slope).norm(), 2e-7) << shape_name(shape);
    }
  }
}

TEST(MeshRegion, InsideAndOutsideMakeUpTheMesh) {
  const std::shared_ptr<const ClosedMesh> torus = share(make_torus_mesh(0.15, 0.06, 24, 12));
  Random random(34);
  for (const Shape& shape : {Shape(Sphere{0.12}), Shape(Cylinder{0.1}), Shape(Cone{0.7})}) {
    const Pose X_A = random.pose(0.05), X_B = random.pose(0.05);
    Region region = place(shape, X_B);
    RegionPiece sum = calc_with_mesh(region, torus, X_A);
    region.quadrics[0].is_complement = true;
    const RegionPiece outside = calc_with_mesh(region, torus, X_A);
    sum.moments += outside.moments;
    EXPECT_NEAR(sum.moments.volume, torus->moments().volume, 1e-13) << shape_name(shape);
    EXPECT_LT((sum.area_vector + outside.area_vector).norm(), 1e-12);
  }
}

/// What a mesh leaves of a ball, and the ball's share, make up the ball.
TEST(MeshRegion, TheOutsideOfAMesh) {
  const std::shared_ptr<const ClosedMesh> torus = share(make_torus_mesh(0.15, 0.06, 24, 12));
  Region region = place(Sphere{0.2}, at(0.1, 0.02, 0.03));
  const double inside = calc_with_mesh(region, torus, Pose()).moments.volume;
  region.meshes.push_back({torus, Pose(), true, 0});
  std::vector<RegionPiece> pieces;
  MeshRegion().calc(region, false, pieces);
  EXPECT_GT(inside, 1e-3);
  EXPECT_NEAR(sum_up(pieces).moments.volume + inside, 4.0 / 3.0 * kPi * 0.008, 1e-13);
}

std::vector<VolumeMetrics> calc_pieces(const Shape& a, const Pose& X_A, const Shape& b, const Pose& X_B) {
  Interference pair = Interference::make(a, b);
  std::vector<VolumeMetrics> pieces;
  pair.calc(X_A, X_B, pieces);
  return pieces;
}

/// A capsule along a diameter meets a ring twice, each time across the border of its cylinder and its cap.
TEST(MeshRegion, PiecesAreJoinedAcrossCellsAndKeptApart) {
  const Shape torus = Mesh{share(make_torus_mesh(0.2, 0.05, 32, 16))};
  const Pose X_B(Mat3(Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitY())), Vec3::Zero());
  const std::vector<VolumeMetrics> pieces = calc_pieces(torus, Pose(), Capsule{0.03, 0.2}, X_B);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_NEAR(pieces[0].volume, pieces[1].volume, 1e-13);
  EXPECT_NEAR(std::abs(pieces[0].centroid.x()), 0.19, 0.01);
  EXPECT_LT((pieces[0].centroid + pieces[1].centroid).norm(), 1e-12);
}

/// A thin plate through a ball: its two faces are connected through the ball alone.
TEST(MeshRegion, PiecesHangTogetherAcrossTheCurvedFace) {
  const Shape plate = Mesh{share(make_box_mesh(Vec3(1.0, 1.0, 0.01)))};
  const std::vector<VolumeMetrics> pieces = calc_pieces(plate, Pose(), Sphere{0.1}, at(0.013, 0.02, 0.0));
  ASSERT_EQ(pieces.size(), 1u);
  // Slab of a ball: 2 pi (r^2 h - h^3 / 3).
  EXPECT_NEAR(pieces[0].volume, 2.0 * kPi * (0.01 * 0.01 - 1e-6 / 3.0), 1e-16);
}

MeshData make_hollow_box() {
  MeshData data = make_box_mesh(Vec3(0.5, 0.5, 0.5));
  const MeshData hole = make_flipped(make_box_mesh(Vec3(0.05, 0.05, 0.05)));
  const int first = static_cast<int>(data.vertices.size());
  data.vertices.insert(data.vertices.end(), hole.vertices.begin(), hole.vertices.end());
  for (const std::array<int, 3>& t : hole.triangles)
    data.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return data;
}

TEST(MeshRegion, CavitiesAndWholeSolids) {
  const Shape hollow = Mesh{share(make_hollow_box())}, dice = Mesh{share(make_box_mesh(Vec3(0.05, 0.05, 0.05)))};
  const double ball = 4.0 / 3.0 * kPi * 0.008;
  const std::vector<VolumeMetrics> around = calc_pieces(hollow, Pose(), Sphere{0.2}, at(0.02, 0.01, 0.0));
  ASSERT_EQ(around.size(), 1u);
  EXPECT_NEAR(around[0].volume, ball - 0.001, 1e-14);
  const std::vector<VolumeMetrics> within = calc_pieces(dice, Pose(), Sphere{0.2}, at(0.02, 0.01, 0.0));
  ASSERT_EQ(within.size(), 1u);
  EXPECT_NEAR(within[0].volume, 0.001, 1e-15);
  EXPECT_LT(within[0].area(), 1e-12);
  const std::vector<VolumeMetrics> swallowed = calc_pieces(hollow, Pose(), Sphere{0.1}, at(0.3, 0.3, 0.3));
  ASSERT_EQ(swallowed.size(), 1u);
  EXPECT_NEAR(swallowed[0].volume, ball / 8.0, 1e-15);
  EXPECT_TRUE(calc_pieces(hollow, Pose(), Sphere{0.04}, Pose()).empty());
}

/// Ends of a cylinder in the planes of faces, from either side: the planes count as a hair larger.
TEST(MeshRegion, FacesInOnePlane) {
  const Shape block = Mesh{share(make_box_mesh(Vec3(0.5, 0.5, 0.1)))};
  const double area = kPi * 0.01;
  for (const auto& [z, height] : {std::pair(0.0, 0.2), std::pair(0.1, 0.1), std::pair(-0.15, 0.05)}) {
    const std::vector<VolumeMetrics> pieces = calc_pieces(block, Pose(), Cylinder{0.1, 0.1}, at(0.03, 0.01, z));
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_NEAR(pieces[0].volume, area * height, 1e-14);
  }
}

/// A ball that hardly touches a face: cap of depth d, relative error rounding of the positions over d.
TEST(MeshRegion, ShallowCapsKeepTheirDigits) {
  const Shape block = Mesh{share(make_box_mesh(Vec3(0.5, 0.4, 0.1)))};
  for (const double depth : {1e-3, 1e-5, 1e-7}) {
    const std::vector<VolumeMetrics> pieces = calc_pieces(block, Pose(), Sphere{0.1}, at(0.07, 0.03, 0.2 - depth));
    ASSERT_EQ(pieces.size(), 1u);
    const double expected = kPi * depth * depth * (0.1 - depth / 3.0);
    EXPECT_NEAR(pieces[0].volume / expected, 1.0, 1e-12 + 4e-16 / depth);
    const double moment = expected * 0.2 * depth / 3.0;  // V times a^2 / 3 of a flat paraboloid about its axis
    EXPECT_NEAR(pieces[0].inertia(2, 2) / moment, 1.0, 10.0 * depth + 1e-11 / depth);
  }
}

TEST(MeshRegion, SamplesIntegrate) {
  const Shape torus = Mesh{share(make_torus_mesh(0.15, 0.06, 24, 12))};
  Random random(35);
  for (const Shape& shape : {Shape(Sphere{0.12}), Shape(Cylinder{0.1, 0.15}), Shape(Cone{0.7, 0.3})}) {
    Interference pair = Interference::make(torus, shape);
    const Pose X_A = random.pose(0.03), X_B = random.pose(0.03);
    std::vector<VolumeMetrics> pieces;
    pair.calc(X_A, X_B, pieces);
    double volume = 0.0;
    Vec3 first = Vec3::Zero(), sampled = Vec3::Zero();
    for (const VolumeMetrics& piece : pieces) volume += piece.volume, first += piece.volume * piece.centroid;
    std::vector<VolumeSample> samples;
    pair.calc_samples(X_A, X_B, 3, samples);
    double sum = 0.0;
    for (const VolumeSample& sample : samples) sum += sample.weight, sampled += sample.weight * sample.point;
    EXPECT_NEAR(sum, volume, 1e-12 * volume);
    EXPECT_LT((sampled - first).norm(), 1e-4 * 0.2 * volume) << shape_name(shape);  // rule of degree 3
  }
}

}  // namespace
}  // namespace abut
