#include "abut/sim/advice.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/sim/scene_fixture_test.hpp"
#include "abut/sim/step_advice.hpp"

namespace abut {
namespace {

using Forecast = ContactAdvice::Forecast;

bool has_words(const std::vector<std::string>& texts, const std::string& words) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

ContactAdvice advise(const SceneSpec& scene) { return make_contact_advice(compile(scene)).at(0); }

SceneSpec make_drop(double height) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 0.26, 0.02, Vec3(0, 0, height)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e9, 0.7)};
  scene.run.duration = 0.6;
  return scene;
}

/// Worst residual over turnover of a run with rk4 at this step.
double calc_miss(SceneSpec scene, double step) {
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = step;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  if (summary.status != RunStatus::done) return HUGE_VAL;
  return std::abs(summary.worst_residual) / summary.energy_turnover;
}

TEST(Advice, ForecastsAFallBySquareRootOfTwoGH) {
  const ContactAdvice advice = advise(make_drop(0.52));
  EXPECT_EQ(advice.forecast, Forecast::impact);
  EXPECT_NEAR(advice.impact_speed, std::sqrt(2.0 * 9.81 * 0.5), 1e-4);
  EXPECT_NEAR(advice.time, std::sqrt(2.0 * 0.5 / 9.81), 1e-4);
}

/// Let go at 1.5 rad, a pendulum of 1 m reaches a wall at its lowest point with sqrt(2 g (1 - cos 1.5)).
TEST(Advice, LooksAheadAlongJoints) {
  SceneSpec scene;
  BodySpec bob = make_ball("bob", 1.0, 0.05, Vec3::Zero());
  bob.shape[0].position = Vec3(0, 0, -1);
  bob.center_of_mass = Vec3(0, 0, -1);
  bob.inertia = InertiaSpec{{1e-3, 1e-3, 1e-3}};
  scene.body = {bob, make_floor(-Vec3::UnitX(), -0.05)};
  scene.joint.resize(1);
  scene.joint[0].type = JointSpec::Type::revolute;
  scene.joint[0].child = "bob";
  scene.joint[0].axis = Vec3(0, -1, 0);
  scene.joint[0].coordinates = {-1.5};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e8, 0.6)};
  scene.run.duration = 1.0;
  const ContactAdvice advice = advise(scene);
  EXPECT_EQ(advice.forecast, Forecast::impact);
  // The bob's own inertia takes a thousandth of the energy.
  EXPECT_NEAR(advice.impact_speed, std::sqrt(2.0 * 9.81 * (1.0 - std::cos(1.5)) / 1.001), 2e-3);
  EXPECT_NEAR(advice.effective_mass, 1.001, 2e-3);
}

TEST(Advice, KnowsWhenNothingMeetsAndWhenItCannotTell) {
  SceneSpec scene = make_drop(0.52);
  scene.gravity = Vec3::Zero();
  EXPECT_EQ(advise(scene).forecast, Forecast::apart);
  // A crate that rests on the floor may slide to the wall or not: contacts decide.
  scene = make_drop(0.02);
  scene.body.push_back(make_floor(-Vec3::UnitX(), -1.0));
  scene.body.back().name = "wall";
  const std::vector<ContactAdvice> all = make_contact_advice(compile(scene));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].forecast, Forecast::touching);
  EXPECT_EQ(all[1].forecast, Forecast::unknown);
}

TEST(Advice, PairsThatWillTouchComeBeforeThoseThatAreOnlyNear) {
  // Three balls a millimetre apart fall side by side; the floor is half a metre away. make_contact() covers every pair.
  SceneSpec scene = make_drop(0.52);
  for (const double x : {0.041, 0.082}) {
    scene.body.insert(scene.body.begin() + 1, make_ball("ball" + std::to_string(x), 0.26, 0.02, Vec3(x, 0, 0.52)));
  }
  scene.contact[0].between = {"*", "*"};
  const std::vector<ContactAdvice> all = make_contact_advice(compile(scene), 3);
  ASSERT_EQ(all.size(), 3u);
  for (const ContactAdvice& one : all) {
    EXPECT_EQ(one.forecast, Forecast::impact);
    EXPECT_NEAR(one.impact_speed, std::sqrt(2.0 * 9.81 * 0.5), 1e-3);
    EXPECT_GT(one.step_rk4, 0.0);
  }
}

