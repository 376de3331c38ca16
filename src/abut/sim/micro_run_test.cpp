// Method micro: stiff contact with its true restitution at the simulator's steps.   [docs/theory/micro.md]

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

RunSummary run_micro(SceneSpec scene, double step, MemorySink& sink) {
  scene.run.method = RunSpec::Method::micro;
  scene.run.step = step;
  return simulate(compile(scene), sink);
}

const BodySample& last_body(const MemorySink& sink, std::size_t body = 0) { return sink.samples.back().bodies[body]; }

TEST(MicroRun, RestitutionIsExactOverMassStiffnessAndSpeed) {
  for (const double mass : {1e-4, 0.1, 1e3}) {
    for (const double stiffness : {1e6, 1e11}) {
      for (const double e : {0.05, 0.5, 1.0}) {
        for (const double speed : {0.02, 2.0}) {
          SceneSpec scene = make_impact(NormalSpec::Law::gonthier, e, speed);
          scene.body[0].mass = mass;
          scene.contact[0].normal->stiffness = stiffness;
          const double depth = std::pow(1.25 * mass * speed * speed / stiffness, 0.4);
          scene.run.duration = (1e-4 + 5.0 * depth + 3.0 * depth / e) / speed;
          MemorySink sink;
          const RunSummary summary = run_micro(scene, 1e-3, sink);
          ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
          // Newton's method stops at 1e-13 of the speed in each sub-step; the longest blow goes through sixty steps.
          EXPECT_NEAR(last_body(sink).velocity.z() / speed, e, 1e-9)
              << "mass " << mass << " stiffness " << stiffness << " speed " << speed;
        }
      }
    }
  }
}

TEST(MicroRun, ABallComesToRestAndItsBooksClose) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 0.26, 0.02, Vec3(0, 0, 0.5)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e10, 0.7)};
  scene.run.duration = 3.0;
  for (const double step : {1e-3, 5e-3}) {
    MemorySink sink;
    const RunSummary summary = run_micro(scene, step, sink);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    EXPECT_LT(std::abs(summary.worst_residual), 1e-12 * 1.3);  // of what was turned over
    EXPECT_GE(summary.energy[Energy::time_stepping], 0.0);
    EXPECT_LT(std::abs(summary.energy[Energy::geometry]), 2e-6 * 1.3);
    const std::vector<ContactEvent> touches = sink.events_of(ContactEventKind::touch);
    ASSERT_GE(touches.size(), 10u);
    // Touches 1, 3 and 10 of an independent reference in 80 bits, extrapolated to 1e-11.
    EXPECT_NEAR(touches[0].time, 0.312824754802, 1e-9);
    EXPECT_NEAR(touches[2].time, 1.05748773888, 1e-5);
    const double depth = std::pow(0.26 * 9.81 / 1e10, 2.0 / 3.0);
    EXPECT_NEAR(last_body(sink).position.z(), 0.02 - depth, 1e-9 * depth + 1e-16);
  }
}

TEST(MicroRun, ABallThatSlidesOffAnotherLeavesItInTime) {
  // Rows frozen at the start of a step would throw it off 27 to 41 ms too early.
  const double R = 0.12, m = 0.26, k = 1e10, angle = 0.1, v = 0.3;
  const double load = m * (9.81 * std::cos(angle) - v * v / R), r = R - std::pow(load / k, 2.0 / 3.0);
  SceneSpec scene;
  BodySpec big = make_ball("big", 1.0, 0.1, Vec3::Zero());
  big.fixed = true;
  scene.body = {make_ball("ball", m, 0.02, r * Vec3(std::sin(angle), 0, std::cos(angle)),
                          v * Vec3(std::cos(angle), 0, -std::sin(angle))),
                big};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, k, 0.5)};
  scene.run.duration = 0.2;
  for (const auto& [step, error] : {std::pair{1e-3, 1e-4}, {5e-3, 3e-4}}) {
    MemorySink sink;
    ASSERT_EQ(run_micro(scene, step, sink).status, RunStatus::done);
    const std::vector<ContactEvent> lifts = sink.events_of(ContactEventKind::lift);
    ASSERT_FALSE(lifts.empty());
    EXPECT_NEAR(lifts.back().time, 0.165472657826, error);  // the reference in 80 bits
  }
}

TEST(MicroRun, BoxesHoldOnSlopesBelowTheirFrictionAndSlideAbove) {
  for (const auto& [degrees, holds] : {std::pair{26.0, true}, {27.5, false}}) {
    const double slope = degrees * M_PI / 180.0;
    for (const bool is_lugre : {false, true}) {
      SceneSpec scene;
      scene.gravity = 9.81 * Vec3(std::sin(slope), 0, -std::cos(slope));
      scene.body = {make_box("box", 1.0, Vec3(0.1, 0.1, 0.05), Vec3(0, 0, 0.025 - 1e-7)), make_floor()};
      scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e10, 0.5)};
      is_lugre ? add_lugre(scene.contact[0], 0.5) : add_bristle(scene.contact[0], 0.5);  // tan 26.57 degrees
      scene.run.duration = 2.0;
      MemorySink sink;
      ASSERT_EQ(run_micro(scene, 1e-3, sink).status, RunStatus::done);
      const double speed = last_body(sink).velocity.x();
      if (holds) {
        EXPECT_LT(std::abs(speed), 1e-9) << is_lugre;
      } else {
        const double wanted = 2.0 * 9.81 * (std::sin(slope) - 0.5 * std::cos(slope));
        // It lands first, and for the two milliseconds until it is pressed it slides without friction.
        EXPECT_NEAR(speed, wanted, 2e-3 * 9.81) << is_lugre;
      }
    }
  }
}

