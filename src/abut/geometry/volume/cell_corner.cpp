#include "abut/geometry/volume/cell_corner.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <Eigen/Eigenvalues>

#include "abut/geometry/distance/shape_bounds.hpp"

namespace abut {
namespace {

/// Places looked at, and tries at each.
constexpr int kStarts = 1500, kRimPlaces = 120, kTries = 12;
/// Distance looked at about a place of the rim, in parts of the joint's half width [1].
constexpr double kNeighbourhood = 0.2;
/// A segment leaves the body where it is further outside than this part of that distance [1]: 8 degrees of turn.
constexpr double kOutside = 0.03;
constexpr int kSegmentPoints = 5;
constexpr int kConvexSegments = 3000;

/// Numbers that are the same on every machine.
class Dice {
 public:
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1.0p-53;
  }
  Vec3 in_cube(double half) { return Vec3(between(-half, half), between(-half, half), between(-half, half)); }

 private:
  std::mt19937_64 engine_{20090417};
};

/// The joint as a plane with a middle and two half widths.
struct JointFrame {
  Vec3 center = Vec3::Zero();
  Mat3 axes = Mat3::Identity();                ///< columns: along, across, normal
  double half_length = 0.0, half_width = 0.0;  ///< of a rectangle with the same moments [m]
};

JointFrame make_frame(const JointSolid& joint) {
  const MassProperties& m = joint.moments;
  const Mat3 second = 0.5 * m.inertia.trace() * Mat3::Identity() - m.inertia;
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(second / m.mass);  // eigenvalues rise
  JointFrame frame;
  frame.center = m.center_of_mass;
  frame.axes << solver.eigenvectors().col(2), solver.eigenvectors().col(1), solver.eigenvectors().col(0);
  frame.half_length = std::sqrt(3.0 * std::max(0.0, solver.eigenvalues()[2]));
  frame.half_width = std::sqrt(3.0 * std::max(0.0, solver.eigenvalues()[1]));
  return frame;
}

class CornerSearch {
 public:
  CornerSearch(std::span<SolidProbe> cells, int a, int b, const JointSolid& joint, double thickness, SolidProbe* parent)
      : cells_(cells), parent_(parent), a_(a), b_(b), frame_(make_frame(joint)), thickness_(thickness) {
    look_within(kNeighbourhood * frame_.half_width);
  }

  bool run() {
    int num_places = 0;
    for (int i = 0; i < kStarts && num_places < kRimPlaces; ++i) {
      const Vec3 start = at(dice_.between(-1.4, 1.4), dice_.between(-1.4, 1.4));
      if (!is_in_joint(start)) continue;
      ++num_places;
      if (is_corner_at(find_rim(start))) return true;
    }
    return false;
  }

