// Damping of contacts that last: blows on closed contacts, bodies pressed in, set down, rolling; points of one impact.

#include <cmath>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

constexpr NormalSpec::Law kDivideBySpeed[] = {NormalSpec::Law::gonthier, NormalSpec::Law::hunt_crossley,
                                              NormalSpec::Law::lee_wang, NormalSpec::Law::lankarani_nikravesh,
                                              NormalSpec::Law::flores,   NormalSpec::Law::azad_featherstone};

TEST(BlowRun, BlowOnTouchingBallsGoesThrough) {
  // Glued balls would move on together at 0.62 m/s; an elastic row sends off the last one with nearly all.
  for (const NormalSpec::Law law : kDivideBySpeed) {
    for (const bool is_explicit : {false, true}) {
      if (is_explicit && law != NormalSpec::Law::gonthier) continue;  // 30,000 steps each
      SceneSpec scene;
      scene.gravity = Vec3::Zero();
      scene.body = {make_ball("a", 1.0, 0.05, Vec3(-0.11, 0, 0), Vec3(1, 0, 0)),
                    make_ball("b", 1.0, 0.05, Vec3::Zero()), make_ball("c", 1.0, 0.05, Vec3(0.1, 0, 0))};
      scene.contact = {make_contact(law, 1e8, 0.9)};
      scene.run.duration = 0.03;
      if (is_explicit) {
        scene.run.method = RunSpec::Method::explicit_;
        scene.run.step = 1e-6;
      }
      MemorySink sink;
      const RunSummary summary = simulate(compile(scene), sink);
      ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
      EXPECT_NEAR(sink.samples.back().bodies[2].velocity.x(), 0.9, 0.08) << enum_name(law) << is_explicit;
    }
  }
}

TEST(BlowRun, PressedBallSpringsUp) {
  // 2 mm deep: without loss it leaves with sqrt(2 E / m - 2 g d); half an impact of e = 0.9 takes a twentieth.
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.05, Vec3(0, 0, 0.048)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.9)};
  scene.run.duration = 0.02;
  MemorySink sink;
  simulate(compile(scene), sink);
  const double energy = 1e7 * std::pow(2e-3, 2.5) / 2.5;
  const double free = std::sqrt(2.0 * energy - 2.0 * 9.81 * 2e-3);
  const auto lifts = sink.events_of(ContactEventKind::lift);
  ASSERT_EQ(lifts.size(), 1u);
  EXPECT_GT(lifts[0].normal_speed, 0.93 * free);
  EXPECT_LT(lifts[0].normal_speed, 0.98 * free);
}

TEST(BlowRun, DamperOfTheTouchCanBeKept) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.05, Vec3(0, 0, 0.048)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.9)};
  scene.contact[0].normal->damper = NormalSpec::Damper::touch;
  scene.run.duration = 0.02;
  MemorySink sink;
  simulate(compile(scene), sink);
  EXPECT_LT(sink.samples.back().bodies[0].velocity.z(), 0.1);  // made for 1 mm/s it holds the ball back
}

TEST(BlowRun, BodySetDownSettlesSoon) {
  // Ringing about the static depth falls by exp(-zeta omega t), zeta = 0.48 at e = 0.5.
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.05, Vec3(0, 0, 0.05)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.5)};
  scene.run.duration = 0.1;
  MemorySink sink;
  simulate(compile(scene), sink);
  EXPECT_NEAR(sink.samples.back().bodies[0].velocity.z(), 0.0, 1e-7);
  EXPECT_NEAR(sink.samples.back().bodies[0].position.z(), 0.05 - std::pow(9.81 / 1e7, 1.0 / 1.5), 1e-9);
}

TEST(BlowRun, PointsOfOneImpactShareItsMass) {
  // Laws whose damping depends on the mass: a can, a box and a stool of four balls that fall flat rebound as asked for.
  for (const NormalSpec::Law law :
       {NormalSpec::Law::kelvin_voigt, NormalSpec::Law::lee_wang, NormalSpec::Law::azad_featherstone}) {
    BodySpec can = make_ball("can", 2.0, 1.0, Vec3(0, 0, 0.1 + 1e-4), Vec3(0, 0, -1));
    can.shape = {make_shape_spec(CylinderSpec{0.15, 0.2})};
    BodySpec stool = make_ball("stool", 2.0, 0.02, Vec3(0, 0, 0.1 + 1e-4), Vec3(0, 0, -1));
    stool.shape.clear();
    for (const double x : {-0.2, 0.2}) {
      for (const double y : {-0.1, 0.1}) stool.shape.push_back(make_shape_spec(SphereSpec{0.02}, Vec3(x, y, -0.08)));
    }
    stool.inertia.emplace().numbers = {0.02, 0.02, 0.02};
    for (const BodySpec& body :
         {can, make_box("box", 2.0, Vec3(0.4, 0.2, 0.2), Vec3(0, 0, 0.1 + 1e-4), Vec3(0, 0, -1)), stool}) {
      SceneSpec scene;
      scene.gravity = Vec3::Zero();
      scene.body = {body, make_floor()};
      scene.contact = {make_contact(law, 1e6, 0.5)};
      scene.run.duration = 0.1;
      MemorySink sink;
      simulate(compile(scene), sink);
      // Points that touch in one instant do so one after the other by rounding.
      EXPECT_NEAR(sink.samples.back().bodies[0].velocity.z(), 0.5, 1e-4) << enum_name(law) << " " << body.name;
    }
  }
}

}  // namespace
}  // namespace abut
