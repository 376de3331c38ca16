#pragma once

#include <string>
#include <vector>

#include "abut/scene/scene_spec.hpp"
#include "method_choice.hpp"

namespace abut {

/// What `abut compare` is asked to vary; an empty list leaves the scene's own choice.
struct VariantLists {
  std::vector<std::string> normal, friction;
  std::vector<MethodChoice> method;
};

struct Variant {
  std::string label;  ///< "gonthier, bristle, adaptive": only what varies
  SceneSpec scene;
};

/// Every combination, in the order of the lists; the last varies fastest. Laws take over from the scene what they
/// share with its own laws (stiffness, restitution, friction coefficients, Stribeck speed) and fill in the rest by
/// their rules. A method without a step takes half of `step` [s]; its own settings come last. `path` is that of the
/// scene's file, beside which its meshes lie. Throws InputError for a name or a setting that does not exist.
std::vector<Variant> make_variants(const SceneSpec& scene, const VariantLists& lists, double step,
                                   const std::string& path);

}  // namespace abut
