#include "abut/scene/contact_match.hpp"

#include <random>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// The definition itself, exponential but obviously right.
bool matches_by_definition(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    return matches_by_definition(pattern.substr(1), name) ||
           (!name.empty() && matches_by_definition(pattern, name.substr(1)));
  }
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
         matches_by_definition(pattern.substr(1), name.substr(1));
}

TEST(Glob, AgreesWithItsDefinition) {
  std::mt19937 random(3);
  int num_matches = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string pattern, name;
    for (auto k = random() % 6; k > 0; --k) pattern += "ab*?"[random() % 4];
    for (auto k = random() % 6; k > 0; --k) name += "ab"[random() % 2];
    ASSERT_EQ(matches_glob(pattern, name), matches_by_definition(pattern, name)) << pattern << " " << name;
    num_matches += matches_glob(pattern, name) ? 1 : 0;
  }
  EXPECT_GT(num_matches, 1000);
}

ContactSpec make_contact(const char* first, const char* second) {
  ContactSpec contact;
  contact.between = {first, second};
  contact.normal.emplace();
  return contact;
}

TEST(FindContact, LaterEntryHoldsAndOrderIsKept) {
  SceneSpec scene;
  scene.contact = {make_contact("ball*", "floor"), make_contact("floor", "ball2")};
  const ContactMatch one = find_contact(scene, "ball1", "floor").value();
  EXPECT_EQ(one.entry, 0);
  EXPECT_FALSE(one.swapped);
  EXPECT_FALSE(one.by_name);
  EXPECT_EQ(make_contact_name(scene, one), "ball*-floor");
  const ContactMatch two = find_contact(scene, "ball2", "floor").value();
  EXPECT_EQ(two.entry, 1);
  EXPECT_TRUE(two.swapped);
  EXPECT_TRUE(two.by_name);
  EXPECT_EQ(make_contact_name(scene, two), "floor-ball2");
  scene.contact[1].name = "special";
  EXPECT_EQ(make_contact_name(scene, two), "special");
  EXPECT_FALSE(find_contact(scene, "ball1", "ball2").has_value());
}

TEST(FindContact, DefaultCoversTheRestAndFillsIn) {
  SceneSpec scene;
  scene.contact = {make_contact("a", "b"), make_contact("a", "c")};
  scene.contact[1].normal.reset();
  scene.contact_default.emplace();
  scene.contact_default->normal.emplace().law = NormalSpec::Law::flores;
  scene.contact_default->friction.emplace().law = CoulombSpec{};
  const ContactMatch given = find_contact(scene, "a", "b").value();
  EXPECT_EQ(given.normal, &*scene.contact[0].normal);
  EXPECT_EQ(given.friction, &*scene.contact_default->friction);
  EXPECT_EQ(find_contact(scene, "a", "c")->normal, &*scene.contact_default->normal);
  const ContactMatch rest = find_contact(scene, "x", "y").value();
  EXPECT_EQ(rest.entry, -1);
  EXPECT_EQ(rest.settings, &*scene.contact_default);
  EXPECT_EQ(make_contact_name(scene, rest), "contact_default");
}

}  // namespace
}  // namespace abut
