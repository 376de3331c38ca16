#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

constexpr double kGravity = 9.81;

BodySpec make_fixed(const std::string& name, ShapeVariant type, const Vec3& position = Vec3::Zero()) {
  BodySpec body;
  body.name = name;
  body.fixed = true;
  body.position = position;
  body.shape.push_back(make_shape_spec(std::move(type)));
  return body;
}

BodySpec make_moving(const std::string& name, ShapeVariant type, const Vec3& position) {
  BodySpec body = make_ball(name, 1.0, 1.0, position);
  body.shape = {make_shape_spec(std::move(type))};
  return body;
}

SceneSpec make_scene(std::vector<BodySpec> bodies, double duration) {
  SceneSpec scene;
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.body = std::move(bodies);
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e8, 0.5)};
  scene.run.duration = duration;
  return scene;
}

/// A pendulum of length l at amplitude a: T = 2 pi sqrt(l/g) (1 + a^2/16 + ...), where inertia slows it by `factor`.
double calc_period(double length, double amplitude, double factor) {
  return 2.0 * std::numbers::pi * std::sqrt(factor * length / kGravity) * (1.0 + amplitude * amplitude / 16.0);
}

/// A ball let go on the wall of a hollow swings like a pendulum of R - r; rolling adds 2/5 of its mass.
double calc_place_after_quarter(ShapeVariant hollow, bool rolls) {
  const double R = 1.0, r = 0.2, amplitude = 0.1;
  const Vec3 start = (R - r) * Vec3(std::sin(amplitude), 0, -std::cos(amplitude));
  SceneSpec scene = make_scene({make_ball("ball", 1.0, r, start), make_fixed("hollow", std::move(hollow))},
                               0.25 * calc_period(R - r, amplitude, rolls ? 1.4 : 1.0));
  if (rolls) add_bristle(scene.contact[0], 0.8);
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::done) << summary.message;
  EXPECT_TRUE(summary.notes.empty()) << summary.notes[0];
  return sink.samples.back().bodies[0].position.x() / start.x();
}

TEST(HollowRun, BallSwingsInABowlAndInACavity) {
  // At a quarter of the period the ball passes the bottom; a period wrong by 1 % leaves pi/2 % of the amplitude.
  for (const bool rolls : {false, true}) {
    EXPECT_NEAR(calc_place_after_quarter(CavitySpec{1.0}, rolls), 0.0, 2e-3) << rolls;
    EXPECT_NEAR(calc_place_after_quarter(BowlSpec{1.0, 0.1, 0.6}, rolls), 0.0, 2e-3) << rolls;
  }
}

TEST(HollowRun, BallFallsOverTheRimOfADish) {
  // From the bottom of a dish 0.1 m deep, with energy for 0.3 m: it leaves slanting and lands on the floor outside.
  BodySpec ball = make_ball("ball", 1.0, 0.05, Vec3(0, 0, 0.07), Vec3(std::sqrt(2.0 * kGravity * 0.3), 0, 0));
  SceneSpec scene =
      make_scene({ball, make_fixed("dish", BowlSpec{0.4, 0.02, 0.1}, Vec3(0, 0, 0.42)), make_floor()}, 1.0);
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  const Vec3 end = sink.samples.back().bodies[0].position;
  EXPECT_GT(end.x(), 0.4);
  EXPECT_NEAR(end.y(), 0.0, 1e-9);
  EXPECT_GT(end.z(), 0.045);
  EXPECT_LT(std::abs(summary.residual), 1e-5 * summary.energy_turnover);
}

TEST(HollowRun, RingRollsDownASlope) {
  const double R = 0.2, r = 0.05, slope = 0.2, duration = 0.5;
  const Vec3 n(std::sin(slope), 0, std::cos(slope));
  BodySpec ring = make_moving("ring", TorusSpec{R, r}, (R + r) * n);
  ring.orientation = Quat(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()));
  SceneSpec scene = make_scene({ring, make_floor(n)}, duration);
  add_bristle(scene.contact[0], 0.8);
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  // a = g sin / (1 + I / (m (R + r)^2)), I = m (R^2 + 3/4 r^2) about its own axis.
  const double inertia = (R * R + 0.75 * r * r) / ((R + r) * (R + r));
  const double travel = 0.5 * kGravity * std::sin(slope) / (1.0 + inertia) * duration * duration;
  const Vec3 moved = sink.samples.back().bodies[0].position - (R + r) * n;
  // Bristles stretch by 1e-4 m at most before it rolls.
  EXPECT_NEAR(moved.dot(Vec3(std::cos(slope), 0, -std::sin(slope))), travel, 1e-3 * travel);
}

