// The curve in which two meshes cross, step by step: two spheres of 270 triangles in contact; the cost against the
// number of triangles at the same contact and at a light touch; what the response adds in a simulation. All on one
// core.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_crossing.hpp"
#include "abut/geometry/mesh/surface_mesh.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "allocation_count.hpp"
#include "bench_tools.hpp"

namespace {

using namespace abut;

constexpr double kRadius = 0.2;  // [m]

/// A sphere that presses, slides and rolls on another: poses of successive steps [1 ms].
std::vector<Pose> make_motion(double depth, int num_steps) {
  std::vector<Pose> motion;
  const Vec3 up = Vec3(0.3, 0.2, 0.9).normalized(), aside = any_perpendicular(up);
  Quat turn = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3(0.5, -0.7, 0.4).normalized());
  for (int i = 0; i < num_steps; ++i) {
    const double t = 1e-3 * i, spin = 1.0;  // [s], [rad/s]
    const double height = 2.0 * kRadius - depth * (1.0 - 0.3 * std::cos(40.0 * t));
    const Vec3 p = height * (std::cos(0.3 * t) * up + std::sin(0.3 * t) * aside);
    turn = (Quat(1.0, 0.0, 0.5e-3 * spin, 0.3e-3 * spin) * turn).normalized();
    motion.emplace_back(turn, p);
  }
  return motion;
}

struct Outcome {
  double mean_time = 0.0, worst_time = 0.0, search_share = 0.0;  // [s], best of several passes
  double segments = 0.0, tests = 0.0;                            // per step
  long allocations = 0;
};

Outcome measure(const SurfaceMesh& mesh, double depth, int num_passes) {
  const std::vector<Pose> motion = make_motion(depth, 400);
  const double num_steps = static_cast<double>(motion.size());
  MeshCrossing crossing;
  std::vector<double> times(motion.size(), 1e9);
  Outcome outcome;
  for (int pass = 0; pass < num_passes + 1; ++pass) {
    const long before = num_allocations;
    const MeshCrossing::Counts counts = crossing.counts();
    outcome.segments = 0.0;
    for (std::size_t i = 0; i < motion.size(); ++i) {
      std::size_t found = 0;
      const double time = calc_cpu_time([&] { found = crossing.calc(mesh, mesh, motion[i]).size(); });
      if (pass > 0) times[i] = std::min(times[i], time);
      outcome.segments += static_cast<double>(found) / num_steps;
    }
    outcome.allocations = num_allocations - before;
    outcome.search_share = static_cast<double>(crossing.counts().num_searches - counts.num_searches) / num_steps;
    outcome.tests = static_cast<double>(crossing.counts().num_tests - counts.num_tests) / num_steps;
  }
  for (const double time : times) outcome.mean_time += time / num_steps;
  outcome.worst_time = *std::max_element(times.begin(), times.end());
  return outcome;
}

void print_head() {
  fmt::print("{:<34} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7}\n", "detection a step", "mean us", "worst us",
             "segments", "tests", "searches", "ns/segm.", "allocs");
}

void print(const std::string& name, const Outcome& x) {
  fmt::print("{:<34} {:>9.2f} {:>9.1f} {:>9.1f} {:>9.1f} {:>8.1f}% {:>9.0f} {:>7}\n", name, 1e6 * x.mean_time,
             1e6 * x.worst_time, x.segments, x.tests, 100.0 * x.search_share, 1e9 * x.mean_time / x.segments,
             x.allocations);
}

/// Keeps the poses of the second of two bodies.
class PoseSink : public NullSink {
 public:
  void sample(const Sample& sample) override {
    poses.emplace_back(sample.bodies[1].orientation, sample.bodies[1].position);
  }
  std::vector<Pose> poses;
};

BodySpec make_sphere(const std::string& name, const std::shared_ptr<const MeshData>& data) {
  BodySpec body;
  body.name = name;
  MeshSpec mesh;
  mesh.file = name;
  mesh.data = data;
  body.shape.emplace_back().type = mesh;
  return body;
}

