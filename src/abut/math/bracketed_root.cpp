#include "abut/math/bracketed_root.hpp"

#include <algorithm>

namespace abut {

double calc_crossing_fraction(double before, double after) {
  const double fraction = before / (before - after);
  return std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
}

double ProjectedCut::calc_offset(double width, double f_low, double f_high) {
  constexpr double kDraw = 0.2;
  const double half = 0.5 * width, slack = slack_;
  slack_ *= 0.5;
  // An end may have been decided within its noise only; then the line is meaningless.
  if (!(f_low * f_high < 0.0)) return 0.0;
  double offset = width * calc_crossing_fraction(f_low, f_high) - half;
  const double draw = std::min(kDraw * width * (width / first_width_), std::abs(offset));
  offset -= std::copysign(draw, offset);
  const double reach = std::max(0.0, slack - half);
  return std::clamp(offset, -reach, reach);
}

}  // namespace abut
