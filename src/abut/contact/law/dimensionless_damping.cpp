#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/contact/law/exact_restitution.hpp"
#include "abut/contact/law/impact.hpp"
#include "abut/math/bracketed_root.hpp"

namespace abut {
namespace {

// e as a function of t in [0, 1], d / (1 + d) = w_max t^2, interpolated in Chebyshev points; e falls from 1 to below
// kMinRestitution. Near d = 0 e is a series in broken powers of d (the force is lost at a depth of order
// d^(1/(p-r))); the square, and the points gathering at the end, make that harmless.
class RestitutionCurve {
 public:
  RestitutionCurve(double p, double r) : p_(p), r_(r) {
    double d_max = 1.0;
    while (dimensionless_impact(p, r, d_max).restitution > 0.95 * kMinRestitution) d_max *= 1.5;
    w_max_ = d_max / (1.0 + d_max);
    for (int i = 0; i <= kDegree; ++i) {
      t_[i] = 0.5 * (1.0 - std::cos(std::numbers::pi * i / kDegree));
      e_[i] = i == 0 ? 1.0 : dimensionless_impact(p, r, damping(t_[i])).restitution;
    }
    // Between points, where the interpolant is worst. Common exponents leave below 2e-10; unusual ones are corrected.
    for (double t : {0.01, 0.03, 0.1, 0.3, 0.6, 0.9, 0.955, 0.975, 0.99}) {
      const double miss = dimensionless_impact(p, r, damping(t)).restitution - interpolate(t);
      if (!(std::abs(miss) < 2e-10)) needs_polish_ = true;
    }
  }

  double calc_damping(double e) const {
    const double t = bisect({0.0, 1.0}, 60, 0.0, [&](double x) { return interpolate(x) > e; }).middle();
    return needs_polish_ ? polish(t, e) : damping(t);
  }

 private:
  double damping(double t) const { return w_max_ * t * t / (1.0 - w_max_ * t * t); }

  // Barycentric formula; the weights of these points are +-1, halved at both ends.
  double interpolate(double t) const {
    double numerator = 0.0, denominator = 0.0;
    for (int i = 0; i <= kDegree; ++i) {
      if (t == t_[i]) return e_[i];
      const double weight = (i % 2 == 0 ? 1.0 : -1.0) * (i == 0 || i == kDegree ? 0.5 : 1.0) / (t - t_[i]);
      numerator += weight * e_[i];
      denominator += weight;
    }
    return numerator / denominator;
  }

  // Corrections by the integrated impact itself, with the interpolant's slope.
  double polish(double t, double e) const {
    const double left = std::max(0.0, t - 1e-4), right = std::min(1.0, t + 1e-4);
    const double slope = (interpolate(right) - interpolate(left)) / (right - left);
    for (int i = 0; i < 8; ++i) {
      const double miss = dimensionless_impact(p_, r_, damping(t)).restitution - e;
      if (std::abs(miss) < 1e-11) break;
      t = std::clamp(t - miss / slope, 0.0, 1.0);
    }
    return damping(t);
  }

  static constexpr int kDegree = 72;
  double p_, r_, w_max_ = 0.0;
  bool needs_polish_ = false;
  std::array<double, kDegree + 1> t_{}, e_{};
};

std::shared_ptr<const RestitutionCurve> find_curve(double p, double r) {
  static std::mutex mutex;
  static std::map<std::pair<double, double>, std::shared_ptr<const RestitutionCurve>> curves;
  const std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const RestitutionCurve>& entry = curves[{p, r}];
  if (!entry) entry = std::make_shared<const RestitutionCurve>(p, r);
  return entry;
}

}  // namespace

double dimensionless_damping(double p, double r, double e) {
  ABUT_REQUIRE(p > 0.0 && r >= 0.0 && r <= p, "exponents p = {}, r = {} must satisfy 0 <= r <= p, p > 0", p, r);
  ABUT_REQUIRE(e >= kMinRestitution && e <= 1.0, "restitution {} is outside [{}, 1]", e, kMinRestitution);
  if (e == 1.0) return 0.0;
  if (r == p) return gonthier_damping(e) / e;
  // A pile asks for the same few values at every touch; a short memory for each thread spares the integration.
  struct Entry {
    double p, r, e, d;
  };
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  static thread_local std::array<Entry, 8> memory = [] {
    std::array<Entry, 8> empty;
    empty.fill({none, none, none, none});
    return empty;
  }();
  static thread_local std::size_t oldest = 0;
  for (const Entry& entry : memory) {
    if (entry.p == p && entry.r == r && entry.e == e) return entry.d;
  }
  const double d = find_curve(p, r)->calc_damping(e);
  memory[oldest] = {p, r, e, d};
  oldest = (oldest + 1) % memory.size();
  return d;
}

}  // namespace abut
