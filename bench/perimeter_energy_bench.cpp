// Whether perimeter contact ever makes energy: bodies of triangles that bounce, rub, rock and rest in a closed box, a
// million steps in all, every step looked at. Mechanical energy is kinetic + gravitational + elastic + bristles.
//   perimeter_energy_bench [steps of each scene]

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/energy.hpp"
#include "abut/sim/simulate.hpp"
#include "bench_tools.hpp"

namespace {

using namespace abut;

/// Follows the energy from step to step.
class EnergySink : public NullSink {
 public:
  void sample(const Sample& sample) override {
    const double motion = sample.energy[0] + sample.energy[1];
    double energy = 0.0;
    for (int i = 0; i < 5; ++i) energy += sample.energy[i];
    if (num_samples == 0) first = energy;
    if (num_samples > 0 && energy - least > rise) {
      rise = energy - least;
      rise_time = sample.time;
    }
    if (num_samples > 0) step_rise = std::max(step_rise, energy - last);
    least = std::min(least, energy);
    last = energy;
    bristle = std::max(bristle, sample.energy[static_cast<int>(Energy::bristle)]);
    least_elastic = std::min(least_elastic, sample.energy[static_cast<int>(Energy::elastic)]);
    // Away from contact all of it is motion: peaks of that are what an observer sees.
    most_motion = std::max(most_motion, motion);
    ++num_samples;
  }
  long num_samples = 0;
  double first = 0.0, last = 0.0, least = HUGE_VAL, rise = 0.0, rise_time = 0.0, step_rise = 0.0, bristle = 0.0;
  double least_elastic = 0.0, most_motion = -HUGE_VAL;
};

BodySpec make_body(const std::string& name, const MeshData& data, const Vec3& position) {
  BodySpec body;
  body.name = name;
  body.mass = 1.0;
  MeshSpec mesh;
  mesh.file = name;
  mesh.data = std::make_shared<const MeshData>(data);
  body.shape.emplace_back().type = mesh;
  body.position = position;
  body.orientation = Quat(0.8, 0.3, -0.4, 0.2).normalized();
  body.velocity = Vec3(0.7, -0.4, 0.0);
  body.angular_velocity = Vec3(1.0, 3.0, -2.0);
  return body;
}

/// Floor, four walls and a lid of plates 0.2 m thick about a room of 1.2 m.
BodySpec make_room() {
  BodySpec room;
  room.name = "room";
  room.fixed = true;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-0.7, 0.7}) {
      ShapeSpec& plate = room.shape.emplace_back();
      Vec3 size = Vec3::Constant(1.6);
      size[axis] = 0.2;
      plate.type = BoxSpec{size};
      plate.position = side * Vec3::Unit(axis) + Vec3(0, 0, 0.6);
    }
  }
  return room;
}

struct Setting {
  std::string name;
  std::vector<BodySpec> bodies;
  double restitution = 1.0, friction = 0.0, young = 2.1e5, step = 1e-3;
};

SceneSpec make_scene(const Setting& setting, double num_steps) {
  SceneSpec scene;
  scene.gravity = Vec3(0, 0, -9.81);
  scene.body = setting.bodies;
  scene.body.push_back(make_room());
  ContactSpec contact;
  contact.between = {"*", "*"};
  contact.region = ContactSpec::Region::perimeter;
  contact.normal.emplace();
  contact.normal->law = NormalSpec::Law::gonthier;
  contact.normal->young = setting.young;
  contact.normal->poisson = 0.3;
  contact.normal->restitution = setting.restitution;
  if (setting.friction > 0.0) {
    LugreSpec friction;
    friction.mu_s = friction.mu_d = setting.friction;
    contact.friction.emplace().law = friction;
  }
  scene.contact = {contact};
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = setting.step;
  scene.run.duration = setting.step * num_steps;
  scene.run.record_interval = setting.step;
  return scene;
}

std::vector<Setting> make_settings() {
  const MeshData ball = make_uv_sphere_mesh(0.12, 15, 10), ring = make_torus_mesh(0.13, 0.05, 22, 22),
                 box = make_box_mesh(Vec3(0.12, 0.08, 0.1));
  const Vec3 low(0.05, 0.02, 0.3), middle(-0.1, -0.05, 0.6), high(0.1, 0.1, 0.9);
  // One sheet without an inside, and two boxes that pass through each other.
  BodySpec bowl =
      make_body("bowl", make_revolved_mesh({Vec2(0.0, 0.0), Vec2(0.08, 0.03), Vec2(0.12, 0.08)}, 24), middle);
  std::get<MeshSpec>(bowl.shape[0].type).surface = true;
  bowl.inertia = InertiaSpec{{4e-3, 4e-3, 6e-3}};
  BodySpec cross = make_body(
      "cross", make_union(make_box_mesh(Vec3(0.15, 0.04, 0.05)), make_box_mesh(Vec3(0.04, 0.15, 0.05))), middle);
  std::get<MeshSpec>(cross.shape[0].type).surface = true;
  cross.inertia = InertiaSpec{{6e-3, 6e-3, 8e-3}};
  const std::vector<BodySpec> three = {make_body("ball", ball, low), make_body("box", box, middle),
                                       make_body("ring", ring, high)};
  return {{"ball, elastic", {make_body("ball", ball, middle)}, 1.0, 0.0, 2.1e5, 1e-3},
          {"ball, elastic, hard", {make_body("ball", ball, middle)}, 1.0, 0.0, 2.1e6, 1.5e-3},
          {"box, elastic, hard", {make_body("box", box, middle)}, 1.0, 0.0, 2.1e6, 1.5e-3},
          {"ring, elastic, friction", {make_body("ring", ring, middle)}, 1.0, 0.4, 2.1e6, 1e-3},
          {"box, e = 0.5, friction", {make_body("box", box, middle)}, 0.5, 0.4, 2.1e6, 1.5e-3},
          {"bowl of one sheet, e = 0.8", {bowl}, 0.8, 0.3, 2.1e6, 1e-3},
          {"crossed boxes, elastic", {cross}, 1.0, 0.2, 2.1e6, 1e-3},
          {"three, elastic", three, 1.0, 0.0, 2.1e6, 1e-3},
          {"three, e = 0.5, friction", three, 0.5, 0.5, 2.1e6, 1.5e-3}};
}

}  // namespace

int main(int argc, char** argv) {
  const double num_steps = argc > 1 ? std::atof(argv[1]) : 115e3;
  fmt::print("{:<28} {:>8} {:>8} {:>9} {:>9} {:>11} {:>8} {:>11} {:>11} {:>11} {:>11}\n", "", "steps", "us/step",
             "first J", "last J", "rise J", "at s", "in a step", "motion + J", "bristles J", "least el. J");
  for (const Setting& setting : make_settings()) {
    EnergySink sink;
    const Model model = compile(make_scene(setting, num_steps));
    RunSummary summary;
    const double time = calc_cpu_time([&] { summary = simulate(model, sink); });
    fmt::print(
        "{:<28} {:>8} {:>8.1f} {:>9.4f} {:>9.4f} {:>11.2e} {:>8.2f} {:>11.2e} {:>11.2e} {:>11.2e} {:>11.2e} {}\n",
        setting.name, sink.num_samples - 1, 1e6 * time / static_cast<double>(sink.num_samples), sink.first, sink.last,
        sink.rise, sink.rise_time, sink.step_rise, sink.most_motion - sink.first, sink.bristle, sink.least_elastic,
        summary.status == RunStatus::done ? "" : summary.message);
  }
  return 0;
}
