#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/scene/record.hpp"
#include "abut/scene/scene_spec.hpp"
#include "abut/sim/closed_room_test.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "bench_tools.hpp"
#include "mesh_drop.hpp"

namespace abut {
namespace {

/// Follows all that is stored, springs and bristles of contacts included.
class StateSink : public EnergySink {
 public:
  explicit StateSink(std::vector<std::vector<DropState>>& samples) : samples_(samples) {}
  void sample(const Sample& sample) override {
    EnergySink::sample(sample);
    if (sample.time == 0.0) return;
    std::vector<DropState>& states = samples_.emplace_back();
    for (std::size_t i = 1; i < sample.bodies.size(); ++i) {
      const BodySample& body = sample.bodies[i];
      states.push_back({body.position, body.velocity, body.angular_velocity, body.orientation});
    }
  }

 private:
  std::vector<std::vector<DropState>>& samples_;
};

SceneSpec make_scene(const MeshDrop& drop) {
  SceneSpec scene;
  scene.gravity = Vec3(0, 0, -drop.gravity);
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = drop.step;
  scene.run.duration = drop.duration;
  scene.run.record_interval = drop.step * drop.steps_a_sample;
  BodySpec container;
  container.name = "container";
  container.fixed = true;
  for (const MeshDrop::Slab& slab : drop.slabs) {
    container.shape.push_back(make_shape_spec(BoxSpec{2.0 * slab.half}, slab.center));
  }
  scene.body.push_back(container);
  for (const MeshDrop::Body& given : drop.bodies) {
    BodySpec body = make_mesh_body(given.name, given.mass.mass, given.mesh, given.position);
    const Vec3 inertia = given.mass.inertia.diagonal();
    body.inertia = InertiaSpec{{inertia.x(), inertia.y(), inertia.z()}};
    body.orientation = given.orientation;
    scene.body.push_back(body);
  }
  // 2.1e6 Pa, soft rubber: a step of 1.5 ms carries no more   [Moisio 2013, 6.5]
  ContactSpec contact = make_perimeter_contact(NormalSpec::Law::flores, 2.1e6, drop.restitution);
  add_lugre(contact, drop.friction);
  scene.contact = {contact};
  return scene;
}

}  // namespace

DropRecord run_abut(const MeshDrop& drop) {
  DropRecord record{"abut", "the triangles as they are, container of boxes", {}};
  StateSink sink(record.samples);
  const Model model = compile(make_scene(drop));
  RunSummary summary;
  record.time = calc_cpu_time([&] { summary = simulate(model, sink); });
  if (summary.status != RunStatus::done) throw InputError(summary.message);
  record.note += fmt::format("; with what springs and bristles hold the rise is {:.1e} J", sink.rise);
  return record;
}

}  // namespace abut
