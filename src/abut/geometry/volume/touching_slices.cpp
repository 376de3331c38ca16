#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/geometry/volume/slice_events.hpp"
#include "abut/math/bracketed_root.hpp"
#include "abut/math/trig_quadratic.hpp"

// Two quadrics touch within the slice t when an extreme value of the one's function, followed around the other's
// ellipse, is zero. The two (or four) extreme values are smooth functions of t: sample them, find the roots between
// samples of opposite sign, and look for pairs of roots where a sampled extremum comes close to zero.

namespace abut {
namespace {

constexpr int kNumSamples = 25;
constexpr int kNumSeries = 4;  ///< highest and second maximum, lowest and second minimum
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Extremes {
  std::array<double, kNumSeries> value{kNone, kNone, kNone, kNone};
  std::array<Vec3, kNumSeries> point;
};

/// Of the samples: w, of which t is a cosine.
struct Place {
  double w, cosine;
};
const std::array<Place, kNumSamples> kPlaces = [] {
  std::array<Place, kNumSamples> places;
  for (int k = 0; k < kNumSamples; ++k) {
    const double w = std::numbers::pi * k / (kNumSamples - 1);
    places[k] = {w, std::cos(w)};
  }
  return places;
}();

class TouchFinder {
 public:
  TouchFinder(const SlicedRegion& sliced, int i, int j, std::vector<double>& events)
      : sliced_(sliced), a_(sliced.slices[i]), b_(sliced.slices[j]), events_(events) {}

  void find(double lower, double upper) {
    lower = std::max({lower, a_.t_lower, b_.t_lower});
    upper = std::min({upper, a_.t_upper, b_.t_upper});
    if (!(lower < upper)) return;
    middle_ = 0.5 * (lower + upper), half_ = 0.5 * (upper - lower);
    // One and the same ellipse is followed throughout, or the series would jump.
    follow_a_ = a_.scale_squared(middle_) * a_.determinant <= b_.scale_squared(middle_) * b_.determinant;
    for (int k = 0; k < kNumSamples; ++k) {
      w_[k] = kPlaces[k].w;
      samples_[k] = calc_at(middle_ - half_ * kPlaces[k].cosine);
    }
    for (int series = 0; series < kNumSeries; ++series) find_in(series);
  }

 private:
  /// Where an ellipse shrinks to a point at the end of the range, its size is analytic in w, not in t.
  double calc_t(double w) const { return middle_ - half_ * std::cos(w); }

  Extremes calc(double w) const { return calc_at(calc_t(w)); }

  Extremes calc_at(double t) const {
    Extremes found;
    const double aa = std::max(0.0, a_.scale_squared(t)), bb = std::max(0.0, b_.scale_squared(t));
    const QuadricSlices &inner = follow_a_ ? a_ : b_, &outer = follow_a_ ? b_ : a_;
    EllipseFrame p;
    p.center = inner.center(t);
    p.axes = std::sqrt(follow_a_ ? aa : bb) * inner.axes;
    const double s_squared = follow_a_ ? bb : aa;  // F = |inverse (y - c)|^2 - s^2 of the outer one
    const Vec2 v = outer.inverse * (p.center - outer.center(t));
    const Eigen::Matrix2d m = outer.inverse * p.axes;
    const double cc = m.col(0).squaredNorm(), ss = m.col(1).squaredNorm();
    const TrigQuadratic h{(v.squaredNorm() - s_squared) + 0.5 * (cc + ss), 2.0 * v.dot(m.col(0)), 2.0 * v.dot(m.col(1)),
                          0.5 * (cc - ss), m.col(0).dot(m.col(1))};
    CirclePoints extrema = find_extrema(h, 1e-16 * (v.squaredNorm() + cc + ss));
    if (extrema.count == 0) extrema = {{Vec2::UnitX(), Vec2(-Vec2::UnitX()), Vec2::Zero(), Vec2::Zero()}, 2};
    const TrigQuadratic bend = h.derivative().derivative();
    for (int k = 0; k < extrema.count; ++k) {
      const bool is_maximum = bend.value(extrema.at[k]) < 0.0 || (extrema.count == 2 && k == 0 && cc + ss == 0.0);
      insert(h.value(extrema.at[k]), p.point(extrema.at[k]), t, is_maximum, found);
    }
    return found;
  }

  static void insert(double value, const Vec2& y, double t, bool is_maximum, Extremes& found) {
    const int first = is_maximum ? 0 : 2;
    const double sign = is_maximum ? 1.0 : -1.0;
    int slot = first;
    if (!std::isnan(found.value[first])) {
      if (sign * value > sign * found.value[first]) {
        found.value[first + 1] = found.value[first];
        found.point[first + 1] = found.point[first];
      } else {
        slot = first + 1;
      }
    }
    found.value[slot] = value;
    found.point[slot] << y, t;
  }

