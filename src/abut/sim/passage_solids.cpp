// The solids that a watch for passages knows, and the links that move them.

#include <algorithm>
#include <cmath>

#include "abut/base/error.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/mesh/shape_mesh.hpp"
#include "abut/sim/convex_support.hpp"
#include "abut/sim/passage_watch.hpp"

namespace abut {

namespace {

/// Half of what has to be crossed to be beyond a shape [m].
double calc_thickness(const Shape& shape, const Vec3& extents) {
  if (const auto* torus = std::get_if<Torus>(&shape)) return torus->tube_radius;
  if (const auto* bowl = std::get_if<Bowl>(&shape)) return 0.5 * bowl->thickness;
  return 0.5 * extents.minCoeff();
}

std::shared_ptr<SolidProbe> make_probe(const Shape& shape) {
  try {
    return std::make_shared<SolidProbe>(shape, Pose());
  } catch (const InputError&) {
    return nullptr;
  }
}

/// Points of the surface, taken smaller; none where its triangles are not at hand.
std::vector<Vec3> list_points(const Collider& collider, const Vec3& middle) {
  constexpr std::size_t kFew = 48;
  ShapeMeshOptions coarse;
  coarse.num_segments = 8;
  std::vector<Vec3> vertices;
  try {
    vertices = make_shape_mesh(collider.shape, coarse).vertices;
  } catch (const InputError&) {
    return {};
  }
  std::vector<Vec3> points;
  const std::size_t stride = 1 + vertices.size() / kFew;
  for (std::size_t i = 0; i < vertices.size(); i += stride)
    points.emplace_back(middle + (1.0 - PassageWatch::kGraze) * (vertices[i] - middle));
  return points;
}

}  // namespace

PassageWatch::PassageWatch(const Model& model) : model_(model), path_(model.tree) {
  for (std::size_t i = 0; i < model.colliders.size(); ++i) add_solid(static_cast<int>(i));
  const bool are_convex =
      std::all_of(solids_.begin(), solids_.end(), [](const Solid& solid) { return solid.support || solid.half_space; });
  for (Solid& solid : solids_) {
    if (are_convex || solid.half_space != nullptr || solid.sheet != nullptr) continue;
    solid.probe = make_probe(model.colliders[solid.collider].shape);
    solid.points = list_points(model.colliders[solid.collider], solid.middle);
  }
  list_movers();
}

void PassageWatch::add_solid(int index) {
  const Collider& collider = model_.colliders[index];
  Solid solid;
  solid.collider = index;
  solid.half_space = std::get_if<HalfSpace>(&collider.shape);
  if (solid.half_space != nullptr) {
    solids_.push_back(solid);
    return;
  }
  if (!std::isfinite(collider.bounding_radius)) return;
  const auto* mesh = std::get_if<Mesh>(&collider.shape);
  const bool is_sheet = mesh != nullptr && mesh->solid == nullptr;
  if (is_sheet && collider.surface == nullptr) return;
  if (is_sheet) solid.sheet = collider.surface.get();
  const Aabb box = is_sheet ? collider.surface->bounds() : calc_aabb(collider.shape, Pose());
  const Vec3 extents = box.upper - box.lower;
  if (!extents.allFinite()) return;
  solid.middle = 0.5 * (box.lower + box.upper);
  solid.thickness = is_sheet ? 0.0 : calc_thickness(collider.shape, extents);
  if (!is_sheet) solid.support = find_convex_support(collider.shape);
  if (solid.support) solid.support = solid.support->make_smaller(solid.middle, 1.0 - kGraze);
  solids_.push_back(std::move(solid));
}

void PassageWatch::list_movers() {
  for (const Solid& solid : solids_) {
    const Collider& collider = model_.colliders[solid.collider];
    if (collider.is_static || solid.half_space != nullptr) continue;
    const Vec3 arm = collider.X_LS.p - model_.tree.link(collider.link).mass.center_of_mass;
    const bool is_plain = collider.is_at_center_of_mass && std::holds_alternative<Sphere>(collider.shape);
    const double reach = is_plain ? 0.0 : arm.norm() + collider.bounding_radius;
    if (movers_.empty() || movers_.back().link != collider.link)
      movers_.push_back({collider.link, solid.thickness, 0.0});
    movers_.back().thickness = std::min(movers_.back().thickness, solid.thickness);
    movers_.back().reach = std::max(movers_.back().reach, reach);
  }
}

}  // namespace abut
