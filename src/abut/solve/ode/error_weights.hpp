#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/math/types.hpp"

namespace abut {

/// The error allowed in one step: w_i = absolute_i + relative max(|y_i| before, |y_i| after), each component in its own
/// unit.
///
/// A step passes when max_i |error_i| / w_i <= 1. The maximum norm is taken, not the root mean square, so that a scene
/// with a hundred idle bodies is integrated exactly as accurately as the one body that moves; it is stricter than the
/// root mean square by sqrt(n) at most. (CVODE insists on the root mean square of the same weights.)
///
/// absolute_i / relative is also taken as the typical magnitude of component i when rates are differentiated
/// numerically, so a depth that matters at 1e-9 m should have its absolute tolerance there even if the coordinate
/// itself is of the order of 1 m.
struct ErrorWeights {
  double relative = 1e-6;  ///< >= 0
  VecX absolute;           ///< > 0, one for each component, unit of that component
  VecX magnitude{};  ///< typical magnitude of each component, where absolute / relative does not tell; may be empty

  static ErrorWeights uniform(int size, double relative, double absolute) {
    return {relative, VecX::Constant(size, absolute), {}};
  }

  void calc_weights(const VecX& y_before, const VecX& y_after, VecX* w) const {
    for (Eigen::Index i = 0; i < absolute.size(); ++i) {
      (*w)[i] = absolute[i] + relative * std::max(std::abs(y_before[i]), std::abs(y_after[i]));
    }
  }

  /// The magnitude over which component i is expected to vary; a millionth of it is the tolerance when relative is
  /// zero.
  double typical_magnitude(Eigen::Index i) const {
    if (magnitude.size() > 0) return magnitude[i];
    return absolute[i] / (relative > 0.0 ? relative : 1e-6);
  }

  /// The tolerance as one number, for rules of thumb: `relative`, or what the absolute ones amount to without it.
  double effective_relative() const {
    if (relative > 0.0 || absolute.size() == 0) return std::max(relative, 1e-15);
    return absolute[0] / typical_magnitude(0);
  }
};

/// max_i |x_i| / w_i; infinite as soon as one component is not finite.
inline double scaled_max_norm(const VecX& x, const VecX& w) {
  double norm = 0.0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double ratio = std::abs(x[i]) / w[i];
    if (!std::isfinite(ratio)) return std::numeric_limits<double>::infinity();
    norm = std::max(norm, ratio);
  }
  return norm;
}

}  // namespace abut
