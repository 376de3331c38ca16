#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "abut/geometry/mesh/shape_mesh.hpp"
#include "abut/geometry/mesh/surface_mesh.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/facet_notes.hpp"

namespace abut {

namespace {

bool is_perimeter(const RuleMatch& match) { return match.rule >= 0 && match.region == RegionKind::perimeter; }

}  // namespace

void make_surfaces(const SceneSpec& scene, const ModelTwin& twin, Model& model) {
  std::map<const void*, std::shared_ptr<const SurfaceMesh>> known;  // by mesh, which many bodies may share
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    Collider& collider = model.colliders[i];
    const auto& rules = model.class_rules[model.body_class[collider.link]];
    if (collider.surface != nullptr || std::none_of(rules.begin(), rules.end(), is_perimeter)) continue;
    const auto* mesh = std::get_if<Mesh>(&collider.shape);
    std::shared_ptr<const SurfaceMesh> fresh;
    std::shared_ptr<const SurfaceMesh>& surface = mesh == nullptr ? fresh : known[mesh->solid.get()];
    if (const Collider* other = twin.find(i); surface == nullptr && other != nullptr) surface = other->surface;
    if (surface == nullptr) {
      const BodySpec& body = scene.body[model.body_of_link[collider.link]];
      try {
        surface = std::make_shared<const SurfaceMesh>(make_surface_mesh(make_shape_mesh(collider.shape), body.name));
      } catch (const InputError& error) {
        fail_at(body.where, fmt::format("'{}' cannot take part in perimeter contact: {}", body.name, error.what()));
      }
    }
    collider.surface = surface;
    const int rule = std::find_if(rules.begin(), rules.end(), is_perimeter)->rule;
    note_facets_of_perimeters(model.body_name(collider.link), collider, model.rules[rule]);
  }
}

}  // namespace abut
