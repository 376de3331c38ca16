// Perimeter contact makes no energy: bodies of triangles bounce, rub and come to rest in a closed room, and at every
// step the mechanical energy (kinetic, gravitational, elastic, bristles) is no more than it was at any step before. The
// same at a million steps: bench/perimeter_energy_bench.

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/sim/energy.hpp"
#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

class EnergySink : public RecordSink {
 public:
  void begin(const RecordLayout&) override {}
  void sample(const Sample& sample) override {
    double energy = 0.0;
    for (int i = 0; i < 5; ++i) energy += sample.energy[i];
    if (num_samples++ == 0) first = energy;
    rise = std::max(rise, energy - least);
    least = std::min(least, energy);
    least_elastic = std::min(least_elastic, sample.energy[static_cast<int>(Energy::elastic)]);
  }
  void event(const ContactEvent& event) override { touches += event.kind == ContactEventKind::touch ? 1 : 0; }
  void finish(const std::string&) override {}

  int num_samples = 0, touches = 0;
  double first = 0.0, least = HUGE_VAL, rise = 0.0, least_elastic = 0.0, residual = 0.0;
};

BodySpec make_thrown(const std::string& name, const MeshData& data, const Vec3& position) {
  BodySpec body;
  body.name = name;
  body.mass = 1.0;
  MeshSpec mesh;
  mesh.file = name;
  mesh.data = std::make_shared<const MeshData>(data);
  body.shape.push_back(make_shape_spec(mesh));
  body.position = position;
  body.orientation = Quat(0.8, 0.3, -0.4, 0.2).normalized();
  body.velocity = Vec3(0.7, -0.4, 0.0);
  body.angular_velocity = Vec3(1.0, 3.0, -2.0);
  return body;
}

/// Plates 0.2 m thick about a room of 1.2 m.
BodySpec make_room() {
  BodySpec room;
  room.name = "room";
  room.fixed = true;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-0.7, 0.7}) {
      Vec3 size = Vec3::Constant(1.6);
      size[axis] = 0.2;
      ShapeSpec plate = make_shape_spec(BoxSpec{size});
      plate.position = side * Vec3::Unit(axis) + Vec3(0, 0, 0.6);
      room.shape.push_back(plate);
    }
  }
  return room;
}

EnergySink run(std::vector<BodySpec> bodies, double restitution, double mu, double step, int num_steps,
               bool has_guard = true) {
  SceneSpec scene;
  scene.gravity = Vec3(0, 0, -9.81);
  scene.body = std::move(bodies);
  scene.body.push_back(make_room());
  ContactSpec contact;
  contact.between = {"*", "*"};
  contact.region = ContactSpec::Region::perimeter;
  contact.energy_guard = has_guard;
  contact.normal.emplace();
  contact.normal->law = NormalSpec::Law::gonthier;
  contact.normal->young = 2.1e6;  // [Pa]: impacts of 3 m/s last about ten steps
  contact.normal->poisson = 0.3;
  contact.normal->restitution = restitution;
  if (mu > 0.0) {
    LugreSpec lugre;
    lugre.mu_s = lugre.mu_d = mu;
    contact.friction.emplace().law = lugre;
  }
  scene.contact = {contact};
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = step;
  scene.run.duration = step * num_steps;
  scene.run.record_interval = step;
  EnergySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::done);
  sink.residual = std::abs(summary.worst_residual);
  return sink;
}

// What remains is the error of Runge and Kutta's rule in the motion and the works of bodies that turn under hard
// impacts: of this box at most 1.8e-7 of its energy at steps of 1.5 ms, 4.7e-9 at 0.75 ms and 3.4e-11 at 0.375 ms
// (measured).
constexpr double kIntegrationError = 1e-6, kIntegrationErrorOfQuarterSteps = 1e-9;

void expect_no_rise(const EnergySink& sink, int least_touches) {
  EXPECT_GE(sink.touches, least_touches);
  EXPECT_LT(sink.rise, kIntegrationError * sink.first);
  EXPECT_GE(sink.least_elastic, -1e-12);  // roundings of works of a few joules
  EXPECT_LT(sink.residual, 1e-5);
}

