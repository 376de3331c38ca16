#include "abut/contact/region/surface_ray.hpp"

#include <algorithm>
#include <cmath>

#include "abut/geometry/mesh/tree_traversal.hpp"

namespace abut {

namespace {

/// Faces steeper than this to the direction are walls [1].
constexpr double kLeastCosine = 0.35;
/// Triangles nearer to the line than this are kept, in sizes of a typical triangle, and along the line this many times
/// as far as was asked [1].
constexpr double kReserve = 0.15, kReachReserve = 1.25;
/// Room for so many from the start, so that steps do not stop for more.
constexpr std::size_t kUsualTriangles = 64;
/// A list serves lines that have turned by less than this [1].
constexpr double kMostTurn = 0.1;

}  // namespace

/// Edges of which a line of the list may pass on either side, as bits; -1 if all of them pass the triangle by.
///
/// The line through o along d passes to the left of the edge from A to B where f = d . (A - o) x (B - o) >= 0. If o
/// changes by less than `shift` and d by less than `turn`, f changes by less than turn |(A - o) x (B - o)| + (1 + turn)
/// shift |B - A|; rounding changes it by less than 1e-12 |A - o| |B - o|.
int SurfaceRay::find_open_edges(const std::array<Vec3, 3>& corners) const {
  const double shift = 0.7072 * reserve_, turn = kMostTurn;  // 2 |do|^2 < reserve^2, see find()
  int open = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 a = corners[k] - origin_, b = corners[(k + 1) % 3] - origin_, cross = a.cross(b);
    const double f = direction_.dot(cross);
    const double change = turn * cross.norm() + (1.0 + turn) * shift * (b - a).norm() + 1e-12 * a.norm() * b.norm();
    if (f < -change) return -1;
    if (!(f > change)) open |= 1 << k;
  }
  return open;
}

/// Distance along d at which the line meets the triangle; empty where it passes by or the face is a wall.
std::optional<double> SurfaceRay::Face::meet(const Vec3& origin, const Vec3& d) const {
  const double cosine = normal.dot(d);
  if (!(cosine > kLeastCosine)) return std::nullopt;
  const Vec3 a = corners[0] - origin;
  if (open_edges != 0) {
    // Edges seen along d: the line passes to the left of all three, or on them.
    const Vec3 b = corners[1] - origin, c = corners[2] - origin;
    if ((open_edges & 1) != 0 && d.dot(a.cross(b)) < 0.0) return std::nullopt;
    if ((open_edges & 2) != 0 && d.dot(b.cross(c)) < 0.0) return std::nullopt;
    if ((open_edges & 4) != 0 && d.dot(c.cross(a)) < 0.0) return std::nullopt;
  }
  return normal.dot(a) / cosine;
}

std::optional<SurfaceHit> SurfaceRay::find(const SurfaceMesh& mesh, const Vec3& origin, const Vec3& direction,
                                           double reach) {
  const double turn = (direction - direction_).squaredNorm();
  // A point of the line within its reach has moved by at most |do| + reach |dd|, whose square is at most this.
  const double motion = 2.0 * ((origin - origin_).squaredNorm() + reach * reach * turn);
  if (mesh_ != &mesh || !(motion < reserve_ * reserve_) || !(turn < kMostTurn * kMostTurn) || !(reach < reach_)) {
    mesh_ = &mesh;
    origin_ = origin;
    direction_ = direction;
    reserve_ = kReserve * mesh.mean_size();
    reach_ = kReachReserve * reach;
    search(mesh);
  }
  std::optional<SurfaceHit> best;
  double bound = reach;
  for (const Face& face : near_) {
    const std::optional<double> distance = face.meet(origin, direction);
    // Of two equally near ones that with the smaller number.
    if (!distance || std::abs(*distance) > bound || (best && std::abs(*distance) == bound)) continue;
    best = {*distance, face.triangle};
    bound = std::abs(*distance);
  }
  return best;
}

/// All triangles nearer than the reserve to the line within its reach, but those that are walls for any line that the
/// list may serve, or passed by.
void SurfaceRay::search(const SurfaceMesh& mesh) {
  ++num_searches_;
  near_.clear();
  if (near_.capacity() == 0) {
    near_.reserve(kUsualTriangles);
    stack_.reserve(kUsualTriangles);
  }
  const double margin =
      reserve_ + 2e-6 * (mesh.tree().reach() + origin_.cwiseAbs().maxCoeff() + reach_);  // single precision
  const auto is_met = [&](const BoundingTree::Node& node) {
    const Vec3 center = node.calc_center() - origin_;
    const double along = center.dot(direction_);
    const double radius = double{node.radius} + margin;
    // The piece of the line against the ball about the box, then against the box.
    if (std::abs(along) > reach_ + radius || (center - along * direction_).squaredNorm() > radius * radius)
      return false;
    Mat3 axes;
    for (int i = 0; i < 3; ++i) axes.col(i) = node.axes[i].head<3>().cast<double>().matrix();
    const Vec3 r = axes * center, u = axes * direction_;
    const Vec3 e = u.cwiseAbs(), h = node.half.head<3>().cast<double>().matrix() + Vec3::Constant(margin);
    if (((r.cwiseAbs() - h - reach_ * e).array() > 0.0).any()) return false;
    const Vec3 off = u.cross(r).cwiseAbs();
    return off.x() <= h.y() * e.z() + h.z() * e.y() && off.y() <= h.z() * e.x() + h.x() * e.z() &&
           off.z() <= h.x() * e.y() + h.y() * e.x();
  };
  visit_triangles(mesh.tree(), stack_, is_met, [&](int t) {
    if (!(mesh.normal(t).dot(direction_) > kLeastCosine - kMostTurn)) return;
    const std::array<int, 3>& c = mesh.triangles()[t];
    const std::array<Vec3, 3> corners = {mesh.vertices()[c[0]], mesh.vertices()[c[1]], mesh.vertices()[c[2]]};
    const int open = find_open_edges(corners);
    if (open >= 0) near_.push_back({t, open, mesh.normal(t), corners});
  });
  std::sort(near_.begin(), near_.end(), [](const Face& x, const Face& y) { return x.triangle < y.triangle; });
}

}  // namespace abut
