#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "abut/scene/problem_list.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// Bodies by name.
class BodyIndex {
 public:
  explicit BodyIndex(const SceneSpec& scene) : scene_(scene), knows_all_(!scene.is_unusable("body")) {
    for (const BodySpec& body : scene.body) {
      bodies_.emplace(body.name, &body);
      if (body.is_unusable("name") || body.name.empty()) knows_all_ = false;
    }
  }
  const BodySpec* find(const std::string& name) const {
    const auto found = bodies_.find(name);
    return found == bodies_.end() ? nullptr : found->second;
  }
  const std::vector<BodySpec>& bodies() const { return scene_.body; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const BodySpec& body : scene_.body) names.push_back(body.name);
    return names;
  }
  /// A body whose name could not be read makes every dangling reference doubtful.
  bool knows_all_names() const { return knows_all_; }

 private:
  const SceneSpec& scene_;
  bool knows_all_;
  std::map<std::string_view, const BodySpec*> bodies_;
};

enum class World { allowed, refused };

/// Reports a name that belongs to no body; true when it is fine.
bool check_reference(const BodyIndex& index, const Located& spec, const char* key, const std::string& name, World world,
                     const std::string& label, ProblemList& problems);

}  // namespace abut
