#include "abut/contact/region/perimeter_site.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "abut/base/error.hpp"

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

Pose calc_shape_pose(const Collider& collider, const Pose& X_WL) { return calc_collider_pose(collider, X_WL); }

}  // namespace

PerimeterSite::PerimeterSite(const Collider& a, const Collider& b, const ContactRule& rule)
    : a_(&a), b_(&b), rule_(&rule), num_normals_(rule.perimeter->normals == PerimeterRule::Normals::both ? 2 : 1) {
  rays_.resize(10);  // what one loop takes
  ABUT_REQUIRE(a.surface != nullptr && b.surface != nullptr, "a collider of perimeter contact has no surface");
}

PointContact PerimeterSite::calc(const BodyMotion& motion, double step) {
  const double ahead = is_faithful() ? 0.0 : 0.5 * step;
  const SurfaceMesh &mesh_a = *a_->surface, &mesh_b = *b_->surface;
  X_WA_ = calc_shape_pose(*a_, calc_later_pose(motion, a_->link, ahead));
  const Pose X_WB = calc_shape_pose(*b_, calc_later_pose(motion, b_->link, ahead));
  X_AB_ = X_WA_.inverse() * X_WB;
  const Vec3 apart = X_AB_ * mesh_b.center() - mesh_a.center();
  const double distance = apart.norm() - mesh_a.radius() - mesh_b.radius();
  segments_ = distance < 0.0 ? crossing_.calc(mesh_a, mesh_b, X_AB_) : std::span<const TriangleCrossing>{};
  curve_.measure(segments_, mesh_a, mesh_b, X_AB_.R);
  const double size = std::min(mesh_a.radius(), mesh_b.radius());
  PointContact contact;
  if (!(curve_.length() > 0.0)) {
    segments_ = {};
    contact.gap = std::max(distance, 1e-9 * size);
    contact.normal = apart.norm() > 0.0 ? Vec3(X_WA_.R * (apart / -apart.norm())) : Vec3(Vec3::UnitZ());
    contact.point = X_WA_ * Vec3(mesh_a.center() + 0.5 * apart);
    return contact;
  }
  contact.gap = -1e-9 * size;
  contact.point = X_WA_ * curve_.center();
  const Vec3& normal = curve_.normal_sum();
  contact.normal = normal.norm() > 0.0 ? Vec3(X_WA_.R * normal.normalized()) : Vec3(Vec3::UnitZ());
  return contact;
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
  memory.time = step.time;
}

/// Places with nothing handed on to them yet. Of points and of the sides of continuous memory only what later steps add
/// to or may leave out is set; the rest follows for each of them.
void PerimeterSite::list_places() {
  if (is_faithful()) {
    places_.assign(2 * segments_.size(), PerimeterPlace{});
  } else {
    places_.resize(has_patch_normals() ? curve_.nodes().size() : 2 * segments_.size());
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
  const bool is_shared = !is_faithful() && has_patch_normals();
  pairs_.resize(segments_.size());
  source_.resize(segments_.size());
  auto old = memory.pairs.begin();
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const TriangleCrossing& segment = segments_[i];
    const double half = 0.5 * curve_.pieces()[i].length;
    const int loop = has_loops ? curve_.loop_of_segment(i) : 0;
    PerimeterPair& pair = pairs_[i];
    pair.triangle_a = segment.triangle_a;
    pair.triangle_b = segment.triangle_b;
    while (old != memory.pairs.end() && calc_key(*old) < calc_key(pair)) ++old;
    const bool is_old = old != memory.pairs.end() && calc_key(*old) == calc_key(pair);
    const int source = source_[i] = is_old ? static_cast<int>(old - memory.pairs.begin()) : -1;
    for (int end = 0; end < 2; ++end) {
      const int number = is_shared ? curve_.ends()[i][end] : static_cast<int>(2 * i) + end;
      pair.place[end] = number;
      places_[number].position = end == 0 ? segment.start : segment.end;
      places_[number].loop = loop;
      if (from_[number] < 0) from_[number] = source;
      for (int k = 0; k < num_normals_; ++k) point(number, k).length += half;
    }
  }
}

void PerimeterSite::set_rates() {
  using Normals = PerimeterRule::Normals;
  const Normals normals = rule_->perimeter->normals;
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
