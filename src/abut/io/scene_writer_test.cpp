#include "abut/io/scene_writer.hpp"

#include <bit>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "abut/io/scene_reader.hpp"

namespace abut {
namespace {

/// A scene that uses every kind of table.
const std::string kScene = R"(title = "odd \"title\" \\ \u0007 \u00E9"
gravity = [0.1, -0.0, -9.81]

[run]
duration = 3.0
method = "explicit"
integrator = "semi-implicit-euler"
step = 1e-4
record_interval = 0.02
threads = 2
max_steps = 1000000

[[body]]
name = "a"
mass = 2
inertia = [[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]]
center_of_mass = [0, 0.1, 0]
orientation = [0.6, 0.8, 0, 0]
velocity = [1, 2, 3]
  [[body.shape]]
  type = "cone"
  angle_degrees = 60
  height = 0.3
  rotation = { axis = [1, 1, 0], radians = 0.3 }
  [[body.shape]]
  type = "cylinder"
  name = "rod"
  radius = 0.1

[[body]]
name = "b"
density = 7800
inertia = [1, 2, 2.5]
shape = { type = "ellipsoid", semi_axes = [0.1, 0.2, 0.3] }

[[body]]
name = "smooth"
  [[body.shape]]
  type = "superquadric"
  semi_axes = [0.1, 0.2, 0.3]
  exponent = 4
  exponent_z = 2.5
  [[body.shape]]
  type = "intersection"
  sharpness = 8
  position = [0, 1, 0]
  part = [ { type = "sphere", radius = 0.4, position = [0, 0, 0.1] },
           { type = "half-space", normal = [0, 0, 1], offset = 0.2, rotation = { axis = [1, 0, 0], degrees = 5 } } ]

[[body]]
name = "ground"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1], offset = -0.25 }

[[joint]]
name = "hinge"
type = "revolute"
parent = "a"
child = "b"
axis = [0, 1, 0]
parent_position = [0, 0, 1]
child_rotation = { axis = [0, 0, 1], degrees = 45 }
coordinates = [0.5]
lower = -1
upper = 1
limit_stiffness = 1e4
friction = { coulomb = 0.1, viscous = 0.01 }
motor = { mode = "position", table = { time = [0, 1], value = [0, 0.7] }, gain = 20, derivative_gain = 2 }

[[spring]]
between = ["a", "world"]
point_a = [0, 0, 0.1]
stiffness = 100
rest_length = 0

[[force]]
body = "b"
frame = "body"
table = { time = [0, 1, 2], force = [[0, 0, 0], [1, 2, 3], [4, 5, 6]] }

[[contact]]
name = "main"
between = ["a", "gr*"]
normal = { law = "flores", young = 2.1e11, poisson = 0.3, restitution_table = { speed = [0.1, 1], restitution = [0.9, 0.8] } }
friction = { law = "bristle", mu_c = 0.4, sigma_0 = 12345.678, regularisation = "smooth" }
relaxation_time = 2.5
initial_dwell = 1

[[contact]]
between = ["b", "a"]
enabled = false

[contact_default]
normal = { law = "kelvin-voigt", stiffness = 1e4, damping = 3 }
friction = { law = "none" }
)";

TEST(SceneWriter, RoundTripKeepsEverything) {
  const SceneSpec first = read_scene_text(kScene, "first");
  const std::string text = scene_to_toml(first);
  const SceneSpec second = read_scene_text(text, "second");
  EXPECT_EQ(scene_to_toml(second), text);
  EXPECT_EQ(second.title, first.title);
  EXPECT_TRUE(std::signbit(second.gravity.y()));
  EXPECT_EQ(second.run.integrator, RunSpec::Integrator::semi_implicit_euler);
  EXPECT_EQ(second.run.max_steps, 1000000);
  EXPECT_EQ(second.body[0].inertia, first.body[0].inertia);
  EXPECT_EQ(second.body[0].orientation->coeffs(), first.body[0].orientation->coeffs());
  ASSERT_EQ(second.body[0].shape.size(), 2u);
  EXPECT_EQ(std::get<ConeSpec>(second.body[0].shape[0].type).angle_degrees, 60.0);
  EXPECT_EQ(second.body[0].shape[0].rotation->radians, 0.3);
  EXPECT_FALSE(std::get<CylinderSpec>(second.body[0].shape[1].type).length.has_value());
  EXPECT_EQ(second.joint[0].motor->table->value, first.joint[0].motor->table->value);
  EXPECT_EQ(second.joint[0].child_rotation->degrees, 45.0);
  EXPECT_EQ(second.spring[0].rest_length, 0.0);
  EXPECT_EQ(second.force[0].table->force[2], Vec3(4, 5, 6));
  EXPECT_EQ(second.force[0].frame, ForceSpec::Frame::body);
  EXPECT_EQ(second.contact[0].normal->restitution_table->restitution, (std::vector<double>{0.9, 0.8}));
  EXPECT_EQ(std::get<BristleSpec>(second.contact[0].friction->law).regularisation, Regularisation::smooth);
  EXPECT_FALSE(second.contact[1].enabled);
  EXPECT_TRUE(std::holds_alternative<NoFrictionSpec>(second.contact_default->friction->law));
}

TEST(SceneWriter, LeavesOutDefaultsButKeepsRequiredKeys) {
  SceneSpec scene;
  scene.run.duration = 2.0;
  BodySpec& body = scene.body.emplace_back();
  body.name = "ball";
  body.shape.emplace_back().type = SphereSpec{0.5};
  EXPECT_EQ(scene_to_toml(scene),
            "title = \"\"\n"
            "gravity = [0.0, 0.0, -9.81]\n"
            "\n[run]\n"
            "duration = 2.0\n"
            "\n[[body]]\n"
            "name = \"ball\"\n"
            "shape = { type = \"sphere\", radius = 0.5 }\n");
}

TEST(SceneWriter, NumbersSurviveBitForBit) {
  std::mt19937_64 random(11);
  SceneSpec scene = read_scene_text(kScene, "s");
  for (int round = 0; round < 200; ++round) {
    double value = 0.0;
    do {
      value = std::abs(std::bit_cast<double>(random()));
    } while (!(value <= 1e50) || value == 0.0);  // what a scene may hold
    scene.gravity = Vec3(value, -value, 0.0);
    const SceneSpec read = read_scene_text(scene_to_toml(scene), "s");
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read.gravity.x()), std::bit_cast<std::uint64_t>(value));
  }
}

TEST(SceneWriter, KeepsOverrides) {
  const SceneSpec scene = read_scene_text(kScene, "s", {"body.a.mass=7", "contact.main.friction.mu_c=0.9"});
  const SceneSpec read = read_scene_text(scene_to_toml(scene), "s");
  EXPECT_EQ(read.body[0].mass, 7.0);
  EXPECT_EQ(std::get<BristleSpec>(read.contact[0].friction->law).mu_c, 0.9);
}

}  // namespace
}  // namespace abut
