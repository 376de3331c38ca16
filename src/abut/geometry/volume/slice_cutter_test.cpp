#include "abut/geometry/volume/slice_cutter.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;

QuadricSlices make_circle(const Vec2& center, double radius, bool is_complement = false, int owner = 0) {
  const Quadric cylinder{QuadricKind::cylinder, Vec3(radius, radius, 0.0),
                         Pose(Mat3::Identity(), Vec3(center.x(), center.y(), 0.0)), is_complement, owner};
  return *make_quadric_slices(cylinder);
}

SliceLine make_line(double angle, double offset) { return {Vec2(std::cos(angle), std::sin(angle)), offset, 0.0, 1}; }

double calc_area(SliceCutter& cutter, const SliceScene& scene) {
  cutter.reset(scene);
  if (!cutter.cut(0.0)) return 0.0;
  AreaMoments moments;
  for (const SlicePiece& piece : cutter.pieces()) cutter.add_moments(piece, Vec2(0.3, 0.2), moments);
  return moments.area;
}

double calc_segment_area(double radius, double distance) {
  const double b = std::acos(distance / radius);
  return radius * radius * (b - std::sin(b) * std::cos(b));
}

double calc_lens_area(double r_1, double r_2, double distance) {
  const double x = (distance * distance + r_1 * r_1 - r_2 * r_2) / (2.0 * distance);
  return calc_segment_area(r_1, x) + calc_segment_area(r_2, distance - x);
}

TEST(SliceCutter, ClosedFormsOfTwoCurves) {
  SliceCutter cutter;
  EXPECT_NEAR(calc_area(cutter, {{make_circle({0, 0}, 2.0)}, {}, {0, 0}, 0.0}), 4.0 * kPi, 1e-14);
  EXPECT_NEAR(calc_area(cutter, {{make_circle({0, 0}, 2.0)}, {make_line(0.3, -1.0)}, {0, 0}, 0.0}),
              calc_segment_area(2.0, 1.0), 1e-14);
  EXPECT_NEAR(calc_area(cutter, {{make_circle({0, 0}, 1.0), make_circle({1.2, 0.5}, 0.7)}, {}, {0, 0}, 0.0}),
              calc_lens_area(1.0, 0.7, 1.3), 1e-14);
  EXPECT_NEAR(calc_area(cutter, {{make_circle({0, 0}, 1.0), make_circle({1.2, 0.5}, 0.7, true)}, {}, {0, 0}, 0.0}),
              kPi - calc_lens_area(1.0, 0.7, 1.3), 1e-14);
}

TEST(SliceCutter, HolesAndContainment) {
  SliceCutter cutter;
  const QuadricSlices large = make_circle({0, 0}, 1.0), small = make_circle({0.2, 0.1}, 0.3);
  const QuadricSlices hole = make_circle({0.2, 0.1}, 0.3, true), far = make_circle({5, 0}, 0.3);
  const QuadricSlices large_hole = make_circle({0, 0}, 1.0, true);
  EXPECT_NEAR(calc_area(cutter, {{large, small}, {}, {0, 0}, 0.0}), 0.09 * kPi, 1e-15);
  EXPECT_NEAR(calc_area(cutter, {{large, hole}, {}, {0, 0}, 0.0}), 0.91 * kPi, 1e-14);
  std::vector<int> loops;
  EXPECT_EQ(cutter.find_loops(loops), 2);
  EXPECT_EQ(calc_area(cutter, {{large, far}, {}, {0, 0}, 0.0}), 0.0);
  EXPECT_EQ(calc_area(cutter, {{small, large_hole}, {}, {0, 0}, 0.0}), 0.0);
}

/// Curves that coincide count once; a disc less itself is nothing.
TEST(SliceCutter, CoincidentCurves) {
  SliceCutter cutter;
  const QuadricSlices disc = make_circle({0.1, 0.2}, 0.7), hole = make_circle({0.1, 0.2}, 0.7, true);
  EXPECT_NEAR(calc_area(cutter, {{disc, disc}, {}, {0, 0}, 0.0}), 0.49 * kPi, 1e-14);
  EXPECT_NEAR(calc_area(cutter, {{disc, hole}, {}, {0, 0}, 0.0}), 0.0, 1e-14);
  const SliceLine line = make_line(1.0, 0.4);
  EXPECT_NEAR(calc_area(cutter, {{disc}, {line, line}, {0, 0}, 0.0}), calc_area(cutter, {{disc}, {line}, {0, 0}, 0.0}),
              1e-15);
}

/// A square inscribed in a circle: every corner is a point of three curves.
TEST(SliceCutter, InscribedSquare) {
  SliceCutter cutter;
  for (double angle = 0.0; angle < 1.6; angle += 0.1) {
    SliceScene scene{{make_circle({0, 0}, std::sqrt(2.0))}, {}, {0, 0}, 0.0};
    for (int k = 0; k < 4; ++k) scene.lines.push_back(make_line(angle + 0.5 * kPi * k, 1.0));
    EXPECT_NEAR(calc_area(cutter, scene), 4.0, 1e-7) << angle;  // three curves in one point decide by rounding
  }
}

/// Crescent of thickness 1e-9 between two circles: its area is known to the rounding of the thickness.
TEST(SliceCutter, ThinCrescent) {
  SliceCutter cutter;
  const double thickness = 1e-9, offset = 0.9 + thickness;
  const double area =
      calc_area(cutter, {{make_circle({offset, 0}, 0.1), make_circle({0, 0}, 1.0, true)}, {}, {0, 0}, 0.0});
  // Between two parabolas of curvatures 1/r and 1/R: (4/3) d sqrt(2 d / (1/r - 1/R)), to first order in d.
  const double exact = 4.0 / 3.0 * thickness * std::sqrt(2.0 * thickness / 9.0);
  EXPECT_NEAR(area / exact, 1.0, 1e-6);
}

/// Random scenes against counting points on a grid.
TEST(SliceCutter, RandomScenesAgainstAGrid) {
  testing::Random random(5);
  SliceCutter cutter;
  for (int i = 0; i < 60; ++i) {
    SliceScene scene{{make_circle({0, 0}, 1.0)}, {}, {0, 0}, 0.0};
    for (int k = 0; k < 2; ++k) {
      const Vec3 p = random.vector(0.9);
      scene.quadrics.push_back(make_circle(p.head<2>(), random.uniform(0.3, 1.2), random.uniform(0, 1) < 0.5));
    }
    for (int k = 0; k < 2; ++k) scene.lines.push_back(make_line(random.uniform(0, 6.3), random.uniform(-0.2, 0.8)));
    const double area = calc_area(cutter, scene);
    constexpr int kCells = 600;
    int inside = 0;
    for (int m = 0; m < kCells * kCells; ++m) {
      const Vec2 y((m % kCells + 0.5) * 2.0 / kCells - 1.0, (m / kCells + 0.5) * 2.0 / kCells - 1.0);
      bool is_in = true;
      for (const QuadricSlices& q : scene.quadrics) {
        is_in = is_in && ((q.inverse * (y - q.center_ref)).squaredNorm() < 1.0) != q.is_complement;
      }
      for (const SliceLine& line : scene.lines) is_in = is_in && line.normal.dot(y) < line.offset;
      inside += is_in ? 1 : 0;
    }
    // A boundary of length up to 20 passes 6,000 cells, each right or wrong by chance: 0.5 sqrt(6,000) cells, five
    // times.
    EXPECT_NEAR(area, inside * 4.0 / (kCells * kCells), 5.0 * 40.0 * 4.0 / (kCells * kCells)) << i;
  }
}

}  // namespace
}  // namespace abut
