#include "abut/sim/error_scales.hpp"

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

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

}  // namespace
}  // namespace abut
