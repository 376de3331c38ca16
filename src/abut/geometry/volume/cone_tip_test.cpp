#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/interference.hpp"

// Cones whose tip lies in a face of a box, a polyhedron or a mesh, to the last bit or beside it, and tips that only
// just enter one.

namespace abut {
namespace {

using testing::kPi;
using testing::Random;

constexpr double kHeight = 0.05;   // [m]
const Vec3 kPlate(0.5, 0.5, 0.2);  // holds every cone; upper face at z = 0 [m]
constexpr double kHalfPi = 0.5 * kPi;

Shape make_plate(int kind) {
  if (kind == 0) return Box{kPlate};
  if (kind == 1) return Polyhedron{std::make_shared<const ConvexPolyhedron>(make_box_polyhedron(kPlate))};
  return Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(make_divided(make_box_mesh(kPlate), 2)))};
}

VolumeMetrics calc_all(const Shape& cone, const Pose& X, const Shape& plate) {
  Interference pair = Interference::make(cone, plate);
  std::vector<VolumeMetrics> pieces;
  pair.calc(X, Pose(Mat3::Identity(), Vec3(0.0, 0.0, -kPlate.z())), pieces);
  if (pieces.empty()) return {};
  VolumeMetrics all = pieces[0];
  for (std::size_t k = 1; k < pieces.size(); ++k) all = join(all, pieces[k]);
  return all;
}

double calc_volume(double half_angle, double height) {
  const double radius = height * std::tan(half_angle);
  return kPi / 3.0 * radius * radius * height;
}

/// How the cone lies with its tip in the face, and what part of it is in the plate then.
struct Lying {
  double tilt, part;
};

void expect_part(Random& random, const Shape& plate, const Lying& lying, double half_angle, int k) {
  const Mat3 R =
      (Eigen::AngleAxisd(random.uniform(0.0, 6.28), Vec3::UnitZ()) * Eigen::AngleAxisd(lying.tilt, Vec3::UnitY()) *
       Eigen::AngleAxisd(random.uniform(0.0, 6.28), Vec3::UnitZ()))
          .toRotationMatrix();
  const double x = random.uniform(-0.2, 0.2), y = random.uniform(-0.2, 0.2);
  const Vec3 tip(k % 2 == 0 ? x : 0.0, k % 4 < 2 ? y : 0.0, 0.0);
  const double whole = calc_volume(half_angle, kHeight);
  for (const double above : {0.0, 1e-17, -1e-17, 1e-15, -1e-15, 1e-13, -1e-13, 1e-11, -1e-11}) {
    const VolumeMetrics all = calc_all(Cone{half_angle, kHeight}, Pose(R, tip + above * Vec3::UnitZ()), plate);
    // A move by 1e-11 m is worth that times the area of the section.
    EXPECT_NEAR(all.volume, lying.part * whole, 1e-8 * whole) << "case " << k << ", tip above by " << above;
  }
}

TEST(ConeTip, InAFaceLeavesTheVolumeItIs) {
  Random random(5);
  for (int k = 0; k < 96; ++k) {
    const double half_angle = random.uniform(0.1, 1.2);
    const std::vector<Lying> ways = {{random.uniform(0.0, 0.95) * (kHalfPi - half_angle), 1.0},  // hangs into the plate
                                     {kHalfPi - half_angle, 1.0},   // a generator in the face
                                     {kHalfPi, 0.5},                // the axis in the face
                                     {kHalfPi + half_angle, 0.0}};  // lies on the plate
    expect_part(random, make_plate(k % 3), ways[static_cast<std::size_t>(k / 3 % 4)], half_angle, k);
  }
}

TEST(ConeTip, MomentsOfATipThatOnlyJustEnters) {
  for (const double half_angle : {0.2, 0.6, 1.1}) {
    for (const double depth : {1e-4, 1e-6, 1e-8, 1e-9}) {
      for (int kind = 0; kind < 3; ++kind) {
        // Upside down: the base up, the tip below the face.
        const Mat3 R = Eigen::AngleAxisd(kPi, Vec3::UnitX()).toRotationMatrix();
        const VolumeMetrics all =
            calc_all(Cone{half_angle, kHeight}, Pose(R, Vec3(0.01, 0.02, -depth)), make_plate(kind));
        const double volume = calc_volume(half_angle, depth), radius = depth * std::tan(half_angle);
        // Half-spaces count as larger by 2e-15 of the coordinates, which are some metres: three times that of the
        // depth.
        const double allowed = 1e-9 + 6e-14 / depth;
        EXPECT_NEAR(all.volume / volume, 1.0, allowed) << half_angle << ", " << depth << ", " << kind;
        EXPECT_NEAR(all.inertia(2, 2) / (0.3 * volume * radius * radius), 1.0, 2.0 * allowed)
            << half_angle << ", " << depth << ", " << kind;
      }
    }
  }
}

}  // namespace
}  // namespace abut
