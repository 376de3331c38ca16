// No step of a fixed-step run may allocate once its arrays have grown: a step that waits for memory misses its
// deadline.

#include <new>
#include <utility>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/sim/allocation_count_test.hpp"
#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

/// Keeps nothing but the number of allocations in the second half of the run, between two samples.
class CountingSink : public RecordSink {
 public:
  explicit CountingSink(double warm_time) : warm_time_(warm_time) {}
  void begin(const RecordLayout&) override {}
  void sample(const Sample& sample) override {
    num_contacts += static_cast<long>(sample.contacts.size());
    if (sample.time < warm_time_) start_ = num_allocations;
    end_ = num_allocations;
  }
  void event(const ContactEvent&) override {}
  void finish(const std::string&) override {}

  long count() const { return end_ - start_; }
  long num_contacts = 0;

 private:
  double warm_time_;
  long start_ = 0, end_ = 0;
};

/// Two balls that slide and roll on a floor, touching it and each other.
SceneSpec make_balls() {
  SceneSpec scene;
  scene.body = {make_ball("left", 1.0, 0.1, Vec3(-0.0999, 0, 0.1), Vec3(0.3, 0, 0)),
                make_ball("right", 1.0, 0.1, Vec3(0.0999, 0, 0.1), Vec3(0.1, 0, 0)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  add_bristle(scene.contact[0], 0.3);
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = 2e-4;
  scene.run.duration = 0.4;
  scene.run.record_interval = 0.01;
  return scene;
}

long count_allocations(const SceneSpec& scene) {
  CountingSink sink(0.5 * scene.run.duration);
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::done) << summary.message;
  EXPECT_GT(sink.num_contacts, 0);
  return sink.count();
}

TEST(Allocation, CounterCounts) {
  const long before = num_allocations;
  ::operator delete(::operator new(3));
  EXPECT_EQ(num_allocations - before, 1);
}

TEST(Allocation, NoneInExplicitSteps) {
  for (const RunSpec::Integrator integrator : {RunSpec::Integrator::rk4, RunSpec::Integrator::semi_implicit_euler}) {
    SceneSpec scene = make_balls();
    scene.run.integrator = integrator;
    EXPECT_EQ(count_allocations(scene), 0) << enum_name(integrator);
  }
}

TEST(Allocation, NoneInVolumetricSteps) {
  SceneSpec scene = make_balls();
  scene.contact[0].region = ContactSpec::Region::volume;
  scene.contact[0].normal->stiffness = 1e7;
  EXPECT_EQ(count_allocations(scene), 0);
}

ContactSpec make_rubbing_contact() {
  ContactSpec contact = make_perimeter_contact(NormalSpec::Law::flores, 2.1e6, 0.5);
  add_lugre(contact, 0.3);
  return contact;
}

/// Two balls of triangles; a flat floor is a single one.
TEST(Allocation, NoneInPerimeterSteps) {
  SceneSpec scene = make_balls();
  scene.contact = {make_rubbing_contact()};
  EXPECT_EQ(count_allocations(scene), 0);
}

/// A ball is drawn to and fro through a ring that is too narrow for it, beside the middle: loops come, grow into one
/// another and go, twice in a swing.
SceneSpec make_ball_in_ring() {
  SceneSpec scene;
  BodySpec ring = make_mesh_body("ring", 1.0, make_torus_mesh(0.2, 0.05, 24, 16), Vec3::Zero());
  ring.mass.reset();
  ring.fixed = true;
  JointSpec slider;
  slider.name = "slider";
  slider.type = JointSpec::Type::prismatic;
  slider.child = "ball";
  slider.axis = Vec3::UnitZ();
  slider.parent_position = Vec3(0.03, 0.01, 0.0);
  slider.child_orientation = Quat(0.8, 0.3, -0.4, 0.2).normalized();
  slider.motion.emplace().kind = SineMotionSpec{.amplitude = 0.25, .frequency = 1.0};
  scene.body = {ring, make_mesh_body("ball", 1.0, make_uv_sphere_mesh(0.17, 24, 16), Vec3::Zero())};
  scene.joint = {slider};
  scene.contact = {make_rubbing_contact()};
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = 1e-3;
  scene.run.duration = 8.0;
  scene.run.record_interval = 0.01;
  return scene;
}

TEST(AllocationLong, NoneWherePerimeterCurvesComeAndGo) {
  using Memory = ContactSpec::Memory;
  using Normals = ContactSpec::Normals;
  for (const auto& [memory, normals] :
       {std::pair(Memory::continuous, Normals::patch), std::pair(Memory::continuous, Normals::both),
        std::pair(Memory::faithful, Normals::both)}) {
    SceneSpec scene = make_ball_in_ring();
    scene.contact[0].memory = memory;
    scene.contact[0].normals = normals;
    EXPECT_EQ(count_allocations(scene), 0) << enum_name(memory) << ", " << enum_name(normals);
  }
}

}  // namespace
}  // namespace abut
