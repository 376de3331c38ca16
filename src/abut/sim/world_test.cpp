#include "abut/sim/world.hpp"

#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

std::shared_ptr<const Model> make_model(const SceneSpec& scene) {
  return std::make_shared<const Model>(compile(scene));
}

ContactSpec make_default_contact() {
  ContactSpec contact = make_contact(NormalSpec::Law::gonthier, 1e6, 0.5);
  add_bristle(contact, 0.5);
  return contact;
}

/// A ball that slides, an ellipsoid (with warm starts) and a box that land on a floor; one spins.
SceneSpec make_landing() {
  SceneSpec scene;
  scene.run.duration = 0.5;
  BodySpec egg = make_ball("egg", 0.3, 1.0, Vec3(0.5, 0, 0.12));
  egg.shape = {make_shape_spec(EllipsoidSpec{Vec3(0.06, 0.04, 0.09)})};
  egg.angular_velocity = Vec3(3.0, -1.0, 0.5);
  BodySpec second = egg;
  second.name = "other egg";
  second.position = Vec3(0.505, 0.01, 0.31);
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 0.12), Vec3(1.0, 0, 0)), egg, second, make_floor()};
  scene.contact = {make_default_contact()};
  return scene;
}

SceneSpec make_volume_landing() {
  SceneSpec scene = make_landing();
  scene.run.duration = 0.2;
  BodySpec tilted = make_box("box", 1.0, Vec3(0.1, 0.2, 0.1), Vec3(0, 0, 0.075));
  tilted.orientation = Quat(std::cos(0.1), 0.0, std::sin(0.1), 0.0);
  scene.body = {tilted, make_box("slab", 5.0, Vec3(0.5, 0.5, 0.02), Vec3(0, 0, 0.011)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e8, 0.5)};
  scene.contact[0].region = ContactSpec::Region::volume;
  return scene;
}

/// More balls than a list of all pairs is kept for.
SceneSpec make_crowd() {
  SceneSpec scene;
  scene.run.duration = 0.1;
  for (int i = 0; i < 75; ++i) {
    scene.body.push_back(make_ball(fmt::format("ball{}", i), 0.1, 0.05,
                                   Vec3(0.11 * (i % 5) + 0.01 * (i / 25), 0.11 * (i / 5 % 5), 0.06 + 0.11 * (i / 25)),
                                   Vec3(0.2 * (i % 3), 0, -0.5)));
  }
  scene.body.push_back(make_floor());
  scene.contact = {make_default_contact()};
  return scene;
}

