#include "abut/io/scene_schema.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace abut {
namespace {

using Json = nlohmann::json;

Json schema() { return Json::parse(make_scene_schema()); }

TEST(SceneSchema, DescribesNumbersWithLimitsAndUnits) {
  const Json run = schema()["properties"]["run"];
  const Json& duration = run["properties"]["duration"];
  EXPECT_EQ(duration["type"], "number");
  EXPECT_EQ(duration["exclusiveMinimum"], 0.0);
  EXPECT_EQ(duration["maximum"], 1e9);
  EXPECT_TRUE(duration["description"].get<std::string>().ends_with(" [s]"));
  EXPECT_EQ(run["properties"]["tolerance"]["maximum"], 0.1);
  EXPECT_EQ(run["properties"]["threads"]["type"], "integer");
  EXPECT_EQ(run["required"], Json::parse(R"(["duration"])"));
  EXPECT_EQ(run["additionalProperties"], false);
}

TEST(SceneSchema, ListsWordsOfThisVersionOnly) {
  const Json properties = schema()["properties"];
  EXPECT_EQ(properties["run"]["properties"]["method"]["enum"],
            Json::parse(R"(["adaptive", "explicit", "lcp", "ncp", "micro"])"));
  EXPECT_EQ(properties["contact"]["items"]["properties"]["region"]["enum"],
            Json::parse(R"(["point", "volume", "perimeter"])"));
}

TEST(SceneSchema, GivesEachShapeItsOwnForm) {
  const Json body = schema()["properties"]["body"];
  EXPECT_EQ(body["minItems"], 1);
  const Json forms = body["items"]["properties"]["shape"]["oneOf"][0]["oneOf"];
  ASSERT_EQ(forms.size(), 17u);
  EXPECT_EQ(forms[0]["properties"]["type"]["const"], "sphere");
  EXPECT_EQ(forms[0]["required"], Json::parse(R"(["type", "radius"])"));
  EXPECT_TRUE(forms[0]["properties"].contains("rotation"));
  EXPECT_FALSE(forms[0]["properties"].contains("size"));
  EXPECT_EQ(forms[2]["properties"]["size"]["minItems"], 3);
  EXPECT_EQ(forms[12]["properties"]["type"]["const"], "superquadric");
  EXPECT_EQ(forms[12]["properties"]["exponent"]["minimum"], 2);
  EXPECT_EQ(forms[12]["properties"]["exponent"]["maximum"], 10);
  // Parts of an intersection are smooth and convex.
  const Json parts = forms[13]["properties"]["part"]["items"]["oneOf"];
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[3]["properties"]["type"]["const"], "half-space");
}

TEST(SceneSchema, NamesBothSpellingsOfTheDefaultContact) {
  const Json properties = schema()["properties"];
  EXPECT_EQ(properties["contact_default"], properties["contact-default"]);
  EXPECT_EQ(schema()["required"], Json::parse(R"(["run"])"));
  EXPECT_EQ(schema()["anyOf"], Json::parse(R"([{"required": ["body"]}, {"required": ["robot"]}])"));
}

}  // namespace
}  // namespace abut
