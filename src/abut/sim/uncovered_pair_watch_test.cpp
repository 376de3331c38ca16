#include "abut/sim/uncovered_pair_watch.hpp"

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

/// Two balls of 0.1 m side by side, 0.2 m above a floor that only entries which name it cover.
SceneSpec make_scene() {
  SceneSpec scene;
  scene.run.duration = 0.5;
  scene.body = {make_ball("left", 1.0, 0.1, Vec3(-0.5, 0, 0.3)), make_ball("right", 1.0, 0.1, Vec3(0.5, 0, 0.3)),
                make_floor()};
  return scene;
}

std::vector<std::string> run(const SceneSpec& scene) {
  MemorySink sink;
  return simulate(compile(scene), sink).notes;
}

TEST(UncoveredPairWatch, SaysThatBodiesWithoutARuleFallThrough) {
  const std::vector<std::string> notes = run(make_scene());
  ASSERT_EQ(notes.size(), 1u);
  // Both reach the floor after sqrt(2 * 0.2 / 9.81) = 0.202 s, seen at the next sample.
  EXPECT_NE(notes[0].find("'left' and 'floor' pass through each other from 0.2"), std::string::npos) << notes[0];
  EXPECT_NE(notes[0].find("and 1 more pairs"), std::string::npos) << notes[0];
  EXPECT_NE(notes[0].find("no [[contact]] covers them"), std::string::npos) << notes[0];
}

TEST(UncoveredPairWatch, NamesThePairThatAnEntryForgot) {
  SceneSpec scene = make_scene();
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e8, 0.5)};
  scene.contact[0].between = {"left", "floor"};
  const std::vector<std::string> notes = run(scene);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("'right' and 'floor'"), std::string::npos) << notes[0];
  EXPECT_EQ(notes[0].find("more pairs"), std::string::npos) << notes[0];
}

TEST(UncoveredPairWatch, IsSilentWhereNothingPassesThrough) {
  SceneSpec scene = make_scene();
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e8, 0.5)};
  scene.contact[0].between = {"*", "floor"};  // the balls have no rule for each other, and do not meet
  EXPECT_TRUE(run(scene).empty());
}

/// Convex solids tell no depth; a crate laid flush on its table, beside the middle, begins on it and not in it.
TEST(UncoveredPairWatch, SeesBoundedBodiesFallThroughEachOther) {
  BodySpec table = make_box("table", 1.0, Vec3(2, 2, 0.1), Vec3(0, 0, -0.05));
  table.fixed = true;
  for (const double height : {0.05, 0.25}) {
    SceneSpec scene = make_scene();
    scene.body = {make_box("crate", 1.0, Vec3(0.1, 0.1, 0.1), Vec3(0.7, 0.1, height)), table};
    const std::vector<std::string> notes = run(scene);
    ASSERT_EQ(notes.size(), 1u) << height;
    EXPECT_NE(notes[0].find("'crate' and 'table' pass through"), std::string::npos) << notes[0];
  }
}

/// An entry that is switched off covers its pair: meant so.
TEST(UncoveredPairWatch, IsSilentAboutPairsThatAreSwitchedOff) {
  SceneSpec scene = make_scene();
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e8, 0.5)};
  scene.contact[0].enabled = false;
  EXPECT_TRUE(run(scene).empty());
}

/// Fixed in each other by whoever drew them, or overlapping from the start: meant so.
TEST(UncoveredPairWatch, IsSilentAboutBodiesThatBeginInEachOther) {
  SceneSpec scene = make_scene();
  scene.gravity = Vec3::Zero();
  scene.body[1].position = Vec3(-0.45, 0, 0.3);
  EXPECT_TRUE(run(scene).empty());
}

}  // namespace
}  // namespace abut
