#include "abut/sim/combination.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "abut/sim/combination_page.hpp"
#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

TEST(Combination, IsTheSameInEitherOrder) {
  const std::vector<SampleShape> shapes = make_sample_shapes();
  for (const SampleShape& a : shapes) {
    for (const SampleShape& b : shapes) {
      for (const ContactRegion region : kContactRegions) {
        for (const ContactMethod method : kContactMethods) {
          EXPECT_EQ(find_obstacle({a.shape}, {b.shape}, region, method).empty(),
                    find_obstacle({b.shape}, {a.shape}, region, method).empty())
              << a.name << " and " << b.name;
        }
      }
    }
  }
}

TEST(CombinationLong, NamesAWayOutForEveryPair) {
  const std::vector<SampleShape> shapes = make_sample_shapes();
  for (const SampleShape& a : shapes) {
    for (const SampleShape& b : shapes) {
      for (const ContactRegion region : kContactRegions) {
        for (const ContactMethod method : kContactMethods) {
          if (find_obstacle({a.shape}, {b.shape}, region, method).empty()) continue;
          const std::string advice = suggest_instead({a.shape}, {b.shape}, region, method);
          const bool has_way = advice.starts_with("Use region") || advice.starts_with("Use method");
          EXPECT_TRUE(has_way || advice.starts_with("Give one of them")) << advice;
          // Two bodies that end always find some region and method.
          EXPECT_TRUE(has_way || !is_finite(a.shape) || !is_finite(b.shape) || a.name == "cell" || b.name == "cell")
              << a.name << " and " << b.name << ": " << advice;
        }
      }
    }
  }
}

TEST(Combination, PageIsTheOneInTheDocuments) {
  std::ifstream file(ABUT_SOURCE_DIR "/docs/combinations.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), make_combination_page()) << "abut models combinations > docs/combinations.md makes it anew";
}

SceneSpec make_crate_scene() {
  SceneSpec scene;
  scene.run.duration = 1.0;
  BodySpec floor = make_box("floor", 1.0, Vec3(4, 4, 0.2), Vec3(0, 0, -0.1));
  floor.fixed = true;
  scene.body = {make_box("crate", 10.0, Vec3(0.5, 0.5, 0.5), Vec3(0, 0, 0.5)), floor};
  scene.contact_default = make_contact(NormalSpec::Law::gonthier, 1e6, 0.3);
  return scene;
}

TEST(CheckPairs, SeesPairsOfOneClassAndOneShape) {
  const std::string message = message_of(make_crate_scene());
  EXPECT_NE(message.find("'crate' (box) and 'floor' (box)"), std::string::npos) << message;
  EXPECT_NE(message.find("Use region = \"volume\""), std::string::npos) << message;
}

TEST(CheckPairs, AsksEndlessAndFiniteShapesApart) {
  SceneSpec scene;
  scene.run.duration = 1.0;
  scene.body = {make_ball("roller1", 1.0, 0.1, Vec3(0, 0, 1)), make_ball("roller2", 1.0, 0.1, Vec3(3, 0, 1)),
                make_floor()};
  CylinderSpec finite, endless;
  finite.radius = endless.radius = 0.1;
  finite.length = 0.4;
  scene.body[0].shape = {make_shape_spec(finite)};
  scene.body[1].shape = {make_shape_spec(endless)};
  scene.body[1].inertia = InertiaSpec{{0.01, 0.01, 0.01}};
  ContactSpec contact = make_contact(NormalSpec::Law::gonthier, 1e6, 0.3);
  contact.between = {"roller*", "floor"};
  scene.contact = {contact};
  const std::string message = message_of(scene);
  EXPECT_NE(message.find("'roller2'"), std::string::npos) << message;
}

TEST(CheckPairs, LeavesOutPairsThatAJointExcludes) {
  SceneSpec scene = make_crate_scene();
  JointSpec joint;
  joint.name = "guide";
  joint.type = JointSpec::Type::prismatic;
  joint.parent = "floor";
  joint.child = "crate";
  joint.axis = Vec3::UnitZ();
  scene.joint = {joint};
  scene.body[0].position.setZero();
  EXPECT_EQ(message_of(scene), "");
}

TEST(CheckPairs, RefusesHertzStiffnessWhereACapsuleMayLie) {
  SceneSpec scene;
  scene.run.duration = 1.0;
  scene.body = {make_ball("rod", 1.0, 0.1, Vec3(0, 0, 1)), make_floor()};
  CapsuleSpec capsule;
  capsule.radius = 0.05;
  capsule.length = 0.4;
  scene.body[0].shape = {make_shape_spec(capsule)};
  ContactSpec contact = make_contact(NormalSpec::Law::gonthier, 1.0, 0.3);
  contact.normal->stiffness.reset();
  contact.normal->young = 1e9;
  contact.normal->poisson = 0.3;
  scene.contact = {contact};
  const std::string message = message_of(scene);
  EXPECT_NE(message.find("along a line"), std::string::npos) << message;
  EXPECT_NE(message.find("'rod' (capsule)"), std::string::npos) << message;
}

/// An arm of 0.5 m with a ball of 0.1 m at its end, hinged 0.45 m above the centre of a ball of `post` metres.
SceneSpec make_hinged_arm(double post) {
  SceneSpec scene;
  scene.run.duration = 1.0;
  scene.body = {make_ball("post", 1.0, post, Vec3::Zero()), make_ball("arm", 1.0, 0.1, Vec3::Zero())};
  scene.body[0].fixed = true;
  scene.body[1].shape = {make_shape_spec(SphereSpec{0.1}, Vec3(0.5, 0, 0))};
  scene.body[1].center_of_mass = Vec3(0.5, 0, 0);
  scene.body[1].inertia = InertiaSpec{{0.1, 0.1, 0.1}};
  JointSpec joint;
  joint.name = "hinge";
  joint.type = JointSpec::Type::revolute;
  joint.parent = "post";
  joint.child = "arm";
  joint.parent_position = Vec3(0, 0, 0.45);
  joint.axis = Vec3::UnitY();
  scene.joint = {joint};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.3)};
  return scene;
}

TEST(JointPairs, RunSaysWhereJoinedBodiesPassThroughEachOther) {
  MemorySink sink;
  const RunSummary through = simulate(compile(make_hinged_arm(0.2)), sink);
  ASSERT_EQ(through.notes.size(), 1u);
  EXPECT_NE(through.notes[0].find("'arm' and 'post' pass through each other"), std::string::npos) << through.notes[0];
  EXPECT_NE(through.notes[0].find("joint 'hinge' excludes"), std::string::npos) << through.notes[0];
  // Hinged 0.8 m above, the ends stay 0.8 - 0.5 - 0.1 - 0.02 = 0.18 m apart.
  SceneSpec beside = make_hinged_arm(0.02);
  beside.joint[0].parent_position = Vec3(0, 0, 0.8);
  EXPECT_TRUE(simulate(compile(beside), sink).notes.empty());
  // Named outright they touch.
  SceneSpec named = make_hinged_arm(0.2);
  named.contact[0].between = {"arm", "post"};
  const RunSummary strikes = simulate(compile(named), sink);
  for (const std::string& note : strikes.notes) EXPECT_EQ(note.find("hinge"), std::string::npos) << note;
  ASSERT_EQ(strikes.pairs.size(), 1u);
  EXPECT_GE(strikes.pairs[0].touches, 1);
}

}  // namespace
}  // namespace abut
