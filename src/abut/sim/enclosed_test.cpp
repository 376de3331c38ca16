// Bodies that start wholly inside others.

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

BodySpec make_block(ShapeVariant shape) {
  BodySpec block = make_ball("block", 1.0, 1.0, Vec3::Zero());
  block.shape = {make_shape_spec(std::move(shape))};
  block.mass.reset();
  block.fixed = true;
  return block;
}

SceneSpec make_scene(const BodySpec& inner, const BodySpec& outer, RunSpec::Method method, ContactSpec::Region region) {
  SceneSpec scene;
  scene.body = {inner, outer};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  scene.contact[0].region = region;
  scene.run.method = method;
  scene.run.step = 1e-3;
  scene.run.duration = 1e-3;
  return scene;
}

// Under whatever region and method: nothing tells on which side of the other one such a body belongs.
TEST(Enclosed, ABodyWhollyInsideAnotherIsRefused) {
  using Method = RunSpec::Method;
  using Region = ContactSpec::Region;
  const BodySpec ball = make_ball("ball", 1.0, 0.1, Vec3(0, 0, -0.3));
  const BodySpec crate = make_box("crate", 1.0, Vec3(0.1, 0.1, 0.1), Vec3(0.05, 0, -0.3));
  const BodySpec floor = make_floor(), box = make_block(BoxSpec{Vec3(2, 2, 2)});
  for (const auto& [inner, outer, method, region] :
       {std::tuple(ball, floor, Method::adaptive, Region::point),
        {ball, floor, Method::explicit_, Region::volume},
        {ball, box, Method::adaptive, Region::volume},
        {crate, box, Method::lcp, Region::point},
        {crate, floor, Method::lcp, Region::point},
        {ball, floor, Method::ncp, Region::point},
        {crate, make_block(CylinderSpec{1.0, 2.0}), Method::adaptive, Region::volume}}) {
    SceneSpec scene = make_scene(inner, outer, method, region);
    EXPECT_NE(message_of(scene).find("starts wholly inside"), std::string::npos) << message_of(scene);
    EXPECT_NE(message_of(scene).find("'" + outer.name + "'"), std::string::npos) << message_of(scene);
    // Half in it, apart, and where the pair is excluded.
    scene.body[0].position.z() = outer.name == "floor" ? 0.0 : 1.0;
    EXPECT_EQ(message_of(scene), "");
    scene.body[0].position.z() = 3.0;
    EXPECT_EQ(message_of(scene), "");
    scene.body[0].position.z() = -0.3;
    scene.contact[0].enabled = false;
    EXPECT_EQ(message_of(scene), "");
  }
}

// In a hole, and of a body that is also elsewhere.
TEST(Enclosed, WhatIsInAHoleOrPartlyOutsideIsNot) {
  const BodySpec ball = make_ball("ball", 1.0, 0.1, Vec3::Zero());
  for (const ShapeVariant& shape : {ShapeVariant(BoreSpec{1.0}), ShapeVariant(CavitySpec{1.0})})
    EXPECT_EQ(message_of(make_scene(ball, make_block(shape), RunSpec::Method::adaptive, ContactSpec::Region::point)),
              "");
  BodySpec dumbbell = make_ball("dumbbell", 1.0, 0.1, Vec3(0, 0, -0.15));
  dumbbell.shape.push_back(make_shape_spec(SphereSpec{0.1}, Vec3(0, 0, 0.4)));
  EXPECT_EQ(message_of(make_scene(dumbbell, make_floor(), RunSpec::Method::adaptive, ContactSpec::Region::point)), "");
}

}  // namespace
}  // namespace abut