  void find_in(int series) {
    for (int k = 0; k + 1 < kNumSamples; ++k) {
      const double f = samples_[k].value[series], g = samples_[k + 1].value[series];
      if (std::isnan(f) || std::isnan(g)) continue;
      if ((f > 0.0) != (g > 0.0)) add_root(series, w_[k], f, w_[k + 1], g);
    }
    for (int k = 0; k < kNumSamples; ++k) {
      const double before = k > 0 ? samples_[k - 1].value[series] : kNone;
      const double f = samples_[k].value[series];
      const double after = k + 1 < kNumSamples ? samples_[k + 1].value[series] : kNone;
      if (std::isnan(f)) continue;
      // A same-signed neighbourhood whose middle is nearest to zero may dip through it.
      const bool is_nearest = (std::isnan(before) || (before > 0.0) == (f > 0.0)) &&
                              (std::isnan(after) || (after > 0.0) == (f > 0.0)) && !(std::abs(before) < std::abs(f)) &&
                              !(std::abs(after) < std::abs(f));
      if (is_nearest) add_dip(series, k);
    }
  }

  /// Parabolas and golden sections towards the bottom of the dip at sample k, until it crosses zero or stays clear.
  void add_dip(int series, int k) {
    const int before = std::max(k - 1, 0), after = std::min(k + 1, kNumSamples - 1);
    Bracket at{w_[before],
               w_[k],
               w_[after],
               samples_[before].value[series],
               samples_[k].value[series],
               samples_[after].value[series]};
    if (std::isnan(at.f_0) || std::isnan(at.f_2)) return;
    const double sign = at.f_1 > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < 25; ++i) {
      const double variation = std::abs(at.f_0 - at.f_1) + std::abs(at.f_2 - at.f_1);
      double w = at.calc_vertex();
      const bool is_parabola = w > at.w_0 && w < at.w_2 && w != at.w_1;
      if (i == 0 && std::abs(at.f_1) > 2.0 * variation) return;  // a smooth dip cannot be that deep
      if (!is_parabola || i % 4 == 3) w = at.calc_golden();
      const double f = calc(w).value[series];
      if (std::isnan(f)) return;
      if (sign * f < 0.0) {
        add_root(series, at.w_0, at.f_0, w, f);
        add_root(series, w, f, at.w_2, at.f_2);
        return;
      }
      const bool is_settled = i > 2 && variation < 1e-3 * std::abs(at.f_1);
      at.insert(w, f);
      if (is_settled || at.w_2 - at.w_0 < 1e-12) return;
    }
  }

  /// Three points, the middle one nearest to zero.
  struct Bracket {
    double w_0, w_1, w_2, f_0, f_1, f_2;

    double calc_vertex() const {
      const double a = (w_1 - w_0) * (f_1 - f_2), b = (w_1 - w_2) * (f_1 - f_0);
      return w_1 - 0.5 * ((w_1 - w_0) * a - (w_1 - w_2) * b) / (a - b);
    }
    double calc_golden() const {
      return w_2 - w_1 > w_1 - w_0 ? w_1 + 0.381966 * (w_2 - w_1) : w_1 - 0.381966 * (w_1 - w_0);
    }
    void insert(double w, double f) {
      const bool is_better = std::abs(f)<std::abs(f_1), is_right = w> w_1;
      if (is_better) {
        (is_right ? w_0 : w_2) = w_1;
        (is_right ? f_0 : f_2) = f_1;
        w_1 = w, f_1 = f;
      } else {
        (is_right ? w_2 : w_0) = w;
        (is_right ? f_2 : f_0) = f;
      }
    }
  };

  /// Where a series is zero, in w, like the dips, to a part of the bracket that no longer matters: an event misplaced
  /// by d spoils the integral by d^(5/2). Of bodies that barely touch the root is a parabola's, close to the one end
  /// and a millionth as high there as at the other, where secants creep.
  void add_root(int series, double w_0, double f_0, double w_1, double f_1) {
    constexpr int kMostTurns = 60;
    QuadraticCut cut(w_0, f_0, w_1, f_1);
    const double enough = 1e-9 * cut.width();
    double w = w_1;
    Vec3 point = Vec3::Zero();
    for (int i = 0; i < kMostTurns; ++i) {
      w = cut.place();
      const Extremes at = calc(w);
      const double f = at.value[series];
      if (std::isnan(f)) break;
      point = at.point[series];
      cut.take(f, enough);
      if (f == 0.0 || cut.width() <= enough) break;
    }
    if (is_within(sliced_.region, point, 1e-4 * sliced_.scale)) events_.push_back(calc_t(w));
  }

  const SlicedRegion& sliced_;
  const QuadricSlices &a_, &b_;
  std::vector<double>& events_;
  bool follow_a_ = true;
  double middle_ = 0.0, half_ = 0.0;
  std::array<double, kNumSamples> w_{};
  std::array<Extremes, kNumSamples> samples_;
};

}  // namespace

void find_touching_slices(const SlicedRegion& sliced, int i, int j, double t_lower, double t_upper,
                          std::vector<double>& events) {
  TouchFinder(sliced, i, j, events).find(t_lower, t_upper);
}

}  // namespace abut
