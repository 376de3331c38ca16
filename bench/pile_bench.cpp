// Pile of spheres falling into a box: cost of a contact and step, how it grows with the number of spheres, and what a second
// thread brings. Density 1000 kg/m^3, R = 0.05 m, friction 0.5 (bristle), semi-implicit Euler.
//
//   pile_bench [largest number of spheres along an edge, default 22]

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "abut/base/thread_pool.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "bench_tools.hpp"

namespace {

using namespace abut;

constexpr double kRadius = 0.05;   // [m]
constexpr double kStep = 1e-4;     // [s]

ShapeSpec make_shape_spec(const ShapeVariant& type) {
  ShapeSpec shape;
  shape.type = type;
  return shape;
}

/// `edge`^3 spheres, slightly staggered so that they do not fall in columns, above the floor of a box that just holds them.
SceneSpec make_pile(int edge, double duration, int threads) {
  SceneSpec scene;
  scene.run.duration = duration;
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.integrator = RunSpec::Integrator::semi_implicit_euler;
  scene.run.step = kStep;
  scene.run.record_interval = duration;
  scene.run.threads = threads;
  const double spacing = 2.1 * kRadius;
  const double half = 0.5 * edge * spacing;
  for (int i = 0; i < edge; ++i) {
    for (int j = 0; j < edge; ++j) {
      for (int k = 0; k < edge; ++k) {
        BodySpec ball;
        ball.name = fmt::format("ball{}-{}-{}", i, j, k);
        ball.density = 1000.0;
        ball.shape.push_back(make_shape_spec(SphereSpec{kRadius}));
        const double shift = 0.02 * kRadius * std::sin(12.9898 * i + 78.233 * j + 37.719 * k);
        ball.position = Vec3((i + 0.5) * spacing - half + shift, (j + 0.5) * spacing - half - shift, (k + 0.5) * spacing);
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
  contact.friction.emplace();
  BristleSpec bristle;
  bristle.mu_c = 0.5;
  contact.friction->law = bristle;
  scene.contact.push_back(contact);
  return scene;
}

struct Measurement {
  long spheres = 0, contacts = 0, steps = 0;
  double seconds = 0.0;
  double energy = 0.0;

  double per_contact() const { return 1e6 * seconds / static_cast<double>(contacts); }
};

/// Cost of the settled pile: the difference of a run that goes on after settling and one that stops there.
Measurement measure(int edge, double settle, double extra, int threads) {
  Measurement result;
  result.spheres = static_cast<long>(edge) * edge * edge;
  const Model shorter = compile(make_pile(edge, settle, threads));
  const Model longer = compile(make_pile(edge, settle + extra, threads));
  NullSink sink;
  RunSummary a, b;
  const double time_a = calc_best_time(1, [&] { a = simulate(shorter, sink); });
  const double time_b = calc_best_time(1, [&] { b = simulate(longer, sink); });
  result.seconds = time_b - time_a;
  result.contacts = b.work.contact_evaluations - a.work.contact_evaluations;
  result.steps = b.work.accepted - a.work.accepted;
  result.energy = b.energy.total();
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 22;
  fmt::print("{:>8} {:>8} {:>14} {:>16} {:>12}\n", "spheres", "threads", "contacts/step", "us/contact/step", "speed-up");
  for (const int edge : {5, 6, 10, 15, 22}) {
    if (edge > largest) break;
    const double settle = 0.4;
    const double extra = edge > 12 ? 0.02 : 0.2;
    const Measurement one = measure(edge, edge > 12 ? 0.1 : settle, extra, 1);
    const Measurement two = measure(edge, edge > 12 ? 0.1 : settle, extra, 2);
    for (const auto& [m, threads] : {std::pair(one, 1), std::pair(two, 2)}) {
      fmt::print("{:>8} {:>8} {:>14.0f} {:>16.3f} {:>12.2f}\n", m.spheres, threads, static_cast<double>(m.contacts) / static_cast<double>(m.steps),
                 m.per_contact(), one.seconds / m.seconds);
      std::fflush(stdout);
    }
    if (one.energy != two.energy) {
      fmt::print("the result depends on the number of threads: {:.17g} and {:.17g} J\n", one.energy, two.energy);
      return 1;
    }
  }
  return 0;
}
