#include "abut/sim/model_twin.hpp"

#include <variant>

#include "abut/scene/same_spec.hpp"

namespace abut {

ModelTwin::ModelTwin(const SceneSpec& scene, const Model& like) {
  const std::vector<BodySpec>& others = like.scene.body;
  if (others.size() != scene.body.size()) return;
  for (std::size_t b = 0; b < others.size(); ++b) {
    const std::vector<ShapeSpec>&shapes = scene.body[b].shape, &other = others[b].shape;
    if (shapes.size() != other.size()) break;  // the order of what follows is another
    bool is_same = true;
    first_.push_back(colliders_.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const bool is_same_shape = is_same_spec(shapes[i], other[i]);
      colliders_.push_back(is_same_shape ? &like.colliders[colliders_.size()] : nullptr);
      is_same = is_same && is_same_shape;
    }
    is_same_body_.push_back(is_same ? 1 : 0);
  }
}

std::optional<Shape> ModelTwin::find_shape(std::size_t body, std::size_t shape) const {
  const Collider* twin = body < first_.size() ? find(first_[body] + shape) : nullptr;
  if (twin == nullptr) return std::nullopt;
  Shape made = twin->shape;
  if (auto* torus = std::get_if<Torus>(&made)) torus->facets = nullptr;  // added later, where a rule asks for them
  return made;
}

}  // namespace abut
