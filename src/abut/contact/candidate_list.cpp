#include "abut/contact/candidate_list.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "abut/contact/region/region_list.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"

namespace abut {

namespace {

/// Below this number of colliders all pairs are kept: looking at every gap then costs less than a broad phase, and long
/// steps of the adaptive methods are not cut short by the margin.
constexpr int kAllPairsColliders = 64;

/// Margin of a collider as a part of its bounding radius. Wider: fewer rebuilds, more pairs looked at in vain. A pile
/// of equal spheres is fastest between 0.1 and 0.25 (bench/pile).
constexpr double kMarginOfRadius = 0.15;

/// Pairs that a list made for a sweep may hold; a shorter sweep has fewer.
constexpr std::size_t kMostPairs = 4096;
constexpr std::size_t kMostPairsOfCollider = 32;

/// Puts items in the order of their links, and says where those of each link, and of one more, begin.
template <class Item, class LinkOf>
void group_by_link(std::vector<Item>& items, const LinkOf& link_of, std::vector<int>& firsts) {
  std::stable_sort(items.begin(), items.end(), [&](const Item& x, const Item& y) { return link_of(x) < link_of(y); });
  firsts.clear();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t num_links = static_cast<std::size_t>(link_of(items[i])) + 1;
    if (firsts.size() < num_links) firsts.resize(num_links, static_cast<int>(i));
  }
  firsts.push_back(static_cast<int>(items.size()));
}

/// Where the items of `link` begin.
int first_of(const std::vector<int>& firsts, int link) {
  return firsts[std::min(static_cast<std::size_t>(link), firsts.size() - 1)];
}

}  // namespace

CandidateList::CandidateList(const std::vector<Collider>& colliders, const std::vector<ContactRule>& rules,
                             FindRule find_rule)
    : colliders_(colliders), rules_(rules), find_rule_(std::move(find_rule)) {
  for (int i = 0; i < static_cast<int>(colliders_.size()); ++i) {
    const Collider& collider = colliders_[i];
    is_static_.push_back(collider.is_static ? 1 : 0);
    const bool is_bounded = std::isfinite(collider.bounding_radius);
    margins_.push_back(is_bounded && !collider.is_static ? kMarginOfRadius * collider.bounding_radius : 0.0);
    if (!is_bounded || collider.is_static) continue;
    moving_.push_back(i);
    if (std::holds_alternative<Sphere>(collider.shape) && collider.is_at_center_of_mass) {
      plain_spheres_.push_back({collider.link, margins_[i], Vec3::Zero()});
    } else {
      others_.push_back(i);
    }
  }
  group_by_link(
      plain_spheres_, [](const PlainSphere& sphere) { return sphere.link; }, first_plain_sphere_);
  group_by_link(
      others_, [this](int i) { return colliders_[i].link; }, first_other_);
  holds_all_pairs_ = static_cast<int>(colliders_.size()) <= kAllPairsColliders;
}

bool CandidateList::needs_refresh(const BodyMotion& motion) const {
  if (!is_built_) return true;
  return !holds_all_pairs_ && needs_refresh(0, std::numeric_limits<int>::max(), motion);
}

bool CandidateList::needs_refresh(int begin_link, int end_link, const BodyMotion& motion) const {
  for (int i = first_of(first_plain_sphere_, begin_link); i < first_of(first_plain_sphere_, end_link); ++i) {
    const PlainSphere& sphere = plain_spheres_[i];
    if ((motion.p_WCm[sphere.link] - sphere.center).squaredNorm() >= sphere.margin * sphere.margin) return true;
  }
  return std::any_of(others_.begin() + first_of(first_other_, begin_link),
                     others_.begin() + first_of(first_other_, end_link),
                     [&](int i) { return !(calc_travel_left(i, motion) > 0.0); });
}

bool CandidateList::refresh(const BodyMotion& motion) {
  if (!needs_refresh(motion)) return false;
  candidates_.clear();
  cell_groups_.clear();
  if (holds_all_pairs_) {
    build_all_pairs();
    sort_by_kind();
  } else {
    build_near_pairs(motion);
    sort_by_owner();
  }
  finish();
  return true;
}

