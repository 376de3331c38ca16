#include "abut/contact/law/volume_friction.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace abut {
namespace {

BristleParameters make_bristle() {
  BristleParameters p;
  p.mu_c = 0.3;
  p.mu_s = 0.4;
  p.sigma_0 = 1e5;
  p.sigma_1 = std::sqrt(1e5);
  p.v_stribeck = 1e-3;
  p.tau_dwell = 0.3;
  p.v_eps = 1e-5;
  return p;
}

/// Depth profile ~ 1 - (r/A)^2 over a disc of radius 1: the Winkler cap, V = 1, rg = 1/sqrt 3. Polar midpoints.
std::vector<VolumeSample> make_cap_samples(int rings, int spokes) {
  std::vector<VolumeSample> samples;
  for (int i = 0; i < rings; ++i) {
    // Equal shares of the load: the part within r carries 1 - (1 - r^2)^2.
    const double r = std::sqrt(1.0 - std::sqrt(1.0 - (i + 0.5) / rings));
    for (int k = 0; k < spokes; ++k) {
      const double angle = 2.0 * std::numbers::pi * (k + 0.5) / spokes;
      samples.push_back({Vec3(r * std::cos(angle), r * std::sin(angle), 0.0), 1.0 / (rings * spokes)});
    }
  }
  return samples;
}

TEST(SlipShare, SquaresOfTheClosureAddUpToOne) {
  for (const double ratio : {0.0, 0.1, 1.0, 7.0}) {
    const SlipShare share = calc_slip_share(Vec3(ratio, 0, 0), 2.0, 0.3, 1e-5, Regularisation::printed);
    EXPECT_NEAR(share.sliding * share.sliding + share.spinning * share.spinning, 1.0, 1e-14);
  }
}

TEST(SlipShare, ClosureAndExactIntegralGiveTheTabulatedValues) {  // computed independently, Winkler cap
  struct Row {
    double v, exact_f, model_f, exact_t, model_t;
  };
  const double rg = 1.0 / std::sqrt(3.0);
  const std::vector<VolumeSample> samples = make_cap_samples(200, 200);
  for (const Row& row : {Row{0.10, 0.1328, 0.1707, 0.5267, 0.5689}, Row{0.50, 0.6062, 0.6547, 0.3893, 0.4364},
                         Row{1.00, 0.9054, 0.8660, 0.1811, 0.2887}, Row{5.00, 0.9967, 0.9934, 0.0334, 0.0662}}) {
    const SlipShare closure = calc_slip_share(Vec3(row.v, 0, 0), 1.0, rg, 1e-9, Regularisation::printed);
    // The table has four decimals.
    EXPECT_NEAR(closure.sliding, row.model_f, 6e-5);
    EXPECT_NEAR(rg * closure.spinning, row.model_t, 6e-5);
    const SlipShare exact =
        calc_exact_slip_share(samples, Vec3::Zero(), Vec3::UnitZ(), Vec3(row.v, 0, 0), 1.0, rg, 1e-9);
    // Four decimals, and the error of 200 x 200 midpoints, below 1e-4 (halving them changes it by less).
    EXPECT_NEAR(exact.sliding, row.exact_f, 2e-4) << row.v;
    EXPECT_NEAR(rg * exact.spinning, row.exact_t, 2e-4) << row.v;
    EXPECT_GT(exact.direction.x(), 0.999999);
    EXPECT_EQ(exact.spin_direction, 1.0);
  }
}

TEST(SlipShare, ExactPureSpinOfACapIs8PercentBelowTheClosure) {
  const double rg = 1.0 / std::sqrt(3.0);
  const SlipShare exact =
      calc_exact_slip_share(make_cap_samples(200, 100), Vec3::Zero(), Vec3::UnitZ(), Vec3::Zero(), 1.0, rg, 1e-9);
  EXPECT_NEAR(1.0 / exact.spinning, 1.0825, 2e-4);  // computed independently: + 8.25 %
  EXPECT_NEAR(exact.sliding, 0.0, 1e-12);
}

TEST(VolumeBristle, FullSpinGivesTheCoulombTorque) {
  const BristleParameters p = make_bristle();
  const double fn = 20.0, rg = 0.013, wn = 3.0;
  VolumeFrictionState state;
  state.rim = p.mu_c / p.sigma_0;  // bristles at their steady twist
  const SlipShare share = calc_slip_share(Vec3::Zero(), wn, rg, p.v_eps, p.regularisation);
  const VolumeFrictionRates rates =
      calc_volume_bristle_friction(p, state, Vec3::UnitZ(), fn, Vec3::Zero(), wn, rg, share);
  EXPECT_NEAR(rates.torque, -p.mu_c * rg * fn, 1e-12);
  EXPECT_NEAR(rates.rim_rate, 0.0, 1e-9 * rg);
  EXPECT_FALSE(rates.point.sticking);
}

TEST(VolumeBristle, WithoutSpinItIsThePointLaw) {
  const BristleParameters p = make_bristle();
  VolumeFrictionState state;
  state.point = {Vec3(1e-6, -2e-6, 0), 0.4};
  for (const double speed : {1e-6, 5e-4, 2e-3, 0.5}) {
    const Vec3 vt(speed, 0.3 * speed, 0);
    const SlipShare share = calc_slip_share(vt, 0.0, 0.02, p.v_eps, p.regularisation);
    const VolumeFrictionRates patch = calc_volume_bristle_friction(p, state, Vec3::UnitZ(), 10.0, vt, 0.0, 0.02, share);
    const FrictionRates point = calc_bristle_friction(p, state.point, Vec3::UnitZ(), 10.0, vt);
    // The same arithmetic but for the order of factors; below v_eps C_v < 1 enters with the weight 1 - s ~ 1e-6.
    EXPECT_LT((patch.point.force - point.force).norm(), 1e-5 * point.force.norm() + 1e-12) << speed;
    EXPECT_LT((patch.point.z_rate - point.z_rate).norm(), 1e-5 * point.z_rate.norm() + 1e-12) << speed;
    EXPECT_EQ(patch.point.dwell_rate, point.dwell_rate);
    EXPECT_EQ(patch.torque, 0.0);
  }
}

TEST(VolumeBristle, StickHoldsBelowTheLimit) {
  const BristleParameters p = make_bristle();
  VolumeFrictionState state;
  state.point = {Vec3(0.99 * p.mu_s / p.sigma_0, 0, 0), 1.0};
  state.rim = 0.99 * p.mu_s / p.sigma_0;
  const SlipShare share = calc_slip_share(Vec3::Zero(), 0.0, 0.01, p.v_eps, p.regularisation);
  const VolumeFrictionRates rates =
      calc_volume_bristle_friction(p, state, Vec3::UnitZ(), 10.0, Vec3::Zero(), 0.0, 0.01, share);
  EXPECT_TRUE(rates.point.sticking);
  EXPECT_NEAR(rates.point.force.x(), -0.99 * p.mu_s * 10.0, 1e-12);
  EXPECT_NEAR(rates.torque, -0.99 * p.mu_s * 10.0 * 0.01, 1e-13);
}

/// A body that stood on its edge falls flat: the radius of gyration grows, and what the twisted bristles hold does not.
TEST(VolumeBristle, TwistHoldsNoMoreWhenThePatchGrows) {
  const BristleParameters p = make_bristle();
  VolumeFrictionState state;
  state.point = {Vec3::Zero(), 1.0};
  state.rim = 0.9 * p.mu_s / p.sigma_0;
  for (const double rg : {0.001, 0.01, 0.05}) {
    const SlipShare share = calc_slip_share(Vec3::Zero(), 0.0, rg, p.v_eps, p.regularisation);
    const VolumeFrictionRates rates =
        calc_volume_bristle_friction(p, state, Vec3::UnitZ(), 10.0, Vec3::Zero(), 0.0, rg, share);
    EXPECT_TRUE(rates.point.sticking) << rg;  // not beyond the limit, whatever the size
    EXPECT_EQ(rates.rim_rate, 0.0);
    EXPECT_NEAR(rates.torque, -0.9 * p.mu_s * 10.0 * rg, 1e-13);
    // Stuck, what the torque takes goes into fn sigma_0 zeta^2 / 2.
    const double wn = 1e-6;
    const SlipShare slow = calc_slip_share(Vec3::Zero(), wn, rg, p.v_eps, p.regularisation);
    const VolumeFrictionRates turning =
        calc_volume_bristle_friction(p, state, Vec3::UnitZ(), 10.0, Vec3::Zero(), wn, rg, slow);
    EXPECT_NEAR(turning.rim_rate, rg * wn, 1e-3 * rg * wn) << rg;
  }
}

TEST(VolumeCoulomb, FastSpinTakesTheResistanceFromSlowSliding) {
  CoulombParameters p;
  p.mu_c = p.mu_s = 0.5;
  const double rg = 0.1, wn = 10.0, speed = 1e-6;
  const SlipShare share = calc_smooth_slip_share(Vec3(speed, 0, 0), wn, rg, p.v_eps);
  const VolumeFrictionRates rates = calc_volume_coulomb_friction(p, 4.0, rg, share);
  EXPECT_NEAR(rates.point.force.x(), -0.5 * 4.0 * speed / (rg * wn), 1e-15);
  EXPECT_NEAR(rates.torque, -0.5 * 4.0 * rg, 1e-9);
}

TEST(VolumeFriction, SpinScaleMultipliesTheTorqueAndItsViscousPowerAlone) {
  BristleParameters p = make_bristle();
  p.sigma_2 = 0.1;
  VolumeFrictionState state;
  state.point = {Vec3(1e-6, 0, 0), 0.2};
  state.rim = 1.3e-6;
  const Vec3 vt(0.02, 0.01, 0);
  const double fn = 5.0, wn = 3.0, rg = 0.013, scale = 0.65;
  const SlipShare share = calc_slip_share(vt, wn, rg, p.v_eps, p.regularisation);
  const VolumeFrictionRates one = calc_volume_bristle_friction(p, state, Vec3::UnitZ(), fn, vt, wn, rg, share);
  const VolumeFrictionRates less = calc_volume_bristle_friction(p, state, Vec3::UnitZ(), fn, vt, wn, rg, share, scale);
  EXPECT_NEAR(less.torque, scale * one.torque, 1e-15);
  EXPECT_EQ(less.rim_rate, one.rim_rate);
  EXPECT_EQ(less.point.force, one.point.force);
  EXPECT_NEAR(one.point.viscous_power - less.point.viscous_power, (1.0 - scale) * fn * p.sigma_2 * rg * rg * wn * wn,
              1e-15);
  CoulombParameters coulomb;
  coulomb.mu_c = coulomb.mu_s = 0.5;
  const VolumeFrictionRates dry = calc_volume_coulomb_friction(coulomb, fn, rg, share);
  const VolumeFrictionRates less_dry = calc_volume_coulomb_friction(coulomb, fn, rg, share, scale);
  EXPECT_NEAR(less_dry.torque, scale * dry.torque, 1e-15);
  EXPECT_EQ(less_dry.point.force, dry.point.force);
}

TEST(VolumeFriction, PowerIsNeverNegativeInSlip) {
  const BristleParameters p = make_bristle();
  const std::vector<VolumeSample> samples = make_cap_samples(12, 12);
  for (const double v : {0.0, 0.01, 0.3}) {
    for (const double w : {-5.0, 0.0, 2.0}) {
      const SlipShare share =
          calc_exact_slip_share(samples, Vec3::Zero(), Vec3::UnitZ(), Vec3(0, v, 0), w, 0.577, 1e-5);
      CoulombParameters coulomb;
      coulomb.mu_c = coulomb.mu_s = p.mu_c;
      const VolumeFrictionRates rates = calc_volume_coulomb_friction(coulomb, 3.0, 0.577, share);
      EXPECT_GE(-rates.point.force.y() * v - rates.torque * w, 0.0);
    }
  }
}

}  // namespace
}  // namespace abut
