// Bodies cut into cells at random planes: what the contact feels as a whole must not change.   [Gonthier 2007, 4.1.2]

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/volume/interference.hpp"
#include "abut/geometry/volume/random_cuts_test.hpp"

namespace abut {
namespace {

/// What adds up over cells: k_v times these is the load under a common normal, its moment, rolling and spinning.
struct Totals {
  double volume = 0.0;              ///< [m^3]
  Vec3 first = Vec3::Zero();        ///< integral of p [m^4]
  Mat3 second = Mat3::Zero();       ///< inertia about the origin [m^5]
  Vec3 area_vector = Vec3::Zero();  ///< [m^2]

  void add(const std::vector<VolumeMetrics>& pieces) {
    for (const VolumeMetrics& p : pieces) {
      volume += p.volume;
      first += p.volume * p.centroid;
      second +=
          p.inertia + p.volume * (p.centroid.squaredNorm() * Mat3::Identity() - p.centroid * p.centroid.transpose());
      area_vector += p.area_vector;
    }
  }
};

std::vector<Vec3> make_box_corners(const Vec3& half) {
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k) {
    corners.push_back(half.cwiseProduct(Vec3(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0)));
  }
  return corners;
}

/// Relative to the size of the body: moments of the whole against the sum over the cells.
void expect_same(const Totals& whole, const Totals& sum, double reach, double tolerance) {
  const double v = whole.volume;
  EXPECT_NEAR(sum.volume, v, tolerance * v);
  EXPECT_LT((sum.first - whole.first).norm(), tolerance * v * reach);
  EXPECT_LT((sum.second - whole.second).norm(), tolerance * v * reach * reach);
}

TEST(Subdivision, PolyhedraCutAtRandomPlanesKeepTheirLoads) {
  Cutter random(7);
  int compared = 0;
  std::size_t most_cells = 0;
  for (int body = 0; body < 12; ++body) {
    std::vector<Vec3> points = make_box_corners(Vec3(0.1, 0.08, 0.06));
    if (body % 2 == 1) {
      points.clear();
      for (int k = 0; k < 14; ++k) points.push_back(random.uniform(0.05, 0.12) * random.direction());
    }
    const auto solid = std::make_shared<const ConvexPolyhedron>(make_convex_hull(points));
    const auto cells = cut_at_random(solid, 3, random);
    most_cells = std::max(most_cells, cells.size());
    const Shape other = body % 3 == 0 ? Shape(HalfSpace{}) : Shape(Box{Vec3(0.1, 0.12, 0.05)});
    Interference whole_pair = Interference::make(Polyhedron{solid}, other);
    std::vector<Interference> cell_pairs;
    for (const auto& cell : cells) cell_pairs.push_back(Interference::make(Polyhedron{cell}, other));
    for (int k = 0; k < 40; ++k) {
      const Pose X_WA = random.pose(random.uniform(0.0, 0.12));
      std::vector<VolumeMetrics> pieces;
      Totals whole, sum;
      whole_pair.calc(X_WA, Pose{}, pieces);
      whole.add(pieces);
      // Below a part in 1e4 of the body, rounding of the body's size is more than 1e-12 of what is left.
      if (whole.volume < 1e-7) continue;
      for (Interference& pair : cell_pairs) {
        pieces.clear();
        pair.calc(X_WA, Pose{}, pieces);
        sum.add(pieces);
      }
      // Cuts move vertices by rounding, 1e-17 m of 0.1 m, which is 1e-12 of the volume at 1e-7 m^3 with margin.
      expect_same(whole, sum, 0.2, 1e-12);
      EXPECT_LT((sum.area_vector - whole.area_vector).norm(), 1e-12) << "inner faces cancel [m^2]";
      ++compared;
    }
  }
  EXPECT_GT(compared, 200);
  EXPECT_GE(most_cells, 6u);
}

TEST(Subdivision, CylinderCutAtRandomPlanesKeepsItsLoadsToTheErrorBound) {
  Cutter random(11);
  constexpr double kError = 1e-6;
  const Shape cylinder = Cylinder{0.05, 0.06};
  const Shape plate = Box{Vec3(0.1, 0.12, 0.05)};
  int compared = 0;
  for (int body = 0; body < 4; ++body) {
    const Plane plane = random.plane(0.02);
    std::vector<Interference> cell_pairs;
    for (const double sign : {1.0, -1.0}) {
      CellParts parts;
      parts.list.push_back({cylinder, Pose{}, false});
      parts.list.push_back({HalfSpace{Vec3(sign * plane.normal), sign * plane.offset}, Pose{}, false});
      cell_pairs.push_back(
          Interference::make(CutShape{std::make_shared<const CellParts>(parts)}, plate, {.relative_error = kError}));
    }
    Interference whole_pair = Interference::make(cylinder, plate, {.relative_error = kError});
    for (int k = 0; k < 12; ++k) {
      const Pose X_WA = random.pose(random.uniform(0.05, 0.11));
      std::vector<VolumeMetrics> pieces;
      Totals whole, sum;
      whole_pair.calc(X_WA, Pose{}, pieces);
      whole.add(pieces);
      if (whole.volume < 1e-7) continue;
      for (Interference& pair : cell_pairs) {
        pieces.clear();
        pair.calc(X_WA, Pose{}, pieces);
        sum.add(pieces);
      }
      // The bound holds for the whole and for each cell.
      expect_same(whole, sum, 0.2, 2.0 * kError);
      ++compared;
    }
  }
  EXPECT_GT(compared, 20);
}

/// Cells of one body lie flush against each other: planes of both coincide, and nothing is between them.
TEST(Subdivision, CellsOfOneBodyHaveNoVolumeInCommon) {
  Cutter random(9);
  for (int body = 0; body < 10; ++body) {
    const Shape shape = body % 3 == 0 ? Shape(Box{Vec3(0.1, 0.12, 0.08)})
                                      : (body % 3 == 1 ? Shape(Sphere{0.1}) : Shape(Cylinder{0.08, 0.1}));
    const std::vector<BodyCell> cells = cut_into_cells(shape, 4, random);
    if (body % 3 != 0) continue;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (std::size_t j = i + 1; j < cells.size(); ++j) {
        std::vector<VolumeMetrics> pieces;
        Interference::make(cells[i].shape, cells[j].shape).calc(Pose(), Pose(), pieces);
        Totals sum;
        sum.add(pieces);
        EXPECT_LT(sum.volume, 1e-9 * calc_volume(cells[i].shape)) << body << ": " << i << ", " << j;
      }
    }
  }
}

}  // namespace
}  // namespace abut
