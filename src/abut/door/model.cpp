#include "abut/model.hpp"

#include <utility>

#include "abut/door/convert.hpp"
#include "abut/door/guard.hpp"
#include "abut/door/parts.hpp"
#include "abut/io/problem_report.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/scene/problem_list.hpp"
#include "abut/scene/scene_digest.hpp"
#include "abut/scene/validate.hpp"
#include "abut/sim/compile.hpp"

namespace abut::v0 {

namespace {

/// Mistakes that only show when the scene is made ready name their place; the line of the file is put beside it.
std::shared_ptr<const abut::Model> compile_scene(const SceneSpec& spec, const std::string& name,
                                                 const std::string& text) {
  try {
    return std::make_shared<const abut::Model>(compile(spec));
  } catch (const InputError& error) {
    if (text.empty()) throw;
    throw InputError(add_source_line(error.what(), name, text));
  }
}

}  // namespace

Model::Model(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
Model::Model(const Scene& scene) : Model(Inside::make_model(scene)) {}

Model Model::with(const std::vector<Change>& changes) const {
  return guard_door([&] {
    std::vector<SceneChange> inner;
    for (const Change& change : changes) inner.push_back({change.path, to_key_value(change.value)});
    const std::string& name = parts_->scene->name;
    auto model = std::make_shared<const abut::Model>(
        parts_->model->with(inner, [&](SceneSpec& scene) { read_missing_meshes(scene, name); }));
    auto scene = std::make_shared<Scene::Parts>(Scene::Parts{model->scene, name, {}, true});
    return Model(std::make_shared<const Parts>(Parts{std::move(scene), std::move(model)}));
  });
}

Scene Model::scene() const { return Inside::make_scene(parts_->scene); }
std::uint64_t Model::fingerprint() const {
  return guard_door([&] { return calc_digest(parts_->scene->spec); });
}

Model Inside::make_model(const Scene& scene) {
  return guard_door([&] {
    std::shared_ptr<const Scene::Parts> source = scene.parts_;
    if (!source->is_judged) {
      Scene::Parts judged{source->spec, source->name, {}, true};
      read_missing_meshes(judged.spec, judged.name);
      if (const std::vector<Problem> problems = validate(judged.spec); !problems.empty())
        throw to_input_error(problems);
      source = std::make_shared<Scene::Parts>(std::move(judged));
    }
    auto model = compile_scene(source->spec, source->name, source->text);
    return Model(std::make_shared<const Model::Parts>(Model::Parts{std::move(source), std::move(model)}));
  });
}

}  // namespace abut::v0