void CandidateList::finish() {
  number_points();
  is_built_ = true;
}

Aabb CandidateList::calc_reach(int i, const BodyMotion& motion, double time) const {
  const Collider& collider = colliders_[i];
  const Pose X_WS = calc_collider_pose(collider, motion.X_WB[collider.link]);
  const Aabb box = calc_aabb(collider.shape, X_WS);
  if (collider.is_static || !std::isfinite(collider.bounding_radius)) return box;
  const Vec3& w = motion.w_WB[collider.link];
  double speed = (motion.v_WCm[collider.link] + w.cross(X_WS.p - motion.p_WCm[collider.link])).norm();
  if (!std::holds_alternative<Sphere>(collider.shape)) speed += w.norm() * collider.bounding_radius;
  return inflate(box, kSpeedAllowance * speed * time);
}

bool CandidateList::covers(const BodyMotion& motion, double time) const {
  if (!is_built_) return false;
  if (holds_all_pairs_) return true;
  return std::all_of(moving_.begin(), moving_.end(), [&](int i) {
    const Aabb box = calc_reach(i, motion, time);
    return (box.lower.array() >= boxes_[i].lower.array()).all() && (box.upper.array() <= boxes_[i].upper.array()).all();
  });
}

void CandidateList::begin_sweep() { swept_.assign(colliders_.size(), Aabb()); }

void CandidateList::sweep(const BodyMotion& motion, double time) {
  poses_when_built_.resize(colliders_.size());
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    poses_when_built_[i] = motion.X_WB[colliders_[i].link];
    const Aabb box = calc_reach(static_cast<int>(i), motion, time);
    swept_[i].lower = swept_[i].lower.cwiseMin(box.lower);
    swept_[i].upper = swept_[i].upper.cwiseMax(box.upper);
  }
}

bool CandidateList::cover_sweep(bool must) {
  for (std::size_t i = 0; i < swept_.size(); ++i) swept_[i] = inflate(swept_[i], margins_[i]);
  const std::size_t most =
      must ? std::numeric_limits<std::size_t>::max() : kMostPairs + kMostPairsOfCollider * colliders_.size();
  if (!broad_phase_.find_pairs(swept_, is_static_, overlaps_, most)) return false;
  boxes_.swap(swept_);
  candidates_.clear();
  cell_groups_.clear();
  for (const auto& [i, j] : overlaps_) {
    if (!is_above_static_plane(i, j) && !is_above_static_plane(j, i)) add_pair(i, j);
  }
  sort_by_owner();
  finish();
  return true;
}

double CandidateList::calc_travel_left(int i, const BodyMotion& motion) const {
  const Collider& collider = colliders_[i];
  const Pose& X = motion.X_WB[collider.link];
  const Pose& X_built = poses_when_built_[i];
  // A point at distance r from the shape origin moves at most |dp| + r |dR|; spheres do not care how they are turned.
  double travel = ((X.R - X_built.R) * collider.X_LS.p + X.p - X_built.p).norm();
  if (!std::holds_alternative<Sphere>(collider.shape)) travel += collider.bounding_radius * (X.R - X_built.R).norm();
  return margins_[i] - travel;
}

void CandidateList::add_pair(int collider_i, int collider_j) {
  if (colliders_[collider_i].link == colliders_[collider_j].link) return;
  const RuleMatch match = find_rule_(colliders_[collider_i].link, colliders_[collider_j].link);
  if (match.rule < 0) return;
  if (match.swapped) std::swap(collider_i, collider_j);
  const std::optional<Candidate> candidate = with_region_type(match.region, [&]<class R>() {
    return R::propose(colliders_, rules_[match.rule], match, collider_i, collider_j);
  });
  if (!candidate) return;
  const bool is_known = region_traits(match.region).joins_cells &&
                        !cell_groups_.insert({candidate->collider_a, candidate->collider_b}).second;
  if (!is_known) candidates_.push_back(*candidate);
}

void CandidateList::build_all_pairs() {
  const int count = static_cast<int>(colliders_.size());
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      if (!(colliders_[i].is_static && colliders_[j].is_static)) add_pair(i, j);
    }
  }
}

