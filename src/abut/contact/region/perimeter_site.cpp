#include "abut/contact/region/perimeter_site.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "abut/base/error.hpp"
#include "abut/contact/region/endless_shift.hpp"
#include "abut/math/gauss_rule.hpp"

namespace abut {

namespace {

/// Where a link is after a time at its present velocities.
Pose calc_later_pose(const BodyMotion& motion, int link, double time) {
  const Pose& X = motion.X_WB[link];
  if (time == 0.0) return X;
  const Vec3 turn = time * motion.w_WB[link];
  const double angle = turn.norm();
  const Vec3 center = motion.p_WCm[link] + time * motion.v_WCm[link];
  const Vec3 arm = X.p - motion.p_WCm[link];
  if (!(angle > 0.0)) return {X.R, Vec3(center + arm)};
  const Mat3 R = Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
  return {Mat3(R * X.R), Vec3(center + R * arm)};
}

/// In the order of which pairs are sorted.
std::int64_t calc_key(const PerimeterPair& pair) { return (std::int64_t{pair.triangle_a} << 32) + pair.triangle_b; }

Pose calc_shape_pose(const Collider& collider, const Pose& X_WL, const Vec3& shift) {
  const Pose X_WS = calc_collider_pose(collider, X_WL);
  return {X_WS.R, Vec3(X_WS * shift)};
}

/// Whether b rather than a takes the part of the first collider: its frame is used, and it stays as it is while the
/// other, fixed or larger, is taken a trifle smaller (mesh_crossing.hpp).
bool comes_first(const Collider& b, const Collider& a) {
  const auto rank = [](const Collider& c) {
    return std::tuple(c.is_static, c.surface->radius(), -c.surface->num_triangles());
  };
  return rank(b) < rank(a);
}

PerimeterRule::Normals make_reversed(PerimeterRule::Normals normals) {
  using Normals = PerimeterRule::Normals;
  return normals == Normals::a ? Normals::b : normals == Normals::b ? Normals::a : normals;
}

}  // namespace

PerimeterSite::PerimeterSite(const Collider& a, const Collider& b, const ContactRule& rule)
    : is_reversed_(std::get<PerimeterRule>(rule.region).memory == PerimeterRule::Memory::continuous &&
                   comes_first(b, a)),
      a_(is_reversed_ ? &b : &a),
      b_(is_reversed_ ? &a : &b),
      rule_(&rule),
      normals_(is_reversed_ ? make_reversed(std::get<PerimeterRule>(rule.region).normals)
                            : std::get<PerimeterRule>(rule.region).normals),
      num_normals_(normals_ == PerimeterRule::Normals::both ? 2 : 1) {
  rays_.resize(10);  // what one loop takes
  ABUT_REQUIRE(a.surface != nullptr && b.surface != nullptr, "a collider of perimeter contact has no surface");
}

PointContact PerimeterSite::calc(const BodyMotion& motion, double step) {
  const double ahead = is_faithful() ? 0.0 : 0.5 * step;
  const SurfaceMesh &mesh_a = *a_->surface, &mesh_b = *b_->surface;
  const Pose X_WLa = calc_later_pose(motion, a_->link, ahead), X_WLb = calc_later_pose(motion, b_->link, ahead);
  follow_endless(X_WLa, X_WLb);
  X_WA_ = calc_shape_pose(*a_, X_WLa, shift_a_);
  X_AB_ = X_WA_.inverse() * calc_shape_pose(*b_, X_WLb, shift_b_);
  const Vec3 apart = X_AB_ * mesh_b.center() - mesh_a.center();
  const double distance = apart.norm() - mesh_a.radius() - mesh_b.radius();
  segments_ = distance < 0.0 ? crossing_.calc(mesh_a, mesh_b, X_AB_) : std::span<const TriangleCrossing>{};
  curve_.measure(segments_, mesh_a, mesh_b, X_AB_.R);
  const double size = std::min(mesh_a.radius(), mesh_b.radius());
  const double sense = is_reversed_ ? -1.0 : 1.0;  // normals point into the collider named first
  PointContact contact;
  if (!(curve_.length() > 0.0)) {
    segments_ = {};
    contact.gap = std::max(distance, 1e-9 * size);
    contact.normal = apart.norm() > 0.0 ? Vec3(X_WA_.R * (apart * (-sense / apart.norm()))) : Vec3(Vec3::UnitZ());
    contact.point = X_WA_ * Vec3(mesh_a.center() + 0.5 * apart);
    return contact;
  }
  contact.gap = -1e-9 * size;
  contact.point = X_WA_ * curve_.center();
  const Vec3& normal = curve_.normal_sum();
  contact.normal = normal.norm() > 0.0 ? Vec3(X_WA_.R * (normal * (sense / normal.norm()))) : Vec3(Vec3::UnitZ());
  return contact;
}

/// Moves the triangles of endless shapes to where the other body is.
void PerimeterSite::follow_endless(const Pose& X_WLa, const Pose& X_WLb) {
  if (is_finite(a_->shape) && is_finite(b_->shape)) return;
  const Pose X_AB = calc_collider_pose(*a_, X_WLa).inverse() * calc_collider_pose(*b_, X_WLb);
  shift_a_ = calc_endless_shift(a_->shape, X_AB * b_->surface->center());
  shift_b_ = calc_endless_shift(b_->shape, X_AB.inverse() * a_->surface->center());
}

/// Places and bristles of the last step as they are now: those on a have stayed where they are in its frame, those on b
/// have gone with b. What is remembered belongs to both, and goes half the way.
void PerimeterSite::move_memory(PerimeterMemory& memory) const {
  const Vec3 back_a = memory.shift_a - shift_a_, back_b = memory.shift_b - shift_b_;
  if (!back_a.isZero(0.0) || !back_b.isZero(0.0)) {
    for (PerimeterPlace& place : memory.places) place.position += back_a;
    memory.X_AB.p += back_a - memory.X_AB.R * back_b;
  }
  const Pose with_b = X_AB_ * memory.X_AB.inverse();
  for (PerimeterPlace& place : memory.places) {
    place.position = 0.5 * (place.position + with_b * place.position);
    for (int k = 0; k < num_normals_; ++k) {
      Vec3& z = place.side[k].z;
      const double before = z.norm();
      z = 0.5 * (z + with_b.R * z);
      const double after = z.norm();
      if (after > 0.0) z *= before / after;
    }
  }
}

void PerimeterSite::list_curve(std::vector<std::array<Vec3, 2>>& out) const {
  for (const TriangleCrossing& segment : segments_) out.push_back({X_WA_ * segment.start, X_WA_ * segment.end});
}

void PerimeterSite::calc_twist(const BodyMotion& motion) {
  const auto velocity_of = [&](int link) {
    return Vec3(motion.v_WCm[link] + motion.w_WB[link].cross(X_WA_.p - motion.p_WCm[link]));
  };
  velocity_ = X_WA_.R.transpose() * (velocity_of(a_->link) - velocity_of(b_->link));
  spin_ = X_WA_.R.transpose() * (motion.w_WB[a_->link] - motion.w_WB[b_->link]);
}

void PerimeterSite::advance(const BodyMotion& motion, const PerimeterStep& step, PerimeterMemory& memory) {
  if (memory.time == step.time) return;
  calc_twist(motion);
  if (!is_faithful()) move_memory(memory);
  if (!is_faithful() || has_patch_normals()) curve_.find_loops();
  list_places();
  list_pairs(memory);
  set_rates();
  if (is_faithful()) {
    advance_faithful(step, memory);
  } else {
    advance_continuous(step, memory);
  }
  apply_forces(step, memory);
  memory.pairs.swap(pairs_);
  memory.places.swap(places_);
  memory.loops.swap(loops_);
  memory.X_AB = X_AB_;
  memory.shift_a = shift_a_;
  memory.shift_b = shift_b_;
  memory.time = step.time;
}

/// Places with nothing handed on to them yet. Of points and of the sides of continuous memory only what later steps add
/// to or may leave out is set; the rest follows for each of them.
void PerimeterSite::list_places() {
  if (is_faithful()) {
    places_.assign(2 * segments_.size(), PerimeterPlace{});
  } else {
    places_.resize(2 * segments_.size());
    for (PerimeterPlace& place : places_) {
      for (int k = 0; k < num_normals_; ++k) place.side[k].z = Vec3::Zero();
    }
  }
  from_.assign(places_.size(), -1);
  points_.resize(num_normals_ * places_.size());
  for (Point& p : points_) {
    p.length = p.carried = 0.0;
    p.keep = 1.0;
  }
}

/// What each place stands for, and where pair and place were in the memory: both lists are sorted alike.
void PerimeterSite::list_pairs(const PerimeterMemory& memory) {
  const bool has_loops = !is_faithful() || has_patch_normals();
  // At the points of Gauss forces and their moments are exact where the depth is linear along a segment, however an
  // edge is divided.
  const double inset = is_faithful() ? 0.0 : kGauss2FromEnd;
  pairs_.resize(segments_.size());
  source_.resize(segments_.size());
  auto old = memory.pairs.begin();
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const TriangleCrossing& segment = segments_[i];
    const int loop = has_loops ? curve_.loop_of_segment(i) : 0;
    const double half = 0.5 * curve_.pieces()[i].length * (has_loops ? curve_.loops()[loop].share : 1.0);
    PerimeterPair& pair = pairs_[i];
    pair.triangle_a = segment.triangle_a;
    pair.triangle_b = segment.triangle_b;
    while (old != memory.pairs.end() && calc_key(*old) < calc_key(pair)) ++old;
    const bool is_old = old != memory.pairs.end() && calc_key(*old) == calc_key(pair);
    const int source = source_[i] = is_old ? static_cast<int>(old - memory.pairs.begin()) : -1;
    for (int end = 0; end < 2; ++end) {
      const int number = static_cast<int>(2 * i) + end;
      const Vec3 &here = end == 0 ? segment.start : segment.end, &there = end == 0 ? segment.end : segment.start;
      pair.place[end] = number;
      places_[number].position = here + inset * (there - here);
      places_[number].loop = loop;
      from_[number] = source;
      for (int k = 0; k < num_normals_; ++k) point(number, k).length += half;
    }
  }
}

void PerimeterSite::set_rates() {
  using Normals = PerimeterRule::Normals;
  const Normals normals = normals_;
  if (normals != Normals::patch) {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const PerimeterCurve::Piece& piece = curve_.pieces()[i];
      for (const int place : pairs_[i].place) {
        for (int k = 0; k < num_normals_; ++k)
          point(place, k).normal = normals == Normals::b || k == 1 ? piece.along_b : piece.against_a;
      }
    }
  }
  Point* p = points_.data();
  for (const PerimeterPlace& place : places_) {
    const Vec3 velocity = calc_velocity(place.position);
    for (int k = 0; k < num_normals_; ++k, ++p) {
      if (normals == Normals::patch) p->normal = curve_.loops()[place.loop].normal;
      p->velocity = velocity;
      p->rate = -p->normal.dot(velocity);
    }
  }
}

double PerimeterSite::calc_damping(double touch_speed, double effective_mass) const {
  const NormalCoefficients c =
      make_normal_coefficients(rule_->normal, rule_->normal.stiffness.value(), touch_speed, effective_mass);
  return c.damping / c.stiffness;
}

}  // namespace abut
