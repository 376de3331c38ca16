#include "abut/geometry/mesh/mesh_crossing.hpp"

#include <algorithm>
#include <cmath>

#include "abut/geometry/mesh/detail/triangle_pair.hpp"

namespace abut {
namespace {

/// Reserve of a search, in steps of the present motion: more makes searches rarer and the list of candidates longer.
constexpr double kStepsAhead = 16.0;
/// Bounds of the reserve in parts of the size of a triangle. The number of candidates grows about with 1 + 4 times it.
constexpr double kMinReserve = 0.02, kMaxReserve = 0.3;

int find_index(const std::vector<int>& sorted, int value) {
  return static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

void sort_unique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

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
  ++counts_.num_queries;
  X_AB_ = X_AB;
  const bool is_new = margin_ < 0.0 || a_ != &a || b_ != &b;
  a_ = &a;
  b_ = &b;
  if (is_new || !(calc_motion(searched_) < 0.999 * margin_)) {
    search(is_new ? kMinReserve * std::min(a.mean_size(), b.mean_size()) : choose_margin(calc_motion(previous_)));
  }
  previous_ = X_AB;
  const Pose placement = calc_placement(a, b, X_AB);
  for (std::size_t i = 0; i < vertices_b_.size(); ++i) moved_[i] = placement * b.vertices()[vertices_b_[i]];
  planes_b_.clear();
  for (const std::array<int, 3>& c : corners_b_) planes_b_.emplace_back(moved_[c[0]], moved_[c[1]], moved_[c[2]]);
  crossings_.clear();
  for (const Candidate& candidate : candidates_) test(candidate);
  counts_.num_tests += static_cast<long>(candidates_.size());
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
  const double most = kMaxReserve * size;
  if (!(2.0 * motion < most)) return 0.0;  // a list would be used once: none in reserve
  return std::clamp(kStepsAhead * motion, kMinReserve * size, most);
}

void MeshCrossing::search(double margin) {
  ++counts_.num_searches;
  searched_ = X_AB_;
  margin_ = margin;
  candidates_.clear();
  visit_overlapping_pairs(
      a_->tree(), b_->tree(), X_AB_, stack_,
      [&](int i, int j) {
        candidates_.push_back({i, j, 0, 0});
      },
      margin);
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& x, const Candidate& y) {
    return x.triangle_a != y.triangle_a ? x.triangle_a < y.triangle_a : x.triangle_b < y.triangle_b;
  });
  gather();
}

/// What every test needs, once: planes of A's triangles, and numbers of B's triangles and vertices.
void MeshCrossing::gather() {
  planes_a_.clear();
  triangles_b_.clear();
  vertices_b_.clear();
  int last = -1;
  for (Candidate& candidate : candidates_) {
    if (candidate.triangle_a != last) {
      last = candidate.triangle_a;
      const std::array<int, 3>& c = a_->triangles()[last];
      planes_a_.emplace_back(a_->vertices()[c[0]], a_->vertices()[c[1]], a_->vertices()[c[2]]);
    }
    candidate.slot_a = static_cast<int>(planes_a_.size()) - 1;
    triangles_b_.push_back(candidate.triangle_b);
  }
  sort_unique(triangles_b_);
  for (const int t : triangles_b_) {
    for (const int v : b_->triangles()[t]) vertices_b_.push_back(v);
  }
  sort_unique(vertices_b_);
  corners_b_.clear();
  for (const int t : triangles_b_) {
    const std::array<int, 3>& c = b_->triangles()[t];
    corners_b_.push_back({find_index(vertices_b_, c[0]), find_index(vertices_b_, c[1]), find_index(vertices_b_, c[2])});
  }
  moved_.resize(vertices_b_.size());
  for (Candidate& candidate : candidates_) candidate.slot_b = find_index(triangles_b_, candidate.triangle_b);
}

void MeshCrossing::test(const Candidate& candidate) {
  const TrianglePlane &a = planes_a_[candidate.slot_a], &b = planes_b_[candidate.slot_b];
  detail::PairSegment segment;
  if (!detail::find_segment(a, b, segment)) return;
  // A sum that is the same to the last bit for the two triangles at an edge, which see it from opposite ends.
  const auto calc_point = [&](const detail::Piercing& piercing) -> Vec3 {
    const std::array<Vec3, 3>& corners = (piercing.is_edge_of_b ? b : a).corners();
    return piercing.rest * corners[piercing.edge] + piercing.t * corners[(piercing.edge + 1) % 3];
  };
  crossings_.push_back(
      {candidate.triangle_a, candidate.triangle_b, calc_point(segment.start), calc_point(segment.end)});
}

}  // namespace abut
