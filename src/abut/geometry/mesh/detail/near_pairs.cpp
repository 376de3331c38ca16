#include "abut/geometry/mesh/detail/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut::detail {
namespace {

// Reserves of a search, in triangle sizes: the first and least one, and the largest, at which about half as many pairs
// again are listed as meet. In between it is doubled where a list has served few queries, halved where it served many.
constexpr double kLeastMargin = 0.01;
constexpr double kLargestMargin = 0.16;
constexpr int kFewQueries = 16;
constexpr int kManyQueries = 256;

/// Largest norm of the change of a rotation that a list outlives [1]: 20 degrees. Faces that are more than 60 degrees
/// apart when they are found do not become flush before.
constexpr double kLargestTurn = 0.5;

/// Part of the size of coordinates by which a computed height or motion may be off [1]: some roundings.
constexpr double kRounding = 1e-14;

double calc_triangle_size(const ClosedMesh& solid) {
  double area = 0.0;
  for (const std::array<int, 3>& t : solid.triangles()) {
    const Vec3& p = solid.vertices()[t[0]];
    area += 0.5 * (solid.vertices()[t[1]] - p).cross(solid.vertices()[t[2]] - p).norm();
  }
  return std::sqrt(area / static_cast<double>(solid.triangles().size()));
}

/// Distance of three points from a plane [m], if they lie on one side of it; 0 otherwise.
double calc_clearance(const TrianglePlane& plane, const std::array<Vec3, 3>& points) {
  const double length = plane.normal().norm();
  if (!(length > 0.0)) return 0.0;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const Vec3& p : points) {
    const double height = (p - plane.corners()[0]).dot(plane.normal());
    least = std::min(least, height);
    most = std::max(most, height);
  }
  return std::max({0.0, least, -most}) / length;
}

}  // namespace

bool NearPairs::Identity::is(const ClosedMesh& solid) const {
  return vertices == solid.vertices().data() && num_vertices == solid.vertices().size() &&
         num_triangles == solid.triangles().size() && moments.volume == solid.moments().volume &&
         moments.first == solid.moments().first && moments.second == solid.moments().second;
}

void NearPairs::Identity::set(const ClosedMesh& solid) {
  vertices = solid.vertices().data();
  num_vertices = solid.vertices().size();
  num_triangles = solid.triangles().size();
  moments = solid.moments();
  center = 0.5 * (solid.bounds().lower + solid.bounds().upper);
  radius = 0.5 * (solid.bounds().upper - solid.bounds().lower).norm();
  triangle_size = calc_triangle_size(solid);
}

double NearPairs::update(const ClosedMesh& a, const ClosedMesh& b, const Pose& X_AB) {
  const bool is_new = num_searches_ == 0 || !a_.is(a) || !b_.is(b);
  if (is_new) {
    a_.set(a);
    b_.set(b);
  }
  double motion = is_new ? 0.0 : calc_motion(X_AB);
  if (is_new || !(motion < margin_) || (X_AB.R - searched_.R).norm() > kLargestTurn) {
    choose_margin(is_new, motion);
    searched_ = X_AB;
    rounding_ = kRounding * (a.tree().reach() + b.tree().reach() + X_AB.p.cwiseAbs().maxCoeff());
    search(a, b);
    num_served_ = 0;
    motion = 0.0;
  }
  ++num_served_;
  return motion + rounding_;
}

