#include "abut/sim/step_trial.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "abut/base/error.hpp"
#include "abut/scene/null_sink.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/region_row.hpp"
#include "abut/sim/simulate.hpp"

namespace abut {

namespace {

constexpr double kPart = 0.02;  ///< of the energy turned over; what differs between steps is 5 % at most [1]
/// Further tries of a step: where an impact begins late in one, it may pass by luck.
constexpr double kShorter[] = {0.9, 0.7};
constexpr int kMostTrials = 12;             ///< from the longest to a four-thousandth of it
constexpr double kMostFreeSteps = 400'000;  ///< of a trial without contacts, a second or so

/// Whose volumes with each other are sums of a few dozen terms; the others are sliced or have thousands of faces.
bool is_quick(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<HalfSpace>(shape) ||
         std::holds_alternative<Box>(shape) || std::holds_alternative<Cylinder>(shape) ||
         std::holds_alternative<Polyhedron>(shape);
}

double calc_most_steps(const Model& model) {
  const bool all_quick = std::all_of(model.colliders.begin(), model.colliders.end(),
                                     [](const Collider& collider) { return is_quick(collider.shape); });
  double steps = kMostFreeSteps;
  for (const ContactRule& rule : model.rules)
    steps = std::min(steps, region_row(rule.kind()).count_trial_steps(all_quick));
  return steps / std::max(1, model.tree.num_links());
}

}  // namespace

std::optional<StepTrial> try_step(const Model& model, double step, RunSpec::Integrator integrator) {
  SceneSpec scene = model.scene;
  const double length = std::min(scene.run.duration, calc_most_steps(model) * step);
  StepTrial trial{std::numeric_limits<double>::infinity(), length == scene.run.duration};
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.integrator = integrator;
  scene.run.step = step;
  scene.run.duration = length;
  scene.run.threads = 1;
  try {
    NullSink record;
    const RunSummary summary = simulate(compile(scene), record);
    if (summary.status != RunStatus::done || !std::isfinite(summary.worst_residual)) return trial;
    trial.missed = summary.energy_turnover > 0.0 ? std::abs(summary.worst_residual) / summary.energy_turnover : 0.0;
    return trial;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

double find_step_of_scene(const Model& model, const StepSearch& search, RunSpec::Integrator integrator) {
  double step = search.longest;
  for (int i = 0; i < kMostTrials; ++i, step *= 0.5) {
    const std::optional<StepTrial> trial = try_step(model, step, integrator);
    if (!trial) return search.expected;
    if (trial->missed > kPart) continue;
    // A run that was cut short may have seen nothing yet: it can forbid a step, not allow a longer one.
    if (!trial->is_whole) return std::min(search.expected, step);
    const bool holds = std::all_of(std::begin(kShorter), std::end(kShorter), [&](double part) {
      const std::optional<StepTrial> again = try_step(model, part * step, integrator);
      return again && again->missed <= kPart;
    });
    if (holds) return step;
  }
  return search.expected;  // stops for another reason than the step
}

}  // namespace abut
