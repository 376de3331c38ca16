#include "abut/geometry/volume/surface_loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace abut {

void SurfaceLoops::begin(bool is_periodic) {
  is_periodic_ = is_periodic;
  pieces_.clear();
  points_.clear();
}

void SurfaceLoops::add(std::uint64_t from, std::uint64_t to, int node, const std::vector<Vec2>& chain) {
  const std::size_t first = points_.size();
  points_.insert(points_.end(), chain.begin(), chain.end());
  pieces_.push_back({from, to, node, -1, first, points_.size()});
}

double SurfaceLoops::calc_step(double u_0, double u_1) const {
  const double step = u_1 - u_0;
  return is_periodic_ ? std::remainder(step, 2.0 * std::numbers::pi) : step;
}

void SurfaceLoops::find_loops() {
  struct End {
    std::uint64_t name;
    int piece;
  };
  std::vector<End> ends;
  sets_.reset(static_cast<int>(pieces_.size()));
  for (int i = 0; i < static_cast<int>(pieces_.size()); ++i) {
    ends.push_back({pieces_[i].from, i});
    ends.push_back({pieces_[i].to, i});
  }
  std::sort(ends.begin(), ends.end(),
            [](const End& a, const End& b) { return a.name != b.name ? a.name < b.name : a.piece < b.piece; });
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    if (ends[i].name == ends[i + 1].name) sets_.join_into(ends[i].piece, ends[i + 1].piece);
  }
  loops_.clear();
  std::vector<int> number(pieces_.size(), -1);
  for (int i = 0; i < static_cast<int>(pieces_.size()); ++i) {
    int& loop = number[sets_.find(i)];
    if (loop < 0) {
      loop = static_cast<int>(loops_.size());
      loops_.push_back({0.0, 0.0, Vec2(0.0, std::numeric_limits<double>::infinity()), pieces_[i].node});
    }
    Piece& piece = pieces_[i];
    piece.loop = loop;
    Loop& sum = loops_[loop];
    for (std::size_t k = piece.first; k < piece.last; ++k) {
      if (points_[k].y() < sum.lowest.y()) sum.lowest = points_[k];
      if (k + 1 == piece.last) break;
      const double step = calc_step(points_[k].x(), points_[k + 1].x());
      sum.turn += step;
      sum.area -= 0.5 * (points_[k].y() + points_[k + 1].y()) * step;
    }
  }
}

int SurfaceLoops::find_below(const Vec2& from, int loop) const {
  int found = -1;
  double highest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < static_cast<int>(pieces_.size()); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.loop == loop) continue;
    for (std::size_t k = piece.first; k + 1 < piece.last; ++k) {
      const double step = calc_step(points_[k].x(), points_[k + 1].x());
      const double left = calc_step(from.x(), points_[k].x()), right = left + step;
      if ((left > 0.0) == (right > 0.0)) continue;
      const double v = points_[k].y() - left / step * (points_[k + 1].y() - points_[k].y());
      if (v <= from.y() && v > highest) highest = v, found = i;
    }
  }
  return found;
}

void SurfaceLoops::join(const std::function<void(int, int)>& join_nodes) {
  find_loops();
  pole_node_ = -1;
  for (int i = 0; i < static_cast<int>(loops_.size()); ++i) {
    const Loop& loop = loops_[i];
    const bool is_ring = is_periodic_ && std::abs(loop.turn) > std::numbers::pi;
    if (is_ring ? loop.turn > 0.0 : loop.area > 0.0) continue;
    const int below = find_below(loop.lowest, i);
    if (below >= 0) {
      join_nodes(loop.node, pieces_[below].node);
    } else if (pole_node_ >= 0) {
      join_nodes(loop.node, pole_node_);
    } else {
      pole_node_ = loop.node;
    }
  }
}

int SurfaceLoops::find_below_top() const {
  const int found = find_below({0.0, std::numeric_limits<double>::infinity()}, -1);
  return found < 0 ? pole_node_ : pieces_[found].node;
}

}  // namespace abut
