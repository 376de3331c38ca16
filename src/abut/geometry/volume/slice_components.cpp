#include "abut/geometry/volume/slice_components.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace abut {
namespace {

double calc_angle(const Vec2& u) { return std::atan2(u.y(), u.x()); }

/// Whether the arcs a and b, both anticlockwise on the unit circle, share a point.
bool is_overlapping_arc(const SlicePiece& a, const SlicePiece& b) {
  const double turn = 2.0 * std::numbers::pi;
  const auto reaches = [turn](const SlicePiece& x, const SlicePiece& y) {
    double offset = calc_angle(y.u_from) - calc_angle(x.u_from);
    if (offset < 0.0) offset += turn;
    return offset <= 2.0 * x.half_angle;
  };
  return reaches(a, b) || reaches(b, a);
}

/// Whether two pieces of the same line of neighbouring slices face each other.
bool is_overlapping_edge(const SlicePiece& a, const SlicePiece& b) {
  const Vec2 d = (a.q - a.p).normalized();
  const double a_0 = d.dot(a.p), a_1 = d.dot(a.q), b_0 = d.dot(b.p), b_1 = d.dot(b.q);
  return std::min(b_0, b_1) <= a_1 && std::max(b_0, b_1) >= a_0;
}

/// Parts move sideways no faster than this, in parts of t, where they pass an event.
constexpr double kSteepest = 100.0;

int get_curve(const SlicePiece& piece) { return piece.line >= 0 ? 2 * piece.line + 1 : 2 * piece.quadric; }

bool share_curve(const std::vector<int>& a, const std::vector<int>& b) {
  return std::any_of(a.begin(), a.end(), [&b](int x) { return std::binary_search(b.begin(), b.end(), x); });
}

/// The point a part w of the way along the piece.
Vec2 calc_point(const SliceIntegral& integral, const SlicePiece& piece, double w) {
  if (piece.line >= 0) return piece.p + w * (piece.q - piece.p);
  const double angle = 2.0 * piece.half_angle * w;
  const Vec2& u = piece.u_from;
  const Vec2 turned(std::cos(angle) * u.x() - std::sin(angle) * u.y(),
                    std::sin(angle) * u.x() + std::cos(angle) * u.y());
  return integral.cutter().ellipse(piece.quadric).point(turned);
}

}  // namespace

void SliceComponents::calc(SliceIntegral& integral, std::vector<SliceComponent>& components) {
  components.clear();
  previous_.clear();
  parent_.clear();
  found_.clear();
  for (const SliceNode& node : integral.calc_nodes()) {
    find_parts(integral, node);
    attach_holes();
    link(node);
  }
  std::vector<int> place(parent_.size(), -1);
  for (std::size_t k = 0; k < parent_.size(); ++k) {
    const int root = find_root(static_cast<int>(k));
    if (place[root] < 0) {
      place[root] = static_cast<int>(components.size());
      components.emplace_back();
    }
    SliceComponent& component = components[place[root]];
    component.sums += found_[k].sums;
    component.surface_points.insert(component.surface_points.end(), found_[k].surface_points.begin(),
                                    found_[k].surface_points.end());
  }
}

void SliceComponents::find_parts(SliceIntegral& integral, const SliceNode& node) {
  parts_.clear();
  if (!integral.cutter().cut(node.t)) return;
  const std::vector<SlicePiece>& pieces = integral.cutter().pieces();
  parts_.resize(static_cast<std::size_t>(integral.cutter().find_loops(loops_)));
  for (std::size_t k = 0; k < pieces.size(); ++k) add_loop_piece(integral, pieces[k], node, parts_[loops_[k]]);
}

void SliceComponents::add_loop_piece(const SliceIntegral& integral, const SlicePiece& piece, const SliceNode& node,
                                     Part& part) {
  SliceSums sums = SliceSums::Zero();
  integral.add_piece(piece, node.t, sums);
  part.area += sums[0];
  part.sums += node.weight * sums;
  if (node.is_counted) part.sums[12] += node.face * sums[0];
  if (part.pieces.empty()) part.lower = part.upper = piece.q;
  part.pieces.push_back(piece);
  for (const double w : {0.0, 0.25, 0.5, 0.75}) part.points.push_back(calc_point(integral, piece, w));
  part.lower = part.lower.cwiseMin(piece.q);
  part.upper = part.upper.cwiseMax(piece.q);
}

