#include "abut/contact/law/exact_restitution.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace abut {
namespace {

struct PrintedRow {
  double e, d, e_hunt_crossley, e_lankarani;
};

// Computed independently, to the digits given.
constexpr PrintedRow kTable[] = {{0.10, 0.99981594, 0.515833, 0.665265}, {0.20, 0.98383334, 0.546854, 0.672262},
                                 {0.30, 0.92612459, 0.581288, 0.684225}, {0.40, 0.83299927, 0.619736, 0.701635},
                                 {0.50, 0.71637527, 0.662962, 0.725241}, {0.60, 0.58492303, 0.711950, 0.756149},
                                 {0.70, 0.44437980, 0.768000, 0.795973}, {0.80, 0.29851696, 0.832870, 0.847102},
                                 {0.85, 0.22440800, 0.869343, 0.877975}, {0.90, 0.14983376, 0.909016, 0.913177},
                                 {0.95, 0.07498028, 0.952370, 0.953506}, {0.975, 0.03749760, 0.975608, 0.975906},
                                 {0.99, 0.01499985, 0.990099, 0.990148}};

TEST(GonthierDamping, MeetsThePrintedTable) {
  for (const PrintedRow& row : kTable) {
    EXPECT_NEAR(gonthier_damping(row.e), row.d, 0.51e-8) << row.e;  // eight printed decimals
  }
}

// Equation (3.23) in long double, by bisection on the form that does not cancel for these e.
long double bisect_damping(long double e) {
  long double low = 1e-6L, high = 1.0L;
  for (int i = 0; i < 200; ++i) {
    const long double d = 0.5L * (low + high);
    const long double f = std::log1p(d / e) - std::log1p(-d) - d * (1.0L + 1.0L / e);
    (f > 0.0L ? high : low) = d;
  }
  return 0.5L * (low + high);
}

TEST(GonthierDamping, AgreesWithExtendedPrecisionBisection) {
  for (double e : {0.05, 0.099, 0.1, 0.101, 0.15, 0.25, 0.4, 0.5, 0.65, 0.8, 0.9}) {
    const double exact = static_cast<double>(bisect_damping(e));
    // The bisection's own function cancels like (1-e)^2, which costs two of long double's nineteen digits at 0.9.
    EXPECT_NEAR(gonthier_damping(e) / exact, 1.0, 1e-14) << e;
  }
}

TEST(GonthierDamping, NearOneFollowsTheSeries) {
  // u = d/e solves -(1-e^2)/2 + u (1+e^3)/3 - u^2 (1-e^4)/4 + u^3 (1+e^5)/5 - ... = 0; with q = 1-e small, two terms
  // and one correction leave O(q^3) relative.
  for (double q : {1e-3, 1e-5, 1e-8, 1e-12}) {
    const double e = 1.0 - q;
    const double u0 = 1.5 * (1.0 - e) * (1.0 + e) / (1.0 + e * e * e);  // 1 - e is exact
    const double rest = -u0 * u0 * (1.0 - e * e * e * e) / 4.0 + u0 * u0 * u0 * (1.0 + std::pow(e, 5)) / 5.0;
    const double u = u0 - 3.0 * rest / (1.0 + e * e * e);
    EXPECT_NEAR(gonthier_damping(e) / (e * u), 1.0, 20.0 * q * q * q + 1e-12) << q;
  }
  EXPECT_EQ(gonthier_damping(1.0), 0.0);
}

TEST(GonthierDamping, SaturatesAtOneForStrongDamping) {
  // 1 - d = (1 + 1/e) exp(-(1 + 1/e)) to first order: 6.0e-14 at 0.03, below rounding at 0.01.
  EXPECT_NEAR(1.0 - gonthier_damping(0.03), (1.0 + 1.0 / 0.03) * std::exp(-(1.0 + 1.0 / 0.03)), 2e-16);
  EXPECT_EQ(gonthier_damping(0.01), 1.0);
}

TEST(GonthierDamping, FallsMonotonically) {
  double last = 1.0;
  for (int i = 1; i <= 990; ++i) {
    const double d = gonthier_damping(0.01 + i * 0.001);
    EXPECT_LE(d, last) << i;
    last = d;
  }
}

TEST(ExactRestitution, InvertsGonthierDampingToRounding) {
  for (double e : {0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0 - 1e-6, 1.0 - 1e-12}) {
    EXPECT_NEAR(exact_restitution(gonthier_damping(e) / e), e, 4e-16) << e;
  }
}

TEST(ExactRestitution, MeetsThePrintedRestitutionOfOlderRules) {
  for (const PrintedRow& row : kTable) {
    EXPECT_NEAR(exact_restitution(1.5 * (1.0 - row.e)), row.e_hunt_crossley, 0.51e-6) << row.e;
    EXPECT_NEAR(exact_restitution(0.75 * (1.0 - row.e * row.e)), row.e_lankarani, 0.51e-6) << row.e;
  }
}

TEST(ExactRestitution, MeetsTheTableOfSpec3) {
  struct Row {
    double requested, hunt_crossley, lankarani, flores;
  };
  for (const Row& row :
       {Row{0.9, 0.90902, 0.91318, 0.89392}, Row{0.8, 0.83287, 0.84710, 0.78854}, Row{0.7, 0.76800, 0.79597, 0.68318},
        Row{0.6, 0.71195, 0.75615, 0.57728}, Row{0.5, 0.66296, 0.72524, 0.47044}, Row{0.4, 0.61974, 0.70163, 0.36287},
        Row{0.3, 0.58129, 0.68422, 0.25621}, Row{0.2, 0.54685, 0.67226, 0.15554}, Row{0.1, 0.51583, 0.66527, 0.06944},
        Row{0.05, 0.50145, 0.66354, 0.03289}}) {
    const double c = row.requested;
    EXPECT_NEAR(exact_restitution(1.5 * (1.0 - c)), row.hunt_crossley, 0.51e-5) << c;
    EXPECT_NEAR(exact_restitution(0.75 * (1.0 - c * c)), row.lankarani, 0.51e-5) << c;
    EXPECT_NEAR(exact_restitution(1.6 * (1.0 - c) / c), row.flores, 0.51e-5) << c;
  }
}

TEST(ExactRestitution, SatisfiesItsEquationAndItsLimits) {
  for (double u : {1e-3, 0.1, 0.5, 0.999, 1.0, 1.001, 2.0, 5.0, 20.0, 100.0, 1e4}) {
    const double e = exact_restitution(u);
    // Residual of u (1+e) = ln((1+u)/(1-u e)) through 1 - u e, which near strong damping
    // is known to its last digits only.
    const double delta = (1.0 + u) * std::exp(-u * (1.0 + e));
    EXPECT_NEAR(1.0 - u * e, delta, 4e-15 * (1.0 + u)) << u;
  }
  EXPECT_EQ(exact_restitution(0.0), 1.0);
  for (double u : {1e-4, 1e-7, 1e-10}) {
    EXPECT_NEAR(exact_restitution(u), 1.0 - 2.0 / 3.0 * u, u * u + 4e-16) << u;  // second coefficient is below 1
  }
}

}  // namespace
}  // namespace abut
