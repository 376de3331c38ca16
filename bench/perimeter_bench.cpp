// The curve in which two meshes cross, step by step: two spheres of 270 triangles in contact; the cost against the
// number of triangles at the same contact and at a light touch; what the response adds in a simulation. All on one
// core.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "abut/contact/region/perimeter_site.hpp"
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

/// Keeps the motion of the second of two bodies.
class MotionSink : public NullSink {
 public:
  void sample(const Sample& sample) override { motion.push_back(sample.bodies[1]); }
  std::vector<BodySample> motion;
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

/// Two spheres, the lower one fixed, the upper one on a vertical slider.   [Moisio 2013, 6.2, 6.3]
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

/// One pair of colliders taken along a recorded motion without a simulator about it: what of a step's contact is
/// finding the curve, and what is making forces of it.
class Replay {
 public:
  Replay(const Model& model, const std::vector<BodySample>& motion, double step)
      : site_(model.colliders[0], model.colliders[1], model.rules[0]), step_(step) {
    const int moving = model.link_of_body[1];
    for (const BodySample& sample : motion) {
      Instant& now = instants_.emplace_back();
      now.pose[moving] = Pose(sample.orientation, sample.position);
      now.center[moving] = sample.position;
      now.velocity[moving] = sample.velocity;
      now.spin[moving] = sample.angular_velocity;
    }
  }

  /// Processor time of all steps [s], the curve alone or with the forces.
  double measure(bool has_response) {
    return calc_cpu_time([&] {
      for (std::size_t i = 0; i < instants_.size(); ++i) take(i, has_response);
    });
  }

  /// Of the longest step, each by its best of several passes [s]: those that go through the trees.
  double measure_longest(int num_passes) {
    std::vector<double> times(instants_.size(), 1e9);
    for (int pass = 0; pass < num_passes; ++pass) {
      for (std::size_t i = 0; i < instants_.size(); ++i)
        times[i] = std::min(times[i], calc_cpu_time([&] { take(i, true); }));
    }
    return *std::max_element(times.begin() + 1, times.end());  // the first one is a jump back
  }

 private:
  void take(std::size_t i, bool has_response) {
    const Instant& now = instants_[i];
    const BodyMotion motion{now.pose, now.center, now.velocity, now.spin};
    const bool touches = site_.calc(motion, step_).gap < 0.0;
    if (!has_response || !touches) return;
    time_ += step_;
    site_.advance(motion, {time_, step_, 1.0, 0.0}, memory_);
  }

  struct Instant {
    Pose pose[2];
    Vec3 center[2] = {Vec3::Zero(), Vec3::Zero()}, velocity[2] = {Vec3::Zero(), Vec3::Zero()};
    Vec3 spin[2] = {Vec3::Zero(), Vec3::Zero()};
  };
  PerimeterSite site_;
  PerimeterMemory memory_;
  double step_, time_ = 1.0;
  std::vector<Instant> instants_;
};

template <class Work>
double calc_best_cpu_time(int repetitions, const Work& work) {
  double best = 1e9;
  for (int i = 0; i < (counts_only ? 1 : repetitions); ++i) best = std::min(best, work());
  return best;
}

/// Time of all queries along a motion [s]: with the near pairs kept from step to step, or through the trees each time.
double measure_detection(const SurfaceMesh& mesh, const std::vector<BodySample>& motion, bool is_coherent,
                         double& segments) {
  MeshCrossing crossing;
  return calc_best_cpu_time(5, [&] {
    segments = 0.0;
    return calc_cpu_time([&] {
      for (const BodySample& x : motion) {
        if (!is_coherent) crossing.forget();
        segments += static_cast<double>(crossing.calc(mesh, mesh, Pose(x.orientation, x.position)).size());
      }
    });
  });
}

/// Where the time of a step goes, for two spheres pressed together.
void print_response(int num_segments, int num_rings) {
  const auto data = std::make_shared<const MeshData>(make_uv_sphere_mesh(kRadius, num_segments, num_rings));
  const SceneSpec scene = make_press(data, true);
  MotionSink sink;
  simulate(compile(scene), sink);
  SceneSpec unrecorded = scene;
  unrecorded.run.record_interval = 1.0;
  const double count = static_cast<double>(sink.motion.size());
  const Model model = compile(unrecorded), bodies = compile(make_press(data, false));
  NullSink none;
  const auto time_of = [&](const Model& m) {
    return calc_best_cpu_time(5, [&] { return calc_cpu_time([&] { simulate(m, none); }); }) / 2000.0;
  };
  const double whole = time_of(model), bare = time_of(bodies);
  const SurfaceMesh mesh = make_surface_mesh(*data);
  double segments = 0.0;
  const double coherent = measure_detection(mesh, sink.motion, true, segments) / count;
  const double fresh = measure_detection(mesh, sink.motion, false, segments) / count;
  Replay replay(model, sink.motion, *scene.run.step);
  replay.measure(true);
  const double curve = calc_best_cpu_time(9, [&] { return replay.measure(false); }) / count;
  const double both = calc_best_cpu_time(9, [&] { return replay.measure(true); }) / count;
  const double longest = replay.measure_longest(counts_only ? 1 : 15);
  fmt::print(
      "\ntwo spheres of {} triangles pressed together, {:.1f} segments, semi-implicit steps of 0.2 ms\n"
      "  a step of the simulation {:.2f} us, the bodies alone {:.2f}\n"
      "  detection {:.2f} us through the trees, {:.2f} with the near pairs kept; response {:.2f} us\n"
      "  response / detection: {:.2f} through the trees, {:.2f} with the near pairs kept; longest step {:.1f} us\n",
      data->triangles.size(), segments / count, 1e6 * whole, 1e6 * bare, 1e6 * fresh, 1e6 * coherent,
      1e6 * (both - curve), (both - curve) / fresh, (both - curve) / coherent, 1e6 * longest);
}

}  // namespace

int main(int argc, char** argv) {
  read_bench_options(argc, argv);
  print_head();
  print("270 triangles, 20 mm deep", measure(make_surface_mesh(make_uv_sphere_mesh(kRadius, 15, 10)), 0.02, 10));
  for (const double depth : {0.02, 1e-4}) {
    for (const int n : {32, 100, 316, 1000}) {
      if (counts_only && n > 32) break;
      const MeshData data = make_uv_sphere_mesh(kRadius, n, n / 2 + 1);
      const SurfaceMesh mesh = make_surface_mesh(data);
      print(fmt::format("{} triangles, {} mm deep", data.triangles.size(), 1e3 * depth), measure(mesh, depth, 5));
    }
  }
  print_response(15, 10);
  if (!counts_only) print_response(100, 51);
  return 0;
}
