#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "abut/scene.hpp"

ABUT_DOOR_BEGIN

/// A scene made ready to run: masses, shapes, trees of meshes, every parameter of its contacts. It never changes, so
/// that worlds and threads share it; copies cost a pointer.
class ABUT_API Model {
 public:
  /// InputError where the scene asks for what cannot be modelled, with the place.
  explicit Model(const Scene& scene);

  /// The same with other values, all set before they are judged together (Scene::set). Meshes, trees and fields of
  /// shapes that stay are shared: for sliders, sweeps, identification. What comes out is what reading the changed scene
  /// would give, bit for bit.
  Model with(const std::vector<Change>& changes) const;

  Scene scene() const;
  /// Of the whole scene with its meshes: states of one model are told from those of another by it. Calculated at each
  /// call.
  std::uint64_t fingerprint() const;

 private:
  struct Parts;
  explicit Model(std::shared_ptr<const Parts> parts);
  friend class Inside;  // of the library

  std::shared_ptr<const Parts> parts_;
};

ABUT_DOOR_END