/// Dropped flat, or leaning: at rest it lies on its four points, none of which moves any more.
TEST(HollowRun, RingComesToRestFlat) {
  for (const double tilt : {0.0, 1e-6, 0.002, 0.1}) {
    for (const bool hard : {false, true}) {
      const double R = 0.1, r = 0.03;
      BodySpec ring = make_moving("ring", TorusSpec{R, r}, Vec3(0, 0, r + R * std::sin(tilt) + 1e-3));
      ring.orientation = Quat(Eigen::AngleAxisd(tilt, Vec3(1, 0.6, 0).normalized()));
      SceneSpec scene = make_scene({ring, make_floor()}, 2.0);
      add_bristle(scene.contact[0], 0.3);
      if (hard) {
        scene.run.method = RunSpec::Method::lcp;
        scene.run.step = 1e-3;
        scene.contact[0].friction.reset();
        scene.contact[0].friction.emplace().law = CoulombSpec{.mu = 0.3};
      }
      MemorySink sink;
      const RunSummary summary = simulate(compile(scene), sink);
      ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
      const BodySample& end = sink.samples.back().bodies[0];
      EXPECT_LT(end.velocity.norm(), 2e-4) << tilt << hard;
      EXPECT_LT(end.angular_velocity.norm(), 2e-3) << tilt << hard;
      // A weight of 9.81 N on four springs of 1e8 N/m^1.5.
      EXPECT_NEAR(end.position.z(), r, hard ? 1e-5 : 2e-5) << tilt << hard;
      EXPECT_GT(std::abs((end.orientation * Vec3::UnitZ()).z()), 1.0 - 1e-7) << tilt << hard;
    }
  }
}

TEST(HollowRun, BowlTurnedOverStandsOnItsLip) {
  BodySpec bowl = make_moving("bowl", BowlSpec{0.1, 0.01, 0.06}, Vec3(0, 0, 0));
  bowl.orientation = Quat(Eigen::AngleAxisd(std::numbers::pi - 0.01, Vec3::UnitX()));
  bowl.position.z() = -0.04 + 2e-3;  // the lip is 40 mm below the middle of the hollow
  SceneSpec scene = make_scene({bowl, make_floor()}, 1.0);
  add_bristle(scene.contact[0], 0.3);
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  const BodySample& end = sink.samples.back().bodies[0];
  EXPECT_NEAR(end.position.z(), -0.04, 2e-5);
  EXPECT_LT(end.velocity.norm(), 2e-4);
}

SceneSpec make_wide_ball(bool hard) {
  SceneSpec scene = make_scene(
      {make_ball("ball", 1.0, 0.1, Vec3(0.002, 0.001, 0.15)), make_fixed("ring", TorusSpec{0.1, 0.03})}, 1.0);
  if (hard) {
    scene.run.method = RunSpec::Method::lcp;
    scene.run.step = 1e-3;
  }
  return scene;
}

TEST(HollowRun, WideBallSitsOnARingUnderHardContactAndIsRefusedElsewhere) {
  const std::string message = message_of(make_wide_ball(false));
  EXPECT_NE(message.find("'ball' (sphere, radius 0.1 m) is wider than the hole of 'ring' (torus, radius 0.07 m)"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("Use method = \"lcp\" with lcp.normal = \"hard\""), std::string::npos) << message;
  MemorySink sink;
  const RunSummary summary = simulate(compile(make_wide_ball(true)), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  const BodySample& end = sink.samples.back().bodies[0];
  // Centres r_b + r apart, over a ring of R: z^2 = 0.13^2 - 0.1^2.
  EXPECT_NEAR(end.position.z(), std::sqrt(0.13 * 0.13 - 0.01), 1e-5);
  EXPECT_LT(end.position.head<2>().norm(), 1e-5);
  EXPECT_LT(end.velocity.norm(), 1e-4);
}

TEST(HollowRun, HardContactOfHollowShapesIsForBallsAndPlanes) {
  SceneSpec scene = make_scene(
      {make_box("box", 1.0, Vec3(0.1, 0.08, 0.04), Vec3(0.01, 0, 0.1)), make_fixed("ring", TorusSpec{0.03, 0.0075})},
      0.1);
  scene.run.method = RunSpec::Method::lcp;
  scene.run.step = 1e-3;
  const std::string message = message_of(scene);
  EXPECT_NE(message.find("a torus is hollow, and meets only spheres and half-spaces"), std::string::npos) << message;
  EXPECT_NE(message.find("Use region = \"volume\" with method = \"adaptive\" or \"explicit\""), std::string::npos)
      << message;
}

/// A small ball crosses a thin wall within one fixed step: the run stops and says so. Error control sees the wall.
TEST(HollowRun, BallDoesNotPassThroughAWallUnseen) {
  SceneSpec scene = make_scene({make_ball("ball", 0.01, 0.005, Vec3(0, 0, -0.081), Vec3(0, 0, -40.0)),
                                make_fixed("bowl", BowlSpec{0.1, 0.004, 0.08})},
                               0.01);
  scene.gravity = Vec3::Zero();
  MemorySink sink;
  RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::done) << summary.message;
  EXPECT_GT(sink.samples.back().bodies[0].velocity.z(), 0.0);
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = 1e-3;
  summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.message.find("ball-bowl went through each other"), std::string::npos) << summary.message;
}

TEST(CheckFits, RefusesWhatDoesNotFitIntoACavity) {
  const auto refuse = [](ShapeVariant type) {
    return message_of(
        make_scene({make_moving("body", std::move(type), Vec3::Zero()), make_fixed("hole", CavitySpec{0.2})}, 1.0));
  };
  EXPECT_NE(
      refuse(SphereSpec{0.2}).find("'body' (sphere, radius 0.2 m) does not fit into 'hole' (cavity, radius 0.2 m)"),
      std::string::npos);
  EXPECT_NE(refuse(CapsuleSpec{0.1, 0.2}).find("does not fit"), std::string::npos);
  EXPECT_NE(refuse(BoxSpec{Vec3(0.3, 0.2, 0.2)}).find("does not fit"), std::string::npos);
  EXPECT_EQ(refuse(CapsuleSpec{0.05, 0.1}), "");
}

}  // namespace
}  // namespace abut
