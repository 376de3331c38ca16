// Joint limits under methods that step velocities: reached somewhere within a step.

#include <cmath>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

TEST(JointLimitStep, NoReboundIsFasterThanTheApproach) {
  // Elastic, omega h = 0.35, reached at ten places of the step: at five of them up to 0.4 % of the speed came from
  // nothing while the limit began to act in the middle of the step only.
  for (const RunSpec::Method method : {RunSpec::Method::lcp, RunSpec::Method::ncp}) {
    for (int i = 0; i < 10; ++i) {
      SceneSpec scene;
      scene.gravity = Vec3::Zero();
      scene.body = {make_ball("arm", 1.0, 0.05, Vec3::Zero())};
      JointSpec joint;
      joint.name = "slide";
      joint.type = JointSpec::Type::prismatic;
      joint.child = "arm";
      joint.axis = Vec3::UnitX();
      joint.coordinates = {-1e-4 * i};
      joint.velocities = {1.0};
      joint.lower = -1.0;
      joint.upper = 0.02;
      joint.limit_stiffness = 1.225e5;
      scene.joint = {joint};
      scene.run.method = method;
      scene.run.step = 1e-3;
      scene.run.duration = 0.06;
      MemorySink sink;
      const RunSummary summary = simulate(compile(scene), sink);
      ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
      const double rebound = -sink.samples.back().bodies[0].velocity.x();
      EXPECT_LE(rebound, 1.0 + 1e-9) << i;
      EXPECT_GT(rebound, 0.95) << i;
    }
  }
}

}  // namespace
}  // namespace abut
