#include <cmath>

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

TEST(PileStep, GivesTheBitsOfTheGeneralWay) {
  SceneSpec scene = make_heap();
  MemorySink fused, general;
  scene.run.threads = 1;
  const RunSummary fast = simulate(compile(scene), fused);
  // A force of nothing does nothing but keep the model from being a mere pile.
  ForceSpec nothing;
  nothing.body = "ball0";
  scene.force = {nothing};
  const RunSummary slow = simulate(compile(scene), general);
  ASSERT_GT(fast.work.contact_evaluations, 50000) << "the heap must have met";
  EXPECT_EQ(fast.work.contact_evaluations, slow.work.contact_evaluations);
  EXPECT_EQ(fast.work.accepted, slow.work.accepted);
  EXPECT_EQ(fused.samples.back().q, general.samples.back().q);
  EXPECT_EQ(fused.samples.back().v, general.samples.back().v);
  EXPECT_EQ(fast.energy.values, slow.energy.values);
  EXPECT_EQ(fast.pairs.size(), slow.pairs.size());
}

TEST(PileStep, ThreadsDoNotChangeTheBits) {
  SceneSpec scene = make_heap();
  MemorySink one, three;
  scene.run.threads = 1;
  simulate(compile(scene), one);
  scene.run.threads = 3;
  simulate(compile(scene), three);
  EXPECT_EQ(one.samples.back().q, three.samples.back().q);
  EXPECT_EQ(one.samples.back().energy, three.samples.back().energy);
}

TEST(PileStep, StopsWhereABallGoesThrough) {
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
