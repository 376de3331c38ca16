#include "abut/contact/law/catalogue.hpp"

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "abut/contact/law/friction_defaults.hpp"
#include "abut/contact/law/normal_defaults.hpp"
#include "abut/contact/law/normal_law.hpp"

namespace abut {
namespace {

TEST(Catalogue, ListsEveryLawOnceInOrder) {
  const std::vector<LawInfo>& laws = law_catalogue();
  ASSERT_EQ(laws.size(), kAllNormalLaws.size() + 4);
  for (std::size_t i = 0; i < kAllNormalLaws.size(); ++i) {
    EXPECT_EQ(laws[i].name, normal_law_name(kAllNormalLaws[i]));
    EXPECT_EQ(laws[i].family, "normal");
  }
  std::set<std::string> names;
  for (const LawInfo& law : laws) EXPECT_TRUE(names.insert(law.name).second) << law.name;
  for (const char* name : {"none", "coulomb", "lugre", "bristle"}) {
    ASSERT_NE(find_law(name), nullptr);
    EXPECT_EQ(find_law(name)->family, "friction");
  }
  EXPECT_EQ(find_law("dahl"), nullptr);
}

TEST(Catalogue, LeavesNothingBlankAndPointsToAPage) {
  for (const LawInfo& law : law_catalogue()) {
    for (const std::string* text : {&law.equation, &law.purpose, &law.limits, &law.source})
      EXPECT_FALSE(text->empty()) << law.name;
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(ABUT_SOURCE_DIR) / "docs" / law.page)) << law.page;
    std::set<std::string> keys;
    for (const LawParameterInfo& p : law.parameters) {
      EXPECT_TRUE(keys.insert(p.key).second) << law.name << " " << p.key;
      for (const std::string* text : {&p.symbol, &p.unit, &p.range, &p.otherwise, &p.purpose}) {
        EXPECT_FALSE(text->empty()) << law.name << " " << p.key;
      }
    }
  }
}

std::set<std::string> keys_of(const char* law) {
  std::set<std::string> keys;
  for (const LawParameterInfo& p : find_law(law)->parameters) keys.insert(p.key);
  return keys;
}

template <class Values>
void expect_reported(const char* law, const Values& values) {
  for (const ResolvedValue& v : values) EXPECT_EQ(keys_of(law).count(v.key), 1u) << law << " " << v.key;
}

TEST(Catalogue, KnowsEveryParameterThatIsResolved) {
  BristleInput bristle;
  bristle.mu_c = 0.5;
  const Resolved<BristleParameters> resolved = resolve_bristle(bristle, 9.81);
  expect_reported("bristle", resolved.values);
  EXPECT_EQ(resolved.values.size() + 1, keys_of("bristle").size());  // regularisation is a word, not a value
  CoulombInput coulomb;
  coulomb.mu = 0.5;
  expect_reported("coulomb", resolve_coulomb(coulomb, 9.81).values);
  LugreInput lugre;
  lugre.mu_d = 0.5;
  expect_reported("lugre", resolve_lugre(lugre, 9.81).values);
  NormalInput normal;
  normal.young = 1e9;
  normal.restitution_slope = 0.1;
  expect_reported("gonthier", resolve_normal(normal).values);
}

}  // namespace
}  // namespace abut
