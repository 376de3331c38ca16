// What becomes of a true value on its way to a reading, and when it can be read.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/math/counter_noise.hpp"
#include "abut/sim/sensor_fixture_test.hpp"

namespace abut {
namespace {

using Method = RunSpec::Method;

/// A slider whose coordinate is 3 t, exactly, with a sensor on it.
SceneSpec make_slider(SensorSpec sensor, Method method = Method::adaptive) {
  SceneSpec scene;
  scene.body = {make_ball("slide", 1.0, 0.05, Vec3::Zero())};
  JointSpec rail = make_joint("rail", JointKind::prismatic, kWorldName, "slide");
  rail.axis = Vec3::UnitX();
  rail.velocities = {3.0};
  scene.gravity = Vec3::Zero();
  scene.joint = {rail};
  scene.run.method = method;
  if (method != Method::adaptive) scene.run.step = 1e-3;
  scene.run.duration = 1.0;
  scene.sensor = {std::move(sensor)};
  return scene;
}

/// One whose coordinate goes over from 0 to 1 between the samples at 0.2 s and 0.21 s.
SceneSpec make_jump(SensorSpec sensor) {
  SceneSpec scene = make_slider(std::move(sensor));
  scene.joint[0].velocities.clear();
  scene.joint[0].motion.emplace().kind = TableMotionSpec{{0.0, 0.2001, 0.2099, 1.0}, {0.0, 0.0, 1.0, 1.0}};
  return scene;
}

class OfMethod : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(SensorChain, OfMethod,
                         testing::Values(Method::adaptive, Method::explicit_, Method::lcp, Method::ncp, Method::micro),
                         name_of_method);

TEST_P(OfMethod, SamplesAreHeldAndComeLate) {
  SensorSpec sensor = make_sensor("place", encoder_of("rail"), 100.0);
  sensor.delay = 0.035;  // three and a half samples
  World world = make_world(make_slider(sensor, GetParam()));
  for (int k = 1; k <= 80; ++k) {
    const double t = 0.0125 * k;
    ASSERT_TRUE(world.advance(t).is_ok());
    // The last whole hundredth up to t - 0.035; the first sample before any has arrived.
    const double taken = std::max(0.0, std::floor((t - 0.035) * 100.0 + 1e-9)) / 100.0;
    EXPECT_NEAR(world.sensor("place")[0], 3.0 * taken, 1e-9) << t;
  }
}

/// A period of ten milliseconds and a third is no whole number of steps: samples come at the first end of a step.
TEST(SensorChain, FixedStepsSampleAtTheFirstEndOfAStep) {
  World world = make_world(make_slider(make_sensor("place", encoder_of("rail"), 300.0), Method::explicit_));
  for (int k = 1; k <= 200; ++k) {
    ASSERT_TRUE(world.advance(k * 1e-3).is_ok());
    // Sample n falls due at n / 0.3 ms; the last one that an end of a step up to k ms has met.
    int last = 0;
    for (int n = 0; std::ceil(n / 0.3 - 1e-6) <= k; ++n) last = static_cast<int>(std::ceil(n / 0.3 - 1e-6));
    EXPECT_NEAR(world.sensor("place")[0], 3.0 * last * 1e-3, 1e-9) << k;
  }
}

/// After the step of its input the filter has 1 - exp(-x n) (1 - exp(-x)) / x of it, n samples after the first above.
TEST(SensorChain, TheFilterAnswersAStepAsPrinted) {
  SensorSpec sensor = make_sensor("place", encoder_of("rail"), 100.0);
  sensor.low_pass = 5.0;
  World world = make_world(make_jump(sensor));
  const double x = 2.0 * std::numbers::pi * 5.0 / 100.0;
  for (int k = 0; k < 60; ++k) {
    ASSERT_TRUE(world.advance(0.01 * (20 + k)).is_ok());
    const double expected = k == 0 ? 0.0 : 1.0 - std::exp(-x * (k - 1)) * -std::expm1(-x) / x;
    EXPECT_NEAR(world.sensor("place")[0], expected, 1e-9) << k;
  }
}

TEST(SensorChain, ReadingsAreWholeMultiplesOfTheirQuantum) {
  SensorSpec sensor = make_sensor("place", encoder_of("rail"), 100.0);
  sensor.quantum = {0.07, 0.0, 0.0};
  sensor.gain = {2.0};
  sensor.offset = {0.011};
  World world = make_world(make_slider(sensor));
  for (int k = 1; k <= 100; ++k) {
    ASSERT_TRUE(world.advance(0.01 * k).is_ok());
    EXPECT_EQ(world.sensor("place")[0], 0.07 * std::round((6.0 * 0.01 * k + 0.011) / 0.07)) << k;
    EXPECT_NEAR(world.sensor("place")[1], 6.011, 1e-12);
  }
}

TEST(SensorChain, AnEncoderDividesATurn) {
  SceneSpec scene = make_slider(make_sensor("angle", encoder_of("rail", 12)));
  scene.joint[0].type = JointKind::revolute;
  World world = make_world(scene);
  ASSERT_TRUE(world.advance(0.5).is_ok());
  const double step = 2.0 * std::numbers::pi / 4096.0;
  EXPECT_EQ(world.sensor("angle")[0], step * std::round(1.5 / step));
  EXPECT_NEAR(world.sensor("angle")[1], 3.0, 1e-12);  // rates have no encoder
}

/// The noise is what the generator gives for the sample, whatever the method and however the run was cut up.
TEST(SensorChain, NoiseIsAFunctionOfTheSample) {
  SensorSpec sensor = make_sensor("place", encoder_of("rail"), 100.0);
  sensor.noise = {0.1};
  sensor.seed = 5;
  for (const Method method : {Method::adaptive, Method::explicit_}) {
    World world = make_world(make_slider(sensor, method));
    for (const double t : {0.1, 0.17, 0.31, 0.9}) {
      ASSERT_TRUE(world.advance(t).is_ok());
      const auto k = static_cast<std::uint64_t>(std::floor(t * 100.0 + 1e-9));
      const double noise = 0.1 * calc_normal_noise(make_noise_key(5, "place"), k, 0);
      EXPECT_NEAR(world.sensor("place")[0], 3.0 * static_cast<double>(k) / 100.0 + noise, 1e-9) << t;
    }
  }
}

/// A ball that bounces on a table with joints beside it, so that events, restarts and steps of the method matter.
SceneSpec make_bouncing(Method method) {
  SceneSpec scene;
  scene.body = {make_floor(), make_ball("ball", 0.5, 0.05, Vec3(0, 0, 0.2), Vec3(0.3, 0, 0)),
                make_ball("bob", 0.2, 0.03, Vec3::Zero())};
  JointSpec pin = make_joint("pin", JointKind::revolute, kWorldName, "bob");
  pin.axis = Vec3::UnitY();
  pin.parent_position = Vec3(0, 1, 0.6);
  pin.child_position = Vec3(0, 0, 0.4);
  pin.coordinates = {0.8};
  scene.joint = {pin};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e5, 0.6)};
  add_bristle(scene.contact.front(), 0.3);
  scene.run.method = method;
  if (method != Method::adaptive) scene.run.step = method == Method::explicit_ ? 1e-4 : 1e-3;
  scene.run.duration = 0.6;
  return scene;
}

