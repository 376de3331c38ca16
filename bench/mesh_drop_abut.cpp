#include <memory>

#include "abut/base/error.hpp"
#include "abut/scene/record.hpp"
#include "abut/scene/scene_spec.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "bench_tools.hpp"
#include "mesh_drop.hpp"

namespace abut {
namespace {

class StateSink : public RecordSink {
 public:
  explicit StateSink(std::vector<std::vector<DropState>>& samples) : samples_(samples) {}
  void begin(const RecordLayout&) override {}
  void sample(const Sample& sample) override {
    if (sample.time == 0.0) return;
    std::vector<DropState>& states = samples_.emplace_back();
    for (std::size_t i = 1; i < sample.bodies.size(); ++i) {
      const BodySample& body = sample.bodies[i];
      states.push_back({body.position, body.velocity, body.angular_velocity, body.orientation});
    }
  }
  void event(const ContactEvent&) override {}
  void finish(const std::string&) override {}

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
    ShapeSpec& shape = container.shape.emplace_back();
    shape.type = BoxSpec{2.0 * slab.half};
    shape.position = slab.center;
  }
  scene.body.push_back(container);
  for (const MeshDrop::Body& given : drop.bodies) {
    BodySpec body;
    body.name = given.name;
    body.mass = given.mass.mass;
    const Vec3 inertia = given.mass.inertia.diagonal();
    body.inertia = InertiaSpec{{inertia.x(), inertia.y(), inertia.z()}};
    body.position = given.position;
    body.orientation = given.orientation;
    MeshSpec mesh;
    mesh.file = given.name;
    mesh.data = std::make_shared<const MeshData>(given.mesh);
    body.shape.emplace_back().type = mesh;
    scene.body.push_back(body);
  }
  ContactSpec contact;
  contact.between = {"*", "*"};
  contact.region = ContactSpec::Region::perimeter;
  contact.normal.emplace();
  contact.normal->law = NormalSpec::Law::flores;
  contact.normal->young = 2.1e6;  // [Pa], soft rubber: a step of 1.5 ms carries no more   [spec 3, V3-14]
  contact.normal->poisson = 0.3;
  contact.normal->restitution = drop.restitution;
  LugreSpec friction;
  friction.mu_s = friction.mu_d = drop.friction;
  contact.friction.emplace().law = friction;
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
  return record;
}

}  // namespace abut
