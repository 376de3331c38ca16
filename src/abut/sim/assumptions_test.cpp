#include "abut/sim/assumptions.hpp"

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

bool notes_have(const SceneSpec& scene, const std::string& words) {
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  for (const std::string& note : summary.notes) {
    if (note.find(words) != std::string::npos) return true;
  }
  return false;
}

// A ball of 100 mm that hits the wall of a bore only 1 mm wider: long and thin, the patch wraps the ball at next to no
// depth. On a floor the same ball has a small round one; a capsule on its side touches along a line, and nothing
// conforms.
TEST(Assumptions, SurfacesThatConformAreTold) {
  SceneSpec scene;
  BodySpec hole = make_floor();
  hole.name = "hole";
  hole.shape = {make_shape_spec(BoreSpec{0.0505})};
  hole.rotation.emplace();
  hole.rotation->axis = Vec3::UnitX();
  hole.rotation->degrees = 90.0;
  scene.body = {make_ball("ball", 4.0, 0.05, Vec3::Zero(), Vec3(0, 0, -0.5)), hole};
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e9, 1.0)};
  scene.run.duration = 0.01;
  EXPECT_TRUE(notes_have(scene, "ball-hole: at "));
  EXPECT_TRUE(notes_have(scene, "the surfaces conform"));
  scene.body[1] = make_floor(Vec3::UnitZ(), -0.0505);
  EXPECT_FALSE(notes_have(scene, "conform"));
  scene.body[0].shape = {make_shape_spec(CapsuleSpec{0.05, 0.2})};
  scene.body[0].rotation.emplace();
  scene.body[0].rotation->axis = Vec3::UnitX();
  scene.body[0].rotation->degrees = 90.0;
  EXPECT_FALSE(notes_have(scene, "conform"));
}

// A cube of 50 mm that is far inside one of 2 m after the last step: no curve is left to push it out.
TEST(Assumptions, ABodyThatEndsInsideAnotherIsTold) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = scene.run.duration = 1e-3;
  BodySpec large = make_box("large", 1.0, Vec3::Constant(2.0), Vec3::Zero());
  large.mass.reset();
  large.fixed = true;
  scene.body = {make_box("small", 1.0, Vec3::Constant(0.05), Vec3(0, 0, 1.1), Vec3(0, 0, -500)), large};
  scene.contact = {make_perimeter_contact(NormalSpec::Law::flores, 1e7, 0.5)};
  EXPECT_TRUE(notes_have(scene, "'small' (size 0.0866 m) ends inside 'large'"));
  scene.body[0].velocity.z() = -10.0;
  EXPECT_FALSE(notes_have(scene, "ends inside"));
}

}  // namespace
}  // namespace abut
