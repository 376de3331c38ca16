#include "abut/geometry/volume/slice_integral.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/base/error.hpp"

namespace abut {
namespace {

constexpr int kNumNodes = 15;

/// The 15-point Kronrod rule on [-1, 1] and the 7-point Gauss rule inside it; nodes from the outermost to 0.
constexpr std::array<double, 8> kNode = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                         0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                         0.586087235467691130294144838258730, 0.405845151377397166906606412076961,
                                         0.207784955007898467600689403773245, 0.0};
constexpr std::array<double, 8> kKronrod = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                            0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                            0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                            0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
constexpr std::array<double, 8> kGauss = {
    0.0, 0.129484966168869693270611432679082, 0.0, 0.279705391489276667901467771423780,
    0.0, 0.381830050505118944950369775488975, 0.0, 0.417959183673469387755102040816327};

double get_node(int k) { return k < 7 ? -kNode[k] : kNode[14 - k]; }
double get_kronrod(int k) { return kKronrod[k < 7 ? k : 14 - k]; }
double get_gauss(int k) { return kGauss[k < 7 ? k : 14 - k]; }

/// t and dt/ds at s: t - a grows as (s + 1)^2 at the end, so that sqrt(t - a) is analytic in s. Measured from the
/// nearer end, since 1 - sin would cancel.
struct MappedNode {
  double t, rate;
};
MappedNode map_node(double a, double b, double s) {
  const double half = 0.5 * (b - a), angle = 0.25 * std::numbers::pi * (1.0 - std::abs(s));
  const double sine = std::sin(angle);
  const double from_end = 2.0 * half * sine * sine;
  const double rate = half * 0.5 * std::numbers::pi * std::sin(2.0 * angle);
  return {s < 0.0 ? a + from_end : b - from_end, rate};
}

/// Changes of shape are located to this part of their bracket: the integrand's error there is of order 3/2 or higher.
constexpr double kChangeTolerance = 1e-5;
constexpr int kMaxChanges = 60;

}  // namespace

VolumeMoments make_moments(const SliceSums& s) {
  VolumeMoments moments;
  moments.volume = s[0];
  moments.first = Vec3(s[1], s[2], s[3]);
  moments.second << s[4], s[5], s[7], s[5], s[6], s[8], s[7], s[8], s[9];
  return moments;
}

Vec3 make_area_vector(const SliceSums& sums) { return {sums[10], sums[11], sums[12]}; }