SceneSpec make_arm() {
  SceneSpec scene;
  scene.run.duration = 1.0;
  BodySpec arm = make_box("arm", 1.0, Vec3(1.0, 0.05, 0.05), Vec3::Zero());
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.type = JointSpec::Type::revolute;
  hinge.child = "arm";
  hinge.axis = Vec3::UnitY();
  hinge.child_position = Vec3(-0.5, 0, 0);
  hinge.parent_position = Vec3(0, 0, 0.6);
  hinge.motor.emplace();
  hinge.motor->mode = MotorSpec::Mode::position;
  hinge.motor->value = 0.0;
  hinge.motor->gain = 200.0;
  hinge.motor->derivative_gain = 10.0;
  scene.joint = {hinge};
  scene.body = {arm, make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  return scene;
}

SceneSpec with_steps(SceneSpec scene, RunSpec::Method method, double step) {
  scene.run.method = method;
  scene.run.step = step;
  return scene;
}

SceneSpec make_arm_in_contact_space() { return with_steps(make_arm(), RunSpec::Method::micro, 1e-3); }

SceneSpec make_fused_pile() {
  SceneSpec scene = with_steps(make_crowd(), RunSpec::Method::explicit_, 1e-4);
  scene.run.integrator = RunSpec::Integrator::semi_implicit_euler;
  scene.run.record_interval = 0.03;
  return scene;
}

SceneSpec make_perimeter_drop() {
  SceneSpec scene;
  scene.run.duration = 0.2;
  scene.body = {make_mesh_body("cube", 1.0, make_box_mesh(Vec3::Constant(0.05)), Vec3(0, 0, 0.052)), make_floor()};
  scene.body[0].orientation = Quat(std::cos(0.02), std::sin(0.02), 0, 0);
  scene.contact = {make_perimeter_contact(NormalSpec::Law::gonthier, 1e7, 0.5)};
  add_coulomb(scene.contact[0], 0.4);
  return with_steps(scene, RunSpec::Method::explicit_, 2e-4);
}

SceneSpec make_hard_stack() {
  SceneSpec scene;
  scene.run.duration = 0.3;
  scene.body = {make_box("low", 1.0, Vec3::Constant(0.1), Vec3(0, 0, 0.06)),
                make_box("high", 1.0, Vec3::Constant(0.1), Vec3(0.02, 0, 0.17)), make_floor()};
  ContactSpec contact = make_contact(NormalSpec::Law::hertz, 1e6, 1.0);
  add_coulomb(contact, 0.5);
  scene.contact = {contact};
  return with_steps(scene, RunSpec::Method::lcp, 1e-3);
}

SceneSpec make_soft_landing() {
  SceneSpec scene = with_steps(make_landing(), RunSpec::Method::ncp, 1e-3);
  scene.contact[0].normal->law = NormalSpec::Law::hertz;
  scene.contact[0].normal->restitution.reset();
  return scene;
}

SceneSpec make_landing_by_bdf() {
  SceneSpec scene = make_landing();
  scene.run.integrator = RunSpec::Integrator::bdf;
  return scene;
}

SceneSpec make_arm_by_adams() {
  SceneSpec scene = make_arm();
  scene.run.integrator = RunSpec::Integrator::adams;
  return scene;
}

struct Case {
  const char* name;
  std::function<SceneSpec()> make;
};

class WorldOf : public testing::TestWithParam<Case> {};

// The bytes of a saved world hold everything the steps to come depend on, so equal ones are the strictest comparison.
TEST_P(WorldOf, GoesOnFromSavedBytesToTheSameBits) {
  const auto model = make_model(GetParam().make());
  World whole(model), first(model);
  constexpr int kSteps = 40;
  for (int i = 0; i < 2 * kSteps; ++i) ASSERT_TRUE(whole.step().is_ok()) << whole.report().message;
  for (int i = 0; i < kSteps; ++i) first.step();
  const Bytes saved = first.save();
  World second(model);
  second.load(saved);
  EXPECT_TRUE(second.save() == saved);
  for (int i = 0; i < kSteps; ++i) second.step();
  EXPECT_EQ(second.time(), whole.time());
  EXPECT_TRUE(second.save() == whole.save());
}

TEST_P(WorldOf, AdvancesAfterLoadingAsWithoutIt) {
  const auto model = make_model(GetParam().make());
  const double half = 0.37 * model->scene.run.duration, end = 0.8 * model->scene.run.duration;
  World whole(model), second(model);
  ASSERT_TRUE(whole.advance(half).is_ok());
  second.load(whole.save());
  ASSERT_TRUE(whole.advance(end).is_ok());
  ASSERT_TRUE(second.advance(end).is_ok());
  EXPECT_EQ(whole.time(), end);
  EXPECT_TRUE(second.save() == whole.save());
}

// The rule of the house: what is not saved may be thrown away at any instant.
TEST_P(WorldOf, KeepsItsBitsWhenScratchIsDroppedAfterEachStep) {
  const auto model = make_model(GetParam().make());
  World whole(model), dropped(model);
  for (int i = 0; i < 60; ++i) {
    whole.step();
    dropped.step();
    dropped.drop_scratch();
    ASSERT_TRUE(dropped.save() == whole.save()) << "step " << i;
  }
  EXPECT_EQ(dropped.take_events().size(), whole.take_events().size());
}

TEST_P(WorldOf, IsNotChangedByLooks) {
  const auto model = make_model(GetParam().make());
  World seen(model), unseen(model);
  for (int i = 0; i < 60; ++i) {
    seen.step();
    seen.bodies();
    seen.contacts();
    unseen.step();
  }
  EXPECT_TRUE(std::ranges::equal(seen.coordinates(), unseen.coordinates()));
  EXPECT_TRUE(std::ranges::equal(seen.velocities(), unseen.velocities()));
}

TEST_P(WorldOf, GoesOnAfterAPauseToTheSameBits) {
  const auto model = make_model(GetParam().make());
  World held(model), free(model);
  const double end = 0.5 * model->scene.run.duration;
  int asked = 0;
  held.set_pause([&asked] { return ++asked % 3 == 0; });
  int calls = 0;
  do {
    ++calls;
    ASSERT_TRUE(held.advance(end).is_ok());
  } while (held.time() < end);
  free.advance(end);
  EXPECT_GT(calls, 1);
  EXPECT_TRUE(std::ranges::equal(held.save(), free.save()));
}

TEST_P(WorldOf, TakesTheStepsOfARun) {
  const SceneSpec scene = GetParam().make();
  const auto model = make_model(scene);
  MemorySink sink;
  const RunSummary summary = simulate(*model, sink);
  World world(model);
  while (world.time() < scene.run.duration && world.step().is_ok()) {
  }
  EXPECT_EQ(world.time(), summary.time_reached);
  const Sample& last = sink.samples.back();
  EXPECT_TRUE(std::ranges::equal(world.coordinates(), last.q));
  EXPECT_TRUE(std::ranges::equal(world.velocities(), last.v));
  EXPECT_EQ(world.contacts().size(), last.contacts.size());
}

INSTANTIATE_TEST_SUITE_P(Scenes, WorldOf,
                         testing::Values(Case{"landing", make_landing}, Case{"volumes", make_volume_landing},
                                         Case{"crowd", make_crowd}, Case{"arm", make_arm},
                                         Case{"pile", make_fused_pile}, Case{"perimeter", make_perimeter_drop},
                                         Case{"lcp", make_hard_stack}, Case{"ncp", make_soft_landing},
                                         Case{"micro", make_arm_in_contact_space}, Case{"bdf", make_landing_by_bdf},
                                         Case{"adams", make_arm_by_adams}),
                         [](const auto& scene) { return std::string(scene.param.name); });

// A force that carries the weight: the ball floats where it was let go, and the work is booked.
TEST(World, ForcesFromOutsideActUntilTheyAreChanged) {
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::explicit_, RunSpec::Method::lcp}) {
    SCOPED_TRACE(enum_name(method));
    SceneSpec scene = make_landing();
    scene.body = {scene.body.front(), make_floor()};
    if (method != RunSpec::Method::adaptive) scene = with_steps(scene, method, 1e-3);
    World world(make_model(scene));
    world.set_force("ball", {.force = Vec3(0, 0, 9.81)});
    world.advance(0.2);
    EXPECT_NEAR(world.body("ball").position.z(), 0.12, 1e-12);
    world.set_force("ball", {.force = Vec3(0, 0, 2.0 * 9.81)});
    world.advance(0.3);
    // From rest with one g upwards: to the order of the method, first order in positions for steps of velocities.
    EXPECT_NEAR(world.body("ball").velocity.z(), 0.981, 1e-9);
    EXPECT_NEAR(world.energy()[Energy::applied_force], 2.0 * 9.81 * (world.body("ball").position.z() - 0.12), 0.011);
    EXPECT_NEAR(world.residual(), 0.0, 1e-6);
  }
}

