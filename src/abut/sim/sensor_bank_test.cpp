#include "abut/sim/sensor_bank.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/sim/sensor_fixture_test.hpp"

namespace abut {
namespace {

using Method = RunSpec::Method;
constexpr double kG = 9.81;  // [m/s^2]

void use(SceneSpec& scene, Method method, double step) {
  scene.run.method = method;
  if (method != Method::adaptive) scene.run.step = step;
}

Vec6 wrench_of(World& world, const std::string& name) {
  const std::span<const double> shown = world.sensor(name);
  return Eigen::Map<const Vec6>(shown.data());
}

/// A ball that rests on a plate, which a fixed joint holds to the world.
SceneSpec make_scale(Method method) {
  SceneSpec scene;
  BodySpec plate = make_box("plate", 3.0, Vec3(0.4, 0.4, 0.02), Vec3::Zero());
  plate.shape = {make_shape_spec(HalfSpaceSpec{Vec3::UnitZ(), 0.01})};
  plate.inertia.emplace().numbers = {0.04, 0.04, 0.08};
  scene.body = {plate, make_ball("ball", 2.0, 0.05, Vec3(0.1, -0.05, 0.06))};
  scene.joint = {make_joint("bolts", JointKind::fixed, kWorldName, "plate")};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.1)};
  scene.run.duration = 3.0;
  use(scene, method, 1e-3);
  scene.sensor = {make_sensor("scale", contacts_on({"plate"}, "world")), make_sensor("load", contacts_on({"ball"})),
                  make_sensor("bolts", reaction_of("bolts"), 100.0)};
  return scene;
}

class EveryMethod : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Sensors, EveryMethod,
                         testing::Values(Method::adaptive, Method::explicit_, Method::lcp, Method::ncp, Method::micro),
                         name_of_method);

TEST_P(EveryMethod, WeighsWhatRests) {
  World world = make_world(make_scale(GetParam()));
  ASSERT_TRUE(world.advance(3.0).is_ok()) << world.report().message;
  // The ball came to rest with damping of its own law; what is left of its bounce is below a millionth of its weight.
  const double weight = 2.0 * kG, left = 1e-5 * weight;
  Vec6 expected = Vec6::Zero();
  expected.head<3>() = Vec3(0, 0, -weight);
  expected.tail<3>() = Vec3(0.1, -0.05, 0.01).cross(Vec3(0, 0, -weight));
  EXPECT_LT((wrench_of(world, "scale") - expected).norm(), left) << wrench_of(world, "scale").transpose();
  expected << 0, 0, weight, 0, 0, 0;
  EXPECT_LT((wrench_of(world, "load") - expected).norm(), left) << wrench_of(world, "load").transpose();
  // What holds the plate carries both; its frame is the plate's.
  expected << 0, 0, weight + 3.0 * kG, Vec3(0.1, -0.05, 0.01).cross(Vec3(0, 0, weight));
  EXPECT_LT((wrench_of(world, "bolts") - expected).norm(), left) << wrench_of(world, "bolts").transpose();
}

/// An arm of two joints with friction and a motor, that falls on a floor and stays in contact with it.
SceneSpec make_arm(Method method) {
  SceneSpec scene;
  BodySpec upper = make_box("upper", 2.0, Vec3(0.4, 0.05, 0.05), Vec3::Zero());
  BodySpec lower = make_ball("lower", 1.0, 0.05, Vec3::Zero());
  upper.shape.clear();
  upper.inertia.emplace().numbers = {0.01, 0.03, 0.03};
  scene.body = {make_floor(), upper, lower};
  JointSpec shoulder = make_joint("shoulder", JointKind::revolute, kWorldName, "upper");
  shoulder.axis = Vec3::UnitY();
  shoulder.parent_position = Vec3(0, 0, 0.3);
  shoulder.child_position = Vec3(-0.2, 0, 0);
  shoulder.coordinates = {-0.3};
  shoulder.damping = 0.3;
  JointSpec elbow = make_joint("elbow", JointKind::revolute, "upper", "lower");
  elbow.axis = Vec3::UnitY();
  elbow.parent_position = Vec3(0.2, 0, 0);
  elbow.child_position = Vec3(-0.3, 0, 0);
  elbow.stiffness = 20.0;
  elbow.damping = 0.2;
  scene.joint = {shoulder, elbow};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.3)};
  add_coulomb(scene.contact.front(), 0.3);
  scene.run.duration = 1.0;
  use(scene, method, 1e-3);
  for (const char* joint : {"shoulder", "elbow"}) {
    scene.sensor.push_back(
        make_sensor(fmt::format("{}-moving", joint), reaction_of(joint, ReactionSensorSpec::Part::actuated)));
    scene.sensor.push_back(
        make_sensor(fmt::format("{}-held", joint), reaction_of(joint, ReactionSensorSpec::Part::constraint)));
    scene.sensor.push_back(make_sensor(fmt::format("{}-all", joint), reaction_of(joint)));
    scene.sensor.push_back(make_sensor(joint, encoder_of(joint)));
  }
  scene.sensor.push_back(make_sensor("floor", contacts_on({"floor"}, "world")));
  return scene;
}

