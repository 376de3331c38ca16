#include "abut/geometry/ellipsoid_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/math/bracketed_root.hpp"

namespace abut {
namespace {

/// Offsets from the plane across the shortest axis, over that axis, that are as good as none: their squares underflow.
constexpr double kTiny = 1e-140;

/// Root w > 0 of |c_i / (w + r_i)| = 1 with c >= 0, r >= 0, min r = 0. Here w = 1 + t / a_min^2, so that w keeps its
/// relative precision next to the pole at the centre of curvature.
double solve_secular(const Vec3& c, const Vec3& r) {
  const double low = std::max((c - r).maxCoeff(), 0.0), high = c.norm();
  const auto look = [&](double w) {
    const Vec3 q = c.cwiseQuotient(r + Vec3::Constant(w));
    const double norm = q.norm();
    // d|q|/dw = -sum q^2 / (w + r) / |q|; Newton on 1/|q| - 1.
    const double slope = q.cwiseAbs2().cwiseQuotient(r + Vec3::Constant(w)).sum();
    return NewtonLook{.is_low = norm >= 1.0, .is_high = norm <= 1.0, .next = w + (norm - 1.0) * norm * norm / slope};
  };
  const auto is_settled = [](double from, double to) {
    return std::abs(to - from) <= 2.0 * std::numeric_limits<double>::epsilon() * to;
  };
  return find_root_by_newton({low, high}, high, BracketEnds::outside, look, is_settled);
}

}  // namespace

EllipsoidProjection project_onto_ellipsoid(const Vec3& semi_axes, const Vec3& y) {
  int k = 0;
  const double a_min = semi_axes.minCoeff(&k);
  const Vec3 ratio = (semi_axes / a_min).cwiseAbs2();
  // ratio - 1 without cancellation.
  const Vec3 r = (semi_axes - Vec3::Constant(a_min)).cwiseProduct(semi_axes + Vec3::Constant(a_min)) / (a_min * a_min);
  const Vec3 c = semi_axes.cwiseProduct(y.cwiseAbs()) / (a_min * a_min);

  // At w = 0 only the axes longer than the shortest count; if they do not reach the surface alone, the root is the
  // pole.
  double w = 0.0;
  Vec3 x;
  bool is_in_focal_plane = true;
  double reached = 0.0;
  for (int i = 0; i < 3; ++i) {
    if (r[i] > 0.0)
      reached += (c[i] / r[i]) * (c[i] / r[i]);
    else if (c[i] > kTiny)
      is_in_focal_plane = false;
  }
  if (is_in_focal_plane && reached <= 1.0) {
    for (int i = 0; i < 3; ++i) x[i] = r[i] > 0.0 ? ratio[i] * y[i] / r[i] : 0.0;
    x[k] = a_min * std::sqrt(1.0 - reached);
  } else {
    w = solve_secular(c, r);
    x = ratio.cwiseProduct(y).cwiseQuotient(r + Vec3::Constant(w));
  }
  const Vec3 gradient = x.cwiseQuotient(semi_axes.cwiseAbs2());
  const double length = gradient.norm();
  return {x, gradient / length, (w - 1.0) * a_min * a_min * length};
}

}  // namespace abut
