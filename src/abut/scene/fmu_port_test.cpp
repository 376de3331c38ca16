#include "abut/scene/fmu_port.hpp"

#include <gtest/gtest.h>

#include "abut/scene/get_value.hpp"
#include "abut/scene/scene_digest.hpp"

namespace abut {
namespace {

SceneSpec make_scene() {
  SceneSpec scene;
  scene.run.duration = 1.0;
  BodySpec ball, floor, cart;
  ball.name = "ball-1";
  ball.mass = 2.0;
  floor.name = "floor";
  floor.fixed = true;
  cart.name = "cart";
  scene.body = {ball, floor, cart};
  JointSpec rail;
  rail.name = "rail";
  rail.type = JointKind::prismatic;
  rail.child = "cart";
  rail.motor.emplace();
  rail.motor->mode = MotorSpec::Mode::velocity;
  rail.motor->table.emplace();
  rail.motor->table->time = {-1.0, 1.0};
  rail.motor->table->value = {2.0, 4.0};
  scene.joint = {rail};
  return scene;
}

std::vector<std::string> names_of(const std::vector<FmuPort>& ports, FmuPort::Role role) {
  std::vector<std::string> names;
  for (const FmuPort& port : ports) {
    if (port.role == role) names.push_back(port.name);
  }
  return names;
}

std::vector<FmuPort> find_all(const SceneSpec& scene) {
  ProblemList problems;
  std::vector<FmuPort> ports = find_fmu_ports(scene, problems);
  for (const Problem& problem : problems.take()) ADD_FAILURE() << problem.message;
  return ports;
}

TEST(FmuPort, AreChosenWhereTheSceneDoesNot) {
  const std::vector<FmuPort> ports = find_all(make_scene());
  EXPECT_EQ(names_of(ports, FmuPort::Role::input),
            (std::vector<std::string>{"joint.rail.command", "body.'ball-1'.force", "body.'ball-1'.torque"}));
  EXPECT_EQ(ports[0].unit, "m/s");
  EXPECT_EQ(ports[0].start, (std::vector<double>{3.0}));  // of the table at time zero
  const std::vector<std::string> outputs = names_of(ports, FmuPort::Role::output);
  EXPECT_EQ(outputs.size(), 4u + 4u + 2u + 4u);  // two bodies, a joint, energies
  EXPECT_EQ(outputs[8], "joint.rail.q");
}

TEST(FmuPort, NamesOfContactsMayHaveHyphens) {
  SceneSpec scene = make_scene();
  scene.fmu.inputs.emplace();
  scene.fmu.outputs = {"contact.ball-1-floor.force", "contact.floor-ball-1.touching", "energy.residual"};
  const std::vector<FmuPort> ports = find_all(scene);
  ASSERT_EQ(ports.size(), 3u);
  EXPECT_EQ(ports[0].body_a, 0);
  EXPECT_EQ(ports[0].body_b, 1);
  EXPECT_EQ(ports[0].name, "contact.'ball-1-floor'.force");
  EXPECT_EQ(ports[0].width, 3u);
  EXPECT_EQ(ports[1].body_a, 1);
  EXPECT_TRUE(ports[1].is_flag());
  EXPECT_EQ(ports[2].unit, "J");
}

TEST(FmuPort, SensorsShowTheirQuantities) {
  SceneSpec scene = make_scene();
  SensorSpec sensor;
  sensor.name = "wrist";
  ReactionSensorSpec kind;
  kind.joint = "rail";
  sensor.kind.type = kind;
  sensor.rate = 100.0;
  scene.sensor = {sensor};
  scene.fmu.outputs = {"sensor.wrist.torque"};
  const std::vector<FmuPort> ports = find_all(scene);
  const FmuPort& port = ports.back();
  EXPECT_EQ(port.unit, "N m");
  EXPECT_EQ(port.width, 3u);
  EXPECT_EQ(port.column, 3u);  // behind the force
  EXPECT_FALSE(port.is_continuous());
  scene.fmu.outputs = {"sensor.wrist.torqe"};
  ProblemList problems;
  find_fmu_ports(scene, problems);
  EXPECT_EQ(problems.take().at(0).message, "sensor 'wrist' has no 'torqe' in [fmu] outputs. Did you mean 'torque'?");
}

TEST(FmuPort, ParametersHaveTheNumbersOfTheScene) {
  SceneSpec scene = make_scene();
  scene.fmu.parameters = {"body.ball-1.mass", "gravity", "gravity[2]", "run.tolerance"};
  const std::vector<FmuPort> ports = find_all(scene);
  EXPECT_EQ(ports[0].start, (std::vector<double>{2.0}));
  EXPECT_EQ(ports[0].unit, "kg");
  EXPECT_EQ(ports[1].start, (std::vector<double>{0.0, 0.0, -9.81}));
  EXPECT_TRUE(ports[1].is_array);
  EXPECT_EQ(ports[2].start, (std::vector<double>{-9.81}));
  EXPECT_EQ(ports[2].name, "gravity[2]");
  EXPECT_EQ(ports[3].start, (std::vector<double>{1e-6}));
}

TEST(FmuPort, WrongNamesAreReportedAndTheOthersFound) {
  SceneSpec scene = make_scene();
  scene.fmu.inputs = {"body.ball-1.force", "body.ball-2.force", "joint.rail.motion"};
  ProblemList problems;
  const std::vector<FmuPort> ports = find_fmu_ports(scene, problems);
  EXPECT_EQ(names_of(ports, FmuPort::Role::input), (std::vector<std::string>{"body.'ball-1'.force"}));
  const std::vector<Problem> found = problems.take();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].message, "there is no body 'ball-2' in [fmu] inputs. Did you mean 'ball-1'?");
  EXPECT_EQ(found[1].message, "joint 'rail' has no prescribed motion to replace in [fmu] inputs.");
}

TEST(FmuPort, HaveNoPartInTheDigest) {
  SceneSpec scene = make_scene();
  const std::uint64_t before = calc_digest(scene);
  scene.fmu.outputs = {"energy.residual"};
  EXPECT_EQ(calc_digest(scene), before);
}

TEST(GetValue, FindsNothingWhereThereAreNoNumbers) {
  const SceneSpec scene = make_scene();
  for (const char* path : {"title", "body", "body.ball-1", "body.ball-1.name", "body.none.mass", "gravity[3]", "a..b",
                           "body.ball-1.density", "joint.rail.motor.value"})
    EXPECT_FALSE(find_numbers(scene, path)) << path;
  EXPECT_EQ(find_numbers(scene, "joint.rail.motor.table.value[1]")->values, (std::vector<double>{4.0}));
}

}  // namespace
}  // namespace abut