/// What a joint hands on about its axis is what its spring and damper exert, whatever the contacts do in the step: the
/// equations of the step close, blows among them.
TEST_P(EveryMethod, ClosesTheEquationsOfEachStep) {
  World world = make_world(make_arm(GetParam()));
  double largest = 0.0, pressed = 0.0;
  while (world.time() < 0.8) {
    ASSERT_TRUE(world.advance(world.time() + 1e-3).is_ok()) << world.report().message;
    pressed = std::max(pressed, -wrench_of(world, "floor")[2]);
    for (const char* joint : {"shoulder", "elbow"}) {
      const Vec6 moving = wrench_of(world, fmt::format("{}-moving", joint));
      const Vec6 held = wrench_of(world, fmt::format("{}-held", joint)),
                 all = wrench_of(world, fmt::format("{}-all", joint));
      const double effort = world.sensor(joint)[2];
      const double scale = 1.0 + all.norm();
      largest = std::max(largest, scale);
      EXPECT_LT((moving + held - all).norm(), 1e-12 * scale);
      // The ncp method solves its step to a residual of 1e-10 of its terms; the others close to rounding.
      const double closed = GetParam() == Method::ncp ? 1e-6 : 1e-9;
      EXPECT_NEAR(moving[4], effort, closed * scale) << world.time() << " " << joint;
      EXPECT_NEAR(held[4], 0.0, closed * scale);
    }
  }
  EXPECT_GT(pressed, 50.0);  // it did fall on the floor
  EXPECT_GT(largest, 50.0);
}

/// All forces on the arm change its momentum: with the weight, joint to the world and floor leave what moves.
TEST_P(EveryMethod, BalancesTheMomentumOfAllBodies) {
  SceneSpec scene = make_arm(GetParam());
  ReactionSensorSpec in_world = reaction_of("shoulder");
  in_world.body = "world";
  scene.sensor.push_back(make_sensor("bearing", in_world));
  World world = make_world(scene);
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (const auto& [body, mass] : {std::pair("upper", 2.0), std::pair("lower", 1.0)})
      sum += mass * world.body(body).velocity;
    return sum;
  };
  Vec3 impulse = Vec3::Zero();
  const Vec3 start = momentum();
  const double h = 1e-3;
  Vec3 last = Vec3::Zero();
  for (int i = 1; i <= 300; ++i) {
    ASSERT_TRUE(world.advance(i * h).is_ok());
    const Vec3 now = wrench_of(world, "bearing").head<3>() - wrench_of(world, "floor").head<3>();
    const bool has_mean = !method_traits(GetParam()).follows_laws || GetParam() == Method::micro;
    impulse += h * (has_mean ? now : Vec3(0.5 * (now + last)));
    last = now;
    impulse.z() -= h * 3.0 * kG;
  }
  // Velocities are those of body origins, which are the centres of mass. Poses turn by h w within a step of the means;
  // the trapezoidal rule has an error of h^2, and misses half a step at the start.
  EXPECT_LT((momentum() - start - impulse).norm(), 0.05 * (1.0 + impulse.norm()));
}

