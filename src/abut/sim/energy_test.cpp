#include "abut/sim/energy.hpp"

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

JointSpec make_joint(JointSpec::Type type, const std::string& parent, const std::string& child) {
  JointSpec joint;
  joint.name = parent + "-" + child;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  return joint;
}

BodySpec make_link(const std::string& name) {
  BodySpec link;
  link.name = name;
  link.mass = 1.0;
  link.inertia = InertiaSpec{{0.02, 0.03, 0.04}};
  link.center_of_mass = Vec3(0.1, 0.05, -0.3);
  return link;
}

TEST(EnergyBalance, EveryMechanismIsEnteredOnceAndTheBooksClose) {
  // An arm with springs, limits, friction and motors, a driven base and tabled forces, dragging a ball over a floor.
  SceneSpec scene;
  scene.body = {make_link("base"), make_link("arm"), make_link("hand"),
                make_ball("ball", 0.5, 0.05, Vec3(0.5, 0, 0.049)), make_floor()};
  JointSpec base = make_joint(JointSpec::Type::prismatic, "world", "base");
  base.axis = Vec3::UnitX();
  base.parent_position = Vec3(0, 0, 1);
  base.motion.emplace();
  base.motion->kind = SineMotionSpec{0.0, 0.2, 1.0, 0.3};
  JointSpec arm = make_joint(JointSpec::Type::revolute, "base", "arm");
  arm.axis = Vec3::UnitY();
  arm.stiffness = 3.0;
  arm.damping = 0.1;
  arm.lower = -0.3;
  arm.upper = 0.3;
  arm.limit_stiffness = 50.0;
  arm.limit_damping = 1.0;
  arm.friction.emplace();
  arm.friction->coulomb = 0.2;
  arm.motor.emplace();
  arm.motor->mode = MotorSpec::Mode::torque;
  arm.motor->table = ScalarTableSpec{};
  arm.motor->table->time = {0.0, 0.5, 0.6, 2.0};
  arm.motor->table->value = {0.0, 4.0, -4.0, 0.0};
  JointSpec hand = make_joint(JointSpec::Type::spherical, "arm", "hand");
  hand.parent_position = Vec3(0, 0, -0.5);
  hand.damping = 0.05;
  scene.joint = {base, arm, hand};
  SpringSpec spring;
  spring.between = {"hand", "ball"};
  spring.stiffness = 20.0;
  spring.damping = 0.5;
  spring.rest_length = 0.2;
  scene.spring = {spring};
  ForceSpec force;
  force.body = "ball";
  force.table = ForceTableSpec{};
  force.table->time = {0.0, 1.0, 1.2};
  force.table->force = {Vec3(0, 0, 0), Vec3(0, 2, 0), Vec3(0, 0, 0)};
  scene.force = {force};
  ContactSpec contact = make_contact(NormalSpec::Law::gonthier, 1e6, 0.5);
  contact.between = {"ball", "floor"};
  add_bristle(contact, 0.3);
  std::get<BristleSpec>(contact.friction->law).sigma_2 = 0.1;
  scene.contact = {contact};
  scene.run.duration = 2.0;
  scene.run.tolerance = 1e-9;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  for (const Energy energy : {Energy::kinetic, Energy::gravitational, Energy::spring, Energy::damping, Energy::friction,
                              Energy::viscous_friction, Energy::spring_damping, Energy::joint_friction, Energy::motor,
                              Energy::prescribed_motion, Energy::applied_force}) {
    EXPECT_NE(summary.energy[energy], 0.0) << kEnergyNames[static_cast<std::size_t>(energy)];
  }
  for (const Energy energy :
       {Energy::damping, Energy::friction, Energy::viscous_friction, Energy::spring_damping, Energy::joint_friction}) {
    EXPECT_GT(summary.energy[energy], 0.0) << kEnergyNames[static_cast<std::size_t>(energy)];
  }
  // Several joules are turned over; ten times the tolerance, because the errors of the steps add up.
  EXPECT_GT(summary.energy_turnover, 1.0);
  EXPECT_NEAR(summary.worst_residual / summary.energy_turnover, 0.0, 1e-8);
}

/// The points of a rim between its deepest and its highest wander on the body as it tumbles; the spring must still get
/// back what it was given.
TEST(EnergyBalance, TumblingOnARimClosesTheBooks) {
  SceneSpec scene;
  BodySpec drum;
  drum.name = "drum";
  drum.mass = 1.8;
  drum.shape.push_back(make_shape_spec(CylinderSpec{0.08, 0.2}));
  drum.position = Vec3(0, 0, 0.4);
  drum.orientation = Quat(-0.739, 0.356, 0.162, -0.549).normalized();
  drum.velocity = Vec3(0.5, 0.3, -1);
  drum.angular_velocity = Vec3(-1.1, 2.6, 1.5);
  scene.body = {drum, make_floor(Vec3(0.1, 0.2, 1.0))};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 3e4, 0.7)};
  scene.run.duration = 0.45;
  scene.run.tolerance = 1e-9;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  int side_touches = 0;
  for (const ContactEvent& event : sink.events_of(ContactEventKind::touch)) side_touches += event.patch % 2;
  EXPECT_GE(side_touches, 2);
  // Ten times the tolerance: the errors of the steps of each impact add up.
  EXPECT_NEAR(summary.worst_residual / summary.energy_turnover, 0.0, 1e-8);
}

/// A joint that swings back from its limit is let go before the limit is left: a corner in the damper's power that the
/// motion does not feel.
TEST(EnergyBalance, LimitsThatLetGoCloseTheBooks) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.body = {make_link("arm")};
  JointSpec joint = make_joint(JointSpec::Type::revolute, "world", "arm");
  joint.axis = Vec3::UnitY();
  joint.velocities = {1.3};
  joint.lower = -0.3;
  joint.upper = 0.3;
  joint.limit_stiffness = 490.0;
  joint.limit_damping = 8.0;
  scene.joint = {joint};
  scene.run.duration = 2.0;
  scene.run.tolerance = 1e-9;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  EXPECT_GT(summary.energy[Energy::spring_damping], 0.01);
  // Ten times the tolerance: a handful of corners, each of about one. (With works left out of the error control a
  // twentieth of the energy was missing, at any tolerance.)
  EXPECT_NEAR(summary.worst_residual / summary.energy_turnover, 0.0, 1e-8);
}

TEST(EnergyBalance, KindsCoverEveryEntry) {
  EXPECT_EQ(energy_kind(Energy::spring), EnergyKind::stored);
  EXPECT_EQ(energy_kind(Energy::damping), EnergyKind::dissipated);
  EXPECT_EQ(energy_kind(Energy::joint_friction), EnergyKind::dissipated);
  EXPECT_EQ(energy_kind(Energy::motor), EnergyKind::supplied);
  EnergyBalance balance;
  balance[Energy::kinetic] = 2.0;
  balance[Energy::friction] = 3.0;
  balance[Energy::motor] = 4.0;
  EXPECT_EQ(balance.total(), 1.0);
}

}  // namespace
}  // namespace abut
