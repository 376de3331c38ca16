#include "abut/scene/method_list.hpp"

#include <set>

#include <gtest/gtest.h>

#include "abut/scene/scene_spec.hpp"

namespace abut {
namespace {

TEST(MethodList, TellsMethodsApart) {
  std::set<std::string> names;
  std::set<char> letters;
  for (const MethodTraits& method : kMethods) {
    EXPECT_TRUE(names.insert(method.name).second) << method.name;
    EXPECT_TRUE(letters.insert(method.letter).second) << method.name;
    EXPECT_EQ(find_method(method.name), &method);
    EXPECT_EQ(find_method_of_table(method.table), method.table[0] == '\0' ? nullptr : &method);
  }
  EXPECT_EQ(find_method("rk4"), nullptr);
  EXPECT_EQ(find_method_of_table(""), nullptr);
}

TEST(MethodList, KeysOfRunSayWhatTheRowsSay) {
  EXPECT_EQ(run_docs().step,
            "Fixed step; required with explicit, lcp and ncp; 0.001 with micro unless given; refused with adaptive.");
  EXPECT_EQ(run_docs().integrator,
            "With adaptive: auto, rk, radau, bdf, adams. With explicit: euler, semi-implicit-euler, heun, rk3, rk4, "
            "rk5; auto means rk4.");
}

TEST(MethodList, IntegratorsBringTheirMethodAlong) {
  EXPECT_EQ(method_of(IntegratorKind::radau), MethodKind::adaptive);
  EXPECT_EQ(method_of(IntegratorKind::rk5), MethodKind::explicit_);
  for (const MethodTraits& method : kMethods) {
    EXPECT_TRUE(is_integrator_of(method.kind, IntegratorKind::automatic)) << method.name;
    EXPECT_EQ(is_integrator_of(method.kind, IntegratorKind::heun), method.kind == MethodKind::explicit_);
  }
}

TEST(MethodList, WhatActsOfTheLawsFollowsTheSettings) {
  SceneSpec scene;
  EXPECT_EQ(find_law_use(scene), LawUse::all);
  scene.run.method = MethodKind::lcp;
  EXPECT_EQ(find_law_use(scene), LawUse::coefficients);
  scene.lcp.normal = LcpSpec::Normal::compliant;
  EXPECT_EQ(find_law_use(scene), LawUse::all);
  scene.run.method = MethodKind::ncp;
  EXPECT_EQ(find_law_use(scene), LawUse::friction);
}

}  // namespace
}  // namespace abut
