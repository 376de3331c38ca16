#include <gtest/gtest.h>

#include "abut/abut.hpp"

namespace abut {
namespace {

const char* const kSled = R"(
gravity = [0, 0, 0]
run = { duration = 1.0, tolerance = 1e-12 }
[[body]]
name = "sled"
mass = 2
inertia = [1, 1, 1]
[[joint]]
name = "slide"
type = "prismatic"
child = "sled"
axis = [1, 0, 0]
motor = { mode = "torque", value = 0 }
)";

/// Pushes by the number of samples it has seen.
class Stairs final : public v0::Controller {
 public:
  void sample(const v0::Measured& measured, v0::Commands& commands) override {
    if (commands.memory.empty()) commands.memory = {0.0};
    commands.memory[0] += 1.0;
    commands.values[0] = commands.memory[0];
    if (measured.time > 0.55 && throws) throw std::runtime_error("no more stairs");
  }
  bool throws = false;
};

v0::ControllerSetup make_setup() {
  v0::ControllerSetup setup;
  setup.name = "stairs";
  setup.rate = 10.0;
  setup.joints = {"slide"};
  return setup;
}

TEST(OwnController, CommandsAreHeldAndMemoryIsCopied) {
  v0::World world(v0::Scene::read_text(kSled));
  world.add_controller(make_setup(), std::make_shared<Stairs>());
  ASSERT_TRUE(world.advance(0.35).is_ok());
  EXPECT_NEAR(world.joint_velocity("slide"), (0.1 + 0.2 + 0.3 + 0.5 * 0.4) / 2.0, 1e-12);
  v0::World copy(world);
  ASSERT_TRUE(copy.advance(0.5).is_ok());
  ASSERT_TRUE(world.advance(0.5).is_ok());
  EXPECT_EQ(copy.joint_position("slide"), world.joint_position("slide"));
  EXPECT_NEAR(world.joint_velocity("slide"), 1.5 / 2.0, 1e-12);
  // A world without it is another one.
  v0::World bare(v0::Scene::read_text(kSled));
  EXPECT_THROW(bare.set_state(world.state()), InputError);
}

TEST(OwnController, WhatItThrowsEndsTheRunInWords) {
  v0::World world(v0::Scene::read_text(kSled));
  auto stairs = std::make_shared<Stairs>();
  stairs->throws = true;
  world.add_controller(make_setup(), stairs);
  const v0::StepReport report = world.advance(1.0);
  EXPECT_NEAR(report.time, 0.6, 1e-12);
  EXPECT_NE(report.message.find("controller 'stairs': it threw: no more stairs"), std::string::npos) << report.message;
}

TEST(OwnController, MistakesAreRefused) {
  v0::World world(v0::Scene::read_text(kSled));
  v0::ControllerSetup setup = make_setup();
  EXPECT_THROW(world.add_controller(setup, nullptr), InputError);
  setup.joints = {"slid"};
  EXPECT_THROW(world.add_controller(setup, std::make_shared<Stairs>()), InputError);
  setup = make_setup();
  setup.sensors = {"eye"};
  EXPECT_THROW(world.add_controller(setup, std::make_shared<Stairs>()), InputError);
  world.add_controller(make_setup(), std::make_shared<Stairs>());
  EXPECT_THROW(world.add_controller(make_setup(), std::make_shared<Stairs>()), InputError);  // has one already
}

}  // namespace
}  // namespace abut
