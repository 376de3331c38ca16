#pragma once

#include "abut/sim/model.hpp"

namespace abut {

/// Turns a validated scene into a model: links in tree order, mass properties, colliders, resolved contact rules, loads
/// and the initial state. Throws InputError with file:line:column where the scene asks for something that cannot be
/// modelled (two shapes without a point contact, a body that nothing gives inertia).
Model compile(const SceneSpec& scene);

/// The same for bodies that a program moves itself: where they start does not matter.
Model compile_for_host(const SceneSpec& scene);

/// The same, sharing with another model what both have: shapes with their meshes, trees of boxes, fields and solids.
Model compile(const SceneSpec& scene, const Model& like);

}  // namespace abut
