#include "abut/geometry/volume/event_quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/math/bracketed_root.hpp"
#include "abut/math/gauss_rule.hpp"

namespace abut {
namespace {

constexpr int kNumNodes = 15;

/// Of kKronrod15, from -1 to 1.
double get_node(int k) { return k < 7 ? -kKronrod15[k].x : kKronrod15[14 - k].x; }
double get_kronrod(int k) { return kKronrod15[k < 7 ? k : 14 - k].weight; }
double get_gauss(int k) { return kKronrod15[k < 7 ? k : 14 - k].gauss_weight; }

/// Three of the nodes, +-x and 0, weighted to be exact to degree 3: a coarse rule for free.
constexpr int kCoarse = 3;
constexpr double kCoarseWeight = 1.0 / (3.0 * kKronrod15[kCoarse].x * kKronrod15[kCoarse].x);
double get_coarse(int k) { return k == 7 ? 2.0 - 2.0 * kCoarseWeight : kCoarseWeight; }

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

/// The same for the nodes of a whole stretch, s from -1 to 1, whose sines are known.
struct NodeSines {
  double once, twice;  ///< of the angle of map_node() and of twice it
};
const std::array<NodeSines, kNumNodes> kNodeSines = [] {
  std::array<NodeSines, kNumNodes> sines;
  for (int k = 0; k < kNumNodes; ++k) {
    const double angle = 0.25 * std::numbers::pi * (1.0 - std::abs(get_node(k)));
    sines[k] = {std::sin(angle), std::sin(2.0 * angle)};
  }
  return sines;
}();
MappedNode map_whole_node(double a, double b, int k) {
  const double half = 0.5 * (b - a);
  const double from_end = 2.0 * half * kNodeSines[k].once * kNodeSines[k].once;
  const double rate = half * 0.5 * std::numbers::pi * kNodeSines[k].twice;
  return {get_node(k) < 0.0 ? a + from_end : b - from_end, rate};
}

/// The node in the middle, which is looked at first.
constexpr int kMiddle = 7;
/// Which evaluation of an interval its node k is.
int get_evaluation(int k) { return k == kMiddle ? 0 : k < kMiddle ? k + 1 : k; }

/// Changes of shape are located to 2^-20 of their bracket: what is left out there is that to the power 5/2, or 2 where
/// three faces meet.
constexpr int kNumHalvings = 20;
/// Where to look for events near the ends, in s: 1e-7 of the stretch from them.
constexpr double kProbe = 1.0 - 4e-4;
/// Events closer than this part of the stretch beside them make it graded, by this factor from part to part. At the
/// border the singularity lies 0.05 beyond the end in s, where the 15-point rule still converges well.
constexpr double kCloseEvents = 1e-3;
/// How far from the ends that is, in parts of the stretch.
constexpr double kProbeDistance = 1e-7;
/// Closer than this they are one event to all that is asked for.
constexpr double kSameEvents = 1e-7;
constexpr double kGrading = 30.0;
/// Relative to t.
constexpr double kLeastWidth = 1e-14;
/// Of the ends of stretches, relative to t.
constexpr double kEndRounding = 4e-16;
/// Parts of the total that are slivers of rounding where a region tapers off, if a gap parts them from the rest.
constexpr double kLeastShare = 1e-12;
/// Twice the intervals take the error down by far more than this, a jump's by half with each that is cut there, unless
/// it is the rounding of the slices: then no more are tried. Not below so few.
constexpr double kLeastGain = 0.25;
constexpr std::size_t kFewIntervals = 32;
/// More changes than a sane region has: then it is rounding that flickers, and halving must do.
constexpr int kMaxChanges = 60;

/// Error of the 15-point rule from what the 3- and the 7-point rule differ from it: rules of degree 3 (nearly 5), 13
/// and 22, whose errors fall geometrically for an analytic integrand, so that the next one is about seven^2 / three;
/// where a singularity lies close to the stretch that quotient shows it. The factor is a margin.
double calc_rule_error(double three, double seven) {
  return three > 0.0 ? std::min(seven, 3.0 * seven * seven / three) : seven;
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
  has_all_events_ = options.has_all_events;
  intervals_.clear();
  total_.setZero();
  error_ = 0.0;
  num_changes_ = num_evaluations_ = num_sums_ = 0;
  signature_ = 0;
  const std::size_t n = breaks.size();
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double before = k > 0 ? breaks[k] - breaks[k - 1] : 0.0;
    const double after = k + 2 < n ? breaks[k + 2] - breaks[k + 1] : 0.0;
    evaluate_graded(breaks[k], breaks[k + 1], before, after);
  }
  refine(options);
}

/// Two events close together leave a singularity just outside the longer stretch beside them, which its end's change of
/// variable does not remove: that stretch is cut in growing parts away from it.
void EventQuadrature::evaluate_graded(double a, double b, double gap_before, double gap_after) {
  Interval interval;
  interval.a = a;
  interval.b = b;
  const double close = kCloseEvents * (b - a), same = kSameEvents * (b - a);
  if (gap_after > same && gap_after < close) {
    interval.b = b - kGrading * gap_after;
    evaluate_graded(a, interval.b, gap_before, b - interval.b);
    evaluate_graded(interval.b, b, 0.0, 0.0);
  } else if (gap_before > same && gap_before < close) {
    interval.a = a + kGrading * gap_before;
    evaluate_graded(a, interval.a, 0.0, 0.0);
    evaluate_graded(interval.a, b, interval.a - a, gap_after);
  } else {
    evaluate(interval);
  }
}

bool EventQuadrature::is_empty(const Interval& interval, double middle, double half) {
  for (const int k : {4, 10, 1, 13}) {
    ++num_evaluations_;
    if (integrand_->calc_signature(map_node(interval.a, interval.b, middle + half * get_node(k)).t) != 0) return false;
  }
  return true;
}

void EventQuadrature::evaluate(Interval interval) {
  const double middle = 0.5 * (interval.from + interval.to), half = 0.5 * (interval.to - interval.from);
  const bool is_whole = interval.from == -1.0 && interval.to == 1.0;
  const auto place = [&](int k) {
    return is_whole ? map_whole_node(interval.a, interval.b, k)
                    : map_node(interval.a, interval.b, middle + half * get_node(k));
  };
  const auto look = [&](double at, SliceSums& sums) {
    ++num_evaluations_;
    ++num_sums_;
    return integrand_->calc(at, sums);
  };
  SliceSums gauss = SliceSums::Zero(), coarse = SliceSums::Zero(), sums_in_middle, sums;
  interval.value.setZero();
  std::array<double, kNumNodes> t;
  std::array<std::uint64_t, kNumNodes> seen{};
  int change = -1;
  const int first = num_sums_;
  seen[kMiddle] = look(place(kMiddle).t, sums_in_middle);
  const bool is_nothing = seen[kMiddle] == 0 && is_empty(interval, middle, half);
  interval.first_evaluation = is_nothing ? -1 : first;
  // Stretches at the limit of the numbers themselves cannot be improved.
  const double width = (interval.b - interval.a) * half;
  const double largest = std::max(std::abs(interval.a), std::abs(interval.b));
  const bool is_least = width < kLeastWidth * largest;
  for (int k = 0; k < kNumNodes && !is_nothing; ++k) {
    const MappedNode node = place(k);
    t[k] = node.t;
    if (k == kMiddle) {
      sums = sums_in_middle;
    } else {
      seen[k] = look(node.t, sums);
    }
    if (k > 0 && change < 0 && seen[k] != seen[k - 1]) {
      change = k - 1;
      const bool may_split = num_changes_ < kMaxChanges && !is_least;
      if (may_split && split_at_change(interval, t[change], t[k], seen[change])) return;
    }
    if (seen[k] == 0) continue;
    interval.value += (half * node.rate * get_kronrod(k)) * sums;
    if (k % 2 == 1) gauss += (half * node.rate * get_gauss(k)) * sums;
    if (k % 4 == kCoarse) coarse += (half * node.rate * get_coarse(k)) * sums;
  }
  // No end is known better than to the rounding of t.
  const bool is_resolved = kProbeDistance * (interval.b - interval.a) > kEndRounding * largest;
  const bool may_hide_event =
      num_changes_ < kMaxChanges && !is_nothing && change < 0 && !has_all_events_ && is_resolved;
  if (may_hide_event && split_near_end(interval, t.front(), t.back(), seen[0])) return;
  interval.signature = seen[0];
  const SliceSums three = interval.value - coarse, seven = interval.value - gauss;
  interval.error =
      calc_rule_error(calc_moment_difference(three, interval.value), calc_moment_difference(seven, interval.value));
  interval.area = interval.value.tail<3>().matrix().norm();
  interval.area_error = calc_rule_error(three.tail<3>().matrix().norm(), seven.tail<3>().matrix().norm());
  if (is_least) interval.error = interval.area_error = 0.0;
  intervals_.push_back(interval);
  total_ += interval.value;
}

/// An event may hide between an end and the outermost node, 2e-5 of the stretch away from it: little volume, but an
/// area does not vanish there.
bool EventQuadrature::split_near_end(const Interval& interval, double t_first, double t_last, std::uint64_t seen) {
  if (interval.from == -1.0) {
    const double t = map_node(interval.a, interval.b, -kProbe).t;
    ++num_evaluations_;
    const std::uint64_t at_end = integrand_->calc_signature(t);
    if (at_end != seen && split_at_change(interval, t, t_first, at_end)) return true;
  }
  if (interval.to != 1.0) return false;
  const double t = map_node(interval.a, interval.b, kProbe).t;
  ++num_evaluations_;
  return integrand_->calc_signature(t) != seen && split_at_change(interval, t_last, t, seen);
}

bool EventQuadrature::split_at_change(const Interval& interval, double t_lower, double t_upper, std::uint64_t before) {
  const Bracket found = bisect({t_lower, t_upper}, kNumHalvings, 0.0, [&](double t) {
    ++num_evaluations_;
    return integrand_->calc_signature(t) == before;
  });
  const double from = map_node(interval.a, interval.b, interval.from).t;
  const double to = map_node(interval.a, interval.b, interval.to).t;
  const double change = before == 0 ? found.low : found.high;  // nothing may be left on the empty side
  if (!(change > from && change < to)) return false;
  ++num_changes_;
  evaluate_graded(from, change, 0.0, to - change);
  evaluate_graded(change, to, change - from, 0.0);
  return true;
}

void EventQuadrature::refine(const QuadratureOptions& options) {
  const std::size_t num_at_start = intervals_.size();
  std::size_t next_check = std::max(kFewIntervals, 2 * num_at_start);
  double last_error = std::numeric_limits<double>::infinity();
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
    // What is thinner than the surfaces are known has no better sums, however often it is cut.
    if (error_ <= std::max(options.relative_error, options.rounding * area * per_volume)) break;
    if (total_[0] < options.negligible) break;
    if (static_cast<int>(intervals_.size()) >= options.max_intervals) break;
    if (intervals_.size() == num_at_start) last_error = error_;
    if (intervals_.size() >= next_check) {
      if (error_ > kLeastGain * last_error) break;
      last_error = error_;
      next_check *= 2;
    }
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

bool EventQuadrature::has_gap() const {
  const double least = kLeastShare * total_[0];
  int num_parts = 0;
  double held = 0.0;  // by the part so far
  bool is_counted = false;
  for (const Interval& interval : intervals_) {
    held = interval.signature == 0 ? 0.0 : held + interval.value[0];
    if (held > least && !is_counted) ++num_parts;
    is_counted = interval.signature != 0 && (is_counted || held > least);
  }
  return num_parts > 1;
}

void EventQuadrature::add_nodes(std::vector<QuadratureNode>& nodes) const {
  int stretch = 0;
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    const Interval& interval = intervals_[i];
    if (i > 0 && interval.a != intervals_[i - 1].a) ++stretch;
    const double middle = 0.5 * (interval.from + interval.to), half = 0.5 * (interval.to - interval.from);
    const bool is_whole = interval.from == -1.0 && interval.to == 1.0;
    for (int k = 0; k < kNumNodes; ++k) {
      const MappedNode node = is_whole ? map_whole_node(interval.a, interval.b, k)
                                       : map_node(interval.a, interval.b, middle + half * get_node(k));
      const int evaluation = interval.first_evaluation < 0 ? -1 : interval.first_evaluation + get_evaluation(k);
      nodes.push_back({node.t, half * node.rate * get_kronrod(k), stretch, evaluation});
    }
  }
}

void EventQuadrature::add_coarse_nodes(int count, std::vector<QuadratureNode>& nodes) const {
  const std::vector<RuleNode> rule = calc_gauss_rule(count);
  double last = -std::numeric_limits<double>::infinity();
  for (const Interval& interval : intervals_) {
    if (interval.a == last || !(interval.value[0] > 0.0)) continue;
    last = interval.a;
    for (const RuleNode& gauss : rule) {
      const MappedNode node = map_node(interval.a, interval.b, gauss.x);
      nodes.push_back({node.t, gauss.weight * node.rate});
    }
  }
}

}  // namespace abut
