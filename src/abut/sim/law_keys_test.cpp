// What `abut models` lists and what the reader of scenes takes, key by key.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "abut/contact/law/catalogue.hpp"
#include "abut/scene/friction_spec.hpp"
#include "abut/scene/normal_spec.hpp"

namespace abut {
namespace {

std::set<std::string> list_catalogue_keys(const std::string& law) {
  std::set<std::string> keys;
  for (const LawParameterInfo& parameter : find_law(law)->parameters) keys.insert(parameter.key);
  return keys;
}

TEST(LawKeys, ModelsListWhatTheReaderTakesOfNormalLaws) {
  for (const auto& [law, name] : EnumNames<NormalSpec::Law>::values) {
    std::set<std::string> taken;
    for (const std::string& key : normal_law_keys(law)) taken.insert(key);
    for (const char* key : {"law", "stiffness_b", "thickness", "thickness_b"}) taken.erase(key);  // of other regions
    EXPECT_EQ(list_catalogue_keys(std::string(name)), taken) << name;
  }
}

/// Keys of a specification, as the reader goes through them.
struct KeyVisitor {
  std::set<std::string> keys;
  template <class Value>
  void operator()(const Value&, const FieldInfo& info) {
    keys.insert(info.key);
  }
};

template <class Spec>
std::set<std::string> list_spec_keys() {
  KeyVisitor visitor;
  const Spec spec;
  visit_fields(visitor, spec);
  visitor.keys.erase("law");
  return visitor.keys;
}

TEST(LawKeys, ModelsListWhatTheReaderTakesOfFrictionLaws) {
  EXPECT_EQ(list_catalogue_keys("coulomb"), list_spec_keys<CoulombSpec>());
  EXPECT_EQ(list_catalogue_keys("lugre"), list_spec_keys<LugreSpec>());
  EXPECT_EQ(list_catalogue_keys("bristle"), list_spec_keys<BristleSpec>());
}

TEST(LawKeys, WhatIsCalledADefaultIsANumberOrARule) {
  // Stiffness and restitution have none: the reader says that they are missing.
  for (const LawInfo& law : law_catalogue()) {
    for (const LawParameterInfo& parameter : law.parameters) {
      if (parameter.key == "restitution") {
        EXPECT_EQ(parameter.otherwise.find_first_of("0123456789"), std::string::npos) << law.name;
      }
      if (parameter.key == "poisson") {
        EXPECT_EQ(parameter.otherwise, "stiffness is given") << law.name;
      }
    }
  }
}

}  // namespace
}  // namespace abut
