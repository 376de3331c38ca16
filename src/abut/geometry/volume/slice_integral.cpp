#include "abut/geometry/volume/slice_integral.hpp"

#include <algorithm>
#include <cmath>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// Events that close together, against the extent of the region, are one: that is how well they are located.
constexpr double kSameEvents = 2e-8;

}  // namespace
VolumeMoments make_moments(const SliceSums& s) {
  VolumeMoments moments;
  moments.volume = s[0];
  moments.first = Vec3(s[1], s[2], s[3]);
  moments.second << s[4], s[5], s[7], s[5], s[6], s[8], s[7], s[8], s[9];
  return moments;
}

Vec3 make_area_vector(const SliceSums& sums) { return {sums[10], sums[11], sums[12]}; }

void SliceIntegral::calc(const SlicedRegion& sliced, int side, const QuadratureOptions& options, bool keeps_slices) {
  side_ = side;
  keeps_slices_ = keeps_slices;
  kept_.clear(), kept_pieces_.clear(), kept_loops_.clear(), kept_sums_.clear();
  max_loops_ = 0;
  prepare_scene(sliced);
  find_breaks(sliced);
  place_origin();
  QuadratureOptions all = options;
  all.has_all_events = sliced.slices.size() < 2;  // planes and one quadric: every event is found in closed form
  quadrature_.calc(*this, breaks_, all);
  total_ = quadrature_.total();
  add_end_faces(sliced);
}

void SliceIntegral::prepare_scene(const SlicedRegion& sliced) {
  scene_.quadrics = sliced.slices;
  scene_.lines.clear();
  for (const int k : sliced.line_planes) {
    const RegionPlane& plane = sliced.region.planes[k];
    const double flat = plane.normal.head<2>().norm();
    scene_.lines.push_back(
        {Vec2(plane.normal.head<2>() / flat), plane.offset / flat, plane.normal.z() / flat, plane.owner});
  }
  scene_.bound_center = sliced.region.center.head<2>();
  scene_.bound_radius = sliced.region.radius;
  cutter_.reset(scene_);
}

void SliceIntegral::find_breaks(const SlicedRegion& sliced) {
  breaks_.clear();
  find_slice_events(sliced, breaks_);
  if (std::isfinite(sliced.t_lower)) breaks_.push_back(sliced.t_lower);
  if (std::isfinite(sliced.t_upper)) breaks_.push_back(sliced.t_upper);
  std::sort(breaks_.begin(), breaks_.end());
  if (!std::isfinite(sliced.t_lower) || !std::isfinite(sliced.t_upper)) refuse_unbounded(sliced);
  if (breaks_.empty()) return;
  const double tiny = 8e-16 * std::max(std::abs(breaks_.front()), std::abs(breaks_.back()));
  const auto is_same = [tiny](double x, double y) { return y - x <= tiny; };
  breaks_.erase(std::unique(breaks_.begin(), breaks_.end(), is_same), breaks_.end());
}

void SliceIntegral::refuse_unbounded(const SlicedRegion& sliced) {
  const double lowest = breaks_.empty() ? 0.0 : breaks_.front(), highest = breaks_.empty() ? 0.0 : breaks_.back();
  const double span = std::max(highest - lowest, sliced.scale);
  for (const double factor : {1e-3, 1.0, 1e3}) {
    const bool is_below = !std::isfinite(sliced.t_lower) && cutter_.cut(lowest - factor * span);
    const bool is_above = !std::isfinite(sliced.t_upper) && cutter_.cut(highest + factor * span);
    if (!is_below && !is_above) continue;
    throw InputError(
        fmt::format("the interference of the two solids reaches to infinity in this pose ({} m beyond its last corner "
                    "it still has a cross-section): give the endless cone, cylinder or wedge an end",
                    factor * span));
  }
}

/// In the middle of the longest stretch that is not empty: near enough for nothing to cancel.
void SliceIntegral::place_origin() {
  origin_ = Vec3::Zero();
  if (breaks_.size() < 2) return;
  const std::size_t count = breaks_.size() - 1;
  const auto length = [this](std::size_t k) { return breaks_[k + 1] - breaks_[k]; };
  // The longest one that comes after stretch k in the order of their lengths; `count` where there is none.
  const auto find_next = [&](std::size_t k) {
    std::size_t next = count;
    for (std::size_t j = 0; j < count; ++j) {
      const bool is_after = k == count || length(j) < length(k) || (length(j) == length(k) && j > k);
      if (is_after && (next == count || length(j) > length(next))) next = j;
    }
    return next;
  };
  // One event found in two ways is one event. Against the length that holds something, so that nothing thin is lost:
  // how long that is matters only where events are that close.
  const double close = kSameEvents * (breaks_.back() - breaks_.front());
  bool has_close = false;
  for (std::size_t k = 0; k < count; ++k) has_close = has_close || length(k) <= close;
  double filled = 0.0;
  for (std::size_t k = find_next(count); k < count; k = find_next(k)) {
    const double t = 0.5 * (breaks_[k] + breaks_[k + 1]);
    if (!cutter_.cut(t)) continue;
    if (filled == 0.0) {
      Vec2 sum = Vec2::Zero();
      for (const SlicePiece& piece : cutter_.pieces()) sum += 0.5 * (piece.p + piece.q);
      origin_ << sum / static_cast<double>(cutter_.pieces().size()), t;
    }
    filled += length(k);
    if (!has_close) return;
  }
  const double same = kSameEvents * filled;
  const auto is_same = [same](double x, double y) { return y - x <= same; };
  if (filled > 0.0) breaks_.erase(std::unique(breaks_.begin(), breaks_.end(), is_same), breaks_.end());
}

