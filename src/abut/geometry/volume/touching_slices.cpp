#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/geometry/volume/slice_events.hpp"
#include "abut/geometry/volume/trig_quadratic.hpp"

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

class TouchFinder {
 public:
  TouchFinder(const SlicedRegion& sliced, int i, int j, std::vector<double>& events)
      : sliced_(sliced), a_(sliced.slices[i]), b_(sliced.slices[j]), events_(events) {}

  void find(double lower, double upper) {
    lower = std::max({lower, a_.t_lower, b_.t_lower});
    upper = std::min({upper, a_.t_upper, b_.t_upper});
    if (!(lower < upper)) return;
    const double middle = 0.5 * (lower + upper), half = 0.5 * (upper - lower);
    // One and the same ellipse is followed throughout, or the series would jump.
    follow_a_ = a_.scale_squared(middle) * a_.determinant <= b_.scale_squared(middle) * b_.determinant;
    for (int k = 0; k < kNumSamples; ++k) {
      // Denser towards the ends, where an ellipse may shrink to a point.
      t_[k] = k + 1 == kNumSamples ? upper : middle - half * std::cos(std::numbers::pi * k / (kNumSamples - 1));
      samples_[k] = calc(t_[k]);
    }
    for (int series = 0; series < kNumSeries; ++series) find_in(series);
  }

 private:
  Extremes calc(double t) const {
    Extremes found;
    const double aa = a_.scale_squared(t), bb = b_.scale_squared(t);
    if (!(aa > 0.0) || !(bb > 0.0)) return found;
    const QuadricSlices &inner = follow_a_ ? a_ : b_, &outer = follow_a_ ? b_ : a_;
    const EllipseFrame p = inner.ellipse(t, std::sqrt(follow_a_ ? aa : bb));
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
      if ((f > 0.0) != (g > 0.0)) add_root(series, t_[k], f, t_[k + 1], g);
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

  /// Golden section with parabolas is not needed: three parabola steps find the bottom of a smooth dip or show that it
  /// stays clear of zero.
  void add_dip(int series, int k) {
    if (k == 0 || k + 1 == kNumSamples) return;
    double t_0 = t_[k - 1], t_1 = t_[k], t_2 = t_[k + 1];
    double f_0 = samples_[k - 1].value[series], f_1 = samples_[k].value[series], f_2 = samples_[k + 1].value[series];
    if (std::isnan(f_0) || std::isnan(f_2)) return;
    const double sign = f_1 > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < 30; ++i) {
      const double t = calc_vertex(t_0, f_0, t_1, f_1, t_2, f_2);
      if (!(t > t_0 && t < t_2) || std::abs(t - t_1) < 1e-12 * (t_2 - t_0)) return;
      const double predicted = calc_parabola(t_0, f_0, t_1, f_1, t_2, f_2, t);
      // Far from zero compared with how much the parabola could be wrong: no need to look.
      if (i == 0 && sign * predicted > 0.5 * (std::abs(f_1) + 1e-3 * (std::abs(f_0) + std::abs(f_2)))) return;
      const double f = calc(t).value[series];
      if (std::isnan(f)) return;
      if (sign * f < 0.0) {
        add_root(series, t_0, f_0, t, f);
        add_root(series, t, f, t_2, f_2);
        return;
      }
      if (std::abs(f) >= std::abs(f_1) && i > 3) return;
      if (t > t_1) {
        if (std::abs(f) < std::abs(f_1))
          t_0 = t_1, f_0 = f_1, t_1 = t, f_1 = f;
        else
          t_2 = t, f_2 = f;
      } else {
        if (std::abs(f) < std::abs(f_1))
          t_2 = t_1, f_2 = f_1, t_1 = t, f_1 = f;
        else
          t_0 = t, f_0 = f;
      }
    }
  }

  static double calc_vertex(double t_0, double f_0, double t_1, double f_1, double t_2, double f_2) {
    const double a = (t_1 - t_0) * (f_1 - f_2), b = (t_1 - t_2) * (f_1 - f_0);
    return t_1 - 0.5 * ((t_1 - t_0) * a - (t_1 - t_2) * b) / (a - b);
  }

  static double calc_parabola(double t_0, double f_0, double t_1, double f_1, double t_2, double f_2, double t) {
    return f_0 * (t - t_1) * (t - t_2) / ((t_0 - t_1) * (t_0 - t_2)) +
           f_1 * (t - t_0) * (t - t_2) / ((t_1 - t_0) * (t_1 - t_2)) +
           f_2 * (t - t_0) * (t - t_1) / ((t_2 - t_0) * (t_2 - t_1));
  }

  /// Regula falsi (Illinois) to a part of the bracket that no longer matters: an event misplaced by d spoils the
  /// integral by d^(5/2).
  void add_root(int series, double t_0, double f_0, double t_1, double f_1) {
    const double enough = 1e-9 * std::abs(t_1 - t_0);
    double t = t_1;
    Vec3 point = Vec3::Zero();
    for (int i = 0; i < 40 && std::abs(t_1 - t_0) > enough; ++i) {
      const double next = t_1 - f_1 * (t_1 - t_0) / (f_1 - f_0);
      const double moved = std::abs(next - t);
      t = next;
      const Extremes at = calc(t);
      const double f = at.value[series];
      if (std::isnan(f)) break;
      point = at.point[series];
      if (f == 0.0 || (i > 1 && moved < enough)) break;
      if ((f > 0.0) != (f_1 > 0.0)) {
        t_0 = t_1, f_0 = f_1;
      } else {
        f_0 *= 0.5;
      }
      t_1 = t, f_1 = f;
    }
    if (is_within(sliced_.region, point, 1e-4 * sliced_.scale)) events_.push_back(t);
  }

  const SlicedRegion& sliced_;
  const QuadricSlices &a_, &b_;
  std::vector<double>& events_;
  bool follow_a_ = true;
  std::array<double, kNumSamples> t_{};
  std::array<Extremes, kNumSamples> samples_;
};

}  // namespace

void find_touching_slices(const SlicedRegion& sliced, int i, int j, double t_lower, double t_upper,
                          std::vector<double>& events) {
  TouchFinder(sliced, i, j, events).find(t_lower, t_upper);
}

}  // namespace abut