TEST(MicroRun, NoStepRaisesTheEnergyInRandomScenes) {
  std::mt19937_64 engine(11);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  const auto vector = [&](double size) {
    const double x = uniform(-size, size), y = uniform(-size, size);
    return Vec3(x, y, uniform(-size, size));
  };
  for (int trial = 0; trial < 60; ++trial) {
    SceneSpec scene;
    const int count = 1 + trial % 4;
    for (int i = 0; i < count; ++i) {
      const double mass = std::pow(10.0, uniform(-1.0, 1.0)), x = 0.15 * i;
      const Vec3 place(x, 0.02 * uniform(-1, 1), uniform(0.06, 0.15)), speed = vector(1.5);
      BodySpec body = trial % 2 == 0 ? make_ball(fmt::format("b{}", i), mass, 0.03, place, speed)
                                     : make_box(fmt::format("b{}", i), mass, Vec3(0.06, 0.05, 0.04), place, speed);
      body.angular_velocity = vector(6.0);
      scene.body.push_back(body);
    }
    scene.body.push_back(make_floor());
    ContactSpec contact =
        make_contact(NormalSpec::Law::gonthier, std::pow(10.0, uniform(8.0, 11.0)), uniform(0.05, 1.0));
    contact.between = {"*", "floor"};
    if (trial % 3 > 0) add_coulomb(contact, uniform(0.05, 0.8));
    scene.contact = {contact};
    scene.run.duration = 0.25;
    scene.run.record_interval = 1e-3;
    MemorySink sink;
    const RunSummary summary = run_micro(scene, 1e-3, sink);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    double moved = 0.0;
    for (const BodySpec& body : scene.body) moved += 1e-3 * body.mass.value_or(0.0) * 9.81 * 0.04;
    for (std::size_t i = 1; i < sink.samples.size(); ++i) {
      moved = std::max(moved, sink.samples[i - 1].energy[0] + sink.samples[i - 1].energy[2]);
      const double rise = calc_stored(sink.samples[i]) - calc_stored(sink.samples[i - 1]);
      ASSERT_LT(rise, 2e-6 * moved + 1e-12) << "trial " << trial << " at " << sink.samples[i].time;
    }
    EXPECT_GE(summary.energy[Energy::time_stepping], 0.0);
  }
}

/// 1e-3 kg m^2 on a hinge without gravity.
SceneSpec make_lever() {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.body = {make_ball("arm", 1.0, 0.05, Vec3::Zero())};
  JointSpec joint;
  joint.name = "hinge";
  joint.type = JointSpec::Type::revolute;
  joint.child = "arm";
  joint.axis = Vec3::UnitZ();
  scene.joint = {joint};
  return scene;
}

TEST(MicroRun, StiffMotorsNeedNoShorterStep) {
  SceneSpec scene = make_lever();
  MotorSpec motor;
  motor.mode = MotorSpec::Mode::position;
  motor.gain = 1e6;
  motor.derivative_gain = 1e3;
  motor.value = 0.3;
  scene.joint[0].motor = motor;
  scene.run.duration = 0.5;
  MemorySink sink;
  const RunSummary summary = run_micro(scene, 1e-3, sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  const Quat turned = last_body(sink).orientation;
  EXPECT_NEAR(2.0 * std::atan2(turned.z(), turned.w()), 0.3, 1e-9);
  EXPECT_LT(last_body(sink).angular_velocity.norm(), 1e-9);
  EXPECT_LT(std::abs(summary.worst_residual), 1e-9);
}

TEST(MicroRun, LimitsReboundAsTheirLawDoes) {
  // Undamped, 1e8 N m/rad on 1e-3 kg m^2: the blow lasts 10 us.
  SceneSpec scene = make_lever();
  scene.joint[0].velocities = {2.0};
  scene.joint[0].lower = -3.0;
  scene.joint[0].upper = 0.01;
  scene.joint[0].limit_stiffness = 1e8;
  scene.run.duration = 0.02;
  MemorySink sink;
  ASSERT_EQ(run_micro(scene, 1e-3, sink).status, RunStatus::done);
  EXPECT_NEAR(last_body(sink).angular_velocity.z(), -2.0, 1e-9);
}

TEST(MicroRun, PatchesAreRefusedInWords) {
  SceneSpec scene = make_impact(NormalSpec::Law::gonthier, 0.5, 1.0);
  scene.run.method = RunSpec::Method::micro;
  scene.contact[0].region = ContactSpec::Region::volume;
  EXPECT_NE(message_of(scene).find("knows no patches"), std::string::npos) << message_of(scene);
}

}  // namespace
}  // namespace abut
