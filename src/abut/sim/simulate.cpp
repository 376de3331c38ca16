#include "abut/sim/simulate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/base/error.hpp"
#include "abut/sim/region_row.hpp"
#include "abut/sim/run.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

/// Every mesh file once for each size it comes in.
std::vector<RecordedMesh> list_meshes(const SceneSpec& scene) {
  std::vector<RecordedMesh> meshes;
  const auto add = [&](const auto& type) {
    const auto* mesh = std::get_if<MeshSpec>(&type);
    if (mesh == nullptr) return;
    const Vec3 stretch = mesh->stretch.value_or(Vec3::Ones());
    const bool is_known = std::any_of(meshes.begin(), meshes.end(), [&](const RecordedMesh& other) {
      return other.file == mesh->file && other.scale == mesh->scale && other.stretch == stretch;
    });
    if (!is_known) meshes.push_back({mesh->file, mesh->scale, mesh->data, stretch});
  };
  for (const BodySpec& body : scene.body) {
    for (const ShapeSpec& shape : body.shape) {
      add(shape.type);
      if (const auto* cell = std::get_if<CellSpec>(&shape.type)) {
        for (const CellPartSpec& part : cell->part) add(part.type);
      }
    }
    for (const ShapeSpec& shape : body.visual) add(shape.type);
  }
  return meshes;
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
    layout.contact_kinds |= region_row(rule.kind()).column_kinds;
    if (model.uses_normal_laws() && is_hertzian(rule)) layout.contact_kinds |= kHertzian;
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
  for (const SensorPlan& plan : model.sensors) layout.sensors.push_back({plan.name, plan.quantities});
  layout.energy_names.assign(kEnergyNames.begin(), kEnergyNames.end());
  layout.energy_names.emplace_back("residual");
  return layout;
}

void require_fixed_steps(const Model& model) {
  if (has_fixed_step(model.scene.run.method)) return;
  std::vector<std::string> others;
  for (const MethodTraits& method : kMethods) {
    if (method.has_fixed_step && method.kind != MethodKind::explicit_) others.emplace_back(method.name);
  }
  throw InputError(fmt::format(
      "running in real time needs steps of fixed length, and method = \"{}\" chooses its own.\n"
      "Use --method explicit with a step, for example --set run.step=0.001, or method {}.\nNothing was run.",
      enum_name(model.scene.run.method), fmt::join(others, " or ")));
}

namespace {

/// Hands over the run now and then, by the clock.
class Checkpoints {
 public:
  explicit Checkpoints(const RunOptions& options) : options_(options), last_(Clock::now()) {}

  void look(Run& run) {
    if (!is_wanted()) return;
    const std::chrono::duration<double> elapsed = Clock::now() - last_;
    if (elapsed.count() >= options_.checkpoint_interval) save(run);
  }

  void save(Run& run) {
    if (!is_wanted() || run.status() != RunStatus::done) return;
    last_ = Clock::now();
    options_.on_checkpoint(run.save());
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_wanted() const { return options_.on_checkpoint && options_.checkpoint_interval > 0.0; }

  const RunOptions& options_;
  Clock::time_point last_;
};

}  // namespace

RunSummary simulate(const Model& model, RecordSink& sink, const RunOptions& options) {
  if (options.is_realtime) require_fixed_steps(model);
  Run run(model, sink, options);
  Checkpoints checkpoints(options);
  const double duration = model.scene.run.duration;
  while (run.time() < duration && !run.is_stop_wanted() && run.step(duration)) {
    checkpoints.look(run);
    if (options.drops_scratch) run.drop_scratch();
  }
  const bool is_interrupted = run.time() < duration && run.is_stop_wanted();
  if (is_interrupted) checkpoints.save(run);
  run.finish(is_interrupted);
  return run.make_summary();
}

}  // namespace abut
