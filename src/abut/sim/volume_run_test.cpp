#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

ContactSpec make_volume_contact(double stiffness, double restitution) {
  ContactSpec contact = make_contact(NormalSpec::Law::gonthier, stiffness, restitution);
  contact.region = ContactSpec::Region::volume;
  return contact;
}

/// [Gonthier 2007, 5.2.1] up to the edge: ball on a level table.
SceneSpec make_ball_on_table() {
  SceneSpec scene;
  scene.run.tolerance = 1e-8;
  BodySpec ball = make_ball("ball", 2.0, 0.1, Vec3(0, 0, 0.2), Vec3(0, 0.3, 0));
  ball.angular_velocity = Vec3(0, 0, 3);
  scene.body = {ball, make_floor()};
  ContactSpec contact = make_volume_contact(1e7, 0.5);
  contact.normal->damper = NormalSpec::Damper::touch;  // as in the source
  contact.friction.emplace();
  BristleSpec bristle;
  bristle.mu_s = 0.08;
  bristle.mu_c = 0.05;
  bristle.sigma_0 = 1e5;
  bristle.sigma_1 = std::sqrt(1e5);
  bristle.v_stribeck = 1e-3;
  bristle.tau_dwell = 0.3;
  bristle.v_eps = 1e-5;
  contact.friction->law = bristle;
  scene.contact = {contact};
  return scene;
}

TEST(VolumeRun, BallRollsAndSpinsAsTheReferenceDoes) {
  SceneSpec scene = make_ball_on_table();
  scene.run.duration = 1.0;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  const std::vector<ContactEvent> touches = sink.events_of(ContactEventKind::touch);
  ASSERT_EQ(touches.size(), 3u);
  // Computed independently, six decimals.
  EXPECT_NEAR(touches[0].time, 0.142784, 6e-7);
  EXPECT_NEAR(touches[1].time, 0.294576, 6e-7);
  EXPECT_NEAR(touches[2].time, 0.362388, 6e-7);
  EXPECT_NEAR(touches[2].normal_speed, -0.085040, 6e-7);
  const Sample& end = sink.samples.back();
  // The table of 4.10, printed digits.
  EXPECT_NEAR(end.bodies[0].position.y(), 0.18354, 6e-6);
  EXPECT_NEAR(end.bodies[0].velocity.y(), 0.10692, 6e-6);
  EXPECT_NEAR(end.bodies[0].angular_velocity.x(), -1.0466, 1e-4);
  EXPECT_NEAR(end.bodies[0].angular_velocity.z(), 1.4096, 1e-4);
  EXPECT_LT(std::abs(summary.worst_residual), 1e-7 * summary.energy_turnover) << "tolerance 1e-8 over 600 steps";
}

TEST(VolumeRun, FixedStepsComeNearTheLocatedRun) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    SceneSpec scene = make_ball_on_table();
    scene.run.duration = 0.2;
    scene.run.method = RunSpec::Method::explicit_;
    scene.run.integrator = RunSpec::Integrator::rk3;
    scene.run.step = k == 0 ? 2e-5 : 1e-5;
    MemorySink sink;
    simulate(compile(scene), sink);
    // After the first impact of the located run, computed independently.
    error[k] = std::abs(sink.samples.back().bodies[0].angular_velocity.x() + 1.9298);
  }
  EXPECT_LT(error[1], 2e-3) << "late by up to a step, g h in the latched speed and a step in all that follows";
  EXPECT_LT(error[1], error[0] + 5e-4);
}

