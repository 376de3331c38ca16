#include "abut/geometry/volume/interference.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/volume/cell.hpp"

namespace abut {
namespace {

Shape make_polyhedron_shape(const Vec3& half_size) {
  return Polyhedron{std::make_shared<const ConvexPolyhedron>(make_box_polyhedron(half_size))};
}

Shape make_mesh_shape(const Vec3& half_size) {
  return Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(make_box_mesh(half_size)))};
}

/// The box as what is common to it and the complement of a ball far away: goes through the slices.
Shape make_cell_shape(const Vec3& half_size) {
  auto parts = std::make_shared<CellParts>();
  parts->list.push_back({Box{half_size}, Pose(), false});
  parts->list.push_back({Sphere{0.5}, Pose(Mat3::Identity(), Vec3(10, 0, 0)), true});
  return CutShape{parts};
}

Pose make_pose(std::mt19937& random, double reach) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Quat q = Quat(unit(random), unit(random), unit(random), unit(random)).normalized();
  return {q, reach * Vec3(unit(random), unit(random), unit(random))};
}

VolumeMetrics calc_only(Interference& pair, const Pose& X_WA, const Pose& X_WB) {
  std::vector<VolumeMetrics> pieces;
  pair.calc(X_WA, X_WB, pieces);
  EXPECT_LE(pieces.size(), 1u);
  return pieces.empty() ? VolumeMetrics{} : pieces[0];
}

/// Triangles that only divide flat faces cost nothing.
TEST(Interference, ConvexMeshesOfFewFacesAreClipped) {
  MeshData data = make_box_mesh(Vec3(0.1, 0.2, 0.15));
  const std::array<int, 3> cut = data.triangles.back();
  data.triangles.pop_back();
  data.vertices.push_back((data.vertices[cut[0]] + data.vertices[cut[1]] + data.vertices[cut[2]]) / 3.0);
  const int middle = static_cast<int>(data.vertices.size()) - 1;
  for (std::size_t k = 0; k < 3; ++k) data.triangles.push_back({cut[k], cut[(k + 1) % 3], middle});
  const Shape mesh = Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(data))};
  Interference pair = Interference::make(mesh, HalfSpace{Vec3::UnitZ(), 0.0});
  ASSERT_NE(pair.clip_found(), nullptr);
  EXPECT_NEAR(calc_only(pair, Pose(Mat3::Identity(), Vec3(0, 0, 0.14)), Pose()).volume, 0.2 * 0.4 * 0.01, 1e-15);
}

/// What is outside of a bore and of its lead-in has one curved face at a time, and no cell that is empty.
TEST(Interference, LeadInsArePartedWhereTheyMeetTheBore) {
  const Mat3 upside_down = Eigen::AngleAxisd(std::numbers::pi, Vec3::UnitX()).toRotationMatrix();
  Solid block;
  block.parts.push_back({Shape(Box{Vec3(0.06, 0.06, 0.04)}), Pose(Mat3::Identity(), Vec3(0, 0, -0.04)), false});
  block.parts.push_back({Shape(Cylinder{0.02, 0.06}), Pose(), true});
  block.parts.push_back({Shape(Cone{0.25 * std::numbers::pi, 0.1}), Pose(upside_down, Vec3(0, 0, -0.022)), true});
  const std::vector<Cell> cells = make_cells(block);
  ASSERT_EQ(cells.size(), 3u);  // the lead-in, the bore, and the bottom of the hole
  EXPECT_EQ(cells[0].region.quadrics.size(), 1u);
  EXPECT_EQ(cells[1].region.quadrics.size(), 1u);
  // A half-space leaves everything above z = -0.003: box less cone for 2 mm, box less bore for one.
  Interference pair = Interference::make(CutShape{std::make_shared<CellParts>(CellParts{
                                             {{Box{Vec3(0.06, 0.06, 0.04)}, block.parts[0].X_SP, false},
                                              {Cylinder{0.02, 0.06}, Pose(), true},
                                              {Cone{0.25 * std::numbers::pi, 0.1}, block.parts[2].X_SP, true}}})},
                                         HalfSpace{-Vec3::UnitZ(), 0.003});
  const double cone = std::numbers::pi / 3.0 * (std::pow(0.022, 3) - std::pow(0.02, 3));
  const double expected = 0.12 * 0.12 * 0.003 - cone - std::numbers::pi * 0.02 * 0.02 * 0.001;
  EXPECT_NEAR(calc_only(pair, Pose(), Pose()).volume / expected, 1.0, 1e-6);
}

