#include "abut/geometry/polyhedron/convex_polyhedron.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/geometry/polyhedron/polyhedron_checks_test.hpp"
#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/mass_properties.hpp"

namespace abut {
namespace {

using testing::Random;

std::string find_hull_error(const std::vector<Vec3>& points) {
  try {
    make_convex_hull(points);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// n^3 points on a lattice that fills the unit cube, moved by X.
std::vector<Vec3> make_lattice(int n, const Pose& X) {
  std::vector<Vec3> points;
  for (int i = 0; i < n * n * n; ++i) {
    points.push_back(X * Vec3(Vec3(i % n, i / n % n, i / n / n) / static_cast<double>(n - 1)));
  }
  return points;
}

void expect_euler(const ConvexPolyhedron& p) {
  EXPECT_EQ(static_cast<int>(p.vertices().size()) - static_cast<int>(p.edges().size()) + p.num_faces(), 2);
}

TEST(ConvexPolyhedron, BoxHasItsFacesInOrder) {
  const Vec3 half(0.1, 0.2, 0.3);
  const ConvexPolyhedron box = make_box_polyhedron(half);
  ASSERT_EQ(box.num_faces(), 6);
  EXPECT_EQ(box.edges().size(), 12u);
  for (int f = 0; f < 6; ++f) {
    const Vec3 normal = (f % 2 == 0 ? 1.0 : -1.0) * Vec3::Unit(f / 2);
    EXPECT_EQ(box.planes()[f].normal, normal);
    EXPECT_EQ(box.planes()[f].offset, half[f / 2]);
    for (const int v : box.face(f)) EXPECT_EQ(normal.dot(box.vertices()[v]), half[f / 2]);
  }
  EXPECT_DOUBLE_EQ(box.radius(), half.norm());
}

TEST(ConvexPolyhedron, MassPropertiesOfBoxAndTetrahedron) {
  const Vec3 half(0.1, 0.2, 0.3);
  const MassProperties found = calc_mass_properties(make_box_polyhedron(half), 700.0);
  const MassProperties box = calc_mass_properties(Shape(Box{half}), 700.0);
  EXPECT_NEAR(found.mass, box.mass, 1e-14 * box.mass);
  EXPECT_LE((found.inertia - box.inertia).norm(), 1e-14 * box.inertia.norm());
  // Corner tetrahedron of a cube of edge 1: V = 1/6, centroid at 1/4, integral of x^2 = 1/60, of x y = 1/120.
  const std::vector<Vec3> corner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const VolumeMoments m = calc_moments(make_convex_hull(corner));
  EXPECT_NEAR(m.volume, 1.0 / 6.0, 1e-16);
  EXPECT_NEAR(m.first.y(), 1.0 / 24.0, 1e-16);
  EXPECT_NEAR(m.second(0, 0), 1.0 / 60.0, 1e-16);
  EXPECT_NEAR(m.second(0, 2), 1.0 / 120.0, 1e-16);
}

TEST(ConvexPolyhedron, RefusesWhatIsNotAClosedConvexSurface) {
  const ConvexPolyhedron box = make_box_polyhedron(Vec3::Ones());
  std::vector<int> begin = {0, 4, 8, 12, 16, 20, 24}, loops;
  for (int f = 0; f < 6; ++f) loops.insert(loops.end(), box.face(f).begin(), box.face(f).end());
  const auto find_error = [&](const std::vector<Vec3>& v, std::vector<int> b, std::vector<int> l) -> std::string {
    try {
      const ConvexPolyhedron ignored(v, std::move(b), std::move(l));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(find_error(box.vertices(), begin, loops), "");
  const std::vector<int> open(loops.begin(), loops.begin() + 20);
  EXPECT_NE(find_error(box.vertices(), {0, 4, 8, 12, 16, 20}, open).find("4 open edges"), std::string::npos);
  EXPECT_NE(find_error(box.vertices(), {0, 4}, {0, 1, 2, 3}).find("at least 4 faces"), std::string::npos);
  std::vector<int> wrong = loops;
  wrong[5] = 8;
  EXPECT_NE(find_error(box.vertices(), begin, wrong).find("names vertex 8, but there are 8"), std::string::npos);
  std::vector<Vec3> dented = box.vertices();
  dented[7] *= 0.9;
  EXPECT_NE(find_error(dented, begin, loops).find("not convex with flat faces"), std::string::npos);
  std::vector<int> inside_out(loops.rbegin(), loops.rend());
  EXPECT_NE(find_error(box.vertices(), begin, inside_out).find("not convex"), std::string::npos);
  EXPECT_THROW(make_box_polyhedron(Vec3(1.0, 0.0, 1.0)), InputError);
}

TEST(ConvexHull, JoinsPointsInOnePlane) {
  const ConvexPolyhedron cube = make_convex_hull(make_lattice(5, Pose()));
  EXPECT_EQ(cube.vertices().size(), 8u);
  EXPECT_EQ(cube.num_faces(), 6);
  EXPECT_DOUBLE_EQ(calc_volume(cube), 1.0);
  // Rotation leaves no two triangles of a face in one plane exactly; noise stands for coordinates with fewer digits.
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const ConvexPolyhedron turned = make_convex_hull(make_lattice(4, random.pose(2.0)));
    EXPECT_EQ(turned.vertices().size(), 8u);
    EXPECT_EQ(turned.num_faces(), 6);
    EXPECT_NEAR(calc_volume(turned), 1.0, 1e-14);
  }
}

/// Whatever noise does to flat faces, the hull holds all points and its volume is off by no more than noise x area.
TEST(ConvexHull, SurvivesNoiseOfAnySize) {
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const double noise = std::pow(10.0, random.uniform(-16.0, -2.0));
    std::vector<Vec3> points = make_lattice(4, random.pose(2.0));
    for (Vec3& p : points) p += random.vector(noise);
    const ConvexPolyhedron hull = make_convex_hull(points);
    expect_euler(hull);
    EXPECT_NEAR(calc_volume(hull), 1.0, 12.0 * noise + 1e-13) << noise;
    // Faces are joined over at most four times the noise (the tolerance grows by that factor), or kFlatness.
    double allowed = 0.0;
    for (const Plane& plane : hull.planes()) {
      for (const Vec3& p : points) allowed = std::max(allowed, plane.normal.dot(p) - plane.offset);
    }
    EXPECT_LE(allowed, 1e-12 + std::min(40.0 * noise, 2e-8)) << noise;
  }
}

TEST(ConvexHull, RandomPointsOnABall) {
  Random random(4);
  std::vector<Vec3> points;
  for (int i = 0; i < 1000; ++i) points.push_back(random.unit());
  for (int i = 0; i < 500; ++i) points.push_back(random.uniform(0.0, 0.9) * points[i]);  // inside
  for (int i = 0; i < 100; ++i) points.push_back(points[3 * i]);                         // repeated
  const ConvexPolyhedron hull = make_convex_hull(points);
  EXPECT_EQ(hull.vertices().size(), 1000u);
  EXPECT_EQ(hull.num_faces(), 1996);  // 2 V - 4: all triangles
  expect_euler(hull);
  for (const Plane& plane : hull.planes()) {
    for (const Vec3& p : points) ASSERT_LE(plane.normal.dot(p) - plane.offset, 1e-14);
  }
}

TEST(ConvexHull, PrismOfManySides) {
  std::vector<Vec3> points;
  const int n = 64;
  for (int i = 0; i < 2 * n; ++i) points.push_back(testing::polar(0.5, 2.0 * testing::kPi * i / n, i < n ? 0.0 : 2.0));
  const ConvexPolyhedron prism = make_convex_hull(points);
  EXPECT_EQ(prism.num_faces(), n + 2);
  EXPECT_EQ(prism.vertices().size(), 2u * n);
  // n-gon inscribed in a circle of radius 1/2.
  EXPECT_NEAR(calc_volume(prism), 2.0 * 0.125 * n * std::sin(2.0 * testing::kPi / n), 1e-14);
}

TEST(ConvexHull, IndependentOfUnits) {
  Random random(5);
  std::vector<Vec3> points;
  for (int i = 0; i < 30; ++i) points.push_back(random.vector(1.0));
  const ConvexPolyhedron hull = make_convex_hull(points);
  for (const double scale : {1e-9, 1e9}) {
    std::vector<Vec3> scaled;
    for (const Vec3& p : points) scaled.push_back(scale * p);
    const ConvexPolyhedron other = make_convex_hull(scaled);
    EXPECT_EQ(other.num_faces(), hull.num_faces());
    EXPECT_NEAR(calc_volume(other) / std::pow(scale, 3), calc_volume(hull), 1e-13);
  }
}

TEST(ConvexHull, SaysWhyThereIsNoVolume) {
  EXPECT_EQ(find_hull_error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "convex hull: needs at least 4 points, got 3");
  EXPECT_NE(find_hull_error(std::vector<Vec3>(5, Vec3(1, 2, 3))).find("all 5 points lie at one point"),
            std::string::npos);
  EXPECT_NE(find_hull_error({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}}).find("on one line"), std::string::npos);
  std::vector<Vec3> flat;
  Random random(6);
  const Pose X = random.pose(1.0);
  for (int i = 0; i < 20; ++i) flat.push_back(X * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0.0));
  EXPECT_NE(find_hull_error(flat).find("all 20 points lie in one plane"), std::string::npos);
  EXPECT_EQ(find_hull_error({{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}), "convex hull: point 2 is not finite");
}

TEST(ConvexHull, ThinButNotFlat) {
  // A pyramid of height 1e-9 on a unit square: V = 1e-9/3.
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.3, 1e-9}};
  const ConvexPolyhedron thin = make_convex_hull(points);
  EXPECT_EQ(thin.num_faces(), 5);
  EXPECT_NEAR(calc_volume(thin), 1e-9 / 3.0, 1e-15 * 1e-9);
}

}  // namespace
}  // namespace abut
