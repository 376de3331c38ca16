#include "abut/sim/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

TEST(Dynamics, ProjectsBristlesIntoTheTangentPlaneWhenAsked) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0.3, 0, 0.199)), make_ball("other", 1.0, 0.1, Vec3(0.3, 0, 0))};
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
  ContactSet& contacts = dynamics.contacts();
  contacts.refresh_candidates(dynamics.motion(), state.pool);
  contacts.calc_geometry(dynamics.motion(), state.pool);
  const auto mass = [](int, int, const Vec3&, const Vec3&) { return 0.5; };
  const int place = contacts.begin_patch(0, dynamics.motion(), 0.0, true, mass, state.pool);
  EXPECT_TRUE(contacts.has_turning_normals(state.pool)) << "two moving spheres";
  state.y.resize(dynamics.size(), 0.0);
  // The normal is along z: its part of the deflection goes, the rest stays.
  Eigen::Map<Vec3> z(state.y.data() + dynamics.friction_start() + dynamics.stride() * place);
  z = Vec3(1e-5, 2e-5, 3e-5);
  dynamics.set_friction_projection(false);
  dynamics.project(0.0, state.y.data());
  EXPECT_EQ(z.z(), 3e-5);
  dynamics.set_friction_projection(true);
  dynamics.project(0.0, state.y.data());
  EXPECT_EQ(z.x(), 1e-5);
  EXPECT_EQ(z.y(), 2e-5);
  EXPECT_EQ(z.z(), 0.0);
  // Quaternions that need nothing keep their bits, so that contacts are met where the last stage of a step saw them.
  double& w = state.y[3];
  const double next = std::nextafter(std::nextafter(1.0, 2.0), 2.0);
  w = next;
  dynamics.project(0.0, state.y.data());
  EXPECT_EQ(w, next);
  w = 1.001;
  dynamics.project(0.0, state.y.data());
  EXPECT_EQ(w, 1.0);
}

TEST(Dynamics, OverlapsThatStayedDeepNeedNoLooksInsideTheStep) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 0.0999)), make_floor()};
  scene.body[0].velocity = Vec3(0, 0, 0.01);
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  scene.run.duration = 1.0;
  const Model model = compile(scene);
  ThreadPool threads(1);
  Dynamics dynamics(model, threads);
  State state = dynamics.make_initial_state();
  dynamics.bind(state);
  dynamics.calc_motion(0.0, state.y.data());
  dynamics.contacts().refresh_candidates(dynamics.motion(), state.pool);
  dynamics.contacts().calc_geometry(dynamics.motion(), state.pool);
  const auto mass = [](int, int, const Vec3&, const Vec3&) { return 1.0; };
  dynamics.contacts().begin_patch(0, dynamics.motion(), 0.0, true, mass, state.pool);
  state.y.resize(dynamics.size(), 0.0);
  std::vector<double> rates(state.y.size()), g(dynamics.num_events()), bounds(dynamics.num_events());
  // The bound of its gap after the rates were asked for at these depths.
  const auto find_bound = [&](std::initializer_list<double> depths) {
    dynamics.calc_events(0.0, state.y.data(), g.data());
    for (const double depth : depths) {
      std::vector<double> y = state.y;
      y[2] = 0.1 - depth;
      EXPECT_TRUE(dynamics.calc_rates(0.0, y.data(), rates.data(), nullptr));
    }
    dynamics.calc_motion(0.0, state.y.data());
    dynamics.calc_event_bounds(bounds.data());
    return bounds[0];
  };
  EXPECT_GT(find_bound({}), 0.009) << "nothing was seen of it";
  EXPECT_EQ(find_bound({1e-4, 0.8e-4, 0.6e-4}), 0.0);
  EXPECT_GT(find_bound({1e-4, 0.4e-4, 1e-4}), 0.009) << "it may have been nearer to its end still";
  EXPECT_GT(find_bound({-1e-4, -1e-4}), 0.009) << "it has lifted";
}

TEST(Dynamics, RatesDoNotDependOnWhereTheStateWasWhenTheMotionWasComputed) {
  // A patch that begins makes the state longer, which may move it in memory; the old place then holds anything.
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0.3, 0, 0.5))};
  scene.body[0].velocity = Vec3(1, 2, 3);
  scene.run.duration = 1.0;
  const Model model = compile(scene);
  ThreadPool threads(1);
  Dynamics dynamics(model, threads);
  State state = dynamics.make_initial_state();
  dynamics.bind(state);
  dynamics.contacts().refresh_candidates(dynamics.motion(), state.pool);
  std::vector<double> old_place = state.y;
  dynamics.calc_motion(0.0, old_place.data());
  dynamics.contacts().calc_geometry(dynamics.motion(), state.pool);
  dynamics.mark_current({});
  std::fill(old_place.begin(), old_place.end(), std::nan(""));
  std::vector<double> rates(dynamics.size());
  ASSERT_TRUE(dynamics.calc_rates(0.0, state.y.data(), rates.data(), nullptr));
  for (const double rate : rates) EXPECT_TRUE(std::isfinite(rate));
  EXPECT_EQ(std::count(rates.begin(), rates.begin() + dynamics.num_q(), 3.0), 1) << "the ball rises at 3 m/s";
}

TEST(Compile, RefusesAJointThatCarriesNoInertia) {
  SceneSpec scene;
  BodySpec bob;  // a point mass on its own axis
  bob.name = "bob";
  bob.mass = 1.0;
  scene.body = {bob};
  JointSpec joint;
  joint.name = "pivot";
  joint.type = JointSpec::Type::revolute;
  joint.axis = Vec3::UnitY();
  joint.child = "bob";
  scene.joint = {joint};
  scene.run.duration = 1.0;
  EXPECT_THROW(compile(scene), InputError);
}

}  // namespace
}  // namespace abut
