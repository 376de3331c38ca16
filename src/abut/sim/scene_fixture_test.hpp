#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/scene/record.hpp"
#include "abut/scene/scene_spec.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"

namespace abut {

/// Small scenes and a sink that remembers, shared by the tests of this layer.

class MemorySink : public RecordSink {
 public:
  void begin(const RecordLayout&) override {}
  void sample(const Sample& sample) override { samples.push_back(sample); }
  void event(const ContactEvent& event) override { events.push_back(event); }
  void finish(const std::string&) override {}

  std::vector<ContactEvent> events_of(ContactEventKind kind) const {
    std::vector<ContactEvent> found;
    for (const ContactEvent& event : events) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }

  std::vector<Sample> samples;
  std::vector<ContactEvent> events;
};

inline ShapeSpec make_shape_spec(ShapeVariant type, const Vec3& position = Vec3::Zero()) {
  ShapeSpec shape;
  shape.type = std::move(type);
  shape.position = position;
  return shape;
}

inline BodySpec make_ball(const std::string& name, double mass, double radius, const Vec3& position,
                          const Vec3& velocity = Vec3::Zero()) {
  BodySpec ball;
  ball.name = name;
  ball.mass = mass;
  ball.shape.push_back(make_shape_spec(SphereSpec{radius}));
  ball.position = position;
  ball.velocity = velocity;
  return ball;
}

inline BodySpec make_box(const std::string& name, double mass, const Vec3& size, const Vec3& position,
                         const Vec3& velocity = Vec3::Zero()) {
  BodySpec box = make_ball(name, mass, 1.0, position, velocity);
  box.shape = {make_shape_spec(BoxSpec{size})};
  return box;
}

inline BodySpec make_mesh_body(const std::string& name, double mass, MeshData data, const Vec3& position) {
  MeshSpec mesh;
  mesh.file = name;
  mesh.data = std::make_shared<const MeshData>(std::move(data));
  BodySpec body = make_ball(name, mass, 1.0, position);
  body.shape = {make_shape_spec(mesh)};
  return body;
}

inline BodySpec make_floor(const Vec3& normal = Vec3::UnitZ(), double offset = 0.0) {
  BodySpec floor;
  floor.name = "floor";
  floor.fixed = true;
  floor.shape.push_back(make_shape_spec(HalfSpaceSpec{normal, offset}));
  return floor;
}

inline ContactSpec make_contact(NormalSpec::Law law, double stiffness, double restitution) {
  ContactSpec contact;
  contact.between = {"*", "*"};
  contact.normal.emplace();
  contact.normal->law = law;
  contact.normal->stiffness = stiffness;
  if (law != NormalSpec::Law::hertz) contact.normal->restitution = restitution;
  return contact;
}

inline ContactSpec make_perimeter_contact(NormalSpec::Law law, double young, double restitution) {
  ContactSpec contact = make_contact(law, 1.0, restitution);
  contact.region = ContactSpec::Region::perimeter;
  contact.normal->stiffness.reset();
  contact.normal->young = young;
  contact.normal->poisson = 0.3;
  return contact;
}

inline void add_coulomb(ContactSpec& contact, double mu) {
  contact.friction.emplace();
  CoulombSpec law;
  law.mu = mu;
  contact.friction->law = law;
}

inline void add_lugre(ContactSpec& contact, double mu) {
  LugreSpec lugre;
  lugre.mu_s = lugre.mu_d = mu;
  contact.friction.emplace().law = lugre;
}

inline void add_bristle(ContactSpec& contact, double mu) {
  contact.friction.emplace();
  BristleSpec bristle;
  bristle.mu_c = mu;
  contact.friction->law = bristle;
}

/// Kinetic, gravitational and elastic energy, and that of bristles and springs [J].
inline double calc_stored(const Sample& sample) {
  double sum = 0.0;
  for (int i = 0; i < 5; ++i) sum += sample.energy[i];
  return sum;
}

/// What compile() says against a scene; empty if nothing.
inline std::string message_of(const SceneSpec& scene) {
  try {
    compile(scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A ball that hits a floor without gravity, once.
inline SceneSpec make_impact(NormalSpec::Law law, double restitution, double speed) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.body = {make_ball("ball", 0.5, 0.05, Vec3(0, 0, 0.05 + 1e-4), Vec3(0, 0, -speed)), make_floor()};
  scene.contact = {make_contact(law, 1e8, restitution)};
  // To the floor, and back out of it at the rebound speed from the depth (m v^2 / k)^(2/5), with room to spare.
  const double depth = std::pow(0.5 * speed * speed / 1e8, 0.4);
  scene.run.duration = 1e-4 / speed + 5.0 * depth / speed + 3.0 * depth / (restitution * speed);
  return scene;
}

}  // namespace abut