void add_sensors(SceneSpec& scene) {
  SensorSpec plate = make_sensor("plate", contacts_on({"floor"}), 437.0);
  plate.noise = {0.5, 0.01};
  plate.low_pass = 60.0;
  plate.delay = 0.0123;
  SensorSpec pin = make_sensor("pin", reaction_of("pin"), 100.0);
  GapSensorSpec gap;
  gap.between = {"ball", "floor"};
  MotionSensorSpec motion;
  motion.body = "ball";
  motion.relative_to = "bob";
  SensorSpec sight = make_sensor("sight", motion, 50.0);
  sight.low_pass = 10.0;
  sight.noise = {0.01};
  scene.sensor = {plate, pin, make_sensor("gap", gap), sight};
}

TEST_P(OfMethod, SensorsChangeNoBitOfTheMotion) {
  SceneSpec scene = make_bouncing(GetParam());
  MemorySink without, with;
  ASSERT_EQ(simulate(compile(scene), without).status, RunStatus::done);
  add_sensors(scene);
  ASSERT_EQ(simulate(compile(scene), with).status, RunStatus::done);
  ASSERT_EQ(without.samples.size(), with.samples.size());
  for (std::size_t i = 0; i < with.samples.size(); ++i) {
    EXPECT_EQ(without.samples[i].q, with.samples[i].q) << i;
    EXPECT_EQ(without.samples[i].v, with.samples[i].v) << i;
    EXPECT_EQ(without.samples[i].energy, with.samples[i].energy) << i;
    EXPECT_EQ(without.samples[i].joint_force, with.samples[i].joint_force) << i;
    ASSERT_EQ(without.samples[i].contacts.size(), with.samples[i].contacts.size()) << i;
  }
  ASSERT_EQ(without.events.size(), with.events.size());
  for (std::size_t i = 0; i < with.events.size(); ++i) EXPECT_EQ(without.events[i].time, with.events[i].time);
}

TEST_P(OfMethod, ASavedRunGoesOnToTheSameReadings) {
  SceneSpec scene = make_bouncing(GetParam());
  add_sensors(scene);
  const auto model = std::make_shared<const Model>(compile(scene));
  World first(model);
  ASSERT_TRUE(first.advance(0.2503).is_ok());
  const Bytes saved = first.save();
  World second(model);
  second.load(saved);
  for (const double t : {0.2503, 0.31, 0.4, 0.55}) {
    ASSERT_TRUE(first.advance(t).is_ok());
    second.drop_scratch();
    ASSERT_TRUE(second.advance(t).is_ok());
    EXPECT_EQ(first.sample().sensors, second.sample().sensors) << t;
    EXPECT_EQ(first.sample().q, second.sample().q) << t;
  }
}

/// Looking and being looked at make no difference to what is sampled.
TEST_P(OfMethod, LooksLeaveNoTraceInReadings) {
  SceneSpec scene = make_bouncing(GetParam());
  add_sensors(scene);
  const auto model = std::make_shared<const Model>(compile(scene));
  World watched(model), alone(model);
  while (watched.time() < 0.5) {
    ASSERT_TRUE(watched.step().is_ok());
    watched.sensor("plate");
    ASSERT_TRUE(alone.step().is_ok());
  }
  EXPECT_EQ(watched.sample().sensors, alone.sample().sensors);
}

}  // namespace
}  // namespace abut
