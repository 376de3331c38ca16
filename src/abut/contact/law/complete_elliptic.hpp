#pragma once

namespace abut {

/// Complete elliptic integrals as functions of the complementary modulus k' = sqrt(1 - m) in (0, 1], together with
/// the two associated integrals that Hertz's elliptical contact is made of. Relative accuracy near machine precision
/// at both ends, where forming (K - E)/m from K and E would cancel.
struct CompleteElliptic {
  double k = 0.0;  ///< K(m)
  double e = 0.0;  ///< E(m)
  double b = 0.0;  ///< B(m) = (E - (1-m) K) / m, pi/4 at m = 0
  double d = 0.0;  ///< D(m) = (K - E) / m, pi/4 at m = 0
};

CompleteElliptic calc_complete_elliptic(double complementary_modulus);

}  // namespace abut
