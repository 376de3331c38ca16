#include <algorithm>
#include <cmath>

#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/sim/dynamics.hpp"

/// The event functions of a model: of each candidate point its gap, with the sign that falls at the next touch or lift,
/// and of each active patch its grip.

namespace abut {

namespace {

/// Part of the thinner body's half thickness over which the gap of a pair is a parabola of time.
constexpr double kSpanOfThickness = 0.5;
/// A sheet without thickness is taken as this part of its size.
constexpr double kLeastThickness = 1e-3;
/// Where no body has a thickness (an endless bar in a wedge) [m].
constexpr double kUnboundedThickness = 0.1;
/// A step is cut into at most 2^this pieces, each with its own list of candidates.
constexpr int kMaxHalvings = 20;

/// Half of the smallest extent [m]; infinite for a half-space.
double calc_thickness(const Collider& collider) {
  if (const auto* bore = std::get_if<Bore>(&collider.shape)) return bore->radius;
  if (const auto* cavity = std::get_if<Cavity>(&collider.shape)) return cavity->radius;
  if (const auto* bowl = std::get_if<Bowl>(&collider.shape)) return 0.5 * bowl->thickness;
  if (collider.surface != nullptr) return collider.bounding_radius;  // of perimeter contact, which has fixed steps only
  const Aabb box = calc_aabb(collider.shape, Pose());
  const double least = 0.5 * (box.upper - box.lower).minCoeff();
  return std::isfinite(collider.bounding_radius) ? std::max(least, kLeastThickness * collider.bounding_radius) : least;
}

}  // namespace

int Dynamics::num_events() const { return contacts_.num_points() + static_cast<int>(state_->pool.active.size()); }

EventDirection Dynamics::event_direction(int event) const {
  return event < contacts_.num_points() ? EventDirection::guard : EventDirection::both;
}

double Dynamics::event_span(int event) const {
  if (event >= contacts_.num_points()) return std::numeric_limits<double>::infinity();
  const Candidate& candidate = contacts_.candidate_of_point(event);
  const double thickness = std::min(thicknesses_[candidate.collider_a], thicknesses_[candidate.collider_b]);
  return kSpanOfThickness * (std::isfinite(thickness) ? thickness : kUnboundedThickness);
}

std::uint64_t Dynamics::event_key(int event) const {
  const int num_points = contacts_.num_points();
  constexpr std::uint64_t kGrip = std::uint64_t{1} << 63;
  if (event >= num_points) return kGrip | static_cast<std::uint64_t>(state_->pool.active[event - num_points]);
  const Candidate& candidate = contacts_.candidate_of_point(event);
  const auto part = [](int value, int shift) { return static_cast<std::uint64_t>(value) << shift; };
  return part(candidate.collider_a, 38) | part(candidate.collider_b, 13) | part(event - candidate.first_point, 0);
}

void Dynamics::calc_events(double t, const double* y, double* g) {
  is_wanted_.assign(static_cast<std::size_t>(num_events()), 1);
  calc_wanted_events(t, y, is_wanted_, g);
}

/// All points of a pair are looked at together, and with them the grips of its patches.
void Dynamics::calc_wanted_events(double t, const double* y, const std::vector<char>& wanted, double* g) {
  is_current_ = false;
  calc_motion(t, y);
  const BodyMotion now = motion();
  const int num_points = contacts_.num_points();
  const int num_active = static_cast<int>(state_->pool.active.size());
  grips_.resize(static_cast<std::size_t>(num_active));
  is_point_wanted_.assign(wanted.begin(), wanted.begin() + num_points);
  for (int i = 0; i < num_active; ++i) {
    if (wanted[num_points + i] != 0) is_point_wanted_[contacts_.active_point(i)] = 1;
  }
  contacts_.calc_geometry(now, state_->pool, Gaps::alone, is_point_wanted_);
  for (int point = 0; point < num_points; ++point) {
    const double gap = contacts_.point_geometry(point).gap;
    if (wanted[point] != 0) g[point] = contacts_.patch_at(point) >= 0 ? -gap : gap;
  }
  for (int i = 0; i < num_active; ++i) {
    if (wanted[num_points + i] == 0) continue;
    const int point = contacts_.active_point(i);
    const Patch& patch = state_->pool.patches[state_->pool.active[i]];
    g[num_points + i] = contacts_.with_region(patch.region, [&](auto& region) {
      grips_[i].is_sure = !patch.watches_grip || region.grips_surely(point, patch, now, t, state_->pool);
      return grips_[i].is_sure ? 1.0 : region.calc_grip(point, patch, now, t);
    });
  }
}

/// In the frame of b, a moves as a rigid body: no point of it faster than its middle, and its turning times its radius.
double Dynamics::calc_approach_bound(const Candidate& candidate) const {
  const Collider* a = &model_.colliders[candidate.collider_a];
  const Collider* b = &model_.colliders[candidate.collider_b];
  const auto calc_radius = [](const Collider& c) {
    return std::holds_alternative<Sphere>(c.shape) ? 0.0 : c.bounding_radius;
  };
  if (calc_radius(*b) < calc_radius(*a)) std::swap(a, b);
  const Vec3 middle = calc_collider_pose(*a, kinematics_.X_WB[a->link]).p;
  const Vec3 velocity =
      kinematics_.calc_point_velocity(a->link, middle) - kinematics_.calc_point_velocity(b->link, middle);
  const double radius = calc_radius(*a);
  const double turning = (kinematics_.w_WB[a->link] - kinematics_.w_WB[b->link]).norm();
  return velocity.norm() + turning * (std::isfinite(radius) ? radius : kUnboundedThickness);
}

void Dynamics::calc_event_speeds(double* speeds) {
  std::fill(speeds, speeds + num_events(), 0.0);
  const CandidateList& candidates = contacts_.candidates();
  for (int c = 0; c < candidates.size(); ++c) {
    const Candidate& candidate = candidates[c];
    double bound = -1.0;
    for (int point = candidate.first_point; point < candidate.first_point + candidate.pair.num_points; ++point) {
      if (contacts_.has_patch(point)) continue;
      if (bound < 0.0) bound = calc_approach_bound(candidate);
      speeds[point] = bound;
    }
  }
}

/// Of points with a patch too: an overlap is at least as deep as it is in the mean; one that the stages of the step
/// have seen steady all along it has not come near its end. Where several points of a pair stand for each other, one
/// may go faster than the surfaces do; what is endless on both sides has no radius to turn by.
void Dynamics::calc_event_bounds(double* bounds) {
  const CandidateList& candidates = contacts_.candidates();
  for (int c = 0; c < candidates.size(); ++c) {
    const Candidate& candidate = candidates[c];
    const bool is_endless = !std::isfinite(std::min(model_.colliders[candidate.collider_a].bounding_radius,
                                                    model_.colliders[candidate.collider_b].bounding_radius));
    const bool is_bounded =
        !is_endless && (!region_traits(candidate.region).takes_nearest_points || candidate.pair.num_points == 1);
    const double bound = is_bounded ? calc_approach_bound(candidate) : std::numeric_limits<double>::infinity();
    std::fill_n(bounds + candidate.first_point, candidate.pair.num_points, bound);
  }
  for (std::size_t i = 0; i < grips_.size(); ++i) {
    const bool holds = grips_[i].is_sure || (grips_[i].has_pressed && !grips_[i].has_slackened);
    bounds[contacts_.num_points() + static_cast<int>(i)] = holds ? 0.0 : std::numeric_limits<double>::infinity();
    if (grips_[i].is_steady()) bounds[contacts_.active_point(static_cast<int>(i))] = 0.0;
    grips_[i] = GripNote{.is_sure = grips_[i].is_sure};
  }
}

EventPiece Dynamics::prepare_events(double t0, double t1, const Interpolate& interpolate) {
  CandidateList& candidates = contacts_.candidates();
  if (candidates.holds_all_pairs()) return {t1, false};
  y_inside_.resize(size());
  const auto look_at = [&](double t) {
    interpolate(t, y_inside_.data());
    calc_motion(t, y_inside_.data());
  };
  is_current_ = false;
  look_at(t1);
  if (candidates.covers(motion(), t1 - t0)) return {t1, false};
  double end = t1;
  for (int halving = 0;; ++halving, end = 0.5 * (t0 + end)) {
    constexpr int kIntervals = 4;
    candidates.begin_sweep();
    for (int i = 0; i <= kIntervals; ++i) {
      look_at(t0 + (end - t0) * i / kIntervals);
      candidates.sweep(motion(), 0.5 * (end - t0) / kIntervals);
    }
    if (contacts_.cover_sweep(halving == kMaxHalvings, state_->pool)) return {end, true};
  }
}

void Dynamics::cover_now() {
  grips_.clear();  // patches may have begun, ended or changed places
  CandidateList& candidates = contacts_.candidates();
  if (candidates.covers(motion(), 0.0)) return;
  if (candidates.holds_all_pairs()) {
    contacts_.refresh_candidates(motion(), state_->pool);
    return;
  }
  candidates.begin_sweep();
  candidates.sweep(motion(), 0.0);
  contacts_.cover_sweep(true, state_->pool);
}

std::vector<double> Dynamics::calc_thicknesses() const {
  std::vector<double> list;
  for (const Collider& collider : model_.colliders) list.push_back(calc_thickness(collider));
  return list;
}

}  // namespace abut
