#include "abut/geometry/volume/event_quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

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

/// Changes of shape are located to 2^-20 of their bracket: what is left out there is that to the power 5/2, or 2 where
/// three faces meet.
constexpr int kNumHalvings = 20;
/// More changes than a sane region has: then it is rounding that flickers, and halving must do.
constexpr int kMaxChanges = 60;

/// What the error e of the 7-point rule (its difference from the 15-point one) says about the 15-point rule: for an
/// analytic integrand, which the change of variable makes it, that is of order e^2. The factor is a margin.
double calc_rule_error(double difference, double value) {
  if (!(value > 0.0)) return difference;
  const double relative = difference / value;
  return value * std::min(relative, 100.0 * relative * relative);
}

/// Largest difference of volume and moments in the units of a volume: moments over powers of the distance from the
/// origin they belong to.
double calc_moment_difference(const SliceSums& difference, const SliceSums& value) {
  const double volume = std::abs(value[0]), spread = value[4] + value[6] + value[9];
  double largest = std::abs(difference[0]);
  if (!(volume > 0.0) || !(spread > 0.0)) return largest;
  const double length = std::sqrt(spread / volume);
  for (int k = 1; k < 4; ++k) largest = std::max(largest, std::abs(difference[k]) / length);
  for (int k = 4; k < 10; ++k) largest = std::max(largest, std::abs(difference[k]) / (length * length));
  return largest;
}

}  // namespace

void EventQuadrature::calc(Integrand& integrand, const std::vector<double>& breaks, const QuadratureOptions& options) {
  integrand_ = &integrand;
  intervals_.clear();
  total_.setZero();
  error_ = 0.0;
  num_changes_ = num_evaluations_ = 0;
  signature_ = 0;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
    Interval interval;
    interval.a = breaks[k];
    interval.b = breaks[k + 1];
    evaluate(interval);
  }
  refine(options);
}

void EventQuadrature::evaluate(Interval interval) {
  const double middle = 0.5 * (interval.from + interval.to), half = 0.5 * (interval.to - interval.from);
  SliceSums gauss = SliceSums::Zero(), sums;
  interval.value.setZero();
  std::array<double, kNumNodes> t;
  std::array<std::uint64_t, kNumNodes> seen;
  int change = -1;
  for (int k = 0; k < kNumNodes; ++k) {
    const MappedNode node = map_node(interval.a, interval.b, middle + half * get_node(k));
    t[k] = node.t;
    seen[k] = integrand_->calc(node.t, sums);
    if (k > 0 && change < 0 && seen[k] != seen[k - 1]) change = k - 1;
    if (seen[k] == 0) continue;
    interval.value += (half * node.rate * get_kronrod(k)) * sums;
    if (get_gauss(k) != 0.0) gauss += (half * node.rate * get_gauss(k)) * sums;
  }
  num_evaluations_ += kNumNodes;
  const bool may_split = change >= 0 && num_changes_ < kMaxChanges;
  if (may_split && split_at_change(interval, t[change], t[change + 1], seen[change])) return;
  interval.signature = seen[0];
  const SliceSums difference = interval.value - gauss;
  interval.error = calc_rule_error(calc_moment_difference(difference, interval.value), std::abs(interval.value[0]));
  interval.area = interval.value.tail<3>().matrix().norm();
  interval.area_error = calc_rule_error(difference.tail<3>().matrix().norm(), interval.area);
  intervals_.push_back(interval);
  total_ += interval.value;
}

bool EventQuadrature::split_at_change(const Interval& interval, double t_lower, double t_upper, std::uint64_t before) {
  for (int k = 0; k < kNumHalvings; ++k) {
    const double middle = 0.5 * (t_lower + t_upper);
    ++num_evaluations_;
    (integrand_->calc_signature(middle) == before ? t_lower : t_upper) = middle;
  }
  const double from = map_node(interval.a, interval.b, interval.from).t;
  const double to = map_node(interval.a, interval.b, interval.to).t;
  const double change = before == 0 ? t_lower : t_upper;  // nothing may be left on the empty side
  if (!(change > from && change < to)) return false;
  ++num_changes_;
  Interval part;
  part.a = from, part.b = change;
  evaluate(part);
  part.a = change, part.b = to;
  evaluate(part);
  return true;
}

void EventQuadrature::refine(const QuadratureOptions& options) {
  for (;;) {
    double area = 0.0;
    for (const Interval& interval : intervals_) area += interval.area;
    const double per_volume = total_[0] > 0.0 ? 1.0 / total_[0] : 0.0, per_area = area > 0.0 ? 1.0 / area : 0.0;
    error_ = 0.0;
    double largest = 0.0;
    std::size_t worst = 0;
    for (std::size_t k = 0; k < intervals_.size(); ++k) {
      const double error = std::max(intervals_[k].error * per_volume, intervals_[k].area_error * per_area);
      error_ += error;
      if (error > largest) largest = error, worst = k;
    }
    if (error_ <= options.relative_error) break;
    if (static_cast<int>(intervals_.size()) >= options.max_intervals) break;
    const Interval parent = intervals_[worst];
    intervals_.erase(intervals_.begin() + static_cast<std::ptrdiff_t>(worst));
    total_ -= parent.value;
    for (const bool is_left : {true, false}) {
      Interval part = parent;
      (is_left ? part.to : part.from) = 0.5 * (parent.from + parent.to);
      evaluate(part);
    }
  }
  // Summed afresh in the order of t: nothing that was taken back leaves a trace.
  std::sort(intervals_.begin(), intervals_.end(),
            [](const Interval& x, const Interval& y) { return x.a != y.a ? x.a < y.a : x.from < y.from; });
  total_.setZero();
  std::uint64_t before = 0;
  for (const Interval& interval : intervals_) {
    total_ += interval.value;
    if (interval.signature != before) signature_ = signature_ * 0x9E3779B97F4A7C15ull + interval.signature;
    before = interval.signature;
  }
}

void EventQuadrature::add_nodes(std::vector<QuadratureNode>& nodes) const {
  for (const Interval& interval : intervals_) {
    const double middle = 0.5 * (interval.from + interval.to), half = 0.5 * (interval.to - interval.from);
    for (int k = 0; k < kNumNodes; ++k) {
      const MappedNode node = map_node(interval.a, interval.b, middle + half * get_node(k));
      nodes.push_back({node.t, half * node.rate * get_kronrod(k)});
    }
  }
}

void EventQuadrature::add_coarse_nodes(int count, std::vector<QuadratureNode>& nodes) const {
  double last = -std::numeric_limits<double>::infinity();
  for (const Interval& interval : intervals_) {
    if (interval.a == last || !(interval.value[0] > 0.0)) continue;
    last = interval.a;
    for (int k = 0; k < count; ++k) {
      // Midpoints in s: with dt/ds vanishing at both ends this is a Chebyshev rule, of high order for what is smooth.
      const MappedNode node = map_node(interval.a, interval.b, (2.0 * k + 1.0) / count - 1.0);
      nodes.push_back({node.t, 2.0 / count * node.rate});
    }
  }
}

}  // namespace abut
