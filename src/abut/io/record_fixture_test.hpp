#pragma once

#include <filesystem>
#include <string>

#include <unistd.h>

#include "abut/scene/record.hpp"

namespace abut {

/// A small run with two bodies, one joint and a contact at every other sample, for the tests of recorders.
inline RecordLayout make_test_layout() {
  RecordLayout layout;
  layout.title = "caf\xC3\xA9";
  layout.version = "0.1.0";
  layout.scene_text = "title = \"x\"\n";
  layout.body_names = {"ball, \"big\"", "floor"};
  layout.joint_names = {"hinge"};
  layout.joint_q_start = {1};
  layout.joint_num_q = {2};
  layout.joint_v_start = {1};
  layout.joint_num_v = {1};
  layout.energy_names = {"kinetic", "damping"};
  layout.contact_kinds = kVolumetric | kPerimetric;
  auto mesh = std::make_shared<MeshData>();
  mesh->vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 2, 0)};
  mesh->triangles = {{0, 1, 2}};
  layout.meshes = {{"part.obj", 0.001, mesh}};
  return layout;
}

inline Sample make_test_sample(int index) {
  const double t = 0.1 * index;
  Sample sample;
  sample.time = t;
  sample.bodies.resize(2);
  sample.bodies[0].position = Vec3(t, 2.0 * t, 3.0 * t);
  sample.bodies[0].orientation = Quat(0.6, 0.8, 0.0, 0.0);
  sample.bodies[0].velocity = Vec3(1.0, 2.0, 3.0);
  sample.bodies[1].angular_velocity = Vec3(-1.0, 0.0, t);
  sample.q = {t, t + 1.0, t + 2.0};
  sample.v = {10.0 * t, 10.0 * t + 1.0};
  sample.joint_force = {0.0, -t};
  sample.energy = {t * t, -t};
  if (index % 2 == 1) {
    ContactSample contact;
    contact.body_a = 0;
    contact.body_b = 1;
    contact.patch = index;
    contact.depth = 1e-3 * index;
    contact.force = Vec3(0.5, 0.0, 9.0);
    contact.sticking = true;
    contact.volume = 2e-6 * index;
    contact.torque = Vec3(0.0, 0.0, -0.1);
    contact.perimeter = 0.25 * index;
    sample.contacts = {contact, contact};
    sample.contacts[1].curve = {{Vec3(t, 0.0, 1.0), Vec3(t, 2.0, 1.0)}, {Vec3(t, 2.0, 1.0), Vec3(0.0, 0.0, 3.0)}};
    sample.contacts[1].body_a = 1;
    sample.contacts[1].body_b = 0;
  }
  return sample;
}

/// An empty folder of this process, removed afterwards: tests of one program run side by side.
class TestFolder {
 public:
  explicit TestFolder(const std::string& path) : path_(path + "_" + std::to_string(::getpid())) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace abut
