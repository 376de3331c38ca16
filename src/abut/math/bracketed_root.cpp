#include "abut/math/bracketed_root.hpp"

#include <algorithm>

namespace abut {

double calc_crossing_fraction(double before, double after) {
  const double fraction = before / (before - after);
  return std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
}

void QuadraticCut::take(double f, double enough) {
  const double x = place();
  double x_2 = x_1_, f_2 = f_1_;  // the one that is left out
  if ((f > 0.0) != (f_1_ > 0.0)) {
    x_2 = x_0_, f_2 = f_0_;
    x_0_ = x_1_, f_0_ = f_1_;
  }
  x_1_ = x, f_1_ = f;
  const double along = (x_1_ - x_0_) / (x_2 - x_0_), up = (f_1_ - f_0_) / (f_2 - f_0_);
  part_ = 0.5;
  if (up * up < along && (1.0 - up) * (1.0 - up) < 1.0 - along) {
    part_ = f_1_ / (f_0_ - f_1_) * f_2 / (f_0_ - f_2) +
            (x_2 - x_1_) / (x_0_ - x_1_) * f_1_ / (f_2 - f_1_) * f_0_ / (f_2 - f_0_);
  }
  const double least = std::min(0.5, 0.5 * enough / width());
  part_ = std::clamp(part_, least, 1.0 - least);
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
