#include "abut/contact/law/complete_elliptic.hpp"

#include <cmath>
#include <numbers>

#include "abut/base/error.hpp"

namespace abut {

// Arithmetic-geometric mean of 1 and k': K = pi / (2 agm), and (K - E)/K = sum of 2^(n-1) c_n^2 with c_0^2 = m,
// c_(n+1) = (a_n - b_n)/2 (Abramowitz & Stegun 17.6). Every c_n with n >= 1 is divided by m before it is squared
// away: c_1^2 / m = (1 - k') / (4 (1 + k')), later ones from c_(n+1) = c_n^2 / (4 a_(n+1)).
CompleteElliptic calc_complete_elliptic(double k_prime) {
  ABUT_REQUIRE(k_prime > 0.0 && k_prime <= 1.0, "complementary modulus {} is outside (0, 1]", k_prime);
  double a = 0.5 * (1.0 + k_prime);
  double b = std::sqrt(k_prime);
  double c = 0.5 * (1.0 - k_prime);
  double c2_over_m = (1.0 - k_prime) / (4.0 * (1.0 + k_prime));
  double weight = 1.0;
  double sum = 0.5 + weight * c2_over_m;
  while (c > 1e-17 * a) {
    const double a_next = 0.5 * (a + b);
    b = std::sqrt(a * b);
    const double c_next = c * c / (4.0 * a_next);
    c2_over_m *= c * c / (16.0 * a_next * a_next);
    a = a_next;
    c = c_next;
    weight *= 2.0;
    sum += weight * c2_over_m;
  }
  CompleteElliptic result;
  result.k = std::numbers::pi / (2.0 * a);
  result.d = result.k * sum;
  result.b = result.k - result.d;
  result.e = result.b + k_prime * k_prime * result.d;
  return result;
}

}  // namespace abut
