#include "abut/sim/method_advice.hpp"

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

SceneSpec make_scene(RunSpec::Method method) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 2.0, 0.1, Vec3(0, 0, 0.6)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  scene.run.duration = 1.0;
  scene.run.method = method;
  scene.run.step = 1e-3;
  return scene;
}

MethodAdvice advise(const SceneSpec& scene) {
  const Model model = compile(scene);
  return make_method_advice(model, make_contact_advice(model));
}

const ResolvedValue* find(const MethodAdvice& advice, const std::string& key) {
  for (const ResolvedValue& value : advice.values) {
    if (value.key == key) return &value;
  }
  return nullptr;
}

TEST(MethodAdvice, TheDefaultThresholdIsSafeForTheStep) {
  SceneSpec scene = make_scene(RunSpec::Method::lcp);
  const MethodAdvice advice = advise(scene);
  ASSERT_NE(find(advice, "v_threshold"), nullptr);
  EXPECT_NEAR(find(advice, "v_threshold")->value, 2.0 * 9.81e-3, 1e-15);
  EXPECT_TRUE(advice.warnings.empty());
  EXPECT_FALSE(compile(scene).uses_normal_laws());
}

TEST(MethodAdvice, WarnsOfAThresholdThatLetsRollingContactsCreep) {
  SceneSpec scene = make_scene(RunSpec::Method::lcp);
  scene.lcp.v_threshold = 1e-3;
  ASSERT_EQ(advise(scene).warnings.size(), 1u);
  EXPECT_NE(advise(scene).warnings[0].find("such contacts creep"), std::string::npos) << advise(scene).warnings[0];
  // It is the step that makes it unsafe.
  scene.run.step = 1e-4;
  EXPECT_TRUE(advise(scene).warnings.empty());
}

TEST(MethodAdvice, WarnsOfLayersThatCannotCarryOrAreNotResolved) {
  SceneSpec scene = make_scene(RunSpec::Method::ncp);
  scene.ncp.stiffness = Vec3(1e3, 1e3, 1e3);
  scene.ncp.max_deflection = 0.01;
  // 19.62 N over 1e3 N/m are 20 mm.
  ASSERT_EQ(advise(scene).warnings.size(), 1u);
  EXPECT_NE(advise(scene).warnings[0].find("the core carries the rest"), std::string::npos);
  // It falls 0.5 m: 3.13 m/s, and sqrt(m / k) v = 44 mm on 1e4 N/m.
  scene.ncp.stiffness = Vec3(1e4, 1e4, 1e4);
  ASSERT_EQ(advise(scene).warnings.size(), 1u);
  EXPECT_NE(advise(scene).warnings[0].find("the core will take"), std::string::npos);
  scene.ncp.max_deflection = 0.1;
  EXPECT_TRUE(advise(scene).warnings.empty());
  scene.run.step = 0.02;
  ASSERT_EQ(advise(scene).warnings.size(), 1u);
  EXPECT_NE(advise(scene).warnings[0].find("does not resolve the layer"), std::string::npos);
}

TEST(MethodAdvice, WarnsOfAnOverlapThatThrowsBodiesApart) {
  const auto tells = [](const SceneSpec& scene) {
    for (const std::string& warning : advise(scene).warnings) {
      if (warning.find("thrown apart") != std::string::npos) return true;
    }
    return false;
  };
  for (const RunSpec::Method method : {RunSpec::Method::lcp, RunSpec::Method::ncp}) {
    SceneSpec scene = make_scene(method);
    scene.body[0].position.z() = 0.08;  // 2 cm deep
    EXPECT_TRUE(tells(scene));
    scene.ncp.max_deflection = 0.03;  // a layer that takes it
    EXPECT_EQ(tells(scene), method == RunSpec::Method::lcp);
    scene.body[0].position.z() = 0.1;
    EXPECT_FALSE(tells(scene));
  }
}

TEST(MethodAdvice, HardContactsNeedNoNormalLaw) {
  SceneSpec scene = make_scene(RunSpec::Method::lcp);
  scene.contact[0].normal.reset();
  MemorySink sink;
  ASSERT_EQ(simulate(compile(scene), sink).status, RunStatus::done);
  // It falls 0.5 m and stays: no rebound.
  EXPECT_EQ(sink.events_of(ContactEventKind::touch).size(), 1u);
  EXPECT_NEAR(sink.samples.back().bodies[0].position.z(), 0.1, 1e-9);
}

TEST(MethodAdvice, SaysNothingOfMethodsThatUseTheLaws) {
  SceneSpec scene = make_scene(RunSpec::Method::adaptive);
  scene.run.step.reset();
  EXPECT_TRUE(advise(scene).is_empty());
  EXPECT_TRUE(compile(scene).uses_normal_laws());
}

}  // namespace
}  // namespace abut
