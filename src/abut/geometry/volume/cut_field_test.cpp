// Depth fields of cells: regions that make up the cell, and laws that agree where regions meet.

#include "abut/geometry/volume/cut_field.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "abut/geometry/volume/cell_faces.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/geometry/volume/volume_shape.hpp"

namespace abut {
namespace {

CutShape make_cell(std::vector<CellPart> list) {
  auto parts = std::make_shared<CellParts>();
  parts->list = std::move(list);
  return CutShape{parts};
}

Pose at(double x, double y, double z) { return {Mat3::Identity(), Vec3(x, y, z)}; }

CutShape make_nut() {
  return make_cell({{Box{Vec3(0.05, 0.05, 0.02)}, Pose(), false}, {Cylinder{0.025, 0.1}, Pose(), true}});
}
CutShape make_cup() {
  return make_cell({{Cylinder{0.05, 0.03}, Pose(), false}, {Cylinder{0.03, 0.1}, at(0, 0, 0.08), true}});
}
/// Its regions are rings with other rings in them: slices whose boundaries are circles, without an end anywhere.
CutShape make_flat_cup() {
  return make_cell({{Cylinder{0.0455, 0.0273}, Pose(), false}, {Cylinder{0.0238, 0.091}, at(0, 0, 0.11), true}});
}
CutShape make_long_cup() {
  return make_cell({{Cylinder{0.02, 0.06}, Pose(), false}, {Cylinder{0.012, 0.1}, at(0, 0, 0.06), true}});
}
CutShape make_bowl() { return std::get<CutShape>(make_volume_shape(Bowl{0.05, 0.02, 0.06})); }
CutShape make_pocket() {
  return make_cell(
      {{Box{Vec3(0.05, 0.04, 0.03)}, Pose(), false}, {Box{Vec3(0.02, 0.02, 0.02)}, at(0.01, 0, 0.02), true}});
}
CutShape make_dimple() {
  return make_cell({{Box{Vec3(0.05, 0.05, 0.03)}, Pose(), false}, {Sphere{0.03}, at(0, 0.01, 0.03), true}});
}
CutShape make_shaft() {
  const Mat3 across = Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitX()).toRotationMatrix();
  return make_cell({{Cylinder{0.03, 0.06}, Pose(), false}, {Cylinder{0.01}, Pose(across, Vec3::Zero()), true}});
}
CutShape make_two_holes() {
  return make_cell({{Box{Vec3(0.08, 0.04, 0.01)}, Pose(), false},
                    {Cylinder{0.02}, at(-0.04, 0, 0), true},
                    {Cylinder{0.015}, at(0.04, 0.005, 0), true}});
}

double calc_value(const FieldLaw& law, const Vec3& x) {
  return law.value + law.gradient.dot(x) + 0.5 * x.dot(law.hessian * x);
}

bool is_inside(const Shape& shape, const Vec3& x) {
  auto pair = Interference::make(shape, Box{Vec3::Constant(1e-6)});
  std::vector<VolumeMetrics> pieces;
  pair.calc(Pose(), Pose(Mat3::Identity(), x), pieces);
  double sum = 0.0;
  for (const VolumeMetrics& piece : pieces) sum += piece.volume;
  return sum > 4e-18;
}

/// At points of the cell the law of the region that they are in stands for the depth: the same near the surface, more
/// around bores that are narrow against it.
void check(const CutShape& cell, const char* name) {
  SCOPED_TRACE(name);
  const DepthField field = make_cut_field(cell);
  ASSERT_TRUE(field.exists());
  const CellFaces faces = *find_faces(cell);
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform(-0.09, 0.09);
  int count = 0;
  for (int k = 0; k < 20000 && count < 60; ++k) {
    const Vec3 x(uniform(engine), uniform(engine), uniform(engine));
    const double distance = faces.calc_distance(x);
    if (!(distance > 1e-5)) continue;
    ++count;
    int found = 0;
    for (const FieldRegion& region : field.regions) {
      if (!is_inside(region.shape, x)) continue;
      ++found;
      const double depth = calc_value(field.laws[region.law], x);
      EXPECT_GT(depth, 0.25 * distance);
      EXPECT_LT(depth, 10.0 * distance);
    }
    EXPECT_GE(found, 1) << x.transpose();
    EXPECT_LE(found, 2) << x.transpose();
  }
  EXPECT_EQ(count, 60);
}

TEST(CutField, RegionsMakeUpTheCell) {
  check(make_nut(), "nut");
  check(make_cup(), "cup");
  check(make_flat_cup(), "flat cup");
  check(make_long_cup(), "long cup");
  check(make_bowl(), "bowl");
  check(make_pocket(), "pocket");
  check(make_dimple(), "dimple");
  check(make_shaft(), "shaft");
  check(make_two_holes(), "two holes");
}

}  // namespace
}  // namespace abut
