#include "abut/sim/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/contact/contact_failure.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

/// Scenes below this size run faster on one thread.
constexpr std::size_t kCollidersForThreads = 500;

int choose_threads(const Model& model) {
  if (model.scene.run.threads > 0) return model.scene.run.threads;
  if (model.colliders.size() < kCollidersForThreads) return 1;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Every mesh file once.
std::vector<RecordedMesh> list_meshes(const SceneSpec& scene) {
  std::vector<RecordedMesh> meshes;
  const auto add = [&](const auto& type) {
    const auto* mesh = std::get_if<MeshSpec>(&type);
    if (mesh == nullptr) return;
    const bool is_known = std::any_of(meshes.begin(), meshes.end(), [&](const RecordedMesh& other) {
      return other.file == mesh->file && other.scale == mesh->scale;
    });
    if (!is_known) meshes.push_back({mesh->file, mesh->scale, mesh->data});
  };
  for (const BodySpec& body : scene.body) {
    for (const ShapeSpec& shape : body.shape) {
      add(shape.type);
      if (const auto* cell = std::get_if<CellSpec>(&shape.type)) {
        for (const CellPartSpec& part : cell->part) add(part.type);
      }
    }
  }
  return meshes;
}

RunEnd run_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock) {
  switch (dynamics.model().scene.run.method) {
    case RunSpec::Method::adaptive:
      return run_adaptive(dynamics, state, book, clock);
    case RunSpec::Method::explicit_:
      return run_fixed_step(dynamics, state, book, clock);
    case RunSpec::Method::lcp:
      return run_lcp(dynamics, state, book, clock);
    case RunSpec::Method::ncp:
      return run_ncp(dynamics, state, book, clock);
  }
  return {};
}

/// Whatever goes wrong inside a run ends it, with what was recorded so far. Only trouble with the machine (a full disk,
/// no memory) is no matter of the run.
RunEnd run_guarded(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock) {
  RunEnd end;
  end.status = RunStatus::failed;
  try {
    return run_method(dynamics, state, book, clock);
  } catch (const ContactFailure& failure) {
    Patch patch;
    patch.key = failure.key();
    end.message =
        fmt::format("stopped at {:.9g} s: {} cannot touch: {}", state.time, book.describe_patch(patch), failure.what());
    end.advice = "Give that pair a normal law with `stiffness`.";
  } catch (const InputError& error) {
    end.message = fmt::format("stopped at {:.9g} s: {}", state.time, error.what());
    end.advice = "abut check tells what the scene asks for.";
  }
  return end;
}

}  // namespace

double calc_impact_depth(const Patch& patch) { return calc_impact_depth(patch, patch.touch_speed); }

double calc_impact_depth(const Patch& patch, double speed) {
  const double p = patch.by_depth.exponent;
  const double energy = 0.5 * patch.effective_mass * speed * speed;
  return std::pow((p + 1.0) * energy / patch.by_depth.stiffness, 1.0 / (p + 1.0));
}

double calc_time_constant(const Patch& patch, double depth) {
  const double x = std::max(depth, calc_impact_depth(patch));
  const double stiffness =
      patch.by_depth.stiffness * patch.by_depth.exponent * std::pow(x, patch.by_depth.exponent - 1.0);
  return std::sqrt(patch.effective_mass / stiffness);
}

RecordLayout make_record_layout(const Model& model, const std::string& scene_text, const std::string& version) {
  RecordLayout layout;
  layout.title = model.scene.title;
  layout.version = version;
  layout.scene_text = scene_text;
  layout.meshes = list_meshes(model.scene);
  for (const ContactRule& rule : model.rules) {
    layout.has_volume_contacts |= rule.volume.has_value();
    layout.has_curves |= rule.perimeter.has_value();
    layout.has_hertz_contacts |= model.uses_normal_laws() && is_hertzian(rule);
  }
  for (const BodySpec& body : model.scene.body) layout.body_names.push_back(body.name);
  for (const NamedJoint& joint : model.joints) {
    const Link& link = model.tree.link(joint.link);
    layout.joint_names.push_back(joint.name);
    layout.joint_q_start.push_back(link.q_start);
    layout.joint_num_q.push_back(link.num_q);
    layout.joint_v_start.push_back(link.v_start);
    layout.joint_num_v.push_back(link.num_v);
  }
  layout.energy_names.assign(kEnergyNames.begin(), kEnergyNames.end());
  layout.energy_names.emplace_back("residual");
  return layout;
}

void require_fixed_steps(const Model& model) {
  if (model.scene.run.method != RunSpec::Method::adaptive) return;
  throw InputError(
      "running in real time needs steps of fixed length, and method = \"adaptive\" chooses its own.\n"
      "Use --method explicit with a step, for example --set run.step=0.001, or method lcp or ncp.\nNothing was run.");
}

RunSummary simulate(const Model& model, RecordSink& sink, const RunOptions& options) {
  if (options.is_realtime) require_fixed_steps(model);
  ThreadPool threads(choose_threads(model));
  Dynamics dynamics(model, threads);
  State state = dynamics.make_initial_state();
  dynamics.bind(state);
  RunBook book(dynamics, state, sink);
  RunClock clock(options, model.scene.run.step.value_or(0.0));

  const RunEnd end = run_guarded(dynamics, state, book, clock);

  RunSummary summary = book.make_summary();
  summary.status = end.status;
  summary.message = end.message;
  summary.advice = end.advice;
  summary.work = end.work;
  summary.wall_time = clock.elapsed();
  summary.realtime = clock.make_realtime_report();
  summary.notes.insert(summary.notes.end(), end.notes.begin(), end.notes.end());
  for (const ContactRule& rule : model.rules) {
    if (!model.uses_normal_laws()) break;  // they are about the laws
    for (const std::string& note : rule.notes) summary.notes.push_back(fmt::format("{}: {}", rule.name, note));
  }
  return summary;
}

}  // namespace abut
