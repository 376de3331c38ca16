#include "abut/geometry/mesh/mesh_crossing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "abut/geometry/mesh/detail/triangle_pair.hpp"

namespace abut {
namespace {

// With a reserve of m triangle sizes and a motion of u sizes a step, a list serves m / u steps and holds 1 + 10 m times
// the pairs that overlap; a search costs about 7 tests for each pair it finds (measured). The sum of tests and searches
// a step, (1 + 10 m) (1 + 7 u / m), is least at m = sqrt(0.7 u), and flat about it: sqrt(0.3 u) costs 4 % more in the
// mean and makes the steps that search a fifth shorter. Below u = 0.05 that is less than a search each step.

/// Motion a step above which nothing is kept, in triangle sizes.
constexpr double kMaxMotion = 0.05;
/// Least reserve, in triangle sizes: what bodies at rest get.
constexpr double kMinReserve = 0.01;

/// A type, so that sorting has it inline.
struct IsBefore {
  template <class Pair>
  bool operator()(const Pair& x, const Pair& y) const {
    return x.triangle_a != y.triangle_a ? x.triangle_a < y.triangle_a : x.triangle_b < y.triangle_b;
  }
};

/// How far a point of a ball can be from its earlier place [m], if the ball's centre is that far from its own.
double calc_motion_of_ball(const Mat3& dR, const Vec3& shift_of_center, double radius) {
  // The two non-zero singular values of a difference of rotations are equal.
  return std::sqrt(0.5) * dR.norm() * radius + shift_of_center.norm();
}

}  // namespace

Pose MeshCrossing::calc_placement(const SurfaceMesh& a, const SurfaceMesh& b, const Pose& X_AB) {
  const double share = kShrinkage * std::min(1.0, a.radius() / b.radius());
  return {Mat3((1.0 - share) * X_AB.R), Vec3(X_AB.p + share * (X_AB.R * b.center()))};
}

std::span<const TriangleCrossing> MeshCrossing::calc(const SurfaceMesh& a, const SurfaceMesh& b, const Pose& X_AB) {
  const bool is_new = margin_ < 0.0 || a_ != &a || b_ != &b;
  a_ = &a;
  b_ = &b;
  X_AB_ = X_AB;
  placement_ = calc_placement(a, b, X_AB);
  crossings_.clear();
  if (is_new || !(calc_motion(searched_) < 0.999 * margin_)) {
    margin_ = is_new ? kMinReserve * std::min(a.mean_size(), b.mean_size()) : choose_margin(calc_motion(previous_));
    ++counts_.num_searches;
    searched_ = X_AB;
    if (margin_ > 0.0) {
      search();
    } else {
      search_and_test();
    }
  }
  if (margin_ > 0.0) test_candidates();
  ++counts_.num_queries;
  previous_ = X_AB;
  return crossings_;
}

/// Bound of how far any point of B that is near A has moved since the pose X_AB [m]. Two bounds hold: for what lies in
/// the ball about B, and for what lies in the ball about A now.
double MeshCrossing::calc_motion(const Pose& X_AB) const {
  const Mat3 dR = X_AB_.R - X_AB.R;
  const Vec3 shift_b = dR * b_->center() + (X_AB_.p - X_AB.p);
  const Vec3 c = X_AB_.R.transpose() * (a_->center() - X_AB_.p);  // A's centre in B's frame
  const Vec3 shift_a = dR * c + (X_AB_.p - X_AB.p);
  return std::min(calc_motion_of_ball(dR, shift_b, b_->radius()), calc_motion_of_ball(dR, shift_a, a_->radius()));
}

double MeshCrossing::choose_margin(double motion) const {
  const double size = std::min(a_->mean_size(), b_->mean_size());
  if (!(motion < kMaxMotion * size)) return 0.0;
  return std::max(kMinReserve * size, std::sqrt(0.3 * motion * size));
}

void MeshCrossing::search() {
  candidates_.clear();
  const double distance = margin_ + kShrinkage * std::min(a_->radius(), b_->radius());
  visit_overlapping_pairs(
      a_->tree(), b_->tree(), X_AB_, stack_,
      [&](int i, int j) {
        candidates_.push_back({i, j, 0, 0});
      },
      distance);
  std::sort(candidates_.begin(), candidates_.end(), IsBefore{});
  gather();
}

/// Where nothing is worth keeping: tests the pairs as they are found.
void MeshCrossing::search_and_test() {
  const std::vector<Vec3>&p = a_->vertices(), &q = b_->vertices();
  const auto visit = [&](int i, int j) {
    const std::array<int, 3>&s = a_->triangles()[i], &t = b_->triangles()[j];
    test(i, TrianglePlane(p[s[0]], p[s[1]], p[s[2]]), j,
         TrianglePlane(placement_ * q[t[0]], placement_ * q[t[1]], placement_ * q[t[2]]));
    ++counts_.num_tests;
  };
  visit_overlapping_pairs(a_->tree(), b_->tree(), X_AB_, stack_, visit,
                          kShrinkage * std::min(a_->radius(), b_->radius()));
  std::sort(crossings_.begin(), crossings_.end(), IsBefore{});
}

void MeshCrossing::test_candidates() {
  const std::vector<int>& vertices = vertices_b_.values();
  for (std::size_t i = 0; i < vertices.size(); ++i) moved_[i] = placement_ * b_->vertices()[vertices[i]];
  planes_b_.clear();
  for (const std::array<int, 3>& c : corners_b_) planes_b_.emplace_back(moved_[c[0]], moved_[c[1]], moved_[c[2]]);
  for (const Candidate& c : candidates_) test(c.triangle_a, planes_a_[c.slot_a], c.triangle_b, planes_b_[c.slot_b]);
  counts_.num_tests += static_cast<long>(candidates_.size());
}

void MeshCrossing::Numbering::reset(std::size_t most) {
  values_.clear();
  const std::size_t size = std::bit_ceil(2 * most + 1);
  // With room for as much again, so that searches do not stop for more.
  if (values_.capacity() < most) values_.reserve(2 * most);
  if (table_.capacity() < size) table_.reserve(2 * size);
  table_.assign(size, -1);
}

int MeshCrossing::Numbering::find_or_add(int value) {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = (static_cast<std::size_t>(value) * 0x9E3779B97F4A7C15ULL >> 32) & mask;
  while (table_[slot] >= 0) {
    if (values_[static_cast<std::size_t>(table_[slot])] == value) return table_[slot];
    slot = (slot + 1) & mask;
  }
  table_[slot] = static_cast<int>(values_.size());
  values_.push_back(value);
  return table_[slot];
}

/// What every test needs, once: planes of A's triangles, and numbers of B's triangles and vertices.
void MeshCrossing::gather() {
  planes_a_.clear();
  triangles_b_.reset(candidates_.size());
  int last = -1;
  for (Candidate& candidate : candidates_) {
    if (candidate.triangle_a != last) {
      last = candidate.triangle_a;
      const std::array<int, 3>& c = a_->triangles()[last];
      planes_a_.emplace_back(a_->vertices()[c[0]], a_->vertices()[c[1]], a_->vertices()[c[2]]);
    }
    candidate.slot_a = static_cast<int>(planes_a_.size()) - 1;
    candidate.slot_b = triangles_b_.find_or_add(candidate.triangle_b);
  }
  vertices_b_.reset(3 * triangles_b_.values().size());
  corners_b_.clear();
  for (const int t : triangles_b_.values()) {
    const std::array<int, 3>& c = b_->triangles()[t];
    const int first = vertices_b_.find_or_add(c[0]), second = vertices_b_.find_or_add(c[1]);
    corners_b_.push_back({first, second, vertices_b_.find_or_add(c[2])});
  }
  moved_.resize(vertices_b_.values().size());
}

void MeshCrossing::test(int triangle_a, const TrianglePlane& a, int triangle_b, const TrianglePlane& b) {
  detail::PairSegment segment;
  if (!detail::find_segment(a, b, segment)) return;
  // A sum that is the same to the last bit for the two triangles at an edge, which see it from opposite ends.
  const auto calc_point = [&](const detail::Piercing& piercing) -> Vec3 {
    const std::array<Vec3, 3>& corners = (piercing.is_edge_of_b ? b : a).corners();
    return piercing.rest * corners[piercing.edge] + piercing.t * corners[(piercing.edge + 1) % 3];
  };
  crossings_.push_back({triangle_a, triangle_b, calc_point(segment.start), calc_point(segment.end)});
}

}  // namespace abut
