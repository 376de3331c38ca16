#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/sim/compile.hpp"
#include "abut/sim/scene_fixture_test.hpp"
#include "abut/sim/simulate.hpp"

namespace abut {
namespace {

/// 5 x 5 x 5 spheres of two sizes that fall on a plane and on each other.
SceneSpec make_heap() {
  SceneSpec scene;
  scene.run.duration = 0.15;
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.integrator = RunSpec::Integrator::semi_implicit_euler;
  scene.run.step = 1e-4;
  scene.run.record_interval = 0.04;
  for (int i = 0; i < 125; ++i) {
    const double radius = i % 3 == 0 ? 0.04 : 0.05;
    const Vec3 center(0.101 * (i % 5) + 0.004 * (i / 25), 0.101 * (i / 5 % 5) - 0.003 * (i / 25),
                      0.06 + 0.101 * (i / 25));
    BodySpec ball = make_ball(fmt::format("ball{}", i), 0.5, radius, center);
    ball.angular_velocity = Vec3(1.0, -2.0, 0.5 * (i % 7));
    scene.body.push_back(ball);
  }
  scene.body.push_back(make_floor());
  ContactSpec contact = make_contact(NormalSpec::Law::gonthier, 1e6, 0.5);
  add_bristle(contact, 0.5);
  scene.contact = {contact};
  return scene;
}

/// The heap with its floor first, its bodies in no order, ellipsoids among them, and rules that turn some pairs round.
SceneSpec make_mixed_heap() {
  SceneSpec scene = make_heap();
  std::vector<BodySpec> bodies{scene.body.back()};
  for (int i = 0; i < 125; ++i) {
    BodySpec& ball = scene.body[i * 52 % 125];
    if (i % 5 == 0) ball.shape[0].type = EllipsoidSpec{Vec3(0.05, 0.045, 0.04)};
    bodies.push_back(ball);
  }
  scene.body = bodies;
  ContactSpec turned = scene.contact[0];
  turned.between = {"ball1*", "*"};
  scene.contact = {turned, scene.contact[0]};
  return scene;
}

bool are_same(const ContactEvent& x, const ContactEvent& y) {
  return x.time == y.time && x.kind == y.kind && x.body_a == y.body_a && x.body_b == y.body_b && x.patch == y.patch &&
         x.normal_speed == y.normal_speed;
}

void expect_same(const MemorySink& x, const MemorySink& y) {
  ASSERT_EQ(x.samples.size(), y.samples.size());
  for (std::size_t i = 0; i < x.samples.size(); ++i) {
    EXPECT_EQ(x.samples[i].q, y.samples[i].q);
    EXPECT_EQ(x.samples[i].v, y.samples[i].v);
    EXPECT_EQ(x.samples[i].energy, y.samples[i].energy);
  }
  EXPECT_TRUE(std::equal(x.events.begin(), x.events.end(), y.events.begin(), y.events.end(), are_same));
}

class PileStep : public testing::TestWithParam<SceneSpec (*)()> {};

INSTANTIATE_TEST_SUITE_P(Heaps, PileStep, testing::Values(make_heap, make_mixed_heap));

TEST_P(PileStep, GivesTheBitsOfTheGeneralWay) {
  SceneSpec scene = GetParam()();
  MemorySink fused, general;
  scene.run.threads = 1;
  const RunSummary fast = simulate(compile(scene), fused);
  // A force of nothing does nothing but keep the model from being a mere pile.
  ForceSpec nothing;
  nothing.body = "ball0";
  scene.force = {nothing};
  const RunSummary slow = simulate(compile(scene), general);
  ASSERT_GT(fast.work.contact_evaluations, 30000) << "the heap must have met";
  EXPECT_EQ(fast.work.contact_evaluations, slow.work.contact_evaluations);
  EXPECT_EQ(fast.work.accepted, slow.work.accepted);
  expect_same(fused, general);
  EXPECT_EQ(fast.energy.values, slow.energy.values);
  EXPECT_EQ(fast.pairs.size(), slow.pairs.size());
}

TEST_P(PileStep, ThreadsDoNotChangeTheBits) {
  SceneSpec scene = GetParam()();
  MemorySink one;
  scene.run.threads = 1;
  simulate(compile(scene), one);
  for (const int threads : {2, 3}) {
    MemorySink several;
    scene.run.threads = threads;
    simulate(compile(scene), several);
    expect_same(one, several);
  }
}

TEST(PileStepFailure, StopsWhereABallGoesThrough) {
  SceneSpec scene = make_heap();
  scene.contact[0].normal->stiffness = 1e14;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.message.find("stopped at"), std::string::npos);
  for (const double q : sink.samples.back().q) ASSERT_TRUE(std::isfinite(q));
}

}  // namespace
}  // namespace abut