void CandidateList::build_near_pairs(const BodyMotion& motion) {
  boxes_.resize(colliders_.size());
  poses_when_built_.resize(colliders_.size());
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    const Pose& X_WB = motion.X_WB[colliders_[i].link];
    poses_when_built_[i] = X_WB;
    const Pose X_WS = calc_collider_pose(colliders_[i], X_WB);
    if (const SurfaceMesh* surface = colliders_[i].surface.get()) {
      const Vec3 center = X_WS * surface->center();
      boxes_[i] = {center.array() - surface->radius(), center.array() + surface->radius()};
    } else {
      boxes_[i] = calc_aabb(colliders_[i].shape, X_WS);
    }
    boxes_[i].lower.array() -= margins_[i];
    boxes_[i].upper.array() += margins_[i];
  }
  for (PlainSphere& sphere : plain_spheres_) sphere.center = motion.p_WCm[sphere.link];
  broad_phase_.find_pairs(boxes_, is_static_, overlaps_);
  for (const auto& [i, j] : overlaps_) {
    if (!is_above_static_plane(i, j) && !is_above_static_plane(j, i) && !are_spheres_apart(i, j)) add_pair(i, j);
  }
}

bool CandidateList::are_spheres_apart(int i, int j) const {
  const auto* a = std::get_if<Sphere>(&colliders_[i].shape);
  const auto* b = std::get_if<Sphere>(&colliders_[j].shape);
  if (a == nullptr || b == nullptr) return false;
  const double reach = a->radius + margins_[i] + b->radius + margins_[j];
  const auto center = [this](int k) { return Vec3(0.5 * (boxes_[k].lower + boxes_[k].upper)); };
  return (center(i) - center(j)).squaredNorm() > reach * reach;
}

bool CandidateList::is_above_static_plane(int collider, int plane) const {
  const auto* half_space = std::get_if<HalfSpace>(&colliders_[plane].shape);
  if (half_space == nullptr || !colliders_[plane].is_static || !std::isfinite(colliders_[collider].bounding_radius))
    return false;
  const Pose X_WS = calc_collider_pose(colliders_[plane], poses_when_built_[plane]);
  const Vec3 n = X_WS.R * half_space->normal;
  const Aabb& box = boxes_[collider];
  const Vec3 corner = (n.array() > 0.0).select(box.lower, box.upper);
  return n.dot(corner) > n.dot(X_WS.p) + half_space->offset;
}

void CandidateList::sort_by_kind() {
  // Equal kinds and rules stand together, so that the loops over them branch predictably.
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& x, const Candidate& y) {
    const int x_order = region_traits(x.region).list_order, y_order = region_traits(y.region).list_order;
    return std::tuple(x_order, x.pair.kind, x.rule, x.collider_a, x.collider_b) <
           std::tuple(y_order, y.pair.kind, y.rule, y.collider_a, y.collider_b);
  });
}

int CandidateList::first_owned(int link) const { return first_of(first_owned_, link); }

int CandidateList::find_owner(const Candidate& candidate) const {
  const Collider& a = colliders_[candidate.collider_a];
  const Collider& b = colliders_[candidate.collider_b];
  if (a.is_static || b.is_static) return a.is_static ? b.link : a.link;
  return std::min(a.link, b.link);
}

void CandidateList::sort_by_owner() {
  sort_by_kind();
  group_by_link(
      candidates_, [this](const Candidate& candidate) { return find_owner(candidate); }, first_owned_);
}

void CandidateList::number_points() {
  candidate_of_point_.clear();
  num_sites_ = num_own_points_ = {};
  for (int c = 0; c < size(); ++c) {
    Candidate& candidate = candidates_[c];
    const auto region = static_cast<std::size_t>(candidate.region);
    candidate.first_point = num_points();
    candidate_of_point_.insert(candidate_of_point_.end(), candidate.pair.num_points, c);
    candidate.site = num_sites_[region]++;
    candidate.first_own_point = num_own_points_[region];
    num_own_points_[region] += candidate.pair.num_points;
  }
}

}  // namespace abut
