#include "abut/scene.hpp"

#include <atomic>
#include <utility>

#include "abut/door/convert.hpp"
#include "abut/door/guard.hpp"
#include "abut/door/parts.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/io/text_file.hpp"

namespace abut::v0 {

Scene::Scene(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

Scene Scene::read_file(const std::string& path, const std::vector<std::string>& changes) {
  return guard_door([&] { return read_text(read_text_file(path), path, changes); });
}

Scene Scene::read_text(const std::string& text, const std::string& name, const std::vector<std::string>& changes) {
  return guard_door([&] {
    return Scene(std::make_shared<Parts>(Parts{read_scene_text(text, name, changes), name, text}));
  });
}

std::string Scene::to_toml() const {
  return guard_door([&] { return scene_to_toml(parts_->spec); });
}

void Scene::set(std::string_view path, const Value& value) {
  guard_door([&] {
    if (parts_.use_count() > 1) {
      auto own = std::make_shared<Parts>(Parts{parts_->spec, parts_->name, {}, false});
      abut::set(own->spec, path, to_key_value(value));
      parts_ = std::move(own);
      return;
    }
    // Whoever shared them before, in whatever thread, has let go of them; they were not made const.
    std::atomic_thread_fence(std::memory_order_acquire);
    Parts& own = const_cast<Parts&>(*parts_);
    abut::set(own.spec, path, to_key_value(value));
    own.text.clear();  // its lines no longer say what is so
    own.is_judged = false;
  });
}

const std::string& Scene::title() const { return parts_->spec.title; }
double Scene::duration() const { return parts_->spec.run.duration; }

std::vector<std::string> Scene::body_names() const {
  std::vector<std::string> names;
  for (const BodySpec& body : parts_->spec.body) names.push_back(body.name);
  return names;
}

std::vector<std::string> Scene::joint_names() const {
  std::vector<std::string> names;
  for (const JointSpec& joint : parts_->spec.joint) names.push_back(joint.name);
  return names;
}

}  // namespace abut::v0
