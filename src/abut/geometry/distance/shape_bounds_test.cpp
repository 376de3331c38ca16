#include "abut/geometry/distance/shape_bounds.hpp"

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

/// The box must be the range of each coordinate over the surface; the search is exact to 1e-9.
template <class Solid>
void expect_tight(const Solid& solid, testing::Random& random) {
  const Pose X = random.pose(3.0);
  const Aabb box = calc_aabb(solid, X);
  for (int i = 0; i < 3; ++i) {
    double low = kInfiniteLength;
    double high = -kInfiniteLength;
    for (const auto& patch : testing::make_patches(solid)) {
      low = std::min(low, testing::minimise_on_square([&](double u, double v) { return (X * patch(u, v))[i]; }));
      high = std::max(high, -testing::minimise_on_square([&](double u, double v) { return -(X * patch(u, v))[i]; }));
    }
    EXPECT_NEAR(box.lower[i], low, 1e-8);
    EXPECT_NEAR(box.upper[i], high, 1e-8);
  }
}

TEST(ShapeBounds, IsTight) {
  testing::Random random(7);
  expect_tight(Sphere{0.7}, random);
  expect_tight(Box{Vec3(0.3, 0.8, 0.5)}, random);
  expect_tight(Cylinder{0.4, 0.9}, random);
  expect_tight(Cone{0.5, 1.2}, random);
  expect_tight(Capsule{0.4, 0.6}, random);
  expect_tight(Ellipsoid{Vec3(0.1, 0.5, 0.9)}, random);
  for (int i = 0; i < 5; ++i) {
    expect_tight(Torus{0.6, 0.2}, random);
    expect_tight(Bowl{0.5, 0.1, 0.3}, random);
    expect_tight(Bowl{0.5, 0.1, 0.7}, random);
  }
}

TEST(ShapeBounds, OfUnboundedShapesIsTheWholeSpace) {
  for (const Shape& shape :
       {Shape(HalfSpace{}), Shape(Bore{}), Shape(Wedge{}), Shape(Cylinder{0.1}), Shape(Cone{}), Shape(Cavity{})}) {
    const Aabb box = calc_aabb(shape, Pose());
    EXPECT_EQ(box.lower.maxCoeff(), -kInfiniteLength);
    EXPECT_EQ(box.upper.minCoeff(), kInfiniteLength);
  }
}

}  // namespace
}  // namespace abut
