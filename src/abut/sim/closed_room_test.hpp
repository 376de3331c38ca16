#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "abut/scene/record.hpp"
#include "abut/scene/scene_spec.hpp"
#include "abut/sim/energy.hpp"
#include "abut/sim/scene_fixture_test.hpp"

namespace abut {

/// Bodies of triangles thrown into a closed room under perimeter contact, and a sink that follows their energy: scenes
/// of the tests and of the benchmark that look at every step.

/// Of 1 kg, spinning and flying sideways at about 0.8 m/s.
inline BodySpec make_thrown(const std::string& name, const MeshData& data, const Vec3& position) {
  BodySpec body = make_mesh_body(name, 1.0, data, position);
  body.orientation = Quat(0.8, 0.3, -0.4, 0.2).normalized();
  body.velocity = Vec3(0.7, -0.4, 0.0);
  body.angular_velocity = Vec3(1.0, 3.0, -2.0);
  return body;
}

/// The same of triangles that need no inside; `inertia`: principal moments [kg m^2].
inline BodySpec make_thrown_surface(const std::string& name, const MeshData& data, const Vec3& position,
                                    const Vec3& inertia) {
  BodySpec body = make_thrown(name, data, position);
  std::get<MeshSpec>(body.shape[0].type).surface = true;
  body.inertia = InertiaSpec{{inertia.x(), inertia.y(), inertia.z()}};
  return body;
}

/// Floor, four walls and a lid of plates 0.2 m thick about a room of 1.2 m.
inline BodySpec make_room() {
  BodySpec room;
  room.name = "room";
  room.fixed = true;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-0.7, 0.7}) {
      Vec3 size = Vec3::Constant(1.6);
      size[axis] = 0.2;
      room.shape.push_back(make_shape_spec(BoxSpec{size}, Vec3(side * Vec3::Unit(axis) + Vec3(0, 0, 0.6))));
    }
  }
  return room;
}

struct RoomSetting {
  std::vector<BodySpec> bodies;
  double restitution = 1.0, friction = 0.0;
  double young = 2.1e6;  ///< [Pa]; impacts of 3 m/s then last about ten steps
  double step = 1.5e-3;  ///< [s]
  double num_steps = 20e3;
  bool has_guard = true;
};

inline SceneSpec make_room_scene(const RoomSetting& setting) {
  ContactSpec contact = make_perimeter_contact(NormalSpec::Law::gonthier, setting.young, setting.restitution);
  contact.energy_guard = setting.has_guard;
  if (setting.friction > 0.0) add_lugre(contact, setting.friction);
  SceneSpec scene;
  scene.gravity = Vec3(0, 0, -9.81);
  scene.body = setting.bodies;
  scene.body.push_back(make_room());
  scene.contact = {contact};
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = setting.step;
  scene.run.duration = setting.step * setting.num_steps;
  scene.run.record_interval = setting.step;
  return scene;
}

/// Follows the mechanical energy (kinetic, gravitational, elastic, bristles), less what contacts have made of their
/// heat and booked, from sample to sample [J].
class EnergySink : public RecordSink {
 public:
  void begin(const RecordLayout&) override {}
  void sample(const Sample& sample) override {
    // What resting contacts draw on their own heat is booked as negative stepping, and is no rise out of nothing.
    const double stepping = sample.energy[static_cast<int>(Energy::time_stepping)];
    if (num_samples > 0) made += std::max(0.0, last_stepping - stepping);
    last_stepping = stepping;
    const double energy = calc_stored(sample) - made;
    if (num_samples == 0) first = last = energy;
    if (energy - least > rise) {
      rise = energy - least;
      rise_time = sample.time;
    }
    step_rise = std::max(step_rise, energy - last);
    least = std::min(least, energy);
    last = energy;
    bristle = std::max(bristle, sample.energy[static_cast<int>(Energy::bristle)]);
    least_elastic = std::min(least_elastic, sample.energy[static_cast<int>(Energy::elastic)]);
    // Away from contact all of it is motion: peaks of that are what an observer sees.
    most_motion = std::max(most_motion, sample.energy[0] + sample.energy[1]);
    ++num_samples;
  }
  void event(const ContactEvent& event) override { touches += event.kind == ContactEventKind::touch ? 1 : 0; }
  void finish(const std::string&) override {}

  long num_samples = 0, touches = 0;
  double first = 0.0, last = 0.0, least = HUGE_VAL;
  double made = 0.0, last_stepping = 0.0;  ///< booked as such
  double rise = 0.0, rise_time = 0.0;      ///< above any earlier value, beyond what is booked, and when [s]
  double step_rise = 0.0;                  ///< from one sample to the next
  double bristle = 0.0;                    ///< most
  double least_elastic = 0.0, most_motion = -HUGE_VAL;
};

}  // namespace abut
