#pragma once

#include <array>

#include "abut/math/types.hpp"

namespace abut {

/// h(u) = a0 + a1 c + b1 s + a2 (c^2 - s^2) + b2 2 c s of a unit vector u = (c, s) = (cos x, sin x): any quadratic
/// function of the plane or of space, followed around an ellipse. Angles are never formed, only unit vectors.
struct TrigQuadratic {
  double a0 = 0.0, a1 = 0.0, b1 = 0.0, a2 = 0.0, b2 = 0.0;

  double value(const Vec2& u) const {
    return a0 + a1 * u.x() + b1 * u.y() + a2 * (u.x() - u.y()) * (u.x() + u.y()) + 2.0 * b2 * u.x() * u.y();
  }
  /// dh/dx.
  TrigQuadratic derivative() const { return {0.0, b1, -a1, 2.0 * b2, -2.0 * a2}; }
};

/// A few points of the circle, anticlockwise.
struct CirclePoints {
  std::array<Vec2, 4> at;
  int count = 0;
};

/// Where h changes sign, given its extrema (anticlockwise). Neighbouring roots are of alternating sense: rising[k]
/// says that h goes from minus to plus there. A zero counts as plus, so that the number of roots is always even.
struct CircleRoots {
  CirclePoints points;
  std::array<bool, 4> rising{};
};

/// All extrema of h: two or four; none when h is constant to within `flat` (an absolute amplitude).
CirclePoints find_extrema(const TrigQuadratic& h, double flat);

CircleRoots find_roots(const TrigQuadratic& h, const CirclePoints& extrema);
/// The same without extrema, which are found only where the roots need them to be told apart; `flat` as above.
CircleRoots find_roots(const TrigQuadratic& h, double flat);

}  // namespace abut
