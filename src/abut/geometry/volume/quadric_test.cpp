#include "abut/geometry/volume/quadric.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/quadric_slices.hpp"

namespace abut {
namespace {

using testing::Random;

Quadric make_random(Random& random, QuadricKind kind) {
  const Vec3 size = Vec3(1.2, 1.2, 1.2) + (kind == QuadricKind::ellipsoid ? random.vector(0.8) : Vec3(Vec3::Zero()));
  return {kind, size, random.pose(1.0), false, 0};
}

constexpr QuadricKind kKinds[] = {QuadricKind::ellipsoid, QuadricKind::cylinder, QuadricKind::cone};

/// Membership along a line, point by point, against the interval.
TEST(Quadric, LineIntervalsHoldExactlyThePointsInside) {
  Random random(2);
  for (const QuadricKind kind : kKinds) {
    for (int i = 0; i < 500; ++i) {
      const Quadric quadric = make_random(random, kind);
      const Vec3 p = random.vector(2.0), d = random.unit();
      const std::optional<LineInterval> interval = calc_line_interval(quadric, p, d);
      for (double s = -6.0; s < 6.0; s += 0.37) {
        const double outside = calc_outside_measure(quadric, p + s * d);
        if (std::abs(outside) < 1e-9) continue;
        const bool is_in_interval = interval && s > interval->lower && s < interval->upper;
        EXPECT_EQ(is_in_interval, outside < 0.0) << i << " " << s;
      }
    }
  }
}

TEST(Quadric, LinesAlongAGeneratorEndAtMostOnce) {
  const Quadric cone{QuadricKind::cone, Vec3(1.0, 1.0, 0.0), Pose(), false, 0};
  const Vec3 generator = Vec3(1.0, 0.0, -1.0).normalized();
  const auto inside = calc_line_interval(cone, Vec3(0.0, 0.0, -1.0), generator);
  ASSERT_TRUE(inside.has_value());
  EXPECT_NEAR(inside->lower, -std::sqrt(0.5), 1e-12);
  EXPECT_EQ(inside->upper, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(calc_line_interval(cone, Vec3(0.0, 0.0, 1.0), generator).has_value());
  const Quadric cylinder{QuadricKind::cylinder, Vec3(1.0, 1.0, 0.0), Pose(), false, 0};
  EXPECT_TRUE(calc_line_interval(cylinder, Vec3(0.5, 0.0, 0.0), Vec3::UnitZ()).has_value());
  EXPECT_FALSE(calc_line_interval(cylinder, Vec3(1.5, 0.0, 0.0), Vec3::UnitZ()).has_value());
}

TEST(Quadric, SupportOfAnEllipsoidIsItsFarthestPoint) {
  Random random(3);
  const Quadric ellipsoid = make_random(random, QuadricKind::ellipsoid);
  for (int i = 0; i < 20; ++i) {
    const Vec3 n = random.unit();
    const double support = calc_support(ellipsoid, n);
    double largest = -1e9;
    for (int k = 0; k < 20000; ++k) {
      largest = std::max(largest, n.dot(ellipsoid.X * Vec3(random.unit().cwiseProduct(ellipsoid.size))));
    }
    EXPECT_LE(largest, support + 1e-12);
    EXPECT_GT(largest, support - 0.01);  // 20,000 random directions come within 0.02 rad of any
  }
}

/// Points of the cut lie on the surface, and the rates are those of the cut.
TEST(QuadricSlices, CutsLieOnTheSurface) {
  Random random(4);
  for (const QuadricKind kind : kKinds) {
    int num_cut = 0;
    for (int i = 0; i < 200; ++i) {
      Quadric quadric = make_random(random, kind);
      if (kind == QuadricKind::cone) quadric.size = Vec3(0.6, 0.6, 0.0);
      const std::optional<QuadricSlices> slices = make_quadric_slices(quadric);
      ASSERT_EQ(slices.has_value(), calc_slice_quality(quadric, Vec3::UnitZ()) > 0.0);
      if (!slices || calc_slice_quality(quadric, Vec3::UnitZ()) < 0.05) continue;
      const double t = slices->t_ref + random.uniform(-1.0, 1.0);
      const double squared = slices->scale_squared(t);
      if (!(squared > 0.0)) continue;
      ++num_cut;
      const EllipseFrame ellipse = slices->ellipse(t, std::sqrt(squared));
      for (double angle = 0.0; angle < 6.0; angle += 0.5) {
        const Vec2 y = ellipse.point(Vec2(std::cos(angle), std::sin(angle)));
        const double off = calc_outside_measure(quadric, Vec3(y.x(), y.y(), t));
        EXPECT_NEAR(off, 0.0, 1e-11 * (1.0 + ellipse.axes.norm()));
      }
      EXPECT_LT((ellipse.axes * ellipse.inverse - Eigen::Matrix2d::Identity()).norm(), 1e-12);
      EXPECT_GT(ellipse.determinant, 0.0);
      const double step = 1e-5;
      const double rate = (slices->scale_squared(t + step) - slices->scale_squared(t - step)) / (2.0 * step);
      if (t - step > slices->t_lower && t + step < slices->t_upper) {
        EXPECT_NEAR(rate, slices->scale_squared_rate(t), 1e-9 * (1.0 + std::abs(rate)));
      }
    }
    EXPECT_GT(num_cut, 30);
  }
}

TEST(QuadricSlices, RefusesCutsThatAreNoEllipses) {
  const Quadric lying{QuadricKind::cylinder, Vec3(1, 1, 0), Pose(Quat(0.5, 0.5, 0.5, 0.5), Vec3::Zero()), false, 0};
  EXPECT_FALSE(make_quadric_slices(lying).has_value());
  Quadric cone{QuadricKind::cone, Vec3(1, 1, 0), Pose(), false, 0};
  cone.X.R = Mat3(Eigen::AngleAxisd(0.8, Vec3::UnitX()));  // half-angle 45 degrees, tilted by 46
  EXPECT_FALSE(make_quadric_slices(cone).has_value());
  cone.X.R = Mat3(Eigen::AngleAxisd(0.7, Vec3::UnitX()));
  EXPECT_TRUE(make_quadric_slices(cone).has_value());
}

}  // namespace
}  // namespace abut