TEST(VolumeRun, CollidingBoxesKeepTheirMomenta) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.run.duration = 0.5;
  BodySpec a = make_box("a", 1.0, Vec3(0.2, 0.1, 0.1), Vec3(0.02, 0.01, 0.2));
  a.velocity = Vec3(0.1, 0.05, -1.0);
  a.angular_velocity = Vec3(1.0, -2.0, 0.5);
  const BodySpec b = make_box("b", 3.0, Vec3(0.3, 0.3, 0.1), Vec3(0, 0, 0));
  scene.body = {a, b};
  ContactSpec contact = make_volume_contact(1e9, 0.6);
  add_bristle(contact, 0.4);
  scene.contact = {contact};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_GE(summary.pairs.at(0).touches, 1);
  const auto momentum = [&](const Sample& sample) {
    return Vec3(1.0 * sample.bodies[0].velocity + 3.0 * sample.bodies[1].velocity);
  };
  const auto spin = [&](const Sample& sample) {
    Vec3 total = Vec3::Zero();
    const Vec3 sizes[2] = {Vec3(0.2, 0.1, 0.1), Vec3(0.3, 0.3, 0.1)};
    const double masses[2] = {1.0, 3.0};
    for (int i = 0; i < 2; ++i) {
      const Vec3 q = sizes[i].cwiseAbs2() / 12.0;
      const Vec3 moments = masses[i] * (Vec3::Constant(q.sum()) - q);
      const Mat3 R = sample.bodies[i].orientation.toRotationMatrix();
      total += R * moments.cwiseProduct(Vec3(R.transpose() * sample.bodies[i].angular_velocity)) +
               masses[i] * sample.bodies[i].position.cross(sample.bodies[i].velocity);
    }
    return total;
  };
  // Equal and opposite loads at one point: only the integration of rotations errs, at the tolerance of 1e-6.
  EXPECT_LT((momentum(sink.samples.back()) - momentum(sink.samples.front())).norm(), 1e-12);
  EXPECT_LT((spin(sink.samples.back()) - spin(sink.samples.front())).norm(), 1e-7);
  EXPECT_LT(std::abs(summary.residual), 1e-5 * summary.energy_turnover);
}

TEST(VolumeRun, CuttingABodyChangesNothing) {
  const auto run = [](bool is_cut) {
    SceneSpec scene;
    scene.run.duration = 0.3;
    scene.run.method = RunSpec::Method::explicit_;
    scene.run.integrator = RunSpec::Integrator::rk4;
    scene.run.step = 1e-4;
    // Frictionless and without damping: bristles and the latched speed belong to each cell.
    BodySpec box = make_box("box", 2.0, Vec3(0.2, 0.2, 0.1), Vec3(0, 0, 0.0505));
    box.inertia = InertiaSpec{{0.01, 0.01, 0.02}};
    box.center_of_mass = Vec3::Zero();
    if (is_cut) {
      box.shape = {make_shape_spec(BoxSpec{Vec3(0.05, 0.2, 0.1)}, Vec3(-0.075, 0, 0)),
                   make_shape_spec(BoxSpec{Vec3(0.15, 0.2, 0.1)}, Vec3(0.025, 0, 0))};
    }
    scene.body = {box, make_floor()};
    ContactSpec contact = make_contact(NormalSpec::Law::hertz, 1e8, 1.0);
    contact.region = ContactSpec::Region::volume;
    contact.relaxation_time = 1e-6;
    scene.contact = {contact};
    MemorySink sink;
    simulate(compile(scene), sink);
    return sink.samples.back().bodies[0].position;
  };
  // The sum of two volumes against one: rounding, grown over three thousand steps of bouncing.
  EXPECT_LT((run(true) - run(false)).norm(), 1e-9);
}

TEST(VolumeRunLong, BoxSpunOnTheLevelStopsWhenItShould) {
  const auto stop_time = [](ContactSpec::Spin spin) {
    SceneSpec scene;
    scene.run.duration = 0.25;
    scene.run.record_interval = 1e-4;
    BodySpec box = make_box("box", 4.0, Vec3(0.2, 0.2, 0.1), Vec3(0, 0, 0.05));
    box.angular_velocity = Vec3(0, 0, 10);
    scene.body = {box, make_floor()};
    ContactSpec contact = make_volume_contact(1e8, 0.5);
    contact.spin = spin;
    add_bristle(contact, 0.5);
    scene.contact = {contact};
    MemorySink sink;
    simulate(compile(scene), sink);
    for (const Sample& sample : sink.samples) {
      if (std::abs(sample.bodies[0].angular_velocity.z()) < 0.05) return sample.time;
    }
    return 1.0;
  };
  // Uniform pressure: mean distance from the centre of a square 0.382598 a; closure: rg = a / sqrt 6. One per cent: the
  // box bounces a little at first, and bristles take over below 0.01 rad/s or so.
  const double a = 0.2, inertia = a * a / 6.0, pull = 0.5 * 9.81;
  EXPECT_NEAR(stop_time(ContactSpec::Spin::exact), 10.0 * inertia / (pull * 0.382598 * a), 0.01 * 0.1776);
  EXPECT_NEAR(stop_time(ContactSpec::Spin::closure), 10.0 * inertia / (pull * a / std::sqrt(6.0)), 0.01 * 0.1665);
}