// Too far from each other for corners to face each other, behind another that is struck first.
TEST(Advice, FlatBodiesThatAreFarApartHaveAFiniteForecast) {
  SceneSpec scene;
  scene.run.method = RunSpec::Method::lcp;
  scene.run.step = 1e-3;
  scene.run.duration = 1.0;
  BodySpec ground = make_box("ground", 1.0, Vec3(2, 2, 0.1), Vec3(0, 0, -0.05));
  ground.mass.reset();
  ground.fixed = true;
  scene.body = {make_box("low", 1.0, Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 0.3)),
                make_box("high", 1.0, Vec3(0.1, 0.1, 0.1), Vec3(0.01, 0, 1.05)), ground};
  const Quat turn(Eigen::AngleAxisd(M_PI / 6.0, Vec3(1, 0.3, 0).normalized()));
  scene.body[0].orientation = scene.body[1].orientation = turn;
  const double fall = 1.05 - 0.05 * turn.toRotationMatrix().row(2).cwiseAbs().sum();  // to the lowest corner
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  for (const ContactAdvice& one : make_contact_advice(compile(scene), 10)) {
    EXPECT_TRUE(std::isfinite(one.impact_speed)) << one.contact;
    if (one.contact != "high-ground") continue;
    EXPECT_NEAR(one.impact_speed, std::sqrt(2.0 * 9.81 * fall), 1e-6);
  }
}

TEST(Advice, StepOfAnImpactHoldsAndTenTimesItDoesNot) {
  const SceneSpec scene = make_drop(0.52);
  const double step = advise(scene).step_rk4;
  EXPECT_LT(calc_miss(scene, 0.9 * step), 0.05);
  EXPECT_GT(calc_miss(scene, 10.0 * step), 0.05);
}

/// Friction that sticks within nanoseconds only flickers within a longer step: the impact decides.
TEST(Advice, StiffFrictionDoesNotShortenTheStep) {
  SceneSpec scene = make_drop(0.12);
  scene.body[1] = make_floor(Vec3(0.3, 0, 1).normalized());
  scene.run.duration = 0.2;
  add_bristle(scene.contact[0], 0.5);
  std::get<BristleSpec>(scene.contact[0].friction->law).sigma_1 = 1e4;
  const ContactAdvice advice = advise(scene);
  const double with = advice.step_rk4;
  // Its rate under the largest force: force sigma_1 (1/m + R^2/I), 3.5/m for a ball.
  const double stable = 2.785 / (advice.force * 1e4 * 3.5 / 0.26);
  EXPECT_GT(with, 20.0 * stable);
  EXPECT_LT(calc_miss(scene, 0.9 * with), 0.05);
}

TEST(Advice, AForceThatPressesLimitsTheStepWithoutGravity) {
  SceneSpec scene = make_drop(0.02);
  scene.gravity = Vec3::Zero();
  EXPECT_FALSE(std::isfinite(advise(scene).step_rk4));
  scene.force.resize(1);
  scene.force[0].body = "ball";
  scene.force[0].force = Vec3(3, 0, -10);
  const ContactAdvice advice = advise(scene);
  EXPECT_NEAR(advice.load, 10.0, 1e-6);
  EXPECT_LT(advice.step_rk4, 1e-3);
}

TEST(Advice, ASpringLimitsTheStepOfItsScene) {
  SceneSpec scene;
  scene.body = {make_ball("mass", 1.0, 0.1, Vec3::Zero())};
  scene.joint.resize(1);
  scene.joint[0].type = JointSpec::Type::prismatic;
  scene.joint[0].child = "mass";
  scene.joint[0].axis = Vec3::UnitX();
  scene.joint[0].stiffness = 1e4;
  scene.joint[0].coordinates = {0.1};
  scene.run.duration = 1.0;
  const StepAdvice steps = make_step_advice(compile(scene), {});
  // 100 rad/s: rk4 loses y^6/72 a step, 5 % in 100 rad at y = (72 0.05 / 100)^(1/5).
  EXPECT_NEAR(steps.rk4, std::pow(0.036, 0.2) / 100.0, 1e-5);
  EXPECT_LT(calc_miss(scene, 0.9 * steps.rk4), 0.05);
  EXPECT_GT(calc_miss(scene, 10.0 * steps.rk4), 0.05);
}

TEST(Advice, TellsPressureAndElasticLimit) {
  SceneSpec scene = make_drop(1.02);
  scene.contact[0].normal->stiffness.reset();
  scene.contact[0].normal->young = 2e11;
  scene.contact[0].normal->poisson = 0.3;
  const ContactAdvice silent = advise(scene);
  // 3 F / (2 pi a^2) of steel at 4.4 m/s: some gigapascals.
  EXPECT_GT(silent.patch.peak_pressure, 3e9);
  EXPECT_FALSE(has_words(silent.warnings, "elastic limit"));
  scene.contact[0].normal->yield = 1e9;
  EXPECT_TRUE(has_words(advise(scene).warnings, "beyond the elastic limit"));
  scene.contact[0].normal->yield = 1e10;
  EXPECT_FALSE(has_words(advise(scene).warnings, "elastic limit"));
}

