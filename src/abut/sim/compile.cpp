#include "abut/sim/compile.hpp"

#include <algorithm>

#include "abut/scene/problem_list.hpp"
#include "abut/scene/validate.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/control/controller_bank.hpp"
#include "abut/sim/method_row.hpp"
#include "abut/sim/model_twin.hpp"

namespace abut {

void fail_at(const SourceLocation& where, const std::string& message) {
  if (where.line > 0) throw InputError(fmt::format("{}:{}:{}: {}", where.file, where.line, where.column, message));
  throw InputError(where.file.empty() ? message : fmt::format("{}: {}", where.file, message));
}

bool Model::uses_normal_laws() const { return find_law_use(scene) == LawUse::all; }

RuleMatch Model::find_rule(int link_a, int link_b) const {
  const RuleMatch match = class_rules[body_class[link_a]][body_class[link_b]];
  if (match.rule < 0 || never_touch.empty()) return match;
  const std::pair<int, int> pair = std::minmax(link_a, link_b);
  return std::binary_search(never_touch.begin(), never_touch.end(), pair) ? RuleMatch{} : match;
}

namespace {

Model compile_beside(const SceneSpec& scene, const ModelTwin& twin) {
  Model model;
  model.scene = scene;
  if (const double step = method_traits(scene.run.method).default_step; step > 0.0 && !scene.run.step)
    model.scene.run.step = step;
  const LinkByName links = compile_bodies(scene, twin, model);
  compile_loads(scene, links, model);
  compile_contacts(scene, twin, model);
  if (scene.run.start == RunSpec::Start::equilibrium && !method_traits(scene.run.method).follows_laws) {
    fail_at(
        scene.run.location_of("start"),
        fmt::format("start = \"equilibrium\" needs contacts with elastic forces, which method '{}' does not follow: "
                    "use method adaptive, explicit or micro.\nNothing was run.",
                    enum_name(scene.run.method)));
  }
  compile_sensors(scene, links, model);
  if (const auto refuse = method_row(scene.run.method).refuse) refuse(scene);
  check_rates(model);
  std::sort(model.breakpoints.begin(), model.breakpoints.end());
  model.breakpoints.erase(std::unique(model.breakpoints.begin(), model.breakpoints.end()), model.breakpoints.end());
  return model;
}

Model compile_to_run(const SceneSpec& scene, const ModelTwin& twin) {
  Model model = compile_beside(scene, twin);
  check_enclosed(scene, model);
  return model;
}

}  // namespace

Model compile(const SceneSpec& scene) { return compile_to_run(scene, {}); }
Model compile(const SceneSpec& scene, const Model& like) { return compile_to_run(scene, ModelTwin(scene, like)); }
Model compile_for_host(const SceneSpec& scene) { return compile_beside(scene, {}); }

Model Model::with(std::span<const SceneChange> changes, const std::function<void(SceneSpec&)>& read_meshes) const {
  SceneSpec changed = scene;
  for (const SceneChange& change : changes) set(changed, change.path, change.value);
  if (read_meshes) read_meshes(changed);
  if (const std::vector<Problem> problems = validate(changed); !problems.empty()) throw to_input_error(problems);
  return compile(changed, *this);
}

}  // namespace abut
