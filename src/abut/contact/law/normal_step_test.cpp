#include "abut/contact/law/normal_step.hpp"

#include <random>

#include <gtest/gtest.h>

#include "abut/contact/law/normal_law.hpp"

namespace abut {
namespace {

/// Numbers that are the same in every run.
struct StepNumbers {
  std::mt19937_64 engine;
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
};

/// m G(w) of the first integral m w dw / (1 + a w) = -dU [J].
double calc_curve(double mass, double a, double w) {
  return a > 0.0 ? mass * (a * w - std::log1p(a * w)) / (a * a) : 0.5 * mass * w * w;
}

/// Solves m (w+ - w) = -eta f(w+) by Newton's method.
double find_end(const NormalCoefficients& c, double mass, double x, double w, double eta) {
  const auto residual = [&](double end) {
    return mass * (end - w) + eta * step_ringing_force(c, x, w, end, eta).force;
  };
  double end = w, size = residual(end);
  for (int i = 0; i < 60 && size != 0.0; ++i) {
    const double step = size / (mass + eta * step_ringing_force(c, x, w, end, eta).slope);
    double part = 1.0, next = residual(end - step);
    for (int halving = 0; halving < 20 && !(std::abs(next) < std::abs(size)); ++halving) {
      part *= 0.5;
      next = residual(end - part * step);
    }
    if (!(std::abs(next) < std::abs(size))) break;
    end -= part * step;
    size = next;
  }
  return end;
}

TEST(NormalStep, AnImpactStaysOnItsCurveWhateverTheSubSteps) {
  StepNumbers random{std::mt19937_64(1)};
  for (int trial = 0; trial < 200; ++trial) {
    const double e = random.uniform(0.02, 1.0), mass = std::pow(10.0, random.uniform(-4.0, 3.0));
    const double stiffness = std::pow(10.0, random.uniform(6.0, 11.0)),
                 speed = std::pow(10.0, random.uniform(-2.0, 1.0));
    NormalLawParameters law;
    law.restitution = Restitution::make_constant(e);
    const NormalCoefficients c = make_normal_coefficients(law, stiffness, speed, mass);
    const double a = c.damping / c.stiffness, energy = 0.5 * mass * speed * speed;
    const double depth = std::pow(2.5 * energy / stiffness, 0.4), omega = 1.5 * speed / depth;
    double x = 0.0, w = speed;
    const double kept = calc_curve(mass, a, speed);
    int steps = 0;
    for (; steps < 2000 && (x > 0.0 || w > 0.0); ++steps) {
      const double eta = random.uniform(0.1, 0.6) / omega, end = find_end(c, mass, x, w, eta);
      const NormalStep step = step_ringing_force(c, x, w, end, eta);
      const double stored = calc_elastic_energy(c, step.depth) - calc_elastic_energy(c, x);
      // What the damper takes is never negative, and m G + U is kept: both to rounding, which
      // counts 1 / s times where a strong damper holds the way back at w = -1 / a.
      ASSERT_GE(eta * step.force * 0.5 * (w + end) - stored, -1e-13 * energy);
      x = step.depth;
      w = end;
      ASSERT_NEAR(calc_curve(mass, a, w) + calc_elastic_energy(c, x), kept,
                  (1e-12 + 1e-16 * steps / (1.0 + a * w)) * kept)
          << e;
    }
    ASSERT_LT(steps, 2000);
    EXPECT_NEAR(-w / speed, e, 1e-8) << "mass " << mass << " stiffness " << stiffness;
  }
}

TEST(NormalStep, SlopesAreThoseOfDifferences) {
  StepNumbers random{std::mt19937_64(2)};
  const double exponents[][2] = {{1.5, 1.5}, {1.0, 1.0}, {1.5, 0.5}, {1.5, 1.0}, {1.0, 0.0}, {1.2, 1.2}, {2.0, 2.0}};
  for (const auto& [p, r] : exponents) {
    for (int i = 0; i < 300; ++i) {
      const NormalCoefficients c{1e6, p, random.uniform(0.0, 2e5), r};
      const double x = random.uniform(1e-4, 1e-3), w = random.uniform(-1.0, 1.0), eta = 1e-4;
      const double end = w + random.uniform(-0.5, 0.5), d = 1e-6;
      const auto test = [&](auto force) {
        const NormalStep at = force(end), low = force(end - d), high = force(end + d);
        const bool is_smooth = low.force > 0.0 && high.force > 0.0 && low.depth > 0.0;
        if (!is_smooth) return;
        EXPECT_NEAR(at.slope, (high.force - low.force) / (2.0 * d), 2e-5 * std::abs(at.slope) + 1e-4) << p << " " << r;
      };
      test([&](double v) { return step_ringing_force(c, x, w, v, eta); });
      test([&](double v) { return step_quiet_force(c, x, v, eta); });
    }
  }
}

TEST(NormalStep, MeanForceStoresWhatTheSpringHolds) {
  for (const double p : {1.0, 1.2, 1.5, 2.0, 3.0}) {
    const NormalCoefficients c{1e7, p, 0.0, p};
    for (const double y : {-1e-4, 1e-6, 0.99e-3, 0.9999e-3, 1e-3, 1.021e-3, 1.04e-3, 2e-3}) {
      const double x = 1e-3, stored = calc_elastic_energy(c, y) - calc_elastic_energy(c, x);
      // The series for near ends is good to r^4 = 1.6e-7 of the force.
      EXPECT_NEAR(calc_mean_elastic(c, x, y).force * (y - x), stored, 2e-7 * std::abs(stored) + 1e-18) << p << " " << y;
    }
  }
}

TEST(NormalStep, LogarithmicMeanHasNoSeamAndItsSlope) {
  for (const double r : {-0.9, -0.0601, -0.0599, -1e-5, 0.0, 1e-5, 0.0599, 0.0601, 0.9}) {
    const double u = 1.3, v = u * (1.0 + r) / (1.0 - r), d = 1e-6;
    const LogarithmicMean at = calc_logarithmic_mean(u, v);
    const long double exact = r == 0.0 ? static_cast<long double>(u)
                                       : (static_cast<long double>(v) - u) / std::log(static_cast<long double>(v) / u);
    EXPECT_NEAR(at.value, static_cast<double>(exact), 4e-12 * u) << r;
    EXPECT_NEAR(at.gap, 0.5 * (u + v) - static_cast<double>(exact), 4e-12 * u) << r;
    const double slope = (calc_logarithmic_mean(u, v + d).value - calc_logarithmic_mean(u, v - d).value) / (2.0 * d);
    EXPECT_NEAR(at.by_v, slope, 2e-8) << r;
  }
}

TEST(NormalStep, AQuietStepLosesAndNeverGains) {
  StepNumbers random{std::mt19937_64(3)};
  const NormalCoefficients c{1e9, 1.5, 3e9, 1.5};
  for (int i = 0; i < 1000; ++i) {
    const double x = random.uniform(1e-6, 1e-4), end = random.uniform(-0.1, 0.1), eta = random.uniform(1e-5, 1e-2);
    const NormalStep step = step_quiet_force(c, x, end, eta);
    const double stored = calc_elastic_energy(c, step.depth) - calc_elastic_energy(c, x);
    EXPECT_GE(eta * step.elastic * end - stored, -1e-15 * std::abs(stored));
    EXPECT_GE((step.force - step.elastic) * end, 0.0);
  }
}

}  // namespace
}  // namespace abut
