#pragma once

#include <string>
#include <vector>

#include "abut/scene/scene_spec.hpp"

namespace abut {

/// What `abut compare` is asked to vary; an empty list leaves the scene's own choice.
struct VariantLists {
  std::vector<std::string> normal, friction, method;
};

struct Variant {
  std::string label;  ///< "gonthier, bristle, adaptive": only what varies
  SceneSpec scene;
};

/// Every combination, in the order of the lists; the last varies fastest. Laws take over from the scene what they
/// share with its own laws (stiffness, restitution, friction coefficients, Stribeck speed) and fill in the rest by
/// their rules. A method without a step takes half of `step` [s]. Throws InputError for a name that does not exist.
std::vector<Variant> make_variants(const SceneSpec& scene, const VariantLists& lists, double step);

}  // namespace abut