TEST(Advice, WarnsOfAConformingPatch) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 300.0, 0.0999, Vec3(0, 0, -1e-4)), make_floor()};
  scene.body[1].shape = {make_shape_spec(BoreSpec{0.1})};
  scene.body[1].shape[0].rotation = RotationSpec{};
  scene.body[1].shape[0].rotation->axis = Vec3::UnitX();
  scene.body[1].shape[0].rotation->degrees = 90.0;
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  scene.contact[0].normal->stiffness.reset();
  scene.contact[0].normal->young = 2e11;
  scene.contact[0].normal->poisson = 0.3;
  scene.run.duration = 0.02;
  EXPECT_TRUE(has_words(advise(scene).warnings, "the surfaces conform"));
}

TEST(Advice, WarnsOfABlowShorterThanTheWavesInARod) {
  SceneSpec scene = make_drop(1.0);
  scene.body[0].mass.reset();
  scene.body[0].density = 7800.0;
  scene.body[0].shape = {make_shape_spec(EllipsoidSpec{Vec3(0.02, 0.02, 0.5)})};
  scene.body[0].position = Vec3(0, 0, 0.56);
  scene.body[0].velocity = Vec3(0, 0, -10.0);
  scene.contact[0].normal->stiffness.reset();
  scene.contact[0].normal->young = 2e11;
  scene.contact[0].normal->poisson = 0.3;
  EXPECT_TRUE(has_words(advise(scene).warnings, "waves in so slender a body"));
  scene.body[0].shape = {make_shape_spec(EllipsoidSpec{Vec3(0.05, 0.05, 0.06)})};
  EXPECT_FALSE(has_words(advise(scene).warnings, "waves"));
}

TEST(Advice, JudgesAnOverlapAtTheStart) {
  SceneSpec scene = make_drop(0.0);
  EXPECT_TRUE(has_words(advise(scene).warnings, "starts 20 mm inside"));
  // Set down with the depth that its weight makes: nothing to say.
  scene.body[0].position.z() = 0.02 - std::pow(0.26 * 9.81 / 1e9, 2.0 / 3.0);
  EXPECT_FALSE(has_words(advise(scene).warnings, "inside"));
  MemorySink sink;
  scene.run.duration = 1e-3;
  EXPECT_FALSE(has_words(simulate(compile(scene), sink).notes, "inside"));
  scene.body[0].position.z() = 0.0;
  EXPECT_TRUE(has_words(simulate(compile(scene), sink).notes, "ball-floor starts 20 mm inside"));
}

// Nothing would ever act between them; beside the floor, or through its surface, the same cube may begin.
TEST(Advice, RefusesABodyAroundAnother) {
  SceneSpec scene;
  scene.body = {make_mesh_body("cube", 1.0, make_box_mesh(Vec3::Constant(50.0)), Vec3(0, 0, 0.05)), make_floor()};
  scene.body[1].shape = {make_shape_spec(BoxSpec{Vec3(2, 2, 0.2)})};
  scene.contact = {make_perimeter_contact(NormalSpec::Law::gonthier, 1e7, 0.5)};
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = 5e-4;
  scene.run.duration = 2e-3;
  std::string words;
  try {
    compile(scene);
  } catch (const InputError& error) {
    words = error.what();
  }
  EXPECT_NE(words.find("'floor'"), std::string::npos) << words;
  EXPECT_NE(words.find("starts inside 'cube'"), std::string::npos) << words;
  EXPECT_NE(words.find("scale = 0.001"), std::string::npos) << words;
  for (const double z : {50.1, 50.099, 60.0}) {
    scene.body[0].position.z() = z;
    EXPECT_NO_THROW(compile(scene)) << z;
  }
}

TEST(Advice, NamesShapesThatCountTwice) {
  SceneSpec scene = make_drop(0.5);
  scene.body[0].mass.reset();
  scene.body[0].shape = {make_shape_spec(BoxSpec{Vec3(2, 1, 1)}),
                         make_shape_spec(BoxSpec{Vec3(2, 1, 1)}, Vec3(1, 0, 0))};
  scene.body[0].position.z() = 5.0;
  // One of four cubic metres counts twice.
  EXPECT_TRUE(has_words(make_start_advice(compile(scene)), "'ball': its shapes overlap by 0.25 of their volume"));
  scene.body[0].shape[1].position.x() = 2.0;
  EXPECT_TRUE(make_start_advice(compile(scene)).empty());
}

}  // namespace
}  // namespace abut
