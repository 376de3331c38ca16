#include "abut/sim/passage_watch.hpp"

#include <algorithm>
#include <cmath>

#include "abut/base/error.hpp"
#include "abut/geometry/aabb.hpp"
#include "abut/geometry/signed_distance.hpp"
#include "abut/sim/convex_support.hpp"

namespace abut {

namespace {

bool is_hollow(const Shape& shape) {
  return std::holds_alternative<Torus>(shape) || std::holds_alternative<Bowl>(shape);
}

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

}  // namespace

PassageWatch::PassageWatch(const Model& model) : model_(model), path_(model.tree) {
  for (std::size_t i = 0; i < model.colliders.size(); ++i) add_solid(static_cast<int>(i));
  const bool are_convex =
      std::all_of(solids_.begin(), solids_.end(), [](const Solid& solid) { return solid.support || solid.half_space; });
  for (Solid& solid : solids_) {
    if (are_convex || solid.half_space != nullptr || solid.sheet != nullptr) continue;
    solid.probe = make_probe(model.colliders[solid.collider].shape);
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

double PassageWatch::calc_speed(const Solid& solid, const Kinematics& motion) const {
  const Collider& collider = model_.colliders[solid.collider];
  if (collider.is_static) return 0.0;
  if (solid.half_space != nullptr) return motion.v_WCm[collider.link].norm();
  const Vec3& w = motion.w_WB[collider.link];
  const Vec3 arm = calc_collider_pose(collider, motion.X_WB[collider.link]).p - motion.p_WCm[collider.link];
  double speed = (motion.v_WCm[collider.link] + w.cross(arm)).norm();
  if (!std::holds_alternative<Sphere>(collider.shape)) speed += w.norm() * collider.bounding_radius;
  return speed;
}

bool PassageWatch::is_needed(const Kinematics& motion, double h) const {
  const double gravity = model_.scene.gravity.norm();
  return std::any_of(movers_.begin(), movers_.end(), [&](const Mover& mover) {
    double speed = motion.v_WCm[mover.link].norm();
    if (mover.reach > 0.0) speed += motion.w_WB[mover.link].norm() * mover.reach;
    // The coming step may end that much faster.
    return (speed + h * gravity) * h > mover.thickness;
  });
}

void PassageWatch::begin(const Kinematics& motion, std::span<const double> q) { path_.begin(motion, q); }

Pose PassageWatch::calc_pose(const Solid& solid, double part) const {
  const Collider& collider = model_.colliders[solid.collider];
  return calc_collider_pose(collider, path_.calc_pose(collider.link, collider.is_static ? 0.0 : part));
}

double PassageWatch::calc_reach(const Solid& a, const Solid& b) {
  const double less = std::min(a.thickness, b.thickness);
  return less > 0.0 ? less : std::max(a.thickness, b.thickness);
}

bool PassageWatch::are_near(const Solid& a, const Solid& b, double travel) const {
  const double apart = (calc_pose(a, 1.0).p - calc_pose(b, 1.0).p).norm();
  return apart <= model_.colliders[a.collider].bounding_radius + model_.colliders[b.collider].bounding_radius + travel;
}

bool PassageWatch::have_distance(const Solid& a, const Solid& b) const {
  const Shape &shape_a = model_.colliders[a.collider].shape, &shape_b = model_.colliders[b.collider].shape;
  return (a.support && b.support) || (is_hollow(shape_a) && std::holds_alternative<Sphere>(shape_b)) ||
         (is_hollow(shape_b) && std::holds_alternative<Sphere>(shape_a));
}

double PassageWatch::calc_distance(const Solid& a, const Solid& b, double part, SeparationMemory& memory,
                                   Vec3* normal) const {
  const Shape &shape_a = model_.colliders[a.collider].shape, &shape_b = model_.colliders[b.collider].shape;
  if (is_hollow(shape_b)) {
    const double distance = calc_distance(b, a, part, memory, normal);
    if (normal != nullptr) *normal = -*normal;
    return distance;
  }
  const Pose X_WA = calc_pose(a, part), X_WB = calc_pose(b, part);
  if (!is_hollow(shape_a)) {
    const Separation separation = calc_separation(*a.support, X_WA, *b.support, X_WB, memory);
    if (normal != nullptr) *normal = separation.normal;
    return separation.distance;
  }
  const SurfaceDistance found = calc_signed_distance(shape_a, X_WA.inverse() * X_WB.p);
  if (normal != nullptr) *normal = -(X_WA.R * found.normal);
  return found.distance - std::get<Sphere>(shape_b).radius;
}

bool PassageWatch::has_met(const Solid& a, const Solid& b, double travel) const {
  SeparationMemory memory;
  const auto distance_at = [&](double part) { return calc_distance(a, b, part, memory); };
  const double last = distance_at(1.0);
  if (!(last > 0.0)) return false;  // see follow()
  double part = 0.0, distance = distance_at(0.0);
  if (!(distance > 0.0)) return false;
  // No point of one comes nearer to the other than by `travel` within the whole step.
  const double least = std::max(0.25 * (a.thickness + b.thickness), 2.0 * travel / kMostPlaces);
  for (int place = 0; place < kMostPlaces; ++place) {
    if (distance + last > (1.0 - part) * travel) return false;
    part += std::max(distance, least) / travel;
    if (part >= 1.0) return false;
    distance = distance_at(part);
    if (!(distance > 0.0)) return true;
  }
  return false;
}

bool PassageWatch::is_middle_inside(const Solid& a, const Solid& b, double part) const {
  const bool is_a_smaller = model_.colliders[a.collider].bounding_radius < model_.colliders[b.collider].bounding_radius;
  const Solid &inner = is_a_smaller ? a : b, &outer = is_a_smaller ? b : a;
  if (outer.probe == nullptr) return false;
  const Vec3 p = calc_pose(outer, part).inverse() * (calc_pose(inner, part) * inner.middle);
  return outer.probe->holds(p, 0.0);
}

bool PassageWatch::has_crossed(const Solid& a, const Solid& b, double travel) const {
  if (is_middle_inside(a, b, 0.0) || is_middle_inside(a, b, 1.0)) return false;  // see follow()
  const double least = std::max(0.25 * std::min(a.thickness, b.thickness), travel / kMostPlaces);
  for (double part = least / travel; part < 1.0; part += least / travel) {
    if (is_middle_inside(a, b, part)) return true;
  }
  return false;
}

PassageWatch::Place PassageWatch::find_place(const Solid& a, const Solid& b, double part) const {
  Place place;
  if (have_distance(a, b)) {
    SeparationMemory memory;
    place.is_apart = calc_distance(a, b, part, memory, &place.normal) > 0.0;
    return place;
  }
  place.is_apart = !is_middle_inside(a, b, part);
  // The way that one takes past the other tells the side: it comes from there, and goes that way.
  const auto middle = [&](const Solid& solid, double at) { return Vec3(calc_pose(solid, at) * solid.middle); };
  const Vec3 way = middle(a, 1.0) - middle(a, 0.0) - (middle(b, 1.0) - middle(b, 0.0));
  place.normal = (part == 0.0 ? -1.0 : 1.0) * way.normalized();
  return place;
}

std::optional<int> PassageWatch::follow(const Solid& a, const Solid& b, double travel) {
  const std::pair key(a.collider, b.collider);
  const Place last = find_place(a, b, 1.0);
  const auto entry = entries_.find(key);
  if (entry == entries_.end()) {
    if (last.is_apart) return std::nullopt;
    const Place first = find_place(a, b, 0.0);
    if (first.is_apart) entries_[key] = {first.normal, 1};
    return std::nullopt;
  }
  const int steps = ++entry->second.steps;
  if (!last.is_apart) return std::nullopt;
  const bool has_turned = entry->second.normal.dot(last.normal) < 0.0;
  entries_.erase(entry);
  // What takes longer than the way through both has been carried, and may have gone around.
  const double way_through = 2.0 * (a.thickness + b.thickness);
  if (!has_turned || (steps - 2) * travel > 2.0 * way_through) return std::nullopt;
  return steps;
}

std::optional<Passage> PassageWatch::find(const Kinematics& end, std::span<const double> q, double h) {
  path_.end(end, q, h);
  for (const Solid& a : solids_) {
    const double speed_a = calc_speed(a, end);
    for (const Solid& b : solids_) {
      const Collider& collider_a = model_.colliders[a.collider];
      const Collider& collider_b = model_.colliders[b.collider];
      if (b.collider <= a.collider || collider_a.link == collider_b.link) continue;
      const double travel = kSpeedAllowance * h * (speed_a + calc_speed(b, end));
      if (!(travel > calc_reach(a, b))) continue;
      if (!are_near(a, b, travel)) {
        entries_.erase({a.collider, b.collider});
        continue;
      }
      if (model_.find_rule(collider_a.link, collider_b.link).rule < 0) continue;
      const std::optional<int> steps = look_at(a, b, travel);
      const bool is_dip = a.half_space != nullptr || b.half_space != nullptr;
      if (steps) return Passage{a.collider, b.collider, travel / kSpeedAllowance, *steps, is_dip};
    }
  }
  return std::nullopt;
}

std::optional<int> PassageWatch::look_at(const Solid& a, const Solid& b, double travel) {
  if (a.half_space != nullptr || b.half_space != nullptr) {
    const bool has_met = a.half_space != nullptr ? has_dipped(b, a, travel) : has_dipped(a, b, travel);
    return has_met ? std::optional<int>(1) : std::nullopt;
  }
  if (a.sheet != nullptr || b.sheet != nullptr) {
    const bool is_through = b.sheet != nullptr ? has_gone_through_sheet(a, b) : has_gone_through_sheet(b, a);
    return is_through ? std::optional<int>(1) : std::nullopt;
  }
  const bool have_met = have_distance(a, b) ? has_met(a, b, travel) : has_crossed(a, b, travel);
  return have_met ? 1 : follow(a, b, travel);
}

}  // namespace abut
