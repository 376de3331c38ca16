// Adaptive runs of few and of many colliders: from 65 on, pairs come from the broad phase instead of a look at each.

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

constexpr double kRadius = 0.01;  // [m]

/// Twenty heights from 1 mm on [m]: so many instants of touch, whatever the number of balls.
double calc_height(int ball) { return 1e-3 * (1.0 + 0.05 * (ball % 20)); }

BodySpec make_falling_ball(int i) {
  return make_ball(fmt::format("ball{}", i), 0.1, kRadius, Vec3(0, 2.5 * kRadius * i, kRadius + calc_height(i)));
}

class ColliderCount : public testing::TestWithParam<int> {};

TEST_P(ColliderCount, EveryBallTouchesTheFloorOnTime) {
  const int num_balls = GetParam() - 1;
  SceneSpec scene;
  scene.body = {make_floor()};
  for (int i = 0; i < num_balls; ++i) scene.body.push_back(make_falling_ball(i));
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e7, 1.0)};
  scene.run.duration = 0.0205;  // the last touches at 19.94 ms
  scene.run.record_interval = scene.run.duration;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  // Local errors of 1e-6, the default, over the ten steps of a bounce.
  EXPECT_LT(std::abs(summary.worst_residual), 1e-5 * summary.energy_turnover);
  const std::vector<ContactEvent> touches = sink.events_of(ContactEventKind::touch);
  ASSERT_EQ(touches.size(), static_cast<std::size_t>(num_balls));
  std::vector<int> num_touches(num_balls, 0);
  for (const ContactEvent& event : touches) {
    const int ball = std::max(event.body_a, event.body_b) - 1;  // body 0 is the floor
    ++num_touches.at(ball);
    EXPECT_NEAR(event.time, std::sqrt(2.0 * calc_height(ball) / 9.81), 1e-9) << ball;
  }
  for (int i = 0; i < num_balls; ++i) EXPECT_EQ(num_touches[i], 1) << i;
}

INSTANTIATE_TEST_SUITE_P(AdaptiveRun, ColliderCount, testing::Values(2, 64, 65, 1000));

TEST(AdaptiveRun, ABallAloneFallsFreely) {
  SceneSpec scene;
  scene.body = {make_falling_ball(0)};
  scene.run.duration = 0.1;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  EXPECT_TRUE(sink.events_of(ContactEventKind::touch).empty());
  EXPECT_NEAR(sink.samples.back().bodies[0].position.z(), kRadius + calc_height(0) - 0.5 * 9.81 * 0.01, 1e-9);
}

}  // namespace
}  // namespace abut