TEST(VolumeRun, ABodyPressedInFromTheStartHasItsEnergyInTheLedger) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.run.duration = 0.02;
  scene.body = {make_box("box", 2.0, Vec3(0.2, 0.2, 0.1), Vec3(0, 0, 0.05 - 1e-4)), make_floor()};
  ContactSpec contact = make_contact(NormalSpec::Law::hertz, 1e8, 1.0);
  contact.region = ContactSpec::Region::volume;
  scene.contact = {contact};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  // Face of 0.04 m^2 pressed in by 0.1 mm: 1/2 k_v A x^2 = 0.02 J, all of which becomes motion.
  EXPECT_NEAR(summary.energy_at_start, 0.02, 1e-9);
  EXPECT_NEAR(summary.energy[Energy::kinetic], 0.02, 1e-7);
  EXPECT_NEAR(summary.energy[Energy::volume_hysteresis], 0.0, 1e-7);
  EXPECT_EQ(summary.status, RunStatus::done);
}

/// A cube of 0.1 m dropped from 0.1 m on a plane, on a box or on an equal cube, turned about a slanting axis.
SceneSpec make_tilted_cube(const BodySpec& ground) {
  SceneSpec scene;
  scene.run.duration = 0.4;
  scene.run.tolerance = 1e-9;
  BodySpec cube = make_box("cube", 1.0, Vec3::Constant(0.1), Vec3(0.01, 0.02, 0.2));
  cube.rotation.emplace();
  cube.rotation->axis = Vec3(1.0, 0.3, 0.2);
  cube.rotation->degrees = 35.0;
  scene.body = {cube, ground};
  ContactSpec contact = make_contact(NormalSpec::Law::hertz, 1e8, 1.0);
  contact.region = ContactSpec::Region::volume;
  scene.contact = {contact};
  return scene;
}

BodySpec make_fixed_box(double width) {
  BodySpec box = make_box("floor", 1.0, Vec3(width, width, 0.1), Vec3(0, 0, -0.05));
  box.fixed = true;
  return box;
}

TEST(VolumeRun, EdgesAndCornersMakeNoEnergy) {
  for (const BodySpec& ground : {make_floor(), make_fixed_box(1.0), make_fixed_box(0.1)}) {
    MemorySink sink;
    const RunSummary summary = simulate(compile(make_tilted_cube(ground)), sink);
    ASSERT_GE(summary.pairs.at(0).touches, 1);
    // The source's principal axis makes 26 % of it on the plane.
    const double now =
        summary.energy[Energy::kinetic] + summary.energy[Energy::gravitational] + summary.energy[Energy::elastic];
    EXPECT_NEAR(now, summary.energy_at_start, 1e-6 * summary.energy_turnover);
    EXPECT_EQ(summary.energy[Energy::damping], 0.0);
    for (const Sample& sample : sink.samples) EXPECT_GE(sample.energy[static_cast<int>(Energy::elastic)], 0.0);
  }
}

