#include "abut/scene/scene_digest.hpp"

#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "abut/math/mesh_data.hpp"

namespace abut {
namespace {

SceneSpec make_scene() {
  SceneSpec scene;
  scene.run.duration = 1.0;
  BodySpec body;
  body.name = "stone";
  body.mass = 2.0;
  ShapeSpec shape;
  MeshSpec mesh;
  mesh.file = "stone.obj";
  mesh.data = std::make_shared<const MeshData>(
      MeshData{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {{0, 2, 1}, {0, 1, 3}}});
  shape.type = mesh;
  body.shape = {shape};
  scene.body = {body};
  ContactSpec contact;
  contact.between = {"stone", "*"};
  contact.normal.emplace();
  contact.normal->stiffness = 1e6;
  scene.contact = {contact};
  return scene;
}

TEST(SceneDigest, EachChangeMakesAnother) {
  const std::vector<std::function<void(SceneSpec&)>> changes = {
      [](SceneSpec& s) { s.gravity.z() = std::nextafter(s.gravity.z(), 0.0); },
      [](SceneSpec& s) { s.run.method = RunSpec::Method::lcp; },
      [](SceneSpec& s) { s.run.tolerance = 1e-7; },
      [](SceneSpec& s) { s.body[0].name = "rock"; },
      [](SceneSpec& s) { s.body[0].mass.reset(); },
      [](SceneSpec& s) { s.body[0].density = 2.0; },
      [](SceneSpec& s) {
        s.body[0].inertia = InertiaSpec{{1.0, 1.0, 1.0}};
      },
      [](SceneSpec& s) { s.body.push_back(s.body[0]); },
      [](SceneSpec& s) { s.body[0].shape[0].type = SphereSpec{1.0}; },
      [](SceneSpec& s) { s.contact[0].normal->stiffness = 1.0000001e6; },
      [](SceneSpec& s) { s.contact[0].normal->law = NormalSpec::Law::flores; },
      [](SceneSpec& s) { s.contact[0].region = ContactSpec::Region::volume; },
      [](SceneSpec& s) {
        MeshData moved = *std::get<MeshSpec>(s.body[0].shape[0].type).data;
        moved.vertices[3].z() = 1.1;
        std::get<MeshSpec>(s.body[0].shape[0].type).data = std::make_shared<const MeshData>(moved);
      }};
  std::set<std::uint64_t> found = {calc_digest(make_scene())};
  for (const auto& change : changes) {
    SceneSpec scene = make_scene();
    change(scene);
    found.insert(calc_digest(scene));
  }
  EXPECT_EQ(found.size(), changes.size() + 1);
}

TEST(SceneDigest, KnowsNoTitleNoEndAndNoFileNames) {
  SceneSpec scene = make_scene();
  scene.title = "another";
  scene.run.duration = 9.0;
  scene.run.threads = 3;
  std::get<MeshSpec>(scene.body[0].shape[0].type).file = "elsewhere/stone.obj";
  scene.body[0].where = {"scene.toml", 3, 4, 5};
  EXPECT_EQ(calc_digest(scene), calc_digest(make_scene()));
}

}  // namespace
}  // namespace abut
