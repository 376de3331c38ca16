#include "abut/contact/law/friction_step.hpp"

#include <random>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// Numbers that are the same in every run.
struct SlipNumbers {
  std::mt19937_64 engine;
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
};

FrictionStepInput make_input(SlipNumbers& random) {
  FrictionStepInput in;
  in.load = in.load_before = random.uniform(0.1, 50.0);
  in.slip = Vec2(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1));
  in.eta = std::pow(10.0, random.uniform(-6.0, -2.3));
  in.mobility = std::pow(10.0, random.uniform(-2.0, 2.0));
  in.effective_mass = 1.0 / in.mobility;
  return in;
}

TEST(FrictionStep, CoulombNeverGivesAnythingBack) {
  SlipNumbers random{std::mt19937_64(1)};
  const CoulombParameters law{0.4, 0.5, 1e-3, 1e-5};
  for (int i = 0; i < 2000; ++i) {
    const FrictionStepInput in = make_input(random);
    const Vec2 end(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)), mean = 0.5 * (in.slip + end);
    const FrictionStep step = step_friction(law, in, end);
    // To what the rounding of the direction leaves near rest: mu f v_eps / 2.
    EXPECT_GE(step.force.dot(mean), -0.5 * in.load * law.mu_s * law.v_eps);
    EXPECT_LE(step.force.norm(), 1.5 * in.load * law.mu_s);
  }
}

TEST(FrictionStep, CoulombSlopesAreThoseOfDifferences) {
  SlipNumbers random{std::mt19937_64(2)};
  const CoulombParameters law{0.4, 0.5, 1e-2, 1e-3};
  for (int i = 0; i < 300; ++i) {
    FrictionStepInput in = make_input(random);
    const Vec2 end = (i % 2 == 0 ? 1e-3 : 1.0) * Vec2(random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02));
    in.slip = end;  // the work is positive, and nothing is mended
    const FrictionStep step = step_friction(law, in, end);
    const double d = 1e-9;
    for (int j = 0; j < 2; ++j) {
      Vec2 high = end, low = end;
      high[j] += d;
      low[j] -= d;
      const Vec2 slope = (step_friction(law, in, high).force - step_friction(law, in, low).force) / (2.0 * d);
      EXPECT_LT((step.by_slip.col(j) - slope).norm(), 1e-5 * in.load / law.v_eps) << end.transpose();
    }
  }
}

/// What the law itself does from rest under a constant slip, in ten thousand small steps.
template <class Law, class Rates>
FrictionState follow(const Law&, FrictionState state, double time, const Rates& rates) {
  constexpr int kSteps = 20000;
  for (int i = 0; i < kSteps; ++i) {
    const FrictionRates now = rates(state);
    FrictionState middle = state;
    middle.z += 0.5 * time / kSteps * now.z_rate;
    middle.dwell += 0.5 * time / kSteps * now.dwell_rate;
    const FrictionRates then = rates(middle);
    state.z += time / kSteps * then.z_rate;
    state.dwell += time / kSteps * then.dwell_rate;
  }
  return state;
}

TEST(FrictionStep, BristlesFollowTheirLaw) {
  BristleParameters bristle{0.4, 0.5, 5e3, 45.0, 0.0, 1e-3, 0.05, 1e-5, Regularisation::printed};
  LugreParameters lugre{0.5, 0.4, 5e3, 45.0, 0.0, 1e-3};
  lugre.sigma_0_by_load = lugre.sigma_1_by_mass = true;
  for (const double speed : {3e-4, 5e-3}) {
    const double load = 20.0, time = 0.05;
    const Vec3 n = Vec3::UnitZ(), slip(speed, 0.0, 0.0);
    FrictionStepInput in;
    in.load = in.load_before = load;
    in.slip = Vec2(speed, 0.0);
    in.eta = 1e-4;
    in.mobility = 1e-3;
    const auto advance = [&](const auto& law) {
      in.z.setZero();
      in.dwell = 0.0;
      FrictionStep step;
      for (int i = 0; i < 500; ++i) {
        step = step_friction(law, in, in.slip);
        in.z = step.z;
        in.dwell = step.dwell;
      }
      return step;
    };
    const auto bristle_rates = [&](const FrictionState& s) { return calc_bristle_friction(bristle, s, n, load, slip); };
    const FrictionState wanted = follow(bristle, {}, time, bristle_rates);
    const FrictionStep got = advance(bristle);
    EXPECT_NEAR(got.z.x(), wanted.z.x(), 2e-3 * wanted.z.x()) << speed;
    EXPECT_NEAR(got.dwell, wanted.dwell, 2e-3) << speed;
    EXPECT_NEAR(got.force.x(), -bristle_rates(wanted).force.x(), 5e-3 * load * 0.5) << speed;
    const auto lugre_rates = [&](const FrictionState& s) { return calc_lugre_friction(lugre, s, n, load, slip); };
    const FrictionState bent = follow(lugre, {}, time, lugre_rates);
    const FrictionStep lug = advance(lugre);
    EXPECT_NEAR(lug.z.x(), bent.z.x(), 2e-3 * bent.z.x()) << speed;
    EXPECT_NEAR(lug.force.x(), -lugre_rates(bent).force.x(), 5e-3 * load * 0.5) << speed;
  }
}

TEST(FrictionStep, TheWeightRunsFromHalfToOne) {
  EXPECT_NEAR(calc_fitted_weight(0.0), 0.5, 1e-15);
  EXPECT_NEAR(calc_fitted_weight(0.999e-3), calc_fitted_weight(1.001e-3), 1e-6);
  // x' = -r x over one step: x+ = x (1 - (1 - theta) chi) / (1 + theta chi) is exp(-chi).
  for (const double chi : {0.1, 1.0, 5.0, 30.0}) {
    const double theta = calc_fitted_weight(chi);
    EXPECT_NEAR((1.0 - (1.0 - theta) * chi) / (1.0 + theta * chi), std::exp(-chi), 1e-12);
  }
  EXPECT_NEAR(calc_fitted_weight(1e6), 1.0, 1e-5);
}

}  // namespace
}  // namespace abut
