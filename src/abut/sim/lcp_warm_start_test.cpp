#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

/// Bricks of 0.2 x 0.1 x 0.06 m in quarter bond on the floor.
SceneSpec make_wall_scene(int courses, int bricks) {
  SceneSpec scene;
  for (int c = 0; c < courses; ++c) {
    for (int i = 0; i < bricks; ++i) {
      BodySpec brick;
      brick.name = "brick-" + std::to_string(c) + "-" + std::to_string(i);
      brick.mass = 2.4;
      brick.position = Vec3(0.2 * i + 0.05 * (c % 2), 0, 0.03 + 0.06 * c);
      BoxSpec box;
      box.size = Vec3(0.1995, 0.1, 0.06);
      brick.shape.push_back(make_shape_spec(box));
      scene.body.push_back(brick);
    }
  }
  scene.body.push_back(make_floor());
  ContactSpec contact = make_contact(NormalSpec::Law::gonthier, 1e7, 0.1);
  CoulombSpec coulomb;
  coulomb.mu = 0.6;
  contact.friction.emplace().law = coulomb;
  scene.contact = {contact};
  scene.run.method = RunSpec::Method::lcp;
  scene.run.step = 4e-3;
  scene.run.duration = 0.2;
  return scene;
}

// A wall at rest is solved once; then its impulses are corrected now and then. A ball that flies past asks for new
// candidates all the time, and changes nothing of that.
TEST(LcpWarmStart, AWallThatStandsNeedsFewFactorisations) {
  for (const bool has_ball : {false, true}) {
    SceneSpec scene = make_wall_scene(4, 5);
    if (has_ball) scene.body.push_back(make_ball("ball", 1.0, 0.05, Vec3(0, -2, 1.0), Vec3(20, 0, 0)));
    MemorySink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    EXPECT_LE(summary.work.jacobians, 50) << has_ball;  // of 50 steps; 20 in a step from nothing
    for (std::size_t i = 0; i < 20; ++i) {
      const double moved = (sink.samples.back().bodies[i].position - sink.samples.front().bodies[i].position).norm();
      EXPECT_LE(moved, 1e-9);
    }
  }
}

}  // namespace
}  // namespace abut
