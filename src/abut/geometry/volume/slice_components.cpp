#include "abut/geometry/volume/slice_components.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "abut/geometry/volume/slice_samples.hpp"

namespace abut {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// Areas are known to this part of the square of their distance from the origin that they are taken about [1].
constexpr double kAreaRounding = 1e-14;

bool is_line(int curve) { return curve % 2 == 1; }

int get_curve(const SlicePiece& piece) { return piece.line >= 0 ? 2 * piece.line + 1 : 2 * piece.quadric; }

/// Parts move sideways no faster than this, in parts of t, where they pass an event.
constexpr double kSteepest = 100.0;

bool share_curve(const std::vector<int>& a, const std::vector<int>& b) {
  return std::any_of(a.begin(), a.end(), [&b](int x) { return std::binary_search(b.begin(), b.end(), x); });
}

/// Takes into a box the places at which an arc turns back along x or y: a circle may be an arc without ends.
void include_arc(const SliceScene& scene, double t, const SlicePiece& piece, Vec2& lower, Vec2& upper) {
  const QuadricSlices& quadric = scene.quadrics[piece.quadric];
  const EllipseFrame ellipse = quadric.ellipse(t, std::sqrt(std::max(0.0, quadric.scale_squared(t))));
  const double c = std::cos(piece.half_angle), s = std::sin(piece.half_angle);
  const Vec2 middle(c * piece.u_from.x() - s * piece.u_from.y(), s * piece.u_from.x() + c * piece.u_from.y());
  for (int axis = 0; axis < 2; ++axis) {
    const Vec2 farthest = ellipse.axes.row(axis).transpose().normalized();
    for (const Vec2& u : {farthest, Vec2(-farthest)}) {
      if (u.dot(middle) < c) continue;
      lower = lower.cwiseMin(ellipse.point(u));
      upper = upper.cwiseMax(ellipse.point(u));
    }
  }
}

}  // namespace

void SliceComponents::calc(const SliceIntegral& integral, bool wants_points, std::vector<SliceComponent>& components) {
  components.clear();
  previous_.clear();
  sets_.reset(0);
  found_.clear();
  for (const SliceNode& node : integral.calc_nodes()) {
    find_parts(integral, node, wants_points);
    attach_holes();
    link(node);
  }
  std::vector<int> place(found_.size(), -1);
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const int root = sets_.find(static_cast<int>(k));
    if (place[root] < 0) {
      place[root] = static_cast<int>(components.size());
      components.emplace_back();
    }
    SliceComponent& component = components[place[root]];
    component.sums += found_[k].sums;
    component.rounding += found_[k].rounding;
    component.surface_points.insert(component.surface_points.end(), found_[k].surface_points.begin(),
                                    found_[k].surface_points.end());
  }
}

SliceComponents::Stretch SliceComponents::make_stretch(const SliceScene& scene, const SlicePiece& piece) {
  if (piece.line < 0) {
    const double angle = std::atan2(piece.u_from.y(), piece.u_from.x());
    return {get_curve(piece), angle, 2.0 * piece.half_angle};
  }
  const Vec2& n = scene.lines[piece.line].normal;
  const Vec2 along(-n.y(), n.x());
  const double p = along.dot(piece.p), q = along.dot(piece.q);
  return {get_curve(piece), std::min(p, q), std::abs(q - p)};
}

void SliceComponents::find_parts(const SliceIntegral& integral, const SliceNode& node, bool wants_points) {
  const KeptSlice slice = integral.get_kept(node);
  const SliceScene& scene = integral.cutter().scene();
  // What parts of earlier slices held is used again.
  for (Part& part : parts_) {
    part.sums.setZero();
    part.stretches.clear();
    part.points.clear();
    part.area = part.rounding = 0.0;
    part.component = -1;
    part.is_continued = false;
  }
  parts_.resize(static_cast<std::size_t>(slice.num_loops));
  for (std::size_t k = 0; k < slice.pieces.size(); ++k) {
    const SlicePiece& piece = slice.pieces[k];
    Part& part = parts_[slice.loops[k]];
    part.area += slice.sums[k][0];
    part.rounding = std::max(part.rounding, kAreaRounding * (piece.q - integral.origin().head<2>()).squaredNorm());
    part.sums += node.weight * slice.sums[k];
    if (node.is_counted) part.sums[12] += node.face * slice.sums[k][0];
    if (part.stretches.empty()) part.lower = part.upper = piece.q;
    part.lower = part.lower.cwiseMin(piece.q);
    part.upper = part.upper.cwiseMax(piece.q);
    // Of one loop nothing is a hole, and slices of one loop are most.
    if (piece.line < 0 && slice.num_loops > 1) include_arc(scene, node.t, piece, part.lower, part.upper);
    part.stretches.push_back(make_stretch(scene, piece));
    if (wants_points) add_piece_points(scene, node.t, piece, part.points);
  }
}

