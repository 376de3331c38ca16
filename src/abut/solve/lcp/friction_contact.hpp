#pragma once

#include <cmath>

#include "abut/math/types.hpp"

namespace abut {

/// How the tangential impulse is limited by the normal one, both of the same instant.
enum class FrictionCone {
  box,      ///< |x_1|, |x_2| <= mu x_n, on the axes of the two tangential rows
  polygon,  ///< x_T in the regular polygon of `facets` corners at mu x_n, opposing the slip as well as that allows
  circle,   ///< |x_T| <= mu x_n, opposite to the slip: Coulomb's law
};

/// Three consecutive rows (normal, first tangent, second tangent) that obey a friction law.
struct FrictionContact {
  int row = 0;  ///< of the normal
  double mu = 0.0;
  FrictionCone cone = FrictionCone::circle;
  int facets = 4;            ///< even, >= 4; polygon only
  double first_angle = 0.0;  ///< of the first corner from the first tangent [rad]; polygon only
};

/// Direction of corner k in the tangent plane.
inline Vec2 calc_facet_direction(const FrictionContact& contact, int k) {
  constexpr double kTurn = 6.283185307179586;
  // Corners on the axes to the last bit: opposite ones then cancel exactly.
  const double angle = contact.first_angle + kTurn * k / contact.facets;
  if (contact.first_angle == 0.0 && (4 * k) % contact.facets == 0) {
    const int quarter = (4 * k / contact.facets) % 4;
    return {quarter == 0 ? 1.0 : (quarter == 2 ? -1.0 : 0.0), quarter == 1 ? 1.0 : (quarter == 3 ? -1.0 : 0.0)};
  }
  return {std::cos(angle), std::sin(angle)};
}

/// One contact by itself: w = W x + b with W symmetric, positive definite but for tangents that cannot move (a joint
/// blocks them), complementary to the law. With b_n < 0 exactly one of lift-off, stick and slip holds; where several do
/// (b_n >= 0 and friction that would jam) lift-off is taken.
Vec3 solve_single_contact(const FrictionContact& contact, const Mat3& W, const Vec3& b);

/// How far (x, w) of one contact is from its law, as a speed [m/s]: x is scaled by `diagonal`, a typical entry of W.
double calc_contact_residual(const FrictionContact& contact, const Vec3& x, const Vec3& w, double diagonal);

}  // namespace abut
