// Perimeter contact makes no energy: bodies of triangles bounce, rub and come to rest in a closed room, and at every
// step the mechanical energy (kinetic, gravitational, elastic, bristles) is no more than it was at any step before. The
// same at a million steps: bench/perimeter_energy_bench.

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/sim/closed_room_test.hpp"

namespace abut {
namespace {

struct Watched : EnergySink {
  double residual = 0.0;  ///< of the ledger [J]
};

Watched run(const RoomSetting& setting) {
  Watched sink;
  const RunSummary summary = simulate(compile(make_room_scene(setting)), sink);
  EXPECT_EQ(summary.status, RunStatus::done);
  sink.residual = std::abs(summary.worst_residual);
  return sink;
}

Watched run(std::vector<BodySpec> bodies, double restitution, double mu, double step, int num_steps,
            bool has_guard = true) {
  RoomSetting setting;
  setting.bodies = std::move(bodies);
  setting.restitution = restitution;
  setting.friction = mu;
  setting.step = step;
  setting.num_steps = num_steps;
  setting.has_guard = has_guard;
  return run(setting);
}

// What remains is the error of Runge and Kutta's rule in the motion and the works of bodies that turn under hard
// impacts: of this box at most 1.8e-7 of its energy at steps of 1.5 ms, 4.7e-9 at 0.75 ms and 3.4e-11 at 0.375 ms
// (measured).
constexpr double kIntegrationError = 1e-6, kIntegrationErrorOfQuarterSteps = 1e-9;

// What contacts that last draw on their heat to stay at the depth of the law, in parts of the energy at the start: 1.6
// % of a ring of facets that wobbles to rest (measured), 0.1 % of the others.
constexpr double kMostMade = 2e-2;

void expect_no_rise(const Watched& sink, int least_touches) {
  EXPECT_GE(sink.touches, least_touches);
  EXPECT_LT(sink.rise, kIntegrationError * sink.first);
  EXPECT_LT(sink.made, kMostMade * sink.first);
  EXPECT_GE(sink.least_elastic, -1e-12);  // roundings of works of a few joules
  EXPECT_LT(sink.residual, 1e-5);
}

const Vec3 kPlace(-0.1, -0.05, 0.6);

TEST(PerimeterEnergy, ElasticBallBouncesWithoutRise) {
  const Watched sink = run({make_thrown("ball", make_uv_sphere_mesh(0.12, 15, 10), kPlace)}, 1.0, 0.0, 1.5e-3, 20000);
  expect_no_rise(sink, 30);
  // The law itself hardly loses anything: held springs and facets take less than a third in thirty seconds.
  EXPECT_GT(sink.least, 0.5 * sink.first);
}

TEST(PerimeterEnergy, ElasticBoxBouncesWithoutRise) {
  expect_no_rise(run({make_thrown("box", make_box_mesh(Vec3(0.12, 0.08, 0.1)), kPlace)}, 1.0, 0.0, 1.5e-3, 20000), 10);
}

TEST(PerimeterEnergy, ElasticBodiesKeepMostOfIt) {
  // Corners and edges that turn in contact: springs give back what was put in.
  for (const MeshData& mesh : {make_box_mesh(Vec3(0.12, 0.08, 0.1)), make_torus_mesh(0.13, 0.05, 22, 22)}) {
    const Watched sink = run({make_thrown("body", mesh, kPlace)}, 1.0, 0.0, 0.75e-3, 10000);
    EXPECT_GE(sink.touches, 20);
    EXPECT_GT(sink.last, 0.8 * sink.first);
  }
}

TEST(PerimeterEnergy, WhatRisesIsTheErrorOfTheIntegration) {
  const Watched sink =
      run({make_thrown("box", make_box_mesh(Vec3(0.12, 0.08, 0.1)), kPlace)}, 1.0, 0.0, 0.375e-3, 4000);
  EXPECT_GE(sink.touches, 3);
  EXPECT_LT(sink.rise, kIntegrationErrorOfQuarterSteps * sink.first);
}

TEST(PerimeterEnergyLong, FrictionAndRestMakeNone) {
  expect_no_rise(run({make_thrown("ring", make_torus_mesh(0.13, 0.05, 22, 22), kPlace)}, 0.7, 0.4, 1e-3, 15000), 3);
  expect_no_rise(run({make_thrown("box", make_box_mesh(Vec3(0.12, 0.08, 0.1)), kPlace)}, 0.5, 0.4, 1.5e-3, 20000), 3);
}

TEST(PerimeterEnergyLong, BodiesThatHitEachOtherMakeNone) {
  expect_no_rise(run({make_thrown("ball", make_uv_sphere_mesh(0.12, 15, 10), Vec3(0.05, 0.02, 0.3)),
                      make_thrown("box", make_box_mesh(Vec3(0.12, 0.08, 0.1)), kPlace),
                      make_thrown("ring", make_torus_mesh(0.13, 0.05, 22, 22), Vec3(0.1, 0.1, 0.9))},
                     0.6, 0.5, 1.5e-3, 6000),
                 10);
}

TEST(PerimeterEnergyLong, RoughBodiesMakeNone) {
  // Spheres and rings of random tessellation whose corners are displaced by up to 15 %: not convex, partly folded.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  for (int i = 0; i < 6; ++i) {
    const int around = 6 + static_cast<int>(20 * part(random)), across = 5 + static_cast<int>(12 * part(random));
    MeshData mesh = i % 2 == 0 ? make_uv_sphere_mesh(0.1, around, across) : make_torus_mesh(0.1, 0.05, around, across);
    for (Vec3& v : mesh.vertices) v *= 0.85 + 0.3 * part(random);
    const BodySpec body = make_thrown_surface("rough", mesh, kPlace, Vec3(4e-3, 4.5e-3, 5e-3));
    SCOPED_TRACE(i);
    expect_no_rise(run({body}, 0.3 + 0.7 * part(random), 0.5 * part(random), 1.5e-3, 3000), 3);
  }
}

TEST(PerimeterEnergy, WithoutTheGuardSomeIsMade) {
  // The tests above can fail: the same ball, unguarded.
  const Watched sink =
      run({make_thrown("ball", make_uv_sphere_mesh(0.12, 15, 10), kPlace)}, 1.0, 0.0, 1.5e-3, 4000, false);
  EXPECT_GT(sink.rise + sink.made, 1e-4 * sink.first);
}

}  // namespace
}  // namespace abut
