// Pile of spheres in a box: cost of a contact and step, how it grows with the number of spheres, and what a second
// thread brings. Density 1000 kg/m^3, R = 0.05 m, friction 0.5 (bristle), semi-implicit Euler with a step of 0.1 ms.
//
//   pile_bench [largest number of spheres along an edge, default 22] [smallest, default 5]

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "abut/base/thread_pool.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "bench_tools.hpp"

namespace {

using namespace abut;

constexpr double kRadius = 0.05;  // [m]
constexpr double kStep = 1e-4;    // [s]

ShapeSpec make_shape_spec(const ShapeVariant& type) {
  ShapeSpec shape;
  shape.type = type;
  return shape;
}

/// `edge`^3 spheres, slightly staggered so that they do not fall in columns, above the floor of a box that just holds
/// them. `spacing` of their centres in radii: 2.1 lets them fall, 1.9995 makes a pile at once.
SceneSpec make_pile(int edge, double spacing_in_radii, double duration, int threads) {
  SceneSpec scene;
  scene.run.duration = duration;
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.integrator = RunSpec::Integrator::semi_implicit_euler;
  scene.run.step = kStep;
  scene.run.record_interval = duration;
  scene.run.threads = threads;
  const double spacing = spacing_in_radii * kRadius;
  const double half = 0.5 * edge * spacing;
  for (int i = 0; i < edge; ++i) {
    for (int j = 0; j < edge; ++j) {
      for (int k = 0; k < edge; ++k) {
        BodySpec ball;
        ball.name = fmt::format("ball{}-{}-{}", i, j, k);
        ball.density = 1000.0;
        ball.shape.push_back(make_shape_spec(SphereSpec{kRadius}));
        const double shift = 0.02 * kRadius * std::sin(12.9898 * i + 78.233 * j + 37.719 * k);
        ball.position =
            Vec3((i + 0.5) * spacing - half + shift, (j + 0.5) * spacing - half - shift, (k + 0.5) * spacing);
        scene.body.push_back(ball);
      }
    }
  }
  BodySpec box;
  box.name = "box";
  box.fixed = true;
  box.shape.push_back(make_shape_spec(HalfSpaceSpec{Vec3::UnitZ(), 0.0}));
  for (const Vec3& inward : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
    box.shape.push_back(make_shape_spec(HalfSpaceSpec{inward, -half}));
  }
  scene.body.push_back(box);
  ContactSpec contact;
  contact.between = {"*", "*"};
  contact.normal.emplace();
  contact.normal->law = NormalSpec::Law::gonthier;
  contact.normal->stiffness = 1e6;
  contact.normal->restitution = 0.5;
  contact.normal->v_small = 0.05;  // slower impacts than this do not matter in a pile of such balls
  contact.friction.emplace();
  BristleSpec bristle;
  bristle.mu_c = 0.5;
  contact.friction->law = bristle;
  scene.contact.push_back(contact);
  return scene;
}

struct Measurement {
  long spheres = 0;
  int threads = 1;
  double contacts_per_step = 0.0;
  double per_contact = 0.0;  // [us]
  double energy = 0.0;       // [J], to compare bits
};

/// Cost of the steps after the first few, which make the lists: difference of two runs, each the best of several.
Measurement measure(int edge, double spacing, double before, double extra, int threads, int repetitions) {
  const Model shorter = compile(make_pile(edge, spacing, before, threads));
  const Model longer = compile(make_pile(edge, spacing, before + extra, threads));
  NullSink sink;
  RunSummary a, b;
  const double time_a = calc_best_time(repetitions, [&] { a = simulate(shorter, sink); });
  const double time_b = calc_best_time(repetitions, [&] { b = simulate(longer, sink); });
  const double contacts = static_cast<double>(b.work.contact_evaluations - a.work.contact_evaluations);
  Measurement result;
  result.spheres = static_cast<long>(edge) * edge * edge;
  result.threads = threads;
  result.contacts_per_step = contacts / static_cast<double>(b.work.accepted - a.work.accepted);
  result.per_contact = 1e6 * (time_b - time_a) / contacts;
  result.energy = b.energy.total();
  return result;
}

/// One line for each number of threads; false when the bits differ.
bool report(const char* what, int edge, double spacing, double before, double extra) {
  const int repetitions = edge > 12 ? 2 : 3;
  const Measurement one = measure(edge, spacing, before, extra, 1, repetitions);
  // Threads that wait for each other spin, and nobody can say how long.
  const Measurement two = counts_only ? one : measure(edge, spacing, before, extra, 2, repetitions);
  for (const Measurement& m : {one, two}) {
    fmt::print("{:<8} {:>8} {:>8} {:>14.0f} {:>16.3f} {:>10.2f}\n", what, m.spheres, m.threads, m.contacts_per_step,
               m.per_contact, one.per_contact / m.per_contact);
  }
  std::fflush(stdout);
  if (one.energy == two.energy) return true;
  fmt::print("the result depends on the number of threads: {:.17g} and {:.17g} J\n", one.energy, two.energy);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  read_bench_options(argc, argv);
  const int largest = counts_only ? 6 : argc > 1 ? std::atoi(argv[1]) : 22;
  const int smallest = argc > 2 ? std::atoi(argv[2]) : 5;
  fmt::print("{:<8} {:>8} {:>8} {:>14} {:>16} {:>10}\n", "pile", "spheres", "threads", "contacts/step",
             "us/contact/step", "speed-up");
  bool is_same = smallest > 6 || report("falling", 6, 2.1, 0.2, 0.4);
  for (const int edge : {5, 6, 10, 15, 22}) {
    if (edge >= smallest && edge <= largest)
      is_same = report("packed", edge, 1.9995, 0.002, edge > 12 ? 0.02 : 0.1) && is_same;
  }
  return is_same ? 0 : 1;
}