void SliceIntegral::add_piece(const SlicePiece& piece, double t, SliceSums& sums) const {
  AreaMoments m;
  cutter_.add_moments(piece, origin_.head<2>(), m);
  const double z = t - origin_.z();
  SliceSums added;
  added << m.area, m.first.x(), m.first.y(), m.area * z, m.xx, m.xy, m.yy, m.first.x() * z, m.first.y() * z,
      m.area * z * z, 0.0, 0.0, 0.0;
  if (cutter_.owner(piece) == side_) added.tail<3>() = cutter_.calc_swept_area(piece).array();
  sums += added;
}

std::uint64_t SliceIntegral::calc(double t, SliceSums& sums) {
  sums.setZero();
  if (keeps_slices_) kept_.push_back({kept_pieces_.size(), 0, 0});
  if (!cutter_.cut(t)) return 0;
  if (!keeps_slices_) {
    for (const SlicePiece& piece : cutter_.pieces()) add_piece(piece, t, sums);
    return cutter_.signature();
  }
  for (const SlicePiece& piece : cutter_.pieces()) {
    SliceSums own = SliceSums::Zero();
    add_piece(piece, t, own);
    sums += own;
    kept_sums_.push_back(own);
  }
  keep(cutter_.find_loops(loops_));
  return cutter_.signature();
}

void SliceIntegral::keep(int num_loops) {
  max_loops_ = std::max(max_loops_, num_loops);
  kept_.back().count = cutter_.pieces().size();
  kept_.back().num_loops = num_loops;
  kept_pieces_.insert(kept_pieces_.end(), cutter_.pieces().begin(), cutter_.pieces().end());
  kept_loops_.insert(kept_loops_.end(), loops_.begin(), loops_.end());
}

KeptSlice SliceIntegral::get_kept(const SliceNode& node) const {
  if (node.kept < 0) return {};
  const KeptRange& range = kept_[node.kept];
  return {std::span(kept_pieces_).subspan(range.first, range.count),
          std::span(kept_loops_).subspan(range.first, range.count),
          std::span(kept_sums_).subspan(range.first, range.count), range.num_loops};
}

std::uint64_t SliceIntegral::calc_signature(double t) { return cutter_.cut(t) ? cutter_.signature() : 0; }

void SliceIntegral::add_end_faces(const SlicedRegion& sliced) {
  end_nodes_.clear();
  for (const int end : {-1, 1}) {
    const int k = end < 0 ? sliced.lower_plane : sliced.upper_plane;
    if (k < 0) continue;
    const double t = end < 0 ? sliced.t_lower : sliced.t_upper;
    const bool is_counted = sliced.region.planes[k].owner == side_;
    end_nodes_.push_back({t, 0.0, end, is_counted});
    if (!is_counted && !keeps_slices_) continue;
    if (keeps_slices_) end_nodes_.back().kept = static_cast<int>(kept_.size());
    SliceSums sums;
    if (calc(t, sums) != 0 && is_counted) total_[12] += end * sums[0];
  }
}

std::vector<SliceNode> SliceIntegral::calc_nodes() const {
  std::vector<QuadratureNode> inner;
  quadrature_.add_nodes(inner);
  std::vector<SliceNode> nodes;
  for (const SliceNode& end : end_nodes_) {
    if (end.face < 0) nodes.push_back(end);
  }
  for (const QuadratureNode& node : inner)
    nodes.push_back({node.t, node.weight, 0, false, node.stretch, keeps_slices_ ? node.evaluation : -1});
  for (const SliceNode& end : end_nodes_) {
    if (end.face > 0) nodes.push_back(end);
  }
  return nodes;
}

std::vector<SliceNode> SliceIntegral::calc_coarse_nodes(int count) const {
  std::vector<QuadratureNode> inner;
  quadrature_.add_coarse_nodes(count, inner);
  std::vector<SliceNode> nodes;
  for (const QuadratureNode& node : inner) nodes.push_back({node.t, node.weight, 0, false});
  return nodes;
}

}  // namespace abut