/// Two spheres, the lower one fixed, the upper one on a vertical slider.   [spec 3, V3-08, V3-11]
SceneSpec make_press(const std::shared_ptr<const MeshData>& data, bool has_contact) {
  SceneSpec scene;
  BodySpec lower = make_sphere("lower", data), upper = make_sphere("upper", data);
  lower.fixed = true;
  upper.mass = 1.0;
  JointSpec slider;
  slider.name = "slider";
  slider.type = JointSpec::Type::prismatic;
  slider.child = "upper";
  slider.axis = Vec3::UnitZ();
  slider.parent_position = Vec3(0, 0, 1.95 * kRadius);
  slider.child_orientation = Quat(0.8, 0.3, -0.4, 0.2).normalized();
  scene.body = {lower, upper};
  scene.joint = {slider};
  ContactSpec contact;
  contact.between = {"lower", "upper"};
  contact.enabled = has_contact;
  contact.region = ContactSpec::Region::perimeter;
  contact.normal.emplace();
  contact.normal->law = NormalSpec::Law::flores;
  contact.normal->young = 2.1e5;
  contact.normal->poisson = 0.3;
  contact.normal->restitution = 1.0;
  LugreSpec friction;
  friction.mu_s = 0.3;
  friction.mu_d = 0.1;
  contact.friction.emplace().law = friction;
  scene.contact = {contact};
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.integrator = RunSpec::Integrator::semi_implicit_euler;
  scene.run.step = 2e-4;
  scene.run.duration = 0.4;
  scene.run.record_interval = has_contact ? 2e-4 : 1.0;
  return scene;
}

double measure_run(const Model& model, RecordSink& sink) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) best = std::min(best, calc_cpu_time([&] { simulate(model, sink); }));
  return best / 2000.0;
}

void print_response() {
  const auto data = std::make_shared<const MeshData>(make_uv_sphere_mesh(kRadius, 15, 10));
  PoseSink poses;
  simulate(compile(make_press(data, true)), poses);
  SceneSpec scene = make_press(data, true);
  scene.run.record_interval = 1.0;
  NullSink none;
  const double whole = measure_run(compile(scene), none), bare = measure_run(compile(make_press(data, false)), none);
  const SurfaceMesh mesh = make_surface_mesh(*data);
  MeshCrossing crossing;
  double segments = 0.0;
  double detection = 1e9;
  for (int i = 0; i < 5; ++i) {
    segments = 0.0;
    detection = std::min(detection, calc_cpu_time([&] {
                           for (const Pose& X : poses.poses) {
                             segments += static_cast<double>(crossing.calc(mesh, mesh, X).size());
                           }
                         }));
  }
  const double count = static_cast<double>(poses.poses.size());
  fmt::print("\ntwo spheres of 270 triangles pressed together, {:.1f} segments, semi-implicit steps of 0.2 ms\n",
             segments / count);
  fmt::print(
      "  a step {:.1f} us = bodies alone {:.1f} + contact {:.1f}, of which detection {:.1f}, the rest {:.2f} of it\n",
      1e6 * whole, 1e6 * bare, 1e6 * (whole - bare), 1e6 * detection / count,
      (whole - bare) / (detection / count) - 1.0);
}

}  // namespace

int main() {
  print_head();
  print("270 triangles, 20 mm deep", measure(make_surface_mesh(make_uv_sphere_mesh(kRadius, 15, 10)), 0.02, 10));
  for (const double depth : {0.02, 1e-4}) {
    for (const int n : {32, 100, 316, 1000}) {
      const MeshData data = make_uv_sphere_mesh(kRadius, n, n / 2 + 1);
      const SurfaceMesh mesh = make_surface_mesh(data);
      print(fmt::format("{} triangles, {} mm deep", data.triangles.size(), 1e3 * depth), measure(mesh, depth, 5));
    }
  }
  print_response();
  return 0;
}
