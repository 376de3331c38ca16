#include "abut/geometry/volume/quadric_slices.hpp"

#include <cmath>
#include <limits>

namespace abut {

std::optional<QuadricSlices> make_quadric_slices(const Quadric& quadric) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!(calc_slice_quality(quadric, Vec3::UnitZ()) > 0.0)) return std::nullopt;
  const Mat3 Q = make_quadratic_form(quadric).Q;
  // Q = [A b; b' c]: the cut is (y - center)' A (y - center) <= e - g tau^2, tau = t - t_ref.
  const double l_00 = std::sqrt(Q(0, 0)), l_10 = Q(1, 0) / l_00, d = Q(1, 1) - l_10 * l_10;
  if (!(Q(0, 0) > 0.0) || !(d > 0.0)) return std::nullopt;
  const double l_11 = std::sqrt(d);
  QuadricSlices slices;
  slices.inverse << l_00, l_10, 0.0, l_11;
  slices.axes << 1.0 / l_00, -l_10 / (l_00 * l_11), 0.0, 1.0 / l_11;
  slices.determinant = 1.0 / (l_00 * l_11);
  const Vec2 b = Q.block<2, 1>(0, 2);
  slices.center_rate = -(slices.axes * (slices.axes.transpose() * b));
  slices.center_ref = quadric.X.p.head<2>();
  slices.t_ref = quadric.X.p.z();
  slices.is_complement = quadric.is_complement;
  slices.owner = quadric.owner;
  slices.t_lower = -kInfinity;
  slices.t_upper = kInfinity;
  if (quadric.kind == QuadricKind::cylinder) return slices;
  const double rest = Q(2, 2) + b.dot(slices.center_rate);
  slices.root_g = std::sqrt(std::abs(rest));
  if (quadric.kind == QuadricKind::ellipsoid) {
    slices.t_lower = slices.t_ref - 1.0 / slices.root_g;
    slices.t_upper = slices.t_ref + 1.0 / slices.root_g;
    return slices;
  }
  slices.e = 0.0;
  const bool is_below = quadric.axis().z() + quadric.axis().head<2>().dot(slices.center_rate) > 0.0;
  (is_below ? slices.t_upper : slices.t_lower) = slices.t_ref;
  return slices;
}

double calc_slice_quality(const Quadric& quadric, const Vec3& n) {
  if (quadric.kind == QuadricKind::ellipsoid) return 1.0;
  const double along = std::abs(quadric.axis().dot(n));
  if (quadric.kind == QuadricKind::cylinder) return along;
  // sin of the half-angle: planes at least as steep as a generator cut parabolas and hyperbolas.
  const double steepest = quadric.size.x() / std::sqrt(1.0 + quadric.size.x() * quadric.size.x());
  return (along - steepest) / (1.0 - steepest);
}

}  // namespace abut
