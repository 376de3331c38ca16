#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "abut/sim/model.hpp"

namespace abut {

/// What compile() may take over from a model of a scene with the same bodies: colliders stand in the order of the
/// bodies and their shapes, so that those of equal shapes have equal geometry.
class ModelTwin {
 public:
  /// Nothing to take over.
  ModelTwin() = default;
  ModelTwin(const SceneSpec& scene, const Model& like);

  /// The shape as compile() first makes it, where the other scene says the same of it.
  std::optional<Shape> find_shape(std::size_t body, std::size_t shape) const;
  /// The collider of the same place and shape; null where there is none.
  const Collider* find(std::size_t collider) const {
    return collider < colliders_.size() ? colliders_[collider] : nullptr;
  }
  /// Whether all shapes of the body, and how they lie on it, are the same.
  bool has_body(std::size_t body) const { return body < is_same_body_.size() && is_same_body_[body] != 0; }

 private:
  std::vector<const Collider*> colliders_;
  std::vector<std::size_t> first_;  ///< collider of each body
  std::vector<char> is_same_body_;
};

}  // namespace abut
