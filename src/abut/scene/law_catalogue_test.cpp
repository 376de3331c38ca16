#include "abut/scene/law_catalogue.hpp"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

namespace abut {
namespace {

const std::string kDocs = ABUT_SOURCE_DIR "/docs/";

std::string read_page(const std::string& name) {
  std::ifstream file(kDocs + name);
  EXPECT_TRUE(file.good()) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Between the lines that mark a generated part stands `text`; puts it there when ABUT_UPDATE_DOCS is set.
void expect_part(const std::string& name, const std::string& part, const std::string& text) {
  const std::string page = read_page(name);
  const std::size_t mark = page.find("<!-- " + part + ": begin");
  const std::size_t end = page.find("<!-- " + part + ": end", mark);
  ASSERT_NE(mark, std::string::npos) << name << " has no part " << part;
  ASSERT_NE(end, std::string::npos) << name << " has no part " << part;
  const std::size_t begin = page.find('\n', mark) + 1;
  if (std::getenv("ABUT_UPDATE_DOCS") != nullptr) {
    std::ofstream(kDocs + name) << page.substr(0, begin) + text + page.substr(end);
    return;
  }
  EXPECT_EQ(page.substr(begin, end - begin), text) << name << " is out of date; run with ABUT_UPDATE_DOCS=1";
}

TEST(LawCatalogue, PagesContainTheKeysOfTheirLaws) {
  for (const LawEntry& law : law_catalogue()) {
    const std::string table = make_key_table(law);
    if (!table.empty()) expect_part(find_law_page(law.text), "keys", table);
  }
}

TEST(LawCatalogue, OverviewListsTheLaws) {
  for (const char* family : {"normal", "friction"}) expect_part("theory/README.md", family, make_law_table(family));
}

TEST(LawCatalogue, FrontPageNamesEveryLaw) {
  const std::string page = read_page("../README.md");
  for (const char* family : {"normal", "friction"}) {
    const std::size_t begin = page.find(std::string("| ") + family + " laws | ");
    ASSERT_NE(begin, std::string::npos);
    const std::string line = page.substr(begin, page.find('\n', begin) - begin);
    for (const LawEntry& law : law_catalogue()) {
      if (law.family != std::string(family)) continue;
      EXPECT_NE(line.find(law.text.name), std::string::npos) << law.text.name;
    }
  }
}

TEST(LawCatalogue, LeavesNothingBlank) {
  std::set<std::string> names;
  for (const LawEntry& law : law_catalogue()) {
    EXPECT_TRUE(names.insert(law.text.name).second) << law.text.name;
    for (const char* text : {law.text.doc, law.text.equation, law.text.limits, law.text.source})
      EXPECT_NE(std::string(text), "") << law.text.name;
    std::set<std::string> keys;
    for (const LawKey& key : law.keys) {
      EXPECT_TRUE(keys.insert(key.key).second) << law.text.name << " " << key.key;
      for (const std::string* text : {&key.unit, &key.range, &key.otherwise, &key.doc})
        EXPECT_FALSE(text->empty()) << law.text.name << " " << key.key;
    }
  }
  EXPECT_EQ(find_law("dahl"), nullptr);
}

TEST(LawCatalogue, RowsNarrowTheFieldsThatLawsShare) {
  const auto find_key = [](const char* law, const std::string& key) {
    for (const LawKey& found : find_law(law)->keys) {
      if (found.key == key) return found;
    }
    return LawKey{};
  };
  EXPECT_EQ(find_key("lee-wang", "exponent").range, ">= 1, <= 5");
  EXPECT_EQ(find_key("kelvin-voigt", "exponent").otherwise, "1");
  EXPECT_EQ(find_key("azad-featherstone", "damping").unit, "N s/m^1.5");
  EXPECT_EQ(find_key("kelvin-voigt", "damping").unit, "N s/m");
  EXPECT_EQ(find_key("flores", "restitution").range, "> 0, <= 1");
  EXPECT_EQ(find_key("gonthier", "restitution").otherwise, "another form");
  EXPECT_EQ(find_key("hertz", "restitution").key, "");
  EXPECT_EQ(find_key("lee-wang", "thickness").key, "");
  EXPECT_EQ(find_key("lugre", "mu_s").range, ">= mu_d");
  EXPECT_EQ(find_key("bristle", "sigma_2").otherwise, "0");
}

}  // namespace
}  // namespace abut
