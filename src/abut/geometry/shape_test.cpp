#include "abut/geometry/shape.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/geometry/implicit_surface.hpp"

namespace abut {
namespace {

TEST(Shape, HasTheNamesOfTheSceneVocabulary) {
  EXPECT_EQ(shape_name(Sphere{}), "sphere");
  EXPECT_EQ(shape_name(HalfSpace{}), "half-space");
  EXPECT_EQ(shape_name(Box{}), "box");
  EXPECT_EQ(shape_name(Cylinder{}), "cylinder");
  EXPECT_EQ(shape_name(Bore{}), "bore");
  EXPECT_EQ(shape_name(Cone{}), "cone");
  EXPECT_EQ(shape_name(Capsule{}), "capsule");
  EXPECT_EQ(shape_name(Ellipsoid{}), "ellipsoid");
  EXPECT_EQ(shape_name(Wedge{}), "wedge");
  EXPECT_EQ(shape_name(Torus{}), "torus");
  EXPECT_EQ(shape_name(Cavity{}), "cavity");
  EXPECT_EQ(shape_name(Bowl{}), "bowl");
  EXPECT_EQ(shape_name(Superquadric{}), "superquadric");
  EXPECT_EQ(shape_name(Intersection{}), "intersection");
}

TEST(Shape, KnowsWhatIsBounded) {
  EXPECT_TRUE(is_finite(Cylinder{0.1, 2.0}));
  EXPECT_FALSE(is_finite(Cylinder{0.1}));
  EXPECT_TRUE(is_finite(Cone{0.3, 1.0}));
  EXPECT_FALSE(is_finite(Cone{0.3}));
  EXPECT_FALSE(is_finite(HalfSpace{}));
  EXPECT_FALSE(is_finite(Bore{}));
  EXPECT_FALSE(is_finite(Wedge{}));
  EXPECT_FALSE(is_finite(Cavity{}));
  EXPECT_TRUE(is_finite(Torus{}));
  EXPECT_TRUE(is_finite(Bowl{}));
  EXPECT_TRUE(is_finite(Capsule{}));
}

TEST(Shape, DefaultsHaveNoDefect) {
  for (const Shape& shape : {Shape(Sphere{}), Shape(HalfSpace{}), Shape(Box{}), Shape(Cylinder{}), Shape(Bore{}),
                             Shape(Cone{}), Shape(Capsule{}), Shape(Ellipsoid{}), Shape(Wedge{})}) {
    EXPECT_EQ(find_shape_defect(shape), "");
  }
}

TEST(Shape, SaysWhatIsWrongWithSmoothShapes) {
  EXPECT_EQ(find_shape_defect(Superquadric{Vec3::Ones(), 1.5}),
            "superquadric: exponents must be from 2 to 10, got 1.5");
  EXPECT_EQ(find_shape_defect(Superquadric{Vec3::Ones(), 4.0, 11.0}),
            "superquadric: exponents must be from 2 to 10, got 11");
  EXPECT_EQ(find_shape_defect(Intersection{}), "intersection: has no parts");
  const auto make = [](double offset, double sharpness) {
    return Intersection{std::make_shared<const RoundedParts>(make_rounded_parts(
        {{ImplicitSurface(Sphere{1.0}), Pose()}, {ImplicitSurface(HalfSpace{Vec3::UnitZ(), offset}), Pose()}},
        sharpness))};
  };
  EXPECT_EQ(find_shape_defect(make(0.5, 16.0)), "");
  EXPECT_EQ(find_shape_defect(make(0.5, 1.0)), "intersection: sharpness must be from 2 to 32, got 1");
  EXPECT_EQ(
      find_shape_defect(make(-0.5, 16.0)),
      "intersection: the origin of an intersection has to lie inside all its parts; move the parts, and the shape "
      "by `position`");
}

// Planes alone are bounded where they close around the origin.
TEST(Shape, KnowsWhichPlanesAreBounded) {
  std::vector<std::pair<ImplicitSurface, Pose>> planes;
  for (const Vec3& n : {Vec3(1, 1, 1), Vec3(-1, -1, 1), Vec3(-1, 1, -1), Vec3(1, -1, -1)}) {
    EXPECT_FALSE(is_bounded(make_rounded_parts(planes, 8.0)));
    planes.emplace_back(ImplicitSurface(HalfSpace{n.normalized(), 0.3}), Pose());
  }
  EXPECT_TRUE(is_bounded(make_rounded_parts(planes, 8.0)));  // a tetrahedron
  planes.back().first = ImplicitSurface(HalfSpace{Vec3(1, 1, -1).normalized(), 0.3});
  EXPECT_FALSE(is_bounded(make_rounded_parts(planes, 8.0)));  // open towards -y
}

TEST(Shape, SaysWhatIsWrong) {
  EXPECT_EQ(find_shape_defect(Sphere{-0.5}), "sphere: radius must be positive and finite, got -0.5");
  EXPECT_EQ(find_shape_defect(Sphere{kInfiniteLength}), "sphere: radius must be positive and finite, got inf");
  EXPECT_EQ(find_shape_defect(Sphere{std::nan("")}), "sphere: radius must be positive and finite, got nan");
  EXPECT_EQ(find_shape_defect(Box{Vec3(1, 0, 1)}), "box: half_size must be positive and finite, got (1, 0, 1)");
  EXPECT_EQ(find_shape_defect(Cylinder{1.0, 0.0}), "cylinder: half_length must be positive, got 0");
  EXPECT_EQ(find_shape_defect(HalfSpace{Vec3(0, 0, 2), 0}), "half-space: normal must be a unit vector, got (0, 0, 2)");
  EXPECT_EQ(find_shape_defect(HalfSpace{Vec3(0, 0, 1), kInfiniteLength}), "half-space: offset must be finite, got inf");
  EXPECT_EQ(find_shape_defect(Cone{2.0}), "cone: half_angle must be between 0 and pi/2, got 2");
  EXPECT_EQ(find_shape_defect(Torus{0.1, 0.1}), "torus: tube_radius must be below ring_radius, 0.1, got 0.1");
  EXPECT_EQ(find_shape_defect(Cavity{-1.0}), "cavity: radius must be positive and finite, got -1");
  EXPECT_EQ(find_shape_defect(Bowl{0.5, 0.1, 1.0}), "bowl: depth must be below twice the radius, 1, got 1");
  EXPECT_EQ(find_shape_defect(Wedge{Vec3::UnitX(), -Vec3::UnitX()}),
            "wedge: normal_1 and normal_2 are opposite: nothing solid is left");
}

}  // namespace
}  // namespace abut