TEST(VolumeRun, PairsWithoutAFieldGiveBackNoMoreThanTheyTook) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.run.duration = 0.3;
  BodySpec a, b;
  for (BodySpec* body : {&a, &b}) {
    body->name = body == &a ? "a" : "b";
    body->mass = 1.0;
    body->inertia = InertiaSpec{{2e-3, 3e-3, 4e-3}};
    body->shape.push_back(make_shape_spec(EllipsoidSpec{Vec3(0.05, 0.08, 0.12)}));
  }
  a.velocity = Vec3(1.0, 0, 0);
  a.angular_velocity = Vec3(0, 5.0, 3.0);
  b.position = Vec3(0.2, 0.03, 0.05);
  scene.body = {a, b};
  ContactSpec contact = make_contact(NormalSpec::Law::hertz, 1e8, 1.0);
  contact.region = ContactSpec::Region::volume;
  scene.contact = {contact};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_GE(summary.pairs.at(0).touches, 1);
  EXPECT_LT(summary.energy[Energy::kinetic], summary.energy_at_start * (1.0 + 1e-4));
  EXPECT_GT(summary.energy[Energy::kinetic], 0.5 * summary.energy_at_start);
}

TEST(VolumeRun, ASpringCountedByItsWorkNeverHoldsLessThanNothing) {
  SceneSpec scene;
  scene.run.duration = 0.01;
  scene.run.record_interval = 1e-5;  // looks into the first step of the contact
  BodySpec cone, ring;
  cone.name = "cone";
  cone.mass = 1.0;
  cone.shape.push_back(make_shape_spec(ConeSpec{.angle = std::numbers::pi / 3.0, .height = 0.1}));
  cone.position = Vec3(0, 0, 0.1154);
  cone.rotation.emplace();
  cone.rotation->axis = Vec3(1, 0.6, 0);
  cone.rotation->degrees = 0.1;
  ring.name = "ring";
  ring.fixed = true;
  ring.shape.push_back(make_shape_spec(TorusSpec{.ring_radius = 0.045, .tube_radius = 0.015}));
  scene.body = {cone, ring};
  ContactSpec contact = make_contact(NormalSpec::Law::hertz, 1e9, 1.0);
  contact.region = ContactSpec::Region::volume;
  scene.contact = {contact};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_GE(summary.pairs.at(0).touches, 1);
  double least = 0.0;
  for (const Sample& sample : sink.samples) least = std::min(least, sample.energy[static_cast<int>(Energy::elastic)]);
  EXPECT_EQ(least, 0.0);
}

/// What the pressure, and how flat a patch is, are told of: its shape under the largest force.
TEST(VolumeRun, EveryMethodKnowsThePatchOfTheLargestForce) {
  SceneSpec scene;
  scene.run.duration = 0.05;
  scene.body = {make_box("cube", 1.0, Vec3::Constant(0.1), Vec3(0, 0, 0.051)), make_floor()};
  scene.contact = {make_volume_contact(1e7, 0.5)};
  for (const RunSpec::Method method : {RunSpec::Method::adaptive, RunSpec::Method::explicit_}) {
    scene.run.method = method;
    if (method == RunSpec::Method::explicit_) scene.run.step = 1e-5;
    MemorySink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    const PairSummary& pair = summary.pairs.at(0);
    EXPECT_GT(pair.peak_force, 0.0);
    EXPECT_NEAR(pair.patch.mean_pressure, pair.peak_force / 0.01, 1e-9 * pair.patch.mean_pressure);
  }
}

TEST(VolumeRun, TwoEndlessBodiesMeetInAPoint) {
  SceneSpec scene;
  scene.run.duration = 0.5;
  BodySpec needle;
  needle.name = "needle";
  needle.mass = 0.1;
  needle.inertia = InertiaSpec{{1e-3, 1e-3, 1e-3}};
  needle.shape.push_back(make_shape_spec(ConeSpec{.angle = 1.0}));
  needle.rotation.emplace();
  needle.rotation->axis = Vec3::UnitX();
  needle.rotation->degrees = 180.0;
  needle.position = Vec3(0, 0, -0.01);
  scene.body = {needle, make_floor()};
  scene.contact = {make_volume_contact(1e6, 0.3)};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::done);
  // A cone of half-angle 0.5 rad, apex down, 10 mm deep: pi/3 tan(0.5)^2 h^3.
  EXPECT_NEAR(sink.samples.front().contacts.at(0).volume, std::numbers::pi / 3.0 * std::pow(std::tan(0.5), 2) * 1e-6,
              1e-15);
}

}  // namespace
}  // namespace abut