 private:
  void look_within(double reach) {
    reach_ = reach;
    slack_ = std::max(kOutside * reach_, 2.0 * thickness_);
  }
  Vec3 at(double along, double across) const {
    return frame_.center + frame_.axes * Vec3(along * frame_.half_length, across * frame_.half_width, 0.0);
  }
  bool is_in_joint(const Vec3& p) {
    return cells_[a_].holds(p, 2.0 * thickness_) && cells_[b_].holds(p, 2.0 * thickness_);
  }
  /// From a place of the joint to its rim, in a direction in which long joints are as wide as short ones.
  Vec3 find_rim(const Vec3& start) {
    const double angle = dice_.between(0.0, 6.283185307179586);
    const Vec3 way = at(4.0 * std::cos(angle), 4.0 * std::sin(angle)) - frame_.center;
    double inside = 0.0, outside = 1.0;
    for (int i = 0; i < 18; ++i) {
      const double middle = 0.5 * (inside + outside);
      (is_in_joint(start + middle * way) ? inside : outside) = middle;
    }
    return start + inside * way;
  }
  void list_near(const Vec3& p) {
    near_.clear();
    const Aabb ball = {p - Vec3::Constant(3.0 * reach_), p + Vec3::Constant(3.0 * reach_)};
    for (int i = 0; i < static_cast<int>(cells_.size()); ++i) {
      if (is_overlapping(cells_[i].bounds(), ball)) near_.push_back(i);
    }
  }
  /// One of the cells nearby that holds p, -1 where none does. What was never part of the parent counts as filled.
  int find_cell(const Vec3& p, double slack) {
    if (parent_ != nullptr && !parent_->holds(p, 0.0)) return a_;
    const auto found = std::find_if(near_.begin(), near_.end(), [&](int i) { return cells_[i].holds(p, slack); });
    return found == near_.end() ? -1 : *found;
  }
  /// Moves a point of the body along a direction to its surface; false where that is further away than the
  /// neighbourhood is wide.
  bool move_to_surface(const Vec3& direction, Vec3& p) {
    double inside = 0.0, outside = 2.0 * reach_;
    if (find_cell(p + outside * direction, 2.0 * thickness_) >= 0) return false;
    for (int i = 0; i < 8; ++i) {
      const double middle = 0.5 * (inside + outside);
      (find_cell(p + middle * direction, 2.0 * thickness_) >= 0 ? inside : outside) = middle;
    }
    p += inside * direction;
    return true;
  }
  bool leaves(const Vec3& x, const Vec3& y, double slack) {
    for (int k = 1; k <= kSegmentPoints; ++k) {
      if (find_cell(x + (y - x) * (k / (kSegmentPoints + 1.0)), slack) < 0) return true;
    }
    return false;
  }
  /// Whether a segment between two places of the surface near p leaves the body: from cell to cell, or, with `own`,
  /// within that one.
  bool is_concave_at(const Vec3& p, int own, int tries) {
    // Within one cell segments are half as long, and hollow curves show by a quarter.
    const double slack = own < 0 ? slack_ : std::max(0.1 * slack_, 2.0 * thickness_);
    for (int t = 0; t < tries; ++t) {
      Vec3 x = p + dice_.in_cube(reach_), y = p + dice_.in_cube(reach_);
      const Vec3 direction = dice_.in_cube(1.0).normalized();
      if (find_cell(x, 0.0) < 0 || find_cell(y, 0.0) < 0) continue;
      if (!move_to_surface(direction, x) || !move_to_surface(direction, y)) continue;
      if (own >= 0 && !(cells_[own].holds(x, 2.0 * thickness_) && cells_[own].holds(y, 2.0 * thickness_))) continue;
      if (leaves(x, y, slack)) return true;
    }
    return false;
  }
  /// Not where a cell is concave of itself: an edge of the body that the cut goes through. Nor where what is concave
  /// turns out to be near the joint, not at it, or a smooth hollow, when looked at more closely.
  bool is_corner_at(const Vec3& rim) {
    const double reach = reach_;
    bool is_corner = true;
    for (const double scale : {1.0, 0.25, 0.0625}) {
      look_within(scale * reach);
      list_near(rim);
      is_corner = is_corner && is_concave_at(rim, -1, scale == 1.0 ? kTries : 10 * kTries) &&
                  std::none_of(near_.begin(), near_.end(), [&](int i) { return is_concave_at(rim, i, 10 * kTries); });
    }
    look_within(reach);
    return is_corner;
  }

  std::span<SolidProbe> cells_;
  SolidProbe* parent_;
  int a_, b_;
  JointFrame frame_;
  double thickness_;
  double reach_ = 0.0, slack_ = 0.0;  ///< [m]
  std::vector<int> near_;
  Dice dice_;
};

}  // namespace

bool is_concave_corner(std::span<SolidProbe> cells, int a, int b, const JointSolid& joint, double thickness,
                       SolidProbe* parent) {
  return CornerSearch(cells, a, b, joint, thickness, parent).run();
}

bool looks_convex(std::span<SolidProbe> probes, std::span<const BodyCell> cells, const std::vector<int>& listed,
                  double slack) {
  Dice dice;
  constexpr int kPoints = 60, kMaxTries = 4000;
  std::vector<Vec3> points;
  for (const int i : listed) {
    const Aabb box = calc_aabb(cells[i].shape, cells[i].X);
    int found = 0;
    for (int t = 0; t < kMaxTries && found < kPoints; ++t) {
      const Vec3 unit = dice.in_cube(0.5) + Vec3::Constant(0.5);
      const Vec3 p = box.lower + unit.cwiseProduct(box.upper - box.lower);
      if (!probes[i].holds(p, 0.0)) continue;
      points.push_back(p);
      ++found;
    }
  }
  if (points.empty()) return false;
  const auto pick = [&] {
    const double count = static_cast<double>(points.size());
    return points[std::min(points.size() - 1, static_cast<std::size_t>(dice.between(0.0, 1.0) * count))];
  };
  for (int s = 0; s < kConvexSegments; ++s) {
    const Vec3 x = pick(), y = pick();
    const Vec3 p = x + dice.between(0.0, 1.0) * (y - x);
    const auto holds = [&](int i) { return probes[i].holds(p, slack); };
    if (std::none_of(listed.begin(), listed.end(), holds)) return false;
  }
  return true;
}

}  // namespace abut