void SliceIntegral::calc(const SlicedRegion& sliced, int side, const SliceIntegralOptions& options) {
  side_ = side;
  total_.setZero();
  end_faces_.setZero();
  error_ = 0.0;
  num_slices_ = num_changes_ = 0;
  intervals_.clear();
  prepare_scene(sliced);
  find_breaks(sliced);
  place_origin();
  for (std::size_t k = 0; k + 1 < breaks_.size(); ++k) {
    Interval interval;
    interval.a = breaks_[k];
    interval.b = breaks_[k + 1];
    evaluate(interval);
  }
  add_end_faces(sliced);
  refine(options);
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

void SliceIntegral::place_origin() {
  // The middle of the slice in the middle of the longest stretch that is not empty: near enough for nothing to cancel.
  origin_ = Vec3::Zero();
  double longest = 0.0;
  for (std::size_t k = 0; k + 1 < breaks_.size(); ++k) {
    const double length = breaks_[k + 1] - breaks_[k], t = 0.5 * (breaks_[k] + breaks_[k + 1]);
    if (length <= longest || !cutter_.cut(t)) continue;
    longest = length;
    Vec2 sum = Vec2::Zero();
    for (const SlicePiece& piece : cutter_.pieces()) sum += 0.5 * (piece.p + piece.q);
    origin_ << sum / static_cast<double>(cutter_.pieces().size()), t;
  }
  scale_ = 0.0;
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

bool SliceIntegral::calc_slice(double t, SliceSums& sums) {
  ++num_slices_;
  sums.setZero();
  if (!cutter_.cut(t)) return false;
  for (const SlicePiece& piece : cutter_.pieces()) add_piece(piece, t, sums);
  return true;
}

void SliceIntegral::add_end_faces(const SlicedRegion& sliced) {
  end_nodes_.clear();
  for (const int end : {-1, 1}) {
    const int k = end < 0 ? sliced.lower_plane : sliced.upper_plane;
    if (k < 0 || sliced.region.planes[k].owner != side_) continue;
    SliceSums sums;
    const double t = end < 0 ? sliced.t_lower : sliced.t_upper;
    if (!calc_slice(t, sums)) continue;
    end_faces_[12] += end * sums[0];
    end_nodes_.push_back({t, 0.0, static_cast<double>(end)});
  }
}

void SliceIntegral::evaluate(Interval interval) {
  const double middle = 0.5 * (interval.from + interval.to), half = 0.5 * (interval.to - interval.from);
  SliceSums gauss = SliceSums::Zero(), sums;
  interval.value.setZero();
  node_t_.resize(kNumNodes);
  node_signature_.resize(kNumNodes);
  bool is_changing = false;
  for (int k = 0; k < kNumNodes; ++k) {
    const MappedNode node = map_node(interval.a, interval.b, middle + half * get_node(k));
    const bool is_empty = !calc_slice(node.t, sums);
    node_t_[k] = node.t;
    node_signature_[k] = is_empty ? 0 : cutter_.signature();
    is_changing = is_changing || node_signature_[k] != node_signature_[0];
    if (is_empty) continue;
    interval.value += (half * node.rate * get_kronrod(k)) * sums;
    if (get_gauss(k) != 0.0) gauss += (half * node.rate * get_gauss(k)) * sums;
  }
  if (is_changing && num_changes_ < kMaxChanges && split_at_change(interval, node_t_, node_signature_)) return;
  interval.error = calc_error(interval.value - gauss, interval.value);
  intervals_.push_back(interval);
  total_ += interval.value;
}

bool SliceIntegral::split_at_change(const Interval& interval, const std::vector<double>& t,
                                    const std::vector<std::uint64_t>& seen) {
  int k = 0;
  while (seen[k] == seen[k + 1]) ++k;
  double lower = t[k], upper = t[k + 1];
  const std::uint64_t before = seen[k];
  const double enough = kChangeTolerance * (upper - lower);
  while (upper - lower > enough) {
    const double middle = 0.5 * (lower + upper);
    ++num_slices_;
    const std::uint64_t at = cutter_.cut(middle) ? cutter_.signature() : 0;
    (at == before ? lower : upper) = middle;
  }
  const double from = map_node(interval.a, interval.b, interval.from).t;
  const double to = map_node(interval.a, interval.b, interval.to).t;
  const double change = before == 0 ? lower : upper;  // no part of a slice may be left on the empty side
  if (!(change > from && change < to)) return false;
  ++num_changes_;
  Interval part;
  part.depth = interval.depth + 1;
  part.a = from, part.b = change;
  evaluate(part);
  part.a = change, part.b = to;
  evaluate(part);
  return true;
}

double SliceIntegral::calc_error(const SliceSums& difference, const SliceSums& value) const {
  // In the units of a volume: moments over powers of the distance from the origin they belong to, areas times it.
  const double volume = std::abs(value[0]);
  const double spread = value[4] + value[6] + value[9];
  if (!(volume > 0.0) || !(spread > 0.0)) return std::abs(difference[0]);
  const double length = std::sqrt(spread / volume);
  double error = std::abs(difference[0]);
  for (int k = 1; k < 4; ++k) error = std::max(error, std::abs(difference[k]) / length);
  for (int k = 4; k < 10; ++k) error = std::max(error, std::abs(difference[k]) / (length * length));
  const double area = value.tail<3>().matrix().norm();
  if (area > 0.0) error = std::max(error, difference.tail<3>().matrix().norm() / area * volume);
  // The 15-point rule is far better than the 7-point rule it is compared with: where they agree to e, its own error is
  // of order e^2 for an analytic integrand, which the change of variable makes it. The factor is a margin.
  const double relative = error / volume;
  return volume * std::min(relative, 100.0 * relative * relative);
}

void SliceIntegral::refine(const SliceIntegralOptions& options) {
  for (;;) {
    double error = 0.0;
    std::size_t worst = 0;
    for (std::size_t k = 0; k < intervals_.size(); ++k) {
      error += intervals_[k].error;
      if (intervals_[k].error > intervals_[worst].error) worst = k;
    }
    error_ = total_[0] > 0.0 ? error / total_[0] : 0.0;
    if (error_ <= options.relative_error) break;
    if (static_cast<int>(intervals_.size()) >= options.max_intervals) break;
    const Interval parent = intervals_[worst];
    intervals_.erase(intervals_.begin() + static_cast<std::ptrdiff_t>(worst));
    total_ -= parent.value;
    for (const bool is_left : {true, false}) {
      Interval part = parent;
      (is_left ? part.to : part.from) = 0.5 * (parent.from + parent.to);
      ++part.depth;
      evaluate(part);
    }
  }
  // Summed afresh in the order of t: nothing that was taken back leaves a trace.
  std::sort(intervals_.begin(), intervals_.end(),
            [](const Interval& x, const Interval& y) { return x.a != y.a ? x.a < y.a : x.from < y.from; });
  total_ = end_faces_;
  for (const Interval& interval : intervals_) total_ += interval.value;
}

std::vector<SliceNode> SliceIntegral::calc_nodes() const {
  std::vector<SliceNode> nodes;
  nodes.reserve(intervals_.size() * kNumNodes + end_nodes_.size());
  for (const SliceNode& end : end_nodes_) {
    if (end.face < 0.0) nodes.push_back(end);
  }
  for (const Interval& interval : intervals_) {
    const double middle = 0.5 * (interval.from + interval.to), half = 0.5 * (interval.to - interval.from);
    for (int k = 0; k < kNumNodes; ++k) {
      const MappedNode node = map_node(interval.a, interval.b, middle + half * get_node(k));
      nodes.push_back({node.t, half * node.rate * get_kronrod(k), 0.0});
    }
  }
  for (const SliceNode& end : end_nodes_) {
    if (end.face > 0.0) nodes.push_back(end);
  }
  return nodes;
}

std::vector<SliceNode> SliceIntegral::calc_coarse_nodes(int count) const {
  std::vector<SliceNode> nodes;
  double last = -std::numeric_limits<double>::infinity();
  for (const Interval& interval : intervals_) {
    if (interval.a == last || !(interval.value[0] > 0.0)) continue;
    last = interval.a;
    for (int k = 0; k < count; ++k) {
      // Midpoints in s: with dt/ds vanishing at both ends this is a Chebyshev rule, of high order for what is smooth.
      const MappedNode node = map_node(interval.a, interval.b, (2.0 * k + 1.0) / count - 1.0);
      nodes.push_back({node.t, 2.0 / count * node.rate, 0.0});
    }
  }
  return nodes;
}

}  // namespace abut
