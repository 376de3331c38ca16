#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/geometry/volume/slice_events.hpp"
#include "abut/math/bracketed_root.hpp"
#include "abut/math/trig_quadratic.hpp"

// The curve in which two quadrics meet is followed from slice to slice, branch by branch, and with it how far outside
// all the other faces it runs: where that measure changes sign three faces meet, and where it comes close to zero it is
// looked at more closely.

namespace abut {
namespace {

constexpr int kNumSamples = 25;

struct Branches {
  std::array<Vec3, 4> point;
  std::array<double, 4> outside{};
  int count = 0;
};

class CurveTracer {
 public:
  CurveTracer(const SlicedRegion& sliced, int i, int j, std::vector<double>& events)
      : sliced_(sliced), i_(i), j_(j), a_(sliced.slices[i]), b_(sliced.slices[j]), events_(events) {}

  void find(double lower, double upper) {
    lower = std::max({lower, a_.t_lower, b_.t_lower});
    upper = std::min({upper, a_.t_upper, b_.t_upper});
    if (!(lower < upper)) return;
    const double middle = 0.5 * (lower + upper), half = 0.5 * (upper - lower);
    follow_a_ = a_.scale_squared(middle) * a_.determinant <= b_.scale_squared(middle) * b_.determinant;
    for (int k = 0; k < kNumSamples; ++k) {
      t_[k] = middle - half * std::cos(std::numbers::pi * (k + 0.5) / kNumSamples);
      samples_[k] = calc(t_[k]);
    }
    for (int k = 0; k + 1 < kNumSamples; ++k) {
      for (int m = 0; m < samples_[k].count; ++m) follow(k, m);
    }
  }

 private:
  Branches calc(double t) const {
    Branches found;
    const double aa = a_.scale_squared(t), bb = b_.scale_squared(t);
    if (!(aa > 0.0) || !(bb > 0.0)) return found;
    const EllipseFrame p = (follow_a_ ? a_ : b_).ellipse(t, std::sqrt(follow_a_ ? aa : bb));
    const QuadricSlices& outer = follow_a_ ? b_ : a_;
    const Vec2 v = outer.inverse * (p.center - outer.center(t));
    const Eigen::Matrix2d m = outer.inverse * p.axes;
    const double cc = m.col(0).squaredNorm(), ss = m.col(1).squaredNorm();
    const TrigQuadratic h{(v.squaredNorm() - (follow_a_ ? bb : aa)) + 0.5 * (cc + ss), 2.0 * v.dot(m.col(0)),
                          2.0 * v.dot(m.col(1)), 0.5 * (cc - ss), m.col(0).dot(m.col(1))};
    const CirclePoints roots = find_roots(h, 1e-15 * (v.squaredNorm() + cc + ss)).points;
    found.count = roots.count;
    for (int k = 0; k < roots.count; ++k) {
      found.point[k] << p.point(roots.at[k]), t;
      found.outside[k] = calc_outside(found.point[k]);
    }
    return found;
  }

  double calc_outside(const Vec3& x) const {
    double outside = -std::numeric_limits<double>::infinity();
    for (const RegionPlane& plane : sliced_.region.planes) {
      outside = std::max(outside, plane.normal.dot(x) - plane.offset);
    }
    for (int k = 0; k < static_cast<int>(sliced_.region.quadrics.size()); ++k) {
      if (k != i_ && k != j_) outside = std::max(outside, calc_outside_measure(sliced_.region.quadrics[k], x));
    }
    return outside;
  }

  static int find_nearest(const Branches& branches, const Vec3& x) {
    int nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < branches.count; ++k) {
      const double distance = (branches.point[k] - x).squaredNorm();
      if (distance < least) least = distance, nearest = k;
    }
    return nearest;
  }

  /// Branch m of sample k to the next sample, and over the one before for a dip.
  void follow(int k, int m) {
    const int next = find_nearest(samples_[k + 1], samples_[k].point[m]);
    if (next < 0) return;
    const double here = samples_[k].outside[m], there = samples_[k + 1].outside[next];
    if ((here > 0.0) != (there > 0.0)) {
      locate(t_[k], samples_[k].point[m], here, t_[k + 1], there);
      return;
    }
    const int before = k > 0 ? find_nearest(samples_[k - 1], samples_[k].point[m]) : -1;
    const bool is_dip = here > 0.0 && here <= there && (before < 0 || here <= samples_[k - 1].outside[before]);
    // A dip is worth a look when it could reach zero at the rate at which the measure changes at all.
    const double reach = (samples_[k + 1].point[next] - samples_[k].point[m]).norm() +
                         (before >= 0 ? (samples_[k - 1].point[before] - samples_[k].point[m]).norm() : 0.0);
    if (is_dip && here < reach) search_dip(k > 0 ? t_[k - 1] : t_[k], t_[k + 1], t_[k], samples_[k].point[m], here);
  }

  /// Where the measure changes sign along the branch from x_0 on: regula falsi (Illinois), and halves where the branch
  /// itself ends on the way.
  void locate(double t_0, Vec3 x_0, double f_0, double t_1, double f_1) {
    Chord chord{t_0, f_0, t_1, f_1};
    const double enough = 1e-11 * chord.width();
    bool is_known = std::isfinite(f_1);
    for (int i = 0; i < 60 && chord.width() > enough; ++i) {
      const double t = is_known && i % 4 != 3 ? chord.root_from_second() : 0.5 * (chord.x_0 + chord.x_1);
      const Branches at = calc(t);
      const int m = find_nearest(at, x_0);
      if (m < 0) {
        chord.x_1 = t, is_known = false;
        continue;
      }
      const double f = at.outside[m];
      if ((f > 0.0) == (chord.f_0 > 0.0)) {
        chord.pull_first(t, f), x_0 = at.point[m];
      } else {
        chord.pull_second(t, f), is_known = true;
      }
    }
    events_.push_back(chord.x_1);
  }

  /// Golden section on the measure; stops as soon as it finds a point inside.
  void search_dip(double lower, double upper, double t, Vec3 x, double f) {
    constexpr double kGolden = 0.3819660112501051;
    for (int i = 0; i < 30; ++i) {
      const bool right = upper - t > t - lower;
      const double next = right ? t + kGolden * (upper - t) : t - kGolden * (t - lower);
      const Branches at = calc(next);
      const int m = find_nearest(at, x);
      if (m < 0) {
        (right ? upper : lower) = next;
        continue;
      }
      if (at.outside[m] <= 0.0) {
        locate(next, at.point[m], at.outside[m], lower, std::numeric_limits<double>::infinity());
        locate(next, at.point[m], at.outside[m], upper, std::numeric_limits<double>::infinity());
        return;
      }
      if (at.outside[m] < f) {
        (right ? lower : upper) = t;
        t = next, x = at.point[m], f = at.outside[m];
      } else {
        (right ? upper : lower) = next;
      }
      if (f > 3.0 * (upper - lower) + 1e-9 * sliced_.scale) return;  // out of reach by now
    }
  }

  const SlicedRegion& sliced_;
  int i_, j_;
  const QuadricSlices &a_, &b_;
  std::vector<double>& events_;
  bool follow_a_ = true;
  std::array<double, kNumSamples> t_{};
  std::array<Branches, kNumSamples> samples_;
};

}  // namespace

void find_curve_ends(const SlicedRegion& sliced, int i, int j, double t_lower, double t_upper,
                     std::vector<double>& events) {
  CurveTracer(sliced, i, j, events).find(t_lower, t_upper);
}

}  // namespace abut
