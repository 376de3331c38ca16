#include "abut/sim/long_wait.hpp"

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

SceneSpec make_stack() {
  SceneSpec scene;
  scene.body = {make_box("box", 1.0, Vec3(0.2, 0.2, 0.1), Vec3(0, 0, 0.05)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e8, 0.5)};
  scene.contact[0].region = ContactSpec::Region::volume;
  scene.run.duration = 1.0;
  return scene;
}

/// A method is that of the whole run: what takes the pair that waits is no help where another pair is refused.
TEST(LongWait, NamesWhatTakesEveryPairOfTheScene) {
  SceneSpec scene = make_stack();
  EXPECT_EQ(suggest_faster(compile(scene), 0), "region = \"point\" with method = \"lcp\"");
  BodySpec washer = make_box("washer", 1.0, Vec3(0.1, 0.1, 0.02), Vec3(0, 0, 0.12));
  CellSpec cell;
  cell.part.resize(2);
  cell.part[0].type = BoxSpec{Vec3(0.1, 0.1, 0.02)};
  cell.part[1].type = CylinderSpec{0.03, 0.1};
  cell.part[1].complement = true;
  washer.shape = {make_shape_spec(cell)};
  scene.body.push_back(washer);
  EXPECT_EQ(suggest_faster(compile(scene), 0), "method = \"explicit\" with the step that abut check gives");
}

}  // namespace
}  // namespace abut
