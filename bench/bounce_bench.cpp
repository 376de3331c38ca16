// Work and precision of the adaptive methods on the bounce test of Azad and Featherstone (2014): 66 g dropped from 1 m
// on k = 1e10 N/m^1.5, lambda = 1e5 N s/m^1.5, g = 10 m/s^2, 5 s. The error is the largest one of all touchdown times
// against a reference at a tolerance of 1e-12. The paper's own solver took 2,100 steps.

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "bench_tools.hpp"

namespace {

using namespace abut;

class TouchSink : public NullSink {
 public:
  void event(const ContactEvent& event) override {
    if (event.kind == ContactEventKind::touch) times.push_back(event.time);
  }
  std::vector<double> times;
};

SceneSpec make_bounce(RunSpec::Integrator integrator, double tolerance) {
  SceneSpec scene;
  scene.gravity = Vec3(0, 0, -10);
  scene.run.duration = 5.0;
  scene.run.integrator = integrator;
  scene.run.tolerance = tolerance;
  scene.run.record_interval = 5.0;
  BodySpec ball;
  ball.name = "ball";
  ball.mass = 0.066;
  ball.position = Vec3(0, 0, 1.0127);
  ball.shape.emplace_back().type = SphereSpec{0.0127};
  BodySpec floor;
  floor.name = "floor";
  floor.fixed = true;
  floor.shape.emplace_back().type = HalfSpaceSpec{Vec3::UnitZ(), 0.0};
  scene.body = {ball, floor};
  ContactSpec contact;
  contact.between = {"ball", "floor"};
  contact.normal.emplace();
  contact.normal->law = NormalSpec::Law::azad_featherstone;
  contact.normal->stiffness = 1e10;
  contact.normal->damping = 1e5;
  scene.contact = {contact};
  return scene;
}

double calc_largest_error(const std::vector<double>& times, const std::vector<double>& reference) {
  if (times.size() != reference.size()) return HUGE_VAL;
  double largest = 0.0;
  for (std::size_t i = 0; i < times.size(); ++i) largest = std::max(largest, std::abs(times[i] - reference[i]));
  return largest;
}

}  // namespace

int main() {
  TouchSink reference;
  simulate(compile(make_bounce(RunSpec::Integrator::radau, 1e-12)), reference);
  fmt::print("reference: {} touchdowns, the last at {:.6f} s\n\n", reference.times.size(), reference.times.back());
  fmt::print("{:<8} {:>10} {:>8} {:>8} {:>12} {:>14} {:>12}\n", "method", "tolerance", "steps", "rejected",
             "evaluations", "touch error [s]", "wall [ms]");
  for (const auto integrator : {RunSpec::Integrator::automatic, RunSpec::Integrator::radau, RunSpec::Integrator::rk,
                                RunSpec::Integrator::bdf}) {
    for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
      // Restarted BDF needs ten times the steps of the others already here.
      if (integrator == RunSpec::Integrator::bdf && tolerance < 1e-5) break;
      const Model model = compile(make_bounce(integrator, tolerance));
      TouchSink sink;
      RunSummary summary;
      const double seconds = calc_best_time(3, [&] {
        sink.times.clear();
        summary = simulate(model, sink);
      });
      fmt::print("{:<8} {:>10.0e} {:>8} {:>8} {:>12} {:>14.1e} {:>12.2f}\n", enum_name(integrator), tolerance,
                 summary.work.accepted, summary.work.rejected, summary.work.rate_evaluations,
                 calc_largest_error(sink.times, reference.times), 1e3 * seconds);
    }
  }
  return 0;
}
