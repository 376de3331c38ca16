#include "abut/scene/set_value.hpp"

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/scene/scene_path.hpp"

namespace abut {
namespace {

SceneSpec make_scene() {
  SceneSpec scene;
  BodySpec ball;
  ball.name = "ball";
  ball.mass = 1.0;
  ShapeSpec sphere;
  sphere.type = SphereSpec{0.1};
  ball.shape = {sphere};
  BodySpec floor = ball;
  floor.name = "the.floor";
  scene.body = {ball, floor};
  ContactSpec contact;
  contact.between = {"ball", "the.floor"};
  contact.normal.emplace();
  contact.friction.emplace();
  contact.friction->law = CoulombSpec{};
  scene.contact = {contact};
  return scene;
}

InputError find_error(SceneSpec scene, const std::string& path, const KeyValue& value) {
  const SceneSpec before = scene;
  try {
    set(scene, path, value);
  } catch (const InputError& error) {
    EXPECT_EQ(scene.body[0].mass, before.body[0].mass);
    EXPECT_EQ(scene.contact[0].key_locations.size(), before.contact[0].key_locations.size());
    return error;
  }
  ADD_FAILURE() << "set " << path << " was accepted";
  return InputError("");
}

TEST(SetValue, NamesAndIndices) {
  SceneSpec scene = make_scene();
  set(scene, "body.ball.mass", 3);
  EXPECT_EQ(scene.body[0].mass, 3.0);
  EXPECT_TRUE(scene.body[0].has_key("mass"));
  set(scene, "body[1].mass", 2.5);
  set(scene, "body.\"the.floor\".shape.radius", 0.25);
  EXPECT_EQ(scene.body[1].mass, 2.5);
  EXPECT_EQ(std::get<SphereSpec>(scene.body[1].shape[0].type).radius, 0.25);
  set(scene, "gravity[2]", -1.62);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -1.62));
  set(scene, "body.ball.velocity", std::vector<double>{1, 2, 3});
  EXPECT_EQ(scene.body[0].velocity, Vec3(1, 2, 3));
  set(scene, "contact[0].normal.restitution", 0.5);
  EXPECT_EQ(scene.contact[0].normal->restitution, 0.5);
  set(scene, "contact.\"ball-the.floor\".normal.law", "hunt-crossley");
  EXPECT_EQ(scene.contact[0].normal->law, NormalSpec::Law::hunt_crossley);
}

TEST(SetValue, BeginsTablesThatAreLeftOut) {
  SceneSpec scene = make_scene();
  set(scene, "run.step", 1e-3);
  EXPECT_EQ(scene.run.step, 1e-3);
  set(scene, "contact_default.relaxation_time", 0.5);
  ASSERT_TRUE(scene.contact_default.has_value());
  EXPECT_EQ(scene.contact_default->relaxation_time, 0.5);
  const InputError error = find_error(scene, "contact_default.friction.mu", 0.5);
  EXPECT_NE(std::string(error.what()).find("unknown key 'mu'"), std::string::npos) << error.what();
  set(scene, "contact_default.friction.law", "coulomb");
  set(scene, "contact_default.friction.mu", 0.5);
  EXPECT_EQ(std::get<CoulombSpec>(scene.contact_default->friction->law).mu, 0.5);
}

TEST(SetValue, ExchangesLawsThatTakeWhatIsGiven) {
  SceneSpec scene = make_scene();
  set(scene, "contact[0].friction.mu_s", 0.6);
  set(scene, "contact[0].friction.mu_c", 0.5);
  set(scene, "contact[0].friction.law", "bristle");
  EXPECT_EQ(std::get<BristleSpec>(scene.contact[0].friction->law).mu_s, 0.6);
  EXPECT_EQ(std::get<BristleSpec>(scene.contact[0].friction->law).mu_c, 0.5);
  const InputError error = find_error(scene, "contact[0].friction.law", "lugre");
  EXPECT_NE(std::string(error.what()).find("does not take 'mu_c'"), std::string::npos) << error.what();
}

TEST(SetValue, SaysWhatIsAllowed) {
  const SceneSpec scene = make_scene();
  const InputError key = find_error(scene, "body.ball.mas", 1.0);
  EXPECT_NE(std::string(key.what()).find("Did you mean 'mass'?"), std::string::npos) << key.what();
  ASSERT_EQ(key.mistakes().size(), 1u);
  EXPECT_EQ(key.mistakes()[0].found, "mas");
  EXPECT_EQ(key.mistakes()[0].file, "body.ball.mas = 1");

  const InputError range = find_error(scene, "body.ball.mass", -2.0);
  EXPECT_STREQ(range.what(), "body.ball.mass = -2: mass must be > 0 kg, found -2 in [[body]] 'ball'");
  EXPECT_STREQ(find_error(scene, "body.ball.mass", "heavy").what(),
               "body.ball.mass = \"heavy\": mass must be a number [kg], found \"heavy\" in [[body]] 'ball'");
  EXPECT_NE(std::string(find_error(scene, "run.method", "adaptve").what()).find("Did you mean 'adaptive'?"),
            std::string::npos);
  EXPECT_NE(std::string(find_error(scene, "body.bal.mass", 1.0).what()).find("Did you mean 'ball'?"),
            std::string::npos);
  EXPECT_NE(std::string(find_error(scene, "body[7].mass", 1.0).what()).find("There are 2: ball, the.floor."),
            std::string::npos);
  EXPECT_NE(std::string(find_error(scene, "gravity[3]", 1.0).what()).find("gravity[0] to gravity[2]"),
            std::string::npos);
  for (const char* path :
       {"", "body..mass", "body.ball", "body.ball.shape", "body.ball.mass.unit", "gravity.x", "body"})
    EXPECT_FALSE(std::string(find_error(scene, path, 1.0).what()).empty()) << path;
}

/// The reader has scaled and welded them.
TEST(SetValue, DropsTrianglesThatHaveToBeReadAgain) {
  SceneSpec scene = make_scene();
  MeshSpec mesh;
  mesh.file = "a.obj";
  mesh.data = std::make_shared<const MeshData>();
  scene.body[0].shape[0].type = mesh;
  set(scene, "body.ball.shape.smooth", true);
  EXPECT_NE(std::get<MeshSpec>(scene.body[0].shape[0].type).data, nullptr);
  set(scene, "body.ball.shape.scale", 2.0);
  EXPECT_EQ(std::get<MeshSpec>(scene.body[0].shape[0].type).data, nullptr);
}

TEST(ScenePath, Splits) {
  EXPECT_EQ(split_path("contact[0].normal.\"odd.name\""),
            (std::vector<std::string>{"contact", "0", "normal", "odd.name"}));
  EXPECT_TRUE(split_path("a..b").empty());
  EXPECT_TRUE(split_path("a[").empty());
}

}  // namespace
}  // namespace abut
