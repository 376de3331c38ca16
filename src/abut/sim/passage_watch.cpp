#include "abut/sim/passage_watch.hpp"

#include <algorithm>
#include <cmath>

#include "abut/base/error.hpp"
#include "abut/geometry/aabb.hpp"
#include "abut/geometry/signed_distance.hpp"

namespace abut {

namespace {

/// Places looked at within one step, at most.
constexpr int kMostPlaces = 4096;

std::optional<SupportSolid> make_support(const Shape& shape) {
  if (const auto* polyhedron = std::get_if<Polyhedron>(&shape)) return SupportSolid(*polyhedron->solid);
  try {
    return SupportSolid(shape);
  } catch (const InputError&) {
    return std::nullopt;  // not convex
  }
}

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

PassageWatch::PassageWatch(const Model& model) : model_(model) {
  bool are_convex = true;
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const Collider& collider = model.colliders[i];
    const auto* mesh = std::get_if<Mesh>(&collider.shape);
    if (!std::isfinite(collider.bounding_radius) || (mesh != nullptr && mesh->solid == nullptr)) continue;
    const Aabb box = calc_aabb(collider.shape, Pose());
    const Vec3 extents = box.upper - box.lower;
    if (!extents.allFinite()) continue;
    solids_.push_back({static_cast<int>(i), calc_thickness(collider.shape, extents), make_support(collider.shape),
                       Vec3(0.5 * (box.lower + box.upper)), nullptr});
    are_convex = are_convex && solids_.back().support;
  }
  for (Solid& solid : solids_) {
    if (!are_convex) solid.probe = make_probe(model.colliders[solid.collider].shape);
  }
  list_movers();
}

void PassageWatch::list_movers() {
  for (const Solid& solid : solids_) {
    const Collider& collider = model_.colliders[solid.collider];
    if (collider.is_static) continue;
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

void PassageWatch::begin(const Kinematics& motion) {
  poses_ = motion.X_WB;
  centers_ = motion.p_WCm;
}

/// Centres of mass move straight on, and links turn about one axis at a steady rate.
Pose PassageWatch::calc_pose(const Solid& solid, const Kinematics& end, double part) const {
  const Collider& collider = model_.colliders[solid.collider];
  const int link = collider.link;
  const Pose& X0 = poses_[link];
  if (collider.is_static) return calc_collider_pose(collider, X0);
  const Eigen::AngleAxisd turn(Mat3(end.X_WB[link].R * X0.R.transpose()));
  const Mat3 R = Eigen::AngleAxisd(part * turn.angle(), turn.axis()).toRotationMatrix() * X0.R;
  const Vec3 arm = X0.R.transpose() * (X0.p - centers_[link]);
  const Vec3 center = centers_[link] + part * (end.p_WCm[link] - centers_[link]);
  return calc_collider_pose(collider, {R, Vec3(center + R * arm)});
}

bool PassageWatch::have_distance(const Solid& a, const Solid& b) const {
  const Shape &shape_a = model_.colliders[a.collider].shape, &shape_b = model_.colliders[b.collider].shape;
  return (a.support && b.support) || (is_hollow(shape_a) && std::holds_alternative<Sphere>(shape_b)) ||
         (is_hollow(shape_b) && std::holds_alternative<Sphere>(shape_a));
}

double PassageWatch::calc_distance(const Solid& a, const Solid& b, const Kinematics& end, double part,
                                   SeparationMemory& memory, Vec3* normal) const {
  const Shape &shape_a = model_.colliders[a.collider].shape, &shape_b = model_.colliders[b.collider].shape;
  if (is_hollow(shape_b)) {
    const double distance = calc_distance(b, a, end, part, memory, normal);
    if (normal != nullptr) *normal = -*normal;
    return distance;
  }
  const Pose X_WA = calc_pose(a, end, part), X_WB = calc_pose(b, end, part);
  if (!is_hollow(shape_a)) {
    const Separation separation = calc_separation(*a.support, X_WA, *b.support, X_WB, memory);
    if (normal != nullptr) *normal = separation.normal;
    return separation.distance;
  }
  const SurfaceDistance found = calc_signed_distance(shape_a, X_WA.inverse() * X_WB.p);
  if (normal != nullptr) *normal = -(X_WA.R * found.normal);
  return found.distance - std::get<Sphere>(shape_b).radius;
}

bool PassageWatch::has_met(const Solid& a, const Solid& b, const Kinematics& end, double travel) const {
  SeparationMemory memory;
  const auto distance_at = [&](double part) { return calc_distance(a, b, end, part, memory); };
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

bool PassageWatch::is_middle_inside(const Solid& a, const Solid& b, const Kinematics& end, double part) const {
  const bool is_a_smaller = model_.colliders[a.collider].bounding_radius < model_.colliders[b.collider].bounding_radius;
  const Solid &inner = is_a_smaller ? a : b, &outer = is_a_smaller ? b : a;
  if (outer.probe == nullptr) return false;
  const Vec3 p = calc_pose(outer, end, part).inverse() * (calc_pose(inner, end, part) * inner.middle);
  return outer.probe->holds(p, 0.0);
}

bool PassageWatch::has_crossed(const Solid& a, const Solid& b, const Kinematics& end, double travel) const {
  const double apart = (calc_pose(a, end, 1.0).p - calc_pose(b, end, 1.0).p).norm();
  if (apart > model_.colliders[a.collider].bounding_radius + model_.colliders[b.collider].bounding_radius + travel)
    return false;
  if (is_middle_inside(a, b, end, 0.0) || is_middle_inside(a, b, end, 1.0)) return false;  // see follow()
  const double least = std::max(0.25 * std::min(a.thickness, b.thickness), travel / kMostPlaces);
  for (double part = least / travel; part < 1.0; part += least / travel) {
    if (is_middle_inside(a, b, end, part)) return true;
  }
  return false;
}

PassageWatch::Place PassageWatch::find_place(const Solid& a, const Solid& b, const Kinematics& end, double part) const {
  Place place;
  if (have_distance(a, b)) {
    SeparationMemory memory;
    place.is_apart = calc_distance(a, b, end, part, memory, &place.normal) > 0.0;
    return place;
  }
  place.is_apart = !is_middle_inside(a, b, end, part);
  // The way that one takes past the other tells the side: it comes from there, and goes that way.
  const auto middle = [&](const Solid& solid, double at) { return Vec3(calc_pose(solid, end, at) * solid.middle); };
  const Vec3 way = middle(a, 1.0) - middle(a, 0.0) - (middle(b, 1.0) - middle(b, 0.0));
  place.normal = (part == 0.0 ? -1.0 : 1.0) * way.normalized();
  return place;
}

std::optional<int> PassageWatch::follow(const Solid& a, const Solid& b, const Kinematics& end, double travel) {
  const std::pair key(a.collider, b.collider);
  const double apart = (calc_pose(a, end, 1.0).p - calc_pose(b, end, 1.0).p).norm();
  if (apart > model_.colliders[a.collider].bounding_radius + model_.colliders[b.collider].bounding_radius + travel) {
    entries_.erase(key);
    return std::nullopt;
  }
  const Place last = find_place(a, b, end, 1.0);
  const auto entry = entries_.find(key);
  if (entry == entries_.end()) {
    if (last.is_apart) return std::nullopt;
    const Place first = find_place(a, b, end, 0.0);
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

std::optional<Passage> PassageWatch::find(const Kinematics& end, double h) {
  for (const Solid& a : solids_) {
    const double speed_a = calc_speed(a, end);
    for (const Solid& b : solids_) {
      const Collider& collider_a = model_.colliders[a.collider];
      const Collider& collider_b = model_.colliders[b.collider];
      if (b.collider <= a.collider || collider_a.link == collider_b.link) continue;
      const double travel = kSpeedAllowance * h * (speed_a + calc_speed(b, end));
      if (!(travel > std::min(a.thickness, b.thickness))) continue;
      if (model_.find_rule(collider_a.link, collider_b.link).rule < 0) continue;
      const bool have_met = have_distance(a, b) ? has_met(a, b, end, travel) : has_crossed(a, b, end, travel);
      const std::optional<int> steps = have_met ? 1 : follow(a, b, end, travel);
      if (steps) return Passage{a.collider, b.collider, travel / kSpeedAllowance, *steps};
    }
  }
  return std::nullopt;
}

}  // namespace abut
