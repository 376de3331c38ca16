// Perimeter contact depends neither on which body is named first nor on handedness.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

/// A box thrown with spin onto a larger one that moves too, both over a floor.
SceneSpec make_scene() {
  BodySpec small = make_box("small", 1.0, Vec3(0.12, 0.1, 0.08), Vec3(0.02, 0.03, 0.26));
  small.orientation = Quat(0.9, 0.2, -0.3, 0.1).normalized();
  small.velocity = Vec3(0.3, -0.2, 0);
  small.angular_velocity = Vec3(1, 2, -3);
  const BodySpec large = make_box("large", 3.0, Vec3(0.3, 0.25, 0.15), Vec3(0, 0, 0.0749));
  ContactSpec contact = make_perimeter_contact(NormalSpec::Law::gonthier, 1e6, 0.5);
  add_lugre(contact, 0.4);
  SceneSpec scene;
  scene.gravity = Vec3(0, 0, -9.81);
  scene.body = {small, large, make_floor()};
  scene.contact = {contact};
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = 2e-4;
  scene.run.duration = 0.35;
  return scene;
}

BodySample run_body(const SceneSpec& scene, const std::string& name) {
  MemorySink sink;
  simulate(compile(scene), sink);
  for (std::size_t i = 0; i < scene.body.size(); ++i) {
    if (scene.body[i].name == name) return sink.samples.back().bodies[i];
  }
  return {};
}

/// Impacts multiply rounding errors, by about a thousand each (measured: 1e-12 after two of them).
constexpr double kRounding = 1e-8;

TEST(PerimeterSymmetry, OrderOfBodiesDoesNotMatter) {
  const SceneSpec scene = make_scene();
  SceneSpec other = scene;
  std::reverse(other.body.begin(), other.body.end());
  for (const char* name : {"small", "large"}) {
    const BodySample a = run_body(scene, name), b = run_body(other, name);
    EXPECT_LT((a.position - b.position).norm(), kRounding) << name;
    EXPECT_LT((a.velocity - b.velocity).norm(), 1e3 * kRounding) << name;
  }
}

TEST(PerimeterSymmetry, MirroredScenesMirror) {
  const SceneSpec scene = make_scene();
  for (const int axis : {0, 1}) {
    SceneSpec other = scene;
    const auto mirror = [axis](Vec3 v) {
      v[axis] = -v[axis];
      return v;
    };
    for (BodySpec& body : other.body) {
      body.position = mirror(body.position);
      body.velocity = mirror(body.velocity);
      body.angular_velocity = -mirror(body.angular_velocity);
      if (body.orientation) {
        // An axial vector: the component along the axis stays, the others turn over.
        const Vec3 v = -mirror(body.orientation->vec());
        body.orientation = Quat(body.orientation->w(), v.x(), v.y(), v.z());
      }
    }
    for (const char* name : {"small", "large"}) {
      const BodySample a = run_body(scene, name), b = run_body(other, name);
      EXPECT_LT((a.position - mirror(b.position)).norm(), kRounding) << name << axis;
      EXPECT_LT((a.velocity - mirror(b.velocity)).norm(), 1e3 * kRounding) << name << axis;
    }
  }
}

}  // namespace
}  // namespace abut
