#include "abut/sim/error_scales.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/scene/null_sink.hpp"
#include "abut/sim/scene_fixture_test.hpp"
#include "abut/sim/simulate.hpp"

namespace abut {
namespace {

TEST(ErrorScales, AnImpactOfLongAgoIsNotStiffNow) {
  // Two balls that met at 10 m/s with bristles between them. While that impact is to come its peak tells how stiff the
  // bristles will be; a second later only the load does. It used to start implicit steps at every event for ever after.
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 0.199999)), make_ball("other", 1.0, 0.1, Vec3::Zero())};
  scene.body[0].velocity = Vec3(0, 0, -10);
  ContactSpec contact = make_contact(NormalSpec::Law::gonthier, 1e6, 0.5);
  add_bristle(contact, 0.5);
  scene.contact = {contact};
  scene.run.duration = 1.0;
  const Model model = compile(scene);
  ThreadPool threads(1);
  Dynamics dynamics(model, threads);
  State state = dynamics.make_initial_state();
  dynamics.bind(state);
  dynamics.calc_motion(0.0, state.y.data());
  dynamics.contacts().refresh_candidates(dynamics.motion(), state.pool);
  dynamics.contacts().calc_geometry(dynamics.motion(), state.pool);
  const auto mass = [](int, int, const Vec3&, const Vec3&) { return 0.5; };
  dynamics.contacts().begin_patch(0, dynamics.motion(), 0.0, true, mass, state.pool);
  state.y.resize(dynamics.size(), 0.0);
  const auto calc_rate = [&] {
    return make_restart_hint(dynamics, state, calc_load_scales(dynamics, state)).stiffness_rate;
  };
  const double at_touch = calc_rate();
  state.time = 1.0;
  EXPECT_GT(at_touch, 0.0);
  EXPECT_LT(calc_rate(), 0.05 * at_touch);
}

/// Five balls that touch, struck by the first: once that has come off, the others have met at no speed at all, and the
/// blow on its way through them is what their speeds are to be measured by. Steps then grew as 1 / tolerance.
TEST(ErrorScales, AChainThatPassesABlowOnTakesTheStepsOfTheOrder) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  for (int i = 0; i < 5; ++i)
    scene.body.push_back(make_ball(fmt::format("ball{}", i), 0.1, 0.01, Vec3(0.02 * i - (i == 0 ? 0.001 : 0.0), 0, 0)));
  scene.body[0].velocity = Vec3(1, 0, 0);
  scene.contact = {make_contact(NormalSpec::Law::hunt_crossley, 1e9, 0.95)};
  scene.run.duration = 0.003;
  const auto count_steps = [&scene](double tolerance) {
    scene.run.tolerance = tolerance;
    NullSink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    EXPECT_EQ(summary.status, RunStatus::done);
    EXPECT_EQ(summary.work.events, 5) << tolerance;
    return static_cast<double>(summary.work.accepted);
  };
  const double at_6 = count_steps(1e-6), at_8 = count_steps(1e-8);
  // 10^(2/5) is 2.5.
  EXPECT_LT(at_8, 3.0 * at_6);
  EXPECT_LT(at_8, 600.0);  // it was 62,888
}

}  // namespace
}  // namespace abut
