#pragma once

#include <cmath>

#include "abut/math/types.hpp"

namespace abut {

/// Radau IIA with three stages, order 5 (Hairer & Wanner, Solving ODEs II, IV.5 and IV.8).
///
/// Nodes c, Runge-Kutta matrix A. With T built from the eigenvectors of A^-1, T^-1 A^-1 T = diag(gamma, [alpha -beta;
/// beta alpha]), so that the 3n equations of a Newton step fall apart into one real system of size n and one complex
/// one.
struct RadauCoefficients {
  Vec3 c;
  Mat3 a;
  Vec3 b;
  Mat3 t, t_inverse;
  double gamma, alpha, beta;
  Vec3 e;  ///< error estimate: h (f(t0, y0) + sum e_i Z_i / h), filtered by the real matrix

  RadauCoefficients() {
    const double s = std::sqrt(6.0);
    c << (4.0 - s) / 10.0, (4.0 + s) / 10.0, 1.0;
    a << (88.0 - 7.0 * s) / 360.0, (296.0 - 169.0 * s) / 1800.0, (-2.0 + 3.0 * s) / 225.0,  //
        (296.0 + 169.0 * s) / 1800.0, (88.0 + 7.0 * s) / 360.0, (-2.0 - 3.0 * s) / 225.0,   //
        (16.0 - s) / 36.0, (16.0 + s) / 36.0, 1.0 / 9.0;
    b = a.row(2).transpose();
    e << -(13.0 + 7.0 * s) / 3.0, (-13.0 + 7.0 * s) / 3.0, -1.0 / 3.0;
    const double p = std::cbrt(81.0);
    const double q = std::cbrt(9.0);
    gamma = 30.0 / (6.0 + p - q);
    const double real = (12.0 - p + q) / 60.0;
    const double imaginary = (p + q) * std::sqrt(3.0) / 60.0;
    alpha = real / (real * real + imaginary * imaginary);
    beta = imaginary / (real * real + imaginary * imaginary);
    t << 9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02,  //
        0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779,           //
        0.96604818261509293619, 1.0, 0.0;
    t_inverse = t.inverse();
  }

  /// Integral over [0, s] of the Lagrange polynomials of the nodes: weights of a quadrature up to the fraction s of the
  /// step.
  Vec3 calc_partial_weights(double s) const {
    Vec3 weights;
    for (int i = 0; i < 3; ++i) {
      const double cj = c[(i + 1) % 3];
      const double ck = c[(i + 2) % 3];
      const double primitive = s * (s * s / 3.0 - 0.5 * s * (cj + ck) + cj * ck);
      weights[i] = primitive / ((c[i] - cj) * (c[i] - ck));
    }
    return weights;
  }
};

inline const RadauCoefficients& radau_coefficients() {
  static const RadauCoefficients coefficients;
  return coefficients;
}

}  // namespace abut