const Vec3 kPlace(-0.1, -0.05, 0.6);

TEST(PerimeterEnergy, ElasticBallBouncesWithoutRise) {
  const EnergySink sink =
      run({make_thrown("ball", make_uv_sphere_mesh(0.12, 15, 10), kPlace)}, 1.0, 0.0, 1.5e-3, 20000);
  expect_no_rise(sink, 30);
  // The law itself hardly loses anything: held springs and facets take less than a third in thirty seconds.
  EXPECT_GT(sink.least, 0.5 * sink.first);
}

TEST(PerimeterEnergy, ElasticBoxBouncesWithoutRise) {
  expect_no_rise(run({make_thrown("box", make_box_mesh(Vec3(0.12, 0.08, 0.1)), kPlace)}, 1.0, 0.0, 1.5e-3, 20000), 10);
}

TEST(PerimeterEnergy, WhatRisesIsTheErrorOfTheIntegration) {
  const EnergySink sink =
      run({make_thrown("box", make_box_mesh(Vec3(0.12, 0.08, 0.1)), kPlace)}, 1.0, 0.0, 0.375e-3, 4000);
  EXPECT_GE(sink.touches, 3);
  EXPECT_LT(sink.rise, kIntegrationErrorOfQuarterSteps * sink.first);
}

TEST(PerimeterEnergy, FrictionAndRestMakeNone) {
  expect_no_rise(run({make_thrown("ring", make_torus_mesh(0.13, 0.05, 22, 22), kPlace)}, 0.7, 0.4, 1e-3, 15000), 3);
  expect_no_rise(run({make_thrown("box", make_box_mesh(Vec3(0.12, 0.08, 0.1)), kPlace)}, 0.5, 0.4, 1.5e-3, 20000), 3);
}

TEST(PerimeterEnergy, BodiesThatHitEachOtherMakeNone) {
  expect_no_rise(run({make_thrown("ball", make_uv_sphere_mesh(0.12, 15, 10), Vec3(0.05, 0.02, 0.3)),
                      make_thrown("box", make_box_mesh(Vec3(0.12, 0.08, 0.1)), kPlace),
                      make_thrown("ring", make_torus_mesh(0.13, 0.05, 22, 22), Vec3(0.1, 0.1, 0.9))},
                     0.6, 0.5, 1.5e-3, 6000),
                 10);
}

TEST(PerimeterEnergy, RoughBodiesMakeNone) {
  // Spheres and rings of random tessellation whose corners are displaced by up to 15 %: not convex, partly folded.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  for (int i = 0; i < 6; ++i) {
    const int around = 6 + static_cast<int>(20 * part(random)), across = 5 + static_cast<int>(12 * part(random));
    MeshData mesh = i % 2 == 0 ? make_uv_sphere_mesh(0.1, around, across) : make_torus_mesh(0.1, 0.05, around, across);
    for (Vec3& v : mesh.vertices) v *= 0.85 + 0.3 * part(random);
    BodySpec body = make_thrown("rough", mesh, kPlace);
    std::get<MeshSpec>(body.shape[0].type).surface = true;
    body.inertia = InertiaSpec{{4e-3, 4.5e-3, 5e-3}};
    SCOPED_TRACE(i);
    expect_no_rise(run({body}, 0.3 + 0.7 * part(random), 0.5 * part(random), 1.5e-3, 3000), 3);
  }
}

TEST(PerimeterEnergy, WithoutTheGuardSomeIsMade) {
  // The tests above can fail: the same ball, unguarded.
  const EnergySink sink =
      run({make_thrown("ball", make_uv_sphere_mesh(0.12, 15, 10), kPlace)}, 1.0, 0.0, 1.5e-3, 4000, false);
  EXPECT_GT(sink.rise + std::max(0.0, -sink.least_elastic), 1e-4 * sink.first);
}

}  // namespace
}  // namespace abut
