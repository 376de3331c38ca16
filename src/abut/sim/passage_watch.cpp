#include "abut/sim/passage_watch.hpp"

#include <algorithm>
#include <cmath>

#include "abut/geometry/signed_distance.hpp"

namespace abut {

namespace {

bool is_hollow(const Shape& shape) {
  return std::holds_alternative<Torus>(shape) || std::holds_alternative<Bowl>(shape);
}

}  // namespace

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
  if (!(distance_at(1.0) > 0.0) || !(distance_at(0.0) > 0.0)) return false;  // see follow()
  return comes_to_zero(distance_at, travel, 0.25 * (a.thickness + b.thickness));
}

bool PassageWatch::comes_to_zero(const FunctionView<double(double part)>& distance_at, double travel, double least) {
  const double last = distance_at(1.0);
  double part = 0.0, distance = distance_at(0.0);
  least = std::max(least, 2.0 * travel / kMostPlaces);
  for (int place = 0; place < kMostPlaces; ++place) {
    if (!(distance > 0.0)) return true;
    if (distance + last > (1.0 - part) * travel) return false;
    part += std::max(distance, least) / travel;
    if (part >= 1.0) return !(last > 0.0);
    distance = distance_at(part);
  }
  return false;
}

bool PassageWatch::is_middle_inside(const Solid& a, const Solid& b, double part) const {
  const bool is_a_smaller = radius(a) < radius(b);
  const Solid &inner = is_a_smaller ? a : b, &outer = is_a_smaller ? b : a;
  if (outer.probe == nullptr) return false;
  const Vec3 p = calc_pose(outer, part).inverse() * (calc_pose(inner, part) * inner.middle);
  return outer.probe->holds(p, 0.0);
}

bool PassageWatch::has_crossed(const Solid& a, const Solid& b, double travel) const {
  if (is_middle_inside(a, b, 0.0) || is_middle_inside(a, b, 1.0)) return false;  // see follow()
  const bool takes_points = !are_points_inside(a, b, 0.0) && !are_points_inside(a, b, 1.0);
  const double least = std::max(0.25 * std::min(a.thickness, b.thickness), travel / kMostPlaces);
  for (double part = least / travel; part < 1.0; part += least / travel) {
    if (is_middle_inside(a, b, part) || (takes_points && are_points_inside(a, b, part))) return true;
  }
  return false;
}

bool PassageWatch::are_points_inside(const Solid& a, const Solid& b, double part) const {
  const Pose X_WA = calc_pose(a, part), X_WB = calc_pose(b, part);
  const auto is_any_in = [](const Solid& solid, const Pose& X, const Solid& other, const Pose& X_other) {
    if (other.probe == nullptr) return false;
    const Pose between = X_other.inverse() * X;
    return std::any_of(solid.points.begin(), solid.points.end(),
                       [&](const Vec3& p) { return other.probe->holds(between * p, 0.0); });
  };
  return is_any_in(a, X_WA, b, X_WB) || is_any_in(b, X_WB, a, X_WA);
}

