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

bool is_hollow(const Shape& shape) {
  return std::holds_alternative<Torus>(shape) || std::holds_alternative<Bowl>(shape);
}

/// Half of what has to be crossed to be beyond a shape [m].
double calc_thickness(const Shape& shape) {
  if (const auto* torus = std::get_if<Torus>(&shape)) return torus->tube_radius;
  if (const auto* bowl = std::get_if<Bowl>(&shape)) return 0.5 * bowl->thickness;
  const Aabb box = calc_aabb(shape, Pose());
  return 0.5 * (box.upper - box.lower).minCoeff();
}

std::optional<SupportSolid> make_solid(const Collider& collider) {
  if (!std::isfinite(collider.bounding_radius)) return std::nullopt;
  try {
    return SupportSolid(is_hollow(collider.shape) ? Shape(Sphere{collider.bounding_radius}) : collider.shape);
  } catch (const InputError&) {
    return std::nullopt;  // not convex
  }
}

}  // namespace

PassageWatch::PassageWatch(const Model& model) : model_(model) {
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const Collider& collider = model.colliders[i];
    const std::optional<SupportSolid> solid = make_solid(collider);
    if (!solid) continue;
    solids_.push_back({static_cast<int>(i), calc_thickness(collider.shape), *solid, is_hollow(collider.shape)});
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
  return std::any_of(movers_.begin(), movers_.end(), [&](const Mover& mover) {
    double speed = motion.v_WCm[mover.link].norm();
    if (mover.reach > 0.0) speed += motion.w_WB[mover.link].norm() * mover.reach;
    return speed * h > mover.thickness;
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

double PassageWatch::calc_distance(const Solid& a, const Solid& b, const Kinematics& end, double part,
                                   SeparationMemory& memory) const {
  if (b.is_hollow) return calc_distance(b, a, end, part, memory);
  const Pose X_WA = calc_pose(a, end, part), X_WB = calc_pose(b, end, part);
  if (!a.is_hollow) return calc_separation(a.support, X_WA, b.support, X_WB, memory).distance;
  const double radius = std::get<Sphere>(model_.colliders[b.collider].shape).radius;
  return calc_signed_distance(model_.colliders[a.collider].shape, X_WA.inverse() * X_WB.p).distance - radius;
}

bool PassageWatch::is_looked_at(const Solid& a, const Solid& b) const {
  const auto is_ball = [&](const Solid& solid) {
    return std::holds_alternative<Sphere>(model_.colliders[solid.collider].shape);
  };
  return a.is_hollow ? is_ball(b) : !b.is_hollow || is_ball(a);
}

bool PassageWatch::has_met(const Solid& a, const Solid& b, const Kinematics& end, double travel) const {
  SeparationMemory memory;
  const auto distance_at = [&](double part) { return calc_distance(a, b, end, part, memory); };
  const double last = distance_at(1.0);
  if (!(last > 0.0)) return false;  // found by the next step
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

std::optional<Passage> PassageWatch::find(const Kinematics& end, double h) const {
  for (const Solid& a : solids_) {
    const double speed_a = calc_speed(a, end);
    for (const Solid& b : solids_) {
      const Collider& collider_a = model_.colliders[a.collider];
      const Collider& collider_b = model_.colliders[b.collider];
      if (b.collider <= a.collider || collider_a.link == collider_b.link || !is_looked_at(a, b)) continue;
      const double travel = kSpeedAllowance * h * (speed_a + calc_speed(b, end));
      if (!(travel > std::min(a.thickness, b.thickness))) continue;
      if (model_.find_rule(collider_a.link, collider_b.link).rule < 0) continue;
      if (has_met(a, b, end, travel)) return Passage{a.collider, b.collider, travel / kSpeedAllowance};
    }
  }
  return std::nullopt;
}

}  // namespace abut