TEST(World, MotorsTakeCommands) {
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::lcp}) {
    SceneSpec scene = make_arm();
    scene.gravity = Vec3::Zero();
    if (method != RunSpec::Method::adaptive) scene = with_steps(scene, method, 1e-3);
    World world(make_model(scene));
    world.set_command("hinge", 0.3);
    world.advance(5.0);  // beyond run.duration: a world has no end
    EXPECT_NEAR(world.joint_position("hinge"), 0.3, 1e-6);
    EXPECT_THROW(world.set_command("hing", 0.0), InputError);
  }
}

/// A paddle on a slide whose motion is prescribed, below a ball.
SceneSpec make_paddle() {
  SceneSpec scene;
  scene.run.duration = 0.5;
  JointSpec slide;
  slide.name = "slide";
  slide.type = JointSpec::Type::prismatic;
  slide.child = "paddle";
  slide.axis = Vec3::UnitZ();
  slide.motion.emplace();
  slide.motion->kind = RateMotionSpec{};
  scene.joint = {slide};
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 0.2)),
                make_box("paddle", 2.0, Vec3(0.4, 0.4, 0.1), Vec3(0, 0, 0))};
  scene.contact = {make_default_contact()};
  return scene;
}

// Sent up and back down, the paddle goes where it is sent; what that takes is in the ledger, contact with the ball
// included, and a saved world knows where it was sent.
TEST(World, PrescribedMotionGoesWhereItIsSent) {
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::explicit_, RunSpec::Method::lcp}) {
    SCOPED_TRACE(enum_name(method));
    SceneSpec scene = make_paddle();
    if (method != RunSpec::Method::adaptive) scene = with_steps(scene, method, 1e-4);
    const auto model = make_model(scene);
    World world(model);
    world.set_motion("slide", 0.2, 0.15, 0.5);
    world.advance(0.1);
    // Half way of the cubic from (0, 0) to (0.15, 0.5): x = 3 s^2 x1 - 2 s^3 x1 + (s^3 - s^2) h v1 at s = 1/2.
    EXPECT_NEAR(world.joint_position("slide"), 0.5 * 0.15 - 0.125 * 0.2 * 0.5, 1e-12);
    World other(model);
    other.load(world.save());
    for (World* each : {&world, &other}) {
      each->advance(0.2);
      EXPECT_NEAR(each->joint_position("slide"), 0.15, 1e-12);
      EXPECT_NEAR(each->joint_velocity("slide"), 0.5, 1e-12);
      each->set_motion("slide", 0.4, 0.0);
      each->advance(0.4);
      EXPECT_NEAR(each->joint_position("slide"), 0.0, 1e-12);
      EXPECT_NEAR(each->joint_velocity("slide"), 0.0, 1e-12);
    }
    EXPECT_TRUE(other.save() == world.save());
    EXPECT_GT(world.energy()[Energy::prescribed_motion], 0.1);
    EXPECT_NEAR(world.residual(), 0.0, method == RunSpec::Method::adaptive ? 1e-5 : 2e-3);
    EXPECT_THROW(world.set_motion("slide", 0.3, 0.0), InputError);
    EXPECT_THROW(world.clear_inputs(), InputError);
  }
}

