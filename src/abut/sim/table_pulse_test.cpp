// Forces and motors over time whose tables bend inside a fixed step: their impulse is that of the table.

#include <cmath>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

struct Case {
  RunSpec::Method method;
  RunSpec::Integrator integrator;
};

constexpr Case kCases[] = {{RunSpec::Method::explicit_, RunSpec::Integrator::rk4},
                           {RunSpec::Method::explicit_, RunSpec::Integrator::rk5},
                           {RunSpec::Method::explicit_, RunSpec::Integrator::heun},
                           {RunSpec::Method::lcp, RunSpec::Integrator::automatic},
                           {RunSpec::Method::ncp, RunSpec::Integrator::automatic}};

SceneSpec make_scene(const Case& way, double step) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.run.method = way.method;
  scene.run.integrator = way.integrator;
  scene.run.step = step;
  scene.run.duration = 1.0;
  scene.body = {make_box("cart", 2.0, Vec3(0.1, 0.1, 0.1), Vec3::Zero())};
  return scene;
}

// A pulse of 10 N s that lasts 10 us was missed between two instants at which a step of 1 ms looks, or counted eight
// times where one of them fell on its top.
TEST(TablePulse, AShortPushGivesItsImpulse) {
  for (const Case& way : kCases) {
    for (const double middle : {0.5, 0.50037}) {
      SceneSpec scene = make_scene(way, 1e-3);
      ForceSpec force;
      force.body = "cart";
      force.table.emplace();
      force.table->time = {middle - 5e-6, middle, middle + 5e-6};
      force.table->force = {Vec3::Zero(), Vec3(2e6, 0, 0), Vec3::Zero()};
      scene.force = {force};
      MemorySink sink;
      const RunSummary summary = simulate(compile(scene), sink);
      ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
      EXPECT_NEAR(sink.samples.back().bodies[0].velocity.x(), 5.0, 1e-6);
      EXPECT_LE(std::abs(summary.worst_residual), 1e-6 * summary.energy_turnover);
    }
  }
}

TEST(TablePulse, AShortTorqueOfAMotorGivesItsImpulse) {
  for (const Case& way : kCases) {
    SceneSpec scene = make_scene(way, 1e-3);
    JointSpec slide;
    slide.name = "slide";
    slide.type = JointSpec::Type::prismatic;
    slide.child = "cart";
    slide.axis = Vec3::UnitX();
    MotorSpec motor;
    motor.table.emplace();
    motor.table->time = {0.3, 0.30003, 0.30006};
    motor.table->value = {0.0, 2.0 / 3e-5, 0.0};
    slide.motor = motor;
    scene.joint = {slide};
    MemorySink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    EXPECT_NEAR(sink.samples.back().v[0], 1.0, 1e-6);
  }
}

}  // namespace
}  // namespace abut