/// A loop that runs clockwise is a hole of the part around it.
void SliceComponents::attach_holes() {
  for (std::size_t h = 0; h < parts_.size();) {
    if (parts_[h].area > 0.0 || parts_.size() == 1) {
      ++h;
      continue;
    }
    const Vec2 middle = 0.5 * (parts_[h].lower + parts_[h].upper);
    std::size_t owner = parts_.size();
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (k == h || parts_[k].area <= 0.0) continue;
      const bool is_around =
          (middle.array() >= parts_[k].lower.array()).all() && (middle.array() <= parts_[k].upper.array()).all();
      if (owner == parts_.size() || (is_around && parts_[k].area < parts_[owner].area)) owner = k;
    }
    if (owner == parts_.size()) {
      ++h;
      continue;
    }
    parts_[owner].sums += parts_[h].sums;
    parts_[owner].area += parts_[h].area;
    parts_[owner].pieces.insert(parts_[owner].pieces.end(), parts_[h].pieces.begin(), parts_[h].pieces.end());
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(h));
  }
}

bool SliceComponents::is_touching(const Part& a, const Part& b) {
  for (const SlicePiece& x : a.pieces) {
    for (const SlicePiece& y : b.pieces) {
      if (x.line != y.line || x.quadric != y.quadric) continue;
      if (x.line >= 0 ? is_overlapping_edge(x, y) : is_overlapping_arc(x, y)) return true;
    }
  }
  return false;
}

int SliceComponents::find_root(int component) {
  while (parent_[component] != component) component = parent_[component];
  return component;
}

int SliceComponents::find_predecessor(const Part& part, const SliceNode& node) const {
  const bool is_same_stretch = node.stretch >= 0 && node.stretch == last_.stretch;
  double least = is_same_stretch ? std::numeric_limits<double>::infinity() : kSteepest * (node.t - last_.t);
  int best = -1;
  for (std::size_t k = 0; k < previous_.size(); ++k) {
    const Part& before = previous_[k];
    if (before.is_continued) continue;
    if (is_same_stretch ? before.curves != part.curves : !share_curve(before.curves, part.curves)) continue;
    const Vec2 apart = (part.lower - before.upper).cwiseMax(before.lower - part.upper).cwiseMax(Vec2::Zero());
    const double distance = apart.norm();
    if (distance <= least) least = distance, best = static_cast<int>(k);
  }
  return best;
}

void SliceComponents::link(const SliceNode& node) {
  for (Part& part : parts_) {
    for (const SlicePiece& piece : part.pieces) part.curves.push_back(get_curve(piece));
    std::sort(part.curves.begin(), part.curves.end());
    part.curves.erase(std::unique(part.curves.begin(), part.curves.end()), part.curves.end());
    for (Part& before : previous_) {
      if (!is_touching(before, part)) continue;
      before.is_continued = true;
      const int root = find_root(before.component);
      if (part.component < 0) {
        part.component = root;
      } else {
        const int other = find_root(part.component);
        parent_[std::max(root, other)] = std::min(root, other);
        part.component = std::min(root, other);
      }
    }
  }
  for (Part& part : parts_) {
    const int predecessor = part.component < 0 ? find_predecessor(part, node) : -1;
    if (predecessor >= 0) {
      previous_[predecessor].is_continued = true;
      part.component = find_root(previous_[predecessor].component);
    }
    if (part.component < 0) {
      part.component = static_cast<int>(parent_.size());
      parent_.push_back(part.component);
      found_.emplace_back();
    }
    SliceComponent& component = found_[part.component];
    component.sums += part.sums;
    for (const Vec2& y : part.points) component.surface_points.emplace_back(y.x(), y.y(), node.t);
  }
  previous_ = parts_;
  last_ = node;
}

}  // namespace abut