TEST(Sensors, OfAPendulumFeelThePrintedTension) {
  SceneSpec scene;
  BodySpec bob = make_ball("bob", 2.0, 0.01, Vec3::Zero());
  bob.inertia.emplace().numbers = {1e-12, 1e-12, 1e-12};
  scene.body = {bob};
  JointSpec pin = make_joint("pin", JointKind::revolute, kWorldName, "bob");
  pin.axis = Vec3::UnitY();
  pin.child_position = Vec3(0, 0, 0.7);
  pin.coordinates = {1.2};
  scene.joint = {pin};
  scene.run.duration = 2.0;
  scene.run.tolerance = 1e-10;
  scene.sensor = {make_sensor("pin", reaction_of("pin"), 500.0)};
  World world = make_world(scene);
  for (int k = 1; k <= 100; ++k) {
    ASSERT_TRUE(world.advance(0.02 * k).is_ok());
    const double tension = 2.0 * kG * (3.0 * std::cos(world.joint_position("pin")) - 2.0 * std::cos(1.2));
    // In the bob's frame the rod is along z; the tolerance of 1e-10 grows over ten swings.
    EXPECT_NEAR(wrench_of(world, "pin")[2], tension, 1e-6);
    EXPECT_NEAR(wrench_of(world, "pin").head<2>().norm(), 0.0, 1e-6);
  }
}

/// A turntable with a ball thrown over it: in the frame of the table a free body obeys Coriolis' equation.
TEST(Sensors, OfMotionSeeRelativeAccelerations) {
  const double W = 3.0;
  SceneSpec scene;
  BodySpec table = make_box("table", 5.0, Vec3(1, 1, 0.02), Vec3::Zero());
  scene.body = {table, make_ball("ball", 0.2, 0.02, Vec3(0.3, 0.1, 0.5), Vec3(0.4, -0.2, 1.0))};
  JointSpec axle = make_joint("axle", JointKind::revolute, kWorldName, "table");
  axle.axis = Vec3::UnitZ();
  axle.motion.emplace().kind = RateMotionSpec{0.0, W};
  scene.joint = {axle};
  scene.run.duration = 0.3;
  MotionSensorSpec kind;
  kind.body = "ball";
  kind.relative_to = "table";
  scene.sensor = {make_sensor("sight", kind)};
  World world = make_world(scene);
  ASSERT_TRUE(world.advance(0.25).is_ok());
  const std::span<const double> s = world.sensor("sight");
  const Vec3 r(s[0], s[1], s[2]), v(s[7], s[8], s[9]), a(s[13], s[14], s[15]);
  const Vec3 w(0, 0, W);
  EXPECT_LT((a - (Vec3(0, 0, -kG) - 2.0 * w.cross(v) - w.cross(w.cross(r)))).norm(), 1e-9);
  EXPECT_LT((Vec3(s[10], s[11], s[12]) + w).norm(), 1e-12);
  const double t = 0.25;
  const Vec3 place(0.3 + 0.4 * t, 0.1 - 0.2 * t, 0.5 + t - 0.5 * kG * t * t);
  EXPECT_LT((Eigen::AngleAxisd(-W * t, Vec3::UnitZ()) * place - r).norm(), 1e-9);
  EXPECT_NEAR(s[3], std::cos(0.5 * W * t), 1e-12);
  EXPECT_NEAR(s[6], -std::sin(0.5 * W * t), 1e-12);
}

TEST(Sensors, OfAGapTellDistanceAndDepth) {
  SceneSpec scene;
  scene.body = {make_floor(), make_ball("ball", 1.0, 0.05, Vec3(0, 0, 0.15)),
                make_box("box", 1.0, Vec3(0.1, 0.1, 0.1), Vec3(0.3, 0, 0.05))};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e5, 0.5)};
  scene.contact.front().between = {"ball", "floor"};
  scene.gravity = Vec3(0, 0, -kG);
  scene.body[2].fixed = true;
  scene.run.duration = 0.2;
  const auto gap = [](const std::string& a, const std::string& b) {
    GapSensorSpec kind;
    kind.between = {a, b};
    return kind;
  };
  scene.sensor = {make_sensor("height", gap("ball", "floor")), make_sensor("aside", gap("box", "ball"))};
  World world = make_world(scene);
  ASSERT_TRUE(world.advance(0.1).is_ok());
  const double fallen = 0.5 * kG * 0.01;
  EXPECT_NEAR(world.sensor("height")[0], 0.1 - fallen, 1e-9);
  EXPECT_NEAR(world.sensor("aside")[0], std::hypot(0.25, std::max(0.0, 0.15 - fallen - 0.1)) - 0.05, 1e-9);
  double least = 1.0;
  while (world.time() < 0.2 && world.step().is_ok()) {
    least = std::min(least, world.sensor("height")[0]);
    if (world.contacts().empty()) continue;
    EXPECT_EQ(world.sensor("height")[0], -world.contacts()[0].depth);
  }
  EXPECT_LT(least, -1e-4);
}

}  // namespace
}  // namespace abut