TEST(World, HasTheThreadsItIsGiven) {
  SceneSpec scene = make_landing();
  scene.run.threads = 3;
  const auto model = make_model(scene);
  EXPECT_EQ(World(model).num_threads(), 3);
  EXPECT_EQ(World(model, 2).num_threads(), 2);
}

TEST(World, ACopyGoesItsOwnWay) {
  World world(make_model(make_landing()));
  world.advance(0.1);
  World other = world.copy();
  other.set_force("ball", {.force = Vec3(5.0, 0, 0)});
  other.advance(0.2);
  world.advance(0.2);
  EXPECT_GT(other.body("ball").velocity.x(), world.body("ball").velocity.x() + 0.1);
}

TEST(World, RefusesBytesThatAreNotItsOwn) {
  World world(make_model(make_landing()));
  Bytes bytes = world.save();
  World other(make_model(make_crowd()));
  EXPECT_THROW(other.load(bytes), InputError);
  bytes.resize(bytes.size() / 2);
  World again(make_model(make_landing()));
  EXPECT_THROW(again.load(Bytes(100)), InputError);
  EXPECT_TRUE(again.step().is_ok());
  EXPECT_THROW(again.load(bytes), InputError);
  // Half of another instant is no instant.
  EXPECT_FALSE(again.step().is_ok());
  EXPECT_NE(again.report().message.find("could not be read"), std::string::npos) << again.report().message;
  again.load(world.save());
  EXPECT_TRUE(again.step().is_ok());
}

}  // namespace
}  // namespace abut