/// Bound of how far any point of B that is in reach of A has moved since the search [m]. What touches lies in the balls
/// about both: in a ball about the circle in which these cut each other, or in the smaller one.
double NearPairs::calc_motion(const Pose& X_AB) const {
  const Vec3 center_b = X_AB * b_.center, between = center_b - a_.center;
  const double distance = between.norm();
  Vec3 middle = a_.radius <= b_.radius ? a_.center : center_b;
  double radius = std::min(a_.radius, b_.radius);
  if (distance > 0.0) {
    const double share =
        0.5 * (1.0 + (a_.radius - b_.radius) * (a_.radius + b_.radius) / (distance * distance));  // of the way from A
    const double square = a_.radius * a_.radius - share * share * distance * distance;
    if (share > 0.0 && share < 1.0) {
      middle = a_.center + share * between;
      radius = std::sqrt(std::max(0.0, square));
    }
  }
  const Mat3 dR = X_AB.R - searched_.R;
  const Vec3 place = X_AB.R.transpose() * (middle - X_AB.p);  // in B's frame
  // The two non-zero singular values of a difference of rotations are equal.
  return std::sqrt(0.5) * dR.norm() * radius + (dR * place + (X_AB.p - searched_.p)).norm();
}

void NearPairs::choose_margin(bool is_new, double motion) {
  const double size = std::min(a_.triangle_size, b_.triangle_size);
  if (is_new) {
    margin_ = kLeastMargin * size;
  } else if (motion > 0.5 * kLargestMargin * size * num_served_) {
    margin_ = 0.0;  // no list would serve twice
  } else if (num_served_ < kFewQueries) {
    margin_ = std::clamp(2.0 * margin_, kLeastMargin * size, kLargestMargin * size);
  } else if (num_served_ > kManyQueries) {
    margin_ = std::max(0.5 * margin_, kLeastMargin * size);
  }
}

void NearPairs::search(const ClosedMesh& a, const ClosedMesh& b) {
  ++num_searches_;
  pairs_.clear();
  visit_overlapping_pairs(
      a.tree(), b.tree(), searched_, stack_,
      [&](int i, int j) {
        pairs_.push_back({i, j, 0, 0, 0.0, false});
      },
      margin_);
  std::sort(pairs_.begin(), pairs_.end(), [](const NearPair& x, const NearPair& y) {
    return x.triangle_a != y.triangle_a ? x.triangle_a < y.triangle_a : x.triangle_b < y.triangle_b;
  });
  assign_slots(a, b);
}

/// Numbers the triangles in the order in which they are met, and leaves out pairs that are farther apart than their
/// boxes tell.
void NearPairs::assign_slots(const ClosedMesh& a, const ClosedMesh& b) {
  planes_a_.clear();
  for (const int t : triangles_b_) {
    if (static_cast<std::size_t>(t) < slot_of_b_.size()) slot_of_b_[t] = -1;
  }
  triangles_b_.clear();
  if (slot_of_b_.size() < b.triangles().size()) slot_of_b_.resize(b.triangles().size(), -1);
  int last = -1;
  std::size_t kept = 0;
  for (NearPair pair : pairs_) {
    if (pair.triangle_a != last) {
      last = pair.triangle_a;
      const std::array<int, 3>& c = a.triangles()[last];
      planes_a_.emplace_back(a.vertices()[c[0]], a.vertices()[c[1]], a.vertices()[c[2]]);
    }
    const std::array<int, 3>& c = b.triangles()[pair.triangle_b];
    const TrianglePlane moved(searched_ * b.vertices()[c[0]], searched_ * b.vertices()[c[1]],
                              searched_ * b.vertices()[c[2]]);
    pair.clearance =
        std::max(calc_clearance(planes_a_.back(), moved.corners()), calc_clearance(moved, planes_a_.back().corners()));
    if (pair.clearance > margin_ + 2.0 * rounding_) continue;
    const Vec3 &n = planes_a_.back().normal(), &m = moved.normal();
    pair.may_be_flush = n.dot(m) > 0.5 * n.norm() * m.norm();
    pair.slot_a = static_cast<int>(planes_a_.size()) - 1;
    int& slot = slot_of_b_[pair.triangle_b];
    if (slot < 0) {
      slot = static_cast<int>(triangles_b_.size());
      triangles_b_.push_back(pair.triangle_b);
    }
    pair.slot_b = slot;
    pairs_[kept++] = pair;
  }
  pairs_.resize(kept);
}

}  // namespace abut::detail
