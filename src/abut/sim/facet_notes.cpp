#include "abut/sim/facet_notes.hpp"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "abut/geometry/mesh/shape_mesh.hpp"

namespace abut {

namespace {

bool has_note(const ContactRule& rule, const std::string& words) {
  return std::any_of(rule.notes.begin(), rule.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

bool is_flat(const Shape& shape) {
  return std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<Box>(shape) ||
         std::holds_alternative<Wedge>(shape) || std::holds_alternative<Polyhedron>(shape) ||
         std::holds_alternative<Mesh>(shape);
}

}  // namespace

void note_facets_of_volumes(const std::string& body, std::span<const Collider> colliders, ContactRule& rule) {
  constexpr const char* kWords = "(torus) is seen by volumes as flat facets";
  const auto is_torus = [](const Collider& collider) { return std::holds_alternative<Torus>(collider.shape); };
  if (std::none_of(colliders.begin(), colliders.end(), is_torus) || has_note(rule, kWords)) return;
  rule.notes.push_back(
      fmt::format("'{}' {}, within 0.35 % of the radius of its tube: it rolls a little unevenly; "
                  "region = \"point\" is exact on planes and balls",
                  body, kWords));
}

void note_facets_of_perimeters(const std::string& body, const Collider& collider, ContactRule& rule) {
  constexpr const char* kWords = "is seen by perimeters as flat facets";
  if (is_flat(collider.shape) || has_note(rule, kWords)) return;
  const int count = ShapeMeshOptions{}.num_segments;
  const double off = 0.5 * (std::numbers::pi / count) * (std::numbers::pi / count);
  rule.notes.push_back(fmt::format(
      "'{}' {}, {} to a turn and within {:.2g} % of its radius: it slides and rolls unevenly, and slows down "
      "as it rolls; region = \"point\" or \"volume\" has it round, a mesh of finer triangles less uneven",
      body, kWords, count, 100.0 * off));
}

}  // namespace abut
