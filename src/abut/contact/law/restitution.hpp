#pragma once

#include <vector>

#include "abut/contact/law/exact_restitution.hpp"

namespace abut {

/// Coefficient of restitution as a function of the approach speed at touch [m/s].         [Gonthier 2007 (3.12)]
/// Built once from input; wrong values throw InputError there. Evaluation never leaves [0, 1].
class Restitution {
 public:
  /// Perfectly elastic.
  Restitution() = default;

  /// The same e in [0, 1] at every speed.
  static Restitution make_constant(double e);

  /// e = 1 - slope v, slope [s/m] >= 0 (0.08 to 0.32 for steel, bronze, ivory); not below kMinRestitution, where the
  /// empirical line has long ceased to be valid.
  static Restitution make_linear(double slope);

  /// Piecewise linear through (speed [m/s], e); constant beyond both ends. Speeds strictly increasing, e in [0, 1].
  static Restitution make_table(std::vector<double> speed, std::vector<double> e);

  double calc_coefficient(double speed) const;

  /// The lowest and highest value the function can take.
  double min_coefficient() const;
  double max_coefficient() const;

  bool is_constant() const { return slope_ == 0.0 && speed_.empty(); }

 private:
  double constant_ = 1.0;
  double slope_ = 0.0;             // [s/m]
  std::vector<double> speed_, e_;  // empty unless tabulated
};

}  // namespace abut
