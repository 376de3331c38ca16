#pragma once

#include <span>
#include <string>

#include "abut/contact/collider.hpp"
#include "abut/contact/contact_rule.hpp"

namespace abut {

/// A word, once for each rule, where a round shape of a body is seen as flat facets: rings by volumes
/// (geometry/mesh/facets.hpp), everything round by perimeters (geometry/mesh/shape_mesh.hpp).
void note_facets_of_volumes(const std::string& body, std::span<const Collider> colliders, ContactRule& rule);
void note_facets_of_perimeters(const std::string& body, const Collider& collider, ContactRule& rule);

}  // namespace abut
