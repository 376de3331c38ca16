#include "abut/contact/region/perimeter_site.hpp"

#include <algorithm>
#include <cmath>

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
  list_pairs();
  list_points();
  match(memory);
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

void PerimeterSite::list_pairs() {
  const bool has_loops = !is_faithful() || has_patch_normals();
  const bool is_shared = !is_faithful() && has_patch_normals();
  pairs_.resize(segments_.size());
  places_.assign(is_shared ? curve_.nodes().size() : 2 * segments_.size(), PerimeterPlace{});
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const TriangleCrossing& segment = segments_[i];
    PerimeterPair& pair = pairs_[i];
    pair.triangle_a = segment.triangle_a;
    pair.triangle_b = segment.triangle_b;
    for (int end = 0; end < 2; ++end) {
      pair.place[end] = is_shared ? curve_.ends()[i][end] : static_cast<int>(2 * i) + end;
      PerimeterPlace& place = places_[pair.place[end]];
      place.position = end == 0 ? segment.start : segment.end;
      if (has_loops) place.loop = curve_.loop_of_segment(i);
    }
  }
}

void PerimeterSite::list_points() {
  using Normals = PerimeterRule::Normals;
  const Normals normals = rule_->perimeter->normals;
  points_.assign(num_normals_ * places_.size(), Point{});
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const PerimeterCurve::Piece& piece = curve_.pieces()[i];
    for (const int place : pairs_[i].place) {
      for (int k = 0; k < num_normals_; ++k) {
        Point& p = point(place, k);
        p.length += 0.5 * piece.length;
        p.normal = normals == Normals::patch         ? curve_.loops()[places_[place].loop].normal
                   : normals == Normals::b || k == 1 ? piece.along_b
                                                     : piece.against_a;
      }
    }
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Vec3 velocity = calc_velocity(places_[i].position);
    for (int k = 0; k < num_normals_; ++k) {
      Point& p = point(i, k);
      p.velocity = velocity;
      p.rate = -p.normal.dot(velocity);
    }
  }
}

/// Both lists are sorted alike.
void PerimeterSite::match(const PerimeterMemory& memory) {
  source_.assign(pairs_.size(), -1);
  std::size_t old = 0;
  const auto key = [](const PerimeterPair& pair) { return std::pair(pair.triangle_a, pair.triangle_b); };
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    while (old < memory.pairs.size() && key(memory.pairs[old]) < key(pairs_[i])) ++old;
    if (old < memory.pairs.size() && key(memory.pairs[old]) == key(pairs_[i])) source_[i] = static_cast<int>(old);
  }
  from_.assign(places_.size(), -1);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    for (const int place : pairs_[i].place) {
      if (from_[place] < 0) from_[place] = source_[i];
    }
  }
}

double PerimeterSite::calc_damping(double touch_speed, double effective_mass) const {
  const NormalCoefficients c =
      make_normal_coefficients(rule_->normal, rule_->normal.stiffness.value(), touch_speed, effective_mass);
  return c.damping / c.stiffness;
}

}  // namespace abut