TEST(Interference, AllKernelsAgreeOnABox) {
  const Vec3 half(0.1, 0.2, 0.15);
  std::mt19937 random(3);
  for (const Shape& other : {Shape(Box{Vec3(0.2, 0.1, 0.1)}), Shape(HalfSpace{Vec3(0.6, 0, 0.8), 0.02}),
                             Shape(Wedge{Vec3::UnitZ(), Vec3::UnitX()})}) {
    Interference box = Interference::make(Box{half}, other);
    Interference polyhedron = Interference::make(make_polyhedron_shape(half), other);
    Interference mesh = Interference::make(make_mesh_shape(half), other);
    Interference cell = Interference::make(make_cell_shape(half), other);
    int overlaps = 0;
    for (int i = 0; i < 60; ++i) {
      const Pose X_WA = make_pose(random, 0.15), X_WB = make_pose(random, 0.05);
      const VolumeMetrics expected = calc_only(box, X_WA, X_WB);
      if (expected.volume < 1e-6) continue;
      ++overlaps;
      // Clipping and divergence theorem are exact to rounding, about 1e-13 at these depths; the slices keep 1e-6.
      const auto compare = [&](Interference& pair, double tolerance) {
        const VolumeMetrics found = calc_only(pair, X_WA, X_WB);
        EXPECT_NEAR(found.volume, expected.volume, tolerance * expected.volume);
        EXPECT_LT((found.centroid - expected.centroid).norm(), tolerance);
        EXPECT_LT((found.inertia - expected.inertia).norm(), tolerance * expected.inertia.norm());
        EXPECT_LT((found.area_vector - expected.area_vector).norm(), tolerance * (expected.area() + 1e-3));
      };
      compare(polyhedron, 1e-11);
      compare(mesh, 1e-11);
      compare(cell, 2e-6);
    }
    EXPECT_GT(overlaps, 20);
  }
}

TEST(Interference, OrderOfTheShapesTurnsTheAreaVectorOnly) {
  std::mt19937 random(5);
  const Shape a = Box{Vec3(0.1, 0.1, 0.1)}, b = Sphere{0.12};
  Interference ab = Interference::make(a, b), ba = Interference::make(b, a);
  for (int i = 0; i < 20; ++i) {
    const Pose X_WA = make_pose(random, 0.1), X_WB = make_pose(random, 0.05);
    const VolumeMetrics x = calc_only(ab, X_WA, X_WB), y = calc_only(ba, X_WB, X_WA).mirrored();
    EXPECT_NEAR(x.volume, y.volume, 2e-6 * x.volume);
    EXPECT_LT((x.area_vector - y.area_vector).norm(), 1e-5 * (x.area() + 1e-4));
  }
}

TEST(Interference, SamplesCarryTheVolumeAndItsCentroid) {
  std::mt19937 random(11);
  for (const Shape& a :
       {Shape(Box{Vec3(0.1, 0.2, 0.15)}), make_mesh_shape(Vec3(0.1, 0.2, 0.15)), Shape(Sphere{0.15})}) {
    Interference pair = Interference::make(a, HalfSpace{Vec3::UnitZ(), 0.0});
    for (int i = 0; i < 10; ++i) {
      const Pose X_WA = make_pose(random, 0.1);
      const VolumeMetrics metrics = calc_only(pair, X_WA, Pose());
      if (metrics.volume < 1e-6) continue;
      std::vector<VolumeSample> samples;
      pair.calc_samples(X_WA, Pose(), 3, samples);
      double volume = 0.0;
      Vec3 first = Vec3::Zero();
      for (const VolumeSample& sample : samples) {
        volume += sample.weight;
        first += sample.weight * sample.point;
      }
      EXPECT_NEAR(volume, metrics.volume, 1e-5 * metrics.volume);
      EXPECT_LT((first / volume - metrics.centroid).norm(), 1e-4);
    }
  }
}

TEST(Interference, AConvexMeshMeetsCurvedShapesAsWhatItIs) {
  const Vec3 half(0.1, 0.2, 0.15);
  Interference box = Interference::make(Box{half}, Sphere{0.12});
  Interference mesh = Interference::make(make_mesh_shape(half), Sphere{0.12});
  std::mt19937 random(17);
  for (int i = 0; i < 20; ++i) {
    const Pose X_WA = make_pose(random, 0.05), X_WB = make_pose(random, 0.2);
    const VolumeMetrics x = calc_only(box, X_WA, X_WB), y = calc_only(mesh, X_WA, X_WB);
    EXPECT_NEAR(x.volume, y.volume, 2e-6 * x.volume);
  }
}