/// The smallest part around a hole; as many as there are parts where none is.
std::size_t SliceComponents::find_owner(std::size_t hole) const {
  const Vec2 middle = 0.5 * (parts_[hole].lower + parts_[hole].upper);
  std::size_t owner = parts_.size();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (k == hole || parts_[k].area <= 0.0) continue;
    const bool is_around =
        (middle.array() >= parts_[k].lower.array()).all() && (middle.array() <= parts_[k].upper.array()).all();
    if (is_around && (owner == parts_.size() || parts_[k].area < parts_[owner].area)) owner = k;
  }
  return owner;
}

/// A loop that runs clockwise is a hole of the part around it. One so small that rounding alone may have turned it (the
/// last of a corner that dips in) is a part of its own, as it was in the slice before.
void SliceComponents::attach_holes() {
  for (std::size_t h = 0; h < parts_.size();) {
    const bool is_hole = parts_[h].area <= -parts_[h].rounding && parts_.size() > 1;
    const std::size_t owner = is_hole ? find_owner(h) : parts_.size();
    if (owner == parts_.size()) {
      ++h;
      continue;
    }
    parts_[owner].sums += parts_[h].sums;
    parts_[owner].area += parts_[h].area;
    parts_[owner].stretches.insert(parts_[owner].stretches.end(), parts_[h].stretches.begin(),
                                   parts_[h].stretches.end());
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(h));
  }
}

/// Whether stretches of the same curve have a point in common.
bool SliceComponents::is_touching(const Part& a, const Part& b) {
  const auto reaches = [](const Stretch& x, const Stretch& y) {
    double offset = y.from - x.from;
    if (offset < 0.0 && !is_line(x.curve)) offset += kTurn;
    return offset >= 0.0 && offset <= x.length;
  };
  for (const Stretch& x : a.stretches) {
    for (const Stretch& y : b.stretches) {
      if (x.curve == y.curve && (reaches(x, y) || reaches(y, x))) return true;
    }
  }
  return false;
}

std::vector<int> SliceComponents::list_curves(const Part& part) {
  std::vector<int> curves;
  for (const Stretch& stretch : part.stretches) curves.push_back(stretch.curve);
  std::sort(curves.begin(), curves.end());
  curves.erase(std::unique(curves.begin(), curves.end()), curves.end());
  return curves;
}

int SliceComponents::find_predecessor(const Part& part, const SliceNode& node) const {
  const bool is_same_stretch = node.stretch >= 0 && node.stretch == last_.stretch;
  double least = is_same_stretch ? std::numeric_limits<double>::infinity() : kSteepest * (node.t - last_.t);
  int best = -1;
  const std::vector<int> own = list_curves(part);
  for (std::size_t k = 0; k < previous_.size(); ++k) {
    const Part& before = previous_[k];
    if (before.is_continued) continue;
    const std::vector<int> its = list_curves(before);
    if (is_same_stretch ? its != own : !share_curve(its, own)) continue;
    const Vec2 apart = (part.lower - before.upper).cwiseMax(before.lower - part.upper).cwiseMax(Vec2::Zero());
    const double distance = apart.norm();
    if (distance <= least) least = distance, best = static_cast<int>(k);
  }
  return best;
}

void SliceComponents::link(const SliceNode& node) {
  for (Part& part : parts_) {
    for (Part& before : previous_) {
      if (!is_touching(before, part)) continue;
      before.is_continued = true;
      part.component = part.component < 0 ? sets_.find(before.component) : sets_.join(before.component, part.component);
    }
  }
  for (Part& part : parts_) {
    const int predecessor = part.component < 0 ? find_predecessor(part, node) : -1;
    if (predecessor >= 0) {
      previous_[predecessor].is_continued = true;
      part.component = sets_.find(previous_[predecessor].component);
    }
    if (part.component < 0) {
      part.component = sets_.add();
      found_.emplace_back();
    }
    SliceComponent& component = found_[part.component];
    component.sums += part.sums;
    component.rounding += std::abs(node.weight) * part.rounding;
    for (const Vec2& y : part.points) component.surface_points.emplace_back(y.x(), y.y(), node.t);
  }
  std::swap(previous_, parts_);
  last_ = node;
}

}  // namespace abut
