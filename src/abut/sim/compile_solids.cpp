#include <algorithm>
#include <map>
#include <utility>

#include "abut/geometry/manifold/contact_solid.hpp"
#include "abut/geometry/mesh/facets.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/region_row.hpp"

namespace abut {

namespace {

template <class Predicate>
bool has_rule(const Model& model, const Collider& collider, const Predicate& is_wanted) {
  const auto& rules = model.class_rules[model.body_class[collider.link]];
  return std::any_of(rules.begin(), rules.end(),
                     [&](const RuleMatch& match) { return match.rule >= 0 && is_wanted(match); });
}

bool wants_facets(const RuleMatch& match) { return region_row(match.region).wants_ring_facets; }
bool is_hard(const RuleMatch& match) { return match.is_hard; }

/// Rings of one size share their triangles.
void make_facets(const ModelTwin& twin, Model& model) {
  std::map<std::pair<double, double>, Shape> made;
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    Collider& collider = model.colliders[i];
    const auto* torus = std::get_if<Torus>(&collider.shape);
    if (torus == nullptr || !has_rule(model, collider, wants_facets)) continue;
    const auto [place, is_new] = made.try_emplace({torus->ring_radius, torus->tube_radius}, collider.shape);
    const Collider* known = twin.find(i);
    if (is_new) place->second = with_facets(known != nullptr ? known->shape : place->second);
    collider.shape = place->second;
  }
}

}  // namespace

/// Bodies of one mesh or hull share their solid.
void make_solids(const ModelTwin& twin, Model& model) {
  make_facets(twin, model);
  std::map<const void*, std::shared_ptr<const ContactSolid>> known;
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    Collider& collider = model.colliders[i];
    if (!has_rule(model, collider, is_hard) || collider.surface != nullptr) continue;
    const auto* mesh = std::get_if<Mesh>(&collider.shape);
    const auto* polyhedron = std::get_if<Polyhedron>(&collider.shape);
    const void* owner = mesh != nullptr         ? static_cast<const void*>(mesh->solid.get())
                        : polyhedron != nullptr ? static_cast<const void*>(polyhedron->solid.get())
                                                : nullptr;
    if (owner != nullptr && known.contains(owner)) {
      collider.solid = known.at(owner);
      continue;
    }
    const Collider* twin_collider = twin.find(i);
    if (twin_collider != nullptr && twin_collider->solid != nullptr) {
      collider.solid = twin_collider->solid;
    } else if (auto solid = ContactSolid::make(collider.shape)) {
      collider.solid = std::make_shared<const ContactSolid>(*std::move(solid));
    }
    if (owner != nullptr) known[owner] = collider.solid;
  }
}

}  // namespace abut
