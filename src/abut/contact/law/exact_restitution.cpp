#include "abut/contact/law/exact_restitution.hpp"

#include <cmath>

#include "abut/base/error.hpp"
#include "abut/math/bracketed_root.hpp"

namespace abut {
namespace {

// Both equations are differences of h(x) = log(1 + x) - x at a positive and a negative argument, which nearly cancel
// for weak damping. The functions below are h with its leading terms divided or taken out, so that nothing cancels.

// psi(x) = (log(1 + x) - x) / x^2 + 1/2 = x/3 - x^2/4 + x^3/5 - ...
double psi(double x) {
  if (std::abs(x) > 0.25) return (std::log1p(x) - x) / (x * x) + 0.5;
  double sum = 0.0;
  for (int n = 28; n >= 1; --n) sum = (n % 2 == 1 ? 1.0 : -1.0) / (n + 2) + x * sum;  // 0.25^28 is below 1e-16
  // Horner with alternating signs: coefficients of x^(n-1), so one more factor x.
  return x * sum;
}

// Derivative of h(x)/x^2, from h'(x) = -x / (1 + x).
double psi_prime(double x) {
  if (std::abs(x) > 0.25) {
    const double h_over_x2 = psi(x) - 0.5;
    return (-1.0 / (1.0 + x) - 2.0 * h_over_x2) / x;
  }
  double sum = 0.0;
  for (int n = 28; n >= 1; --n) sum = (n % 2 == 1 ? 1.0 : -1.0) * n / (n + 2.0) + x * sum;
  return sum;
}

// Strong damping: 1 - d is tiny and is found instead of d. delta = (1 + (1-delta)/e) exp(-(1-delta)(1 + 1/e))
// contracts by about delta (1 + 1/e), below 2e-3 for e <= 0.1.
double strong_damping(double e) {
  double delta = 0.0;
  for (int i = 0; i < 12; ++i) delta = (1.0 + (1.0 - delta) / e) * std::exp(-(1.0 - delta) * (1.0 + 1.0 / e));
  return 1.0 - delta;
}

}  // namespace

double gonthier_damping(double e) {
  ABUT_REQUIRE(e > 0.0 && e <= 1.0, "restitution {} is outside (0, 1]", e);
  if (e == 1.0) return 0.0;
  if (e <= 0.1) return strong_damping(e);
  // With u = d/e, equation (3.23) divided by u^2: G(u) = psi(u) - e^2 psi(-e u) - (1 - e^2)/2 = 0. Increasing in u.
  const double constant = 0.5 * (1.0 - e) * (1.0 + e);
  const double high = 1.0 / e;
  double u = 3.0 * constant / (1.0 + e * e * e);  // leading terms of G
  if (!(u < high)) u = 0.5 * high;
  const auto look = [&](double x) {
    const double value = psi(x) - e * e * psi(-e * x) - constant;
    const double slope = psi_prime(x) + e * e * e * psi_prime(-e * x);
    return NewtonLook{.is_low = !(value > 0.0), .is_high = value > 0.0, .next = x - value / slope};
  };
  const auto is_settled = [](double from, double to) { return std::abs(to - from) <= 2e-16 * from; };
  return e * find_root_by_newton({0.0, high}, u, BracketEnds::outside, look, is_settled);
}

double exact_restitution(double damping_ratio) {
  const double u = damping_ratio;
  ABUT_REQUIRE(u >= 0.0, "damping ratio {} is negative", u);
  if (u == 0.0) return 1.0;
  if (u > 1.0) {
    // delta exp(-delta) = (1+u) exp(-(1+u)) with delta = -W0 < 0.41; e = (1 - delta)/u loses nothing.
    const double c = (1.0 + u) * std::exp(-(1.0 + u));
    double delta = c;
    for (int i = 0; i < 60; ++i) {
      const double next = delta - (delta - c * std::exp(delta)) / (1.0 - delta);
      if (std::abs(next - delta) <= 1e-17) break;
      delta = next;
    }
    return (1.0 - delta) / u;
  }
  // h(u) = h(-d), d = e u: the square roots u sqrt(1/2 - psi(u)) and d sqrt(1/2 -
  // psi(-d)) are equal and nearly linear.
  const double target = u * std::sqrt(0.5 - psi(u));
  double d = u / (1.0 + 2.0 * u / 3.0);
  for (int i = 0; i < 60; ++i) {
    const double root = std::sqrt(0.5 - psi(-d));
    const double slope = root + 0.5 * d * psi_prime(-d) / root;
    const double next = d - (d * root - target) / slope;
    const bool converged = std::abs(next - d) <= 1e-16 * d;
    d = next;
    if (converged) break;
  }
  return d / u;
}

}  // namespace abut