bool PassageWatch::has_middle_met(const Solid& a, const Solid& b, double travel) const {
  const bool is_a_smaller = radius(a) < radius(b);
  const Solid &inner = is_a_smaller ? a : b, &outer = is_a_smaller ? b : a;
  if (!outer.support) return is_middle_inside(a, b, 0.0) || is_middle_inside(a, b, 1.0) || has_crossed(a, b, travel);
  const SupportSolid point(Shape(Sphere{0.0}));
  SeparationMemory memory;
  const auto place_at = [&](double part) { return Vec3(calc_pose(inner, part) * inner.middle); };
  const auto distance_at = [&](double part) {
    return calc_separation(point, {Mat3::Identity(), place_at(part)}, *outer.support, calc_pose(outer, part), memory)
        .distance;
  };
  // Bodies that are taken out of each other move without a speed.
  const Vec3 way = calc_pose(outer, 1.0).inverse() * place_at(1.0) - calc_pose(outer, 0.0).inverse() * place_at(0.0);
  return comes_to_zero(distance_at, std::max(travel, kSpeedAllowance * way.norm()), 0.25 * outer.thickness);
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
  const auto number = [&](const Solid& solid) { return static_cast<int>(&solid - solids_.data()); };
  const std::pair key(number(a), number(b));
  const Place last = find_place(a, b, 1.0);
  const auto found = entries_.find(key);
  if (found == entries_.end()) {
    if (last.is_apart) return std::nullopt;
    const Place first = find_place(a, b, 0.0);
    if (first.is_apart) entries_[key] = {first.normal, 1, 0.0, has_middle_met(a, b, travel)};
    return std::nullopt;
  }
  Entry& entry = found->second;
  if (++entry.steps > 2) entry.travel += travel;
  entry.is_through = entry.is_through || has_middle_met(a, b, travel);
  if (!last.is_apart) return std::nullopt;
  const Entry ended = entry;
  entries_.erase(found);
  // What takes longer than the way through both has been carried, and may have gone around the rim of one of them; but
  // not where the middle of the smaller one went through, and it leaves well on the other side.
  constexpr double kWell = -0.5;
  const double way_through = 2.0 * (a.thickness + b.thickness), cosine = ended.normal.dot(last.normal);
  const bool is_beyond = ended.travel > 2.0 * way_through ? ended.is_through && cosine < kWell : cosine < 0.0;
  return is_beyond ? std::optional<int>(ended.steps) : std::nullopt;
}

std::optional<Passage> PassageWatch::find(const Kinematics& end, std::span<const double> q, double h, Pairs pairs) {
  path_.end(end, q, h);
  speeds_.clear();
  for (const Solid& solid : solids_) speeds_.push_back(calc_speed(solid, end));
  if (pairs == Pairs::followed) {
    std::vector<std::pair<int, int>> followed;  // looking at them may take them from the list
    for (const auto& [key, entry] : entries_) followed.push_back(key);
    for (const auto& key : followed) {
      if (const std::optional<Passage> passage = look_at_pair(key, h)) return passage;
    }
    return std::nullopt;
  }
  for (int i = 0; i < static_cast<int>(solids_.size()); ++i) {
    for (int j = i + 1; j < static_cast<int>(solids_.size()); ++j) {
      if (const std::optional<Passage> passage = look_at_pair({i, j}, h)) return passage;
    }
  }
  return std::nullopt;
}

std::optional<Passage> PassageWatch::look_at_pair(const std::pair<int, int>& solids, double h) {
  const Solid &a = solids_[solids.first], &b = solids_[solids.second];
  const int link_a = model_.colliders[a.collider].link, link_b = model_.colliders[b.collider].link;
  if (link_a == link_b) return std::nullopt;
  const double travel = kSpeedAllowance * h * (speeds_[solids.first] + speeds_[solids.second]);
  const bool is_followed = !entries_.empty() && entries_.contains(solids);
  if (!is_followed && (!(travel > calc_reach(a, b)) || !are_near(a, b, travel))) return std::nullopt;
  if (model_.find_rule(link_a, link_b).rule < 0) return std::nullopt;
  const std::optional<int> steps = look_at(a, b, travel);
  if (!steps) return std::nullopt;
  const bool is_dip = a.half_space != nullptr || b.half_space != nullptr;
  return Passage{a.collider, b.collider, travel / kSpeedAllowance, *steps, is_dip};
}

std::optional<int> PassageWatch::look_at(const Solid& a, const Solid& b, double travel) {
  if (a.half_space != nullptr || b.half_space != nullptr) {
    const bool has_met = a.half_space != nullptr ? has_dipped(b, a, travel) : has_dipped(a, b, travel);
    return has_met ? std::optional<int>(1) : std::nullopt;
  }
  if (a.sheet != nullptr || b.sheet != nullptr) {
    const bool is_through =
        b.sheet != nullptr ? has_gone_through_sheet(a, b, travel) : has_gone_through_sheet(b, a, travel);
    return is_through ? std::optional<int>(1) : std::nullopt;
  }
  const bool have_met = have_distance(a, b) ? has_met(a, b, travel) : has_crossed(a, b, travel);
  return have_met ? 1 : follow(a, b, travel);
}

}  // namespace abut
