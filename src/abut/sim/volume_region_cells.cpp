#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "abut/geometry/volume/cell_layout.hpp"
#include "abut/geometry/volume/union_field.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/facet_notes.hpp"

namespace abut {

namespace {

/// A volumetric rule that covers a link, null where there is none.
ContactRule* find_volume_rule(Model& model, int link) {
  for (const RuleMatch& match : model.class_rules[model.body_class[link]]) {
    if (match.rule >= 0 && match.region == RegionKind::volume) return &model.rules[match.rule];
  }
  return nullptr;
}

std::size_t leader_of(const Collider& collider, CellJoining joining) {
  return static_cast<std::size_t>(collider.layout->leader(collider.cell, joining));
}

std::string describe_shape(const BodySpec& body, int cell) {
  const std::string& name = body.shape[cell].name;
  return name.empty() ? fmt::format("shape {}", cell + 1) : fmt::format("'{}'", name);
}

void note_overlaps(const BodySpec& body, const CellLayout& layout, ContactRule& rule) {
  constexpr std::size_t kMostNamed = 4;
  const std::size_t count = layout.overlaps().size();
  const std::size_t named = count > kMostNamed ? kMostNamed - 1 : count;
  for (const CellOverlap& overlap : std::span(layout.overlaps()).first(named)) {
    rule.notes.push_back(fmt::format(
        "{} and {} of '{}' overlap by {:.3g} m^3 ({:.3g} % of the smaller): volumetric contact counts that part twice",
        describe_shape(body, overlap.a), describe_shape(body, overlap.b), body.name, overlap.volume,
        100.0 * overlap.part));
  }
  if (named < count)
    rule.notes.push_back(fmt::format("{} more pairs of shapes of '{}' overlap", count - named, body.name));
}

/// A collider that stands for a group of cells, in candidates and patches, has the radius of all of them.
void widen_leaders(std::size_t begin, std::size_t end, CellJoining joining, std::vector<Collider>& colliders) {
  std::vector<double> radii;
  for (std::size_t i = begin; i < end; ++i) radii.push_back(colliders[i].bounding_radius);
  for (std::size_t i = begin; i < end; ++i) {
    Collider& leader = colliders[begin + leader_of(colliders[i], joining)];
    const double reach = (colliders[i].X_LS.p - leader.X_LS.p).norm() + radii[i - begin];
    leader.bounding_radius = std::max(leader.bounding_radius, reach);
  }
}

}  // namespace

void lay_out_cells(const SceneSpec& scene, const ModelTwin& twin, Model& model) {
  const std::size_t count = model.colliders.size();
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    const int link = model.colliders[begin].link;
    while (end < count && model.colliders[end].link == link) ++end;
    ContactRule* rule = find_volume_rule(model, link);
    if (rule == nullptr) continue;
    note_facets_of_volumes(model.body_name(link), std::span(model.colliders).subspan(begin, end - begin), *rule);
    std::vector<BodyCell> cells;
    for (std::size_t i = begin; i < end; ++i) cells.push_back({model.colliders[i].shape, model.colliders[i].X_LS});
    const auto body = static_cast<std::size_t>(model.body_of_link[link]);
    const Collider* known = twin.has_body(body) ? twin.find(begin) : nullptr;
    if (known != nullptr && known->field != nullptr) {
      for (std::size_t i = begin; i < end; ++i) {
        const Collider& other = *twin.find(i);
        model.colliders[i].layout = other.layout;
        model.colliders[i].cell = other.cell;
        model.colliders[i].field = other.field;
      }
    } else if (cells.size() == 1) {
      model.colliders[begin].field = std::make_shared<const DepthField>(make_depth_field(cells[0].shape));
    } else {
      const auto layout = std::make_shared<const CellLayout>(cells);
      std::vector<DepthField> fields = make_body_fields(cells, *layout);
      for (std::size_t i = begin; i < end; ++i) {
        model.colliders[i].layout = layout;
        model.colliders[i].cell = static_cast<int>(i - begin);
        model.colliders[i].field = std::make_shared<const DepthField>(std::move(fields[i - begin]));
      }
    }
    const auto& layout = model.colliders[begin].layout;
    if (layout == nullptr) continue;
    widen_leaders(begin, end, std::get<VolumeRule>(rule->region).cells, model.colliders);
    note_overlaps(scene.body[body], *layout, *rule);
  }
}

}  // namespace abut
