#include "abut/model.hpp"

#include <utility>

#include "abut/door/guard.hpp"
#include "abut/door/parts.hpp"
#include "abut/io/problem_report.hpp"
#include "abut/scene/scene_digest.hpp"
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

Scene Model::scene() const { return Inside::make_scene(parts_->scene); }
std::uint64_t Model::fingerprint() const { return parts_->fingerprint; }

Model Inside::make_model(const Scene& scene) {
  return guard_door([&] {
    const Scene::Parts& source = *scene.parts_;
    return Model(std::make_shared<const Model::Parts>(
        Model::Parts{scene.parts_, compile_scene(source.spec, source.name, source.text), calc_digest(source.spec)}));
  });
}

}  // namespace abut::v0
