#include "abut/sim/step_trial.hpp"

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"
#include "abut/sim/step_advice.hpp"

namespace abut {
namespace {

double calc_advised_step(const SceneSpec& scene) {
  const Model model = compile(scene);
  return make_step_advice(model, make_contact_advice(model)).rk4;
}

double calc_missed(const SceneSpec& scene, double step) { return try_step(compile(scene), step).value().missed; }

/// What the sticking friction of a ball under its weight misses is nothing beside the ball's own motion.
TEST(StepTrial, AllowsWhatTheLedgerOfTheSceneDoesNotFeel) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 2.0, 0.1, Vec3(0, 0, 0.1), Vec3(1, 0, 0)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.1)};
  add_coulomb(scene.contact[0], 0.2);
  scene.run.duration = 0.5;
  const double step = calc_advised_step(scene);
  EXPECT_LT(calc_missed(scene, 0.9 * step), 0.05);
  EXPECT_GT(calc_missed(scene, 10.0 * step), 0.05);
}

/// Between two walls a cube swings sqrt(2) times as fast as on one of them.
TEST(StepTrial, ForbidsWhatContactsDoToEachOther) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.body = {make_box("cube", 0.5, Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 0), Vec3(0.1, 0, 0)),
                make_box("left", 1.0, Vec3(0.1, 0.3, 0.3), Vec3(-0.099, 0, 0)),
                make_box("right", 1.0, Vec3(0.1, 0.3, 0.3), Vec3(0.099, 0, 0))};
  scene.body[1].fixed = scene.body[2].fixed = true;
  scene.contact = {make_perimeter_contact(NormalSpec::Law::gonthier, 1e6, 1.0)};
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = 1e-4;
  scene.run.duration = 1.0;
  EXPECT_LT(calc_missed(scene, 0.9 * calc_advised_step(scene)), 0.05);
}

TEST(StepTrial, RunsThatAreCutShortAllowNothingLonger) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 2.0, 0.1, Vec3(0, 0, 1000)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e9, 0.1)};
  scene.contact[0].region = ContactSpec::Region::volume;
  scene.run.duration = 1e4;
  EXPECT_FALSE(try_step(compile(scene), 1e-3)->is_whole);
  EXPECT_TRUE(try_step(compile(scene), 10.0)->is_whole);
}

TEST(StepTrial, SaysNothingWhereExplicitStepsCannotRun) {
  SceneSpec scene;
  scene.body = {make_box("box", 1.0, Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 1)),
                make_box("floor", 1.0, Vec3(1, 1, 1), Vec3::Zero())};
  scene.body[1].fixed = true;
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.1)};
  scene.run.method = RunSpec::Method::lcp;
  scene.run.step = 1e-3;
  scene.run.duration = 0.1;
  EXPECT_FALSE(try_step(compile(scene), 1e-4).has_value());
}

}  // namespace
}  // namespace abut