TEST(Interference, RefusesWhatHasNoBounds) {
  const auto error_of = [](const Shape& a, const Shape& b) -> std::string {
    try {
      Interference::make(a, b);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of(HalfSpace{}, Wedge{}), "half-space and wedge interfere without bounds");
  EXPECT_NE(error_of(HalfSpace{}, Cylinder{0.1}), "no error");
  EXPECT_NE(error_of(Sphere{-1.0}, HalfSpace{}).find("radius must be positive"), std::string::npos);
  EXPECT_EQ(error_of(Sphere{1.0}, HalfSpace{}), "no error");
}

double calc_gap(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, bool is_exact = true) {
  const SeparationBound bound = Separator(a, b).calc(X_WA, X_WB);
  EXPECT_EQ(bound.is_exact, is_exact);
  return bound.distance;
}

TEST(Separator, ClosedForms) {
  const auto at = [](double x, double y, double z) { return Pose(Mat3::Identity(), Vec3(x, y, z)); };
  // The search for the nearest points is right to about 1e-12 of the size.
  EXPECT_NEAR(calc_gap(Sphere{0.1}, at(0, 0, 0.5), Sphere{0.2}, Pose()), 0.2, 1e-12);
  EXPECT_NEAR(calc_gap(Box{Vec3(1, 1, 1)}, at(0, 0, 1.25), HalfSpace{Vec3::UnitZ(), 0.1}, Pose()), 0.15, 1e-12);
  EXPECT_NEAR(
      calc_gap(Sphere{0.1}, at(0.3, 7, 0), Cylinder{0.05},
               Pose(Mat3(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()).toRotationMatrix()), Vec3::Zero())),
      0.15, 1e-11);
  // Over the edge of a table, at 45 degrees.
  EXPECT_NEAR(calc_gap(Sphere{0.1}, at(0.3, 5, 0.3), Wedge{Vec3::UnitZ(), Vec3::UnitX()}, Pose()),
              0.3 * std::numbers::sqrt2 - 0.1, 1e-11);
  EXPECT_NEAR(calc_gap(Sphere{0.1}, at(-9, 5, 0.3), Wedge{Vec3::UnitZ(), Vec3::UnitX()}, Pose()), 0.2, 1e-11);
  // Inside a pipe: what is left between the farthest point and the wall.
  EXPECT_NEAR(calc_gap(Sphere{0.1}, at(0.3, 0.4, 9), Bore{1.0}, Pose()), 0.4, 1e-12);
  EXPECT_NEAR(calc_gap(Box{Vec3(0.3, 0.2, 5)}, at(0.1, 0, 0), Bore{1.0}, Pose()), 1.0 - std::hypot(0.4, 0.2), 1e-12);
  EXPECT_LT(calc_gap(Box{Vec3(0.9, 0.9, 5)}, Pose(), Bore{1.0}, Pose()), 0.0);
  // A mesh in a round hole as well, or a touch there could be located but not kept.
  const Shape mesh = Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(make_box_mesh(Vec3(0.3, 0.2, 0.5))))};
  EXPECT_NEAR(calc_gap(mesh, at(0.1, 0, 9), Bore{1.0}, Pose()), 1.0 - std::hypot(0.4, 0.2), 1e-12);
  EXPECT_NEAR(calc_gap(Cavity{1.0}, Pose(), mesh, at(0.1, 0, 0)), 1.0 - Vec3(0.4, 0.2, 0.5).norm(), 1e-12);
  EXPECT_NEAR(calc_gap(mesh, at(0.7, 0, 0), Bore{1.0}, Pose()), 1.0 - std::hypot(1.0, 0.2), 1e-12);
}

TEST(Separator, CellsAreKeptApartByTheirParts) {
  auto parts = std::make_shared<CellParts>();
  parts->list.push_back({Box{Vec3(1, 1, 1)}, Pose(), false});
  parts->list.push_back({Cylinder{0.5}, Pose(), true});
  const Shape block = CutShape{parts};
  const auto at = [](double x, double z) { return Pose(Mat3::Identity(), Vec3(x, 0, z)); };
  EXPECT_NEAR(calc_gap(Sphere{0.1}, at(0.2, 0), block, Pose(), false), 0.2, 1e-12) << "in the hole";
  EXPECT_NEAR(calc_gap(Sphere{0.1}, at(0.8, 1.4), block, Pose(), false), 0.3, 1e-12) << "above the block";
  EXPECT_LE(calc_gap(Sphere{0.1}, at(0.8, 0.5), block, Pose(), false), 0.0) << "inside the block";
}

}  // namespace
}  // namespace abut
