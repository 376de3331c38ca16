#include "abut/contact/law/friction.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "abut/contact/law/coulomb_friction.hpp"
#include "abut/contact/law/lugre_friction.hpp"

namespace abut {
namespace {

const Vec3 kNormal = Vec3::UnitZ();

TEST(Direction, BothFormsJoinTheUnitVector) {
  const double v_eps = 1e-3;
  for (Regularisation form : {Regularisation::printed, Regularisation::smooth}) {
    EXPECT_EQ(calc_direction(Vec3::Zero(), 0.0, v_eps, form), Vec3::Zero());
    const Vec3 inside = Vec3(0.6, 0.8, 0.0) * v_eps * (1.0 - 1e-9);
    EXPECT_NEAR((calc_direction(inside, inside.norm(), v_eps, form) - Vec3(0.6, 0.8, 0.0)).norm(), 0.0, 2e-9);
  }
  const Vec3 half(0.5 * v_eps, 0.0, 0.0);
  EXPECT_DOUBLE_EQ(calc_direction(half, half.norm(), v_eps, Regularisation::printed).x(), 0.25 * 1.5 - 0.5 * 0.0625);
  EXPECT_DOUBLE_EQ(calc_direction(half, half.norm(), v_eps, Regularisation::smooth).x(), 0.5 * (1.5 - 0.125));
}

TEST(StribeckWeight, IsSlipAtTwiceTheStribeckSpeed) {
  EXPECT_EQ(calc_stribeck_weight(0.0, 1e-3), 1.0);
  EXPECT_DOUBLE_EQ(calc_stribeck_weight(4e-6, 1e-3), std::exp(-4.0));  // property P4
  EXPECT_EQ(calc_stribeck_weight(1.0, 1e-3), 0.0);
}

TEST(FrictionState, ProjectionRemovesTheNormalPart) {
  FrictionState state;
  state.z = Vec3(1.0, 2.0, 3.0);
  project_state(state, kNormal);
  EXPECT_EQ(state.z, Vec3(1.0, 2.0, 0.0));
}

TEST(CoulombFriction, FollowsTheStribeckCurve) {
  const CoulombParameters p{0.3, 0.5, 1e-2, 1e-4};
  for (double v : {1e-4, 5e-3, 1e-2, 0.1, 2.0}) {
    const FrictionRates r = calc_coulomb_friction(p, 10.0, Vec3(0.0, v, 0.0));
    const double mu = 0.3 + 0.2 * std::exp(-(v / 1e-2) * (v / 1e-2));
    EXPECT_NEAR(r.force.y(), -10.0 * mu, 1e-14 * 10.0);
    EXPECT_EQ(r.force.x(), 0.0);
    EXPECT_GT(calc_friction_power(r, Vec3(0.0, v, 0.0)), 0.0);
  }
}

TEST(CoulombFriction, IsOnceDifferentiableAtTheRounding) {
  const CoulombParameters p{0.3, 0.3, 1e-2, 1e-4};
  const auto force = [&p](double v) { return calc_coulomb_friction(p, 1.0, Vec3(v, 0.0, 0.0)).force.x(); };
  const double h = 1e-9;
  const double left = (force(p.v_eps) - force(p.v_eps - h)) / h;
  const double right = (force(p.v_eps + h) - force(p.v_eps)) / h;
  // Slopes inside are of order mu / v_eps = 3000; at the joint both vanish up to curvature times h, 0.09.
  EXPECT_NEAR(left, right, 0.1);
  EXPECT_NEAR((force(h) - force(-h)) / (2.0 * h), -1.5 * 0.3 / p.v_eps, 1e-4);
}

TEST(CoulombFriction, VanishesWithLoadAndSlip) {
  const CoulombParameters p{0.3, 0.5, 1e-2, 1e-4};
  EXPECT_EQ(calc_coulomb_friction(p, 0.0, Vec3(1.0, 0.0, 0.0)).force.norm(), 0.0);
  const FrictionRates rest = calc_coulomb_friction(p, 10.0, Vec3::Zero());
  EXPECT_EQ(rest.force.norm(), 0.0);
  EXPECT_TRUE(rest.sticking);
}

TEST(CoulombFriction, AFixedStepGetsTheSlopeAtRestThatItFollows) {
  const CoulombParameters p{0.4, 0.4, 2e-2, 2e-4};
  const double mass = 0.3, step = 1e-4, load = 3.0, slip = 1e-9;
  const auto slope = [&](double h) {
    const FrictionInput input{nullptr, 0.0, mass, h};
    return -calc_friction(p, input, kNormal, load, Vec3(slip, 0.0, 0.0)).force.x() / slip;
  };
  // Steeper than rk4 follows at 1e-4 s, where a can on its end has three times the mobility of its mass: 18 / step.
  EXPECT_NEAR(slope(0.0), 1.5 * 0.4 * load / 2e-4, 1e-6);
  EXPECT_NEAR(slope(step), 0.5 * mass / step, 1e-6);
  EXPECT_NEAR(slope(1e-6), slope(0.0), 1e-6);
  const FrictionInput input{nullptr, 0.0, mass, step};
  EXPECT_NEAR(calc_friction(p, input, kNormal, load, Vec3(0.1, 0.0, 0.0)).force.x(), -0.4 * load, 1e-14);
}

LugreParameters make_lugre() { return {0.5, 0.4, 1e5, 300.0, 2.0, 1e-2}; }

TEST(LugreFriction, SteadySlidingForceIsTheStribeckCurvePlusViscous) {
  const LugreParameters p = make_lugre();
  for (double v : {1e-3, 1e-2, 0.3}) {
    const double g = 20.0 * (0.4 + 0.1 * std::exp(-v * v / 1e-4));
    FrictionState state;
    state.z = Vec3(g / p.sigma_0, 0.0, 0.0);
    const FrictionRates r = calc_lugre_friction(p, state, kNormal, 20.0, Vec3(v, 0.0, 0.0));
    EXPECT_NEAR(r.z_rate.norm(), 0.0, 1e-15);
    EXPECT_NEAR(r.force.x(), -(g + 2.0 * v), 1e-12);
    EXPECT_DOUBLE_EQ(r.viscous_power, 2.0 * v * v);
    EXPECT_FALSE(r.sticking);
  }
}

TEST(LugreFriction, ApproachesSteadySlidingExponentially) {
  // Constant speed far above v_stribeck: z = z_ss (1 - exp(-rate t)), rate = sigma_0 v / g.
  const LugreParameters p = make_lugre();
  const double v = 0.1, fn = 20.0, rate = p.sigma_0 * v / (fn * 0.4);
  FrictionState state;
  const double h = 1e-3 / rate;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 k1 = calc_lugre_friction(p, state, kNormal, fn, Vec3(v, 0.0, 0.0)).z_rate;
    FrictionState middle = state;
    middle.z += 0.5 * h * k1;
    state.z += h * calc_lugre_friction(p, middle, kNormal, fn, Vec3(v, 0.0, 0.0)).z_rate;
  }
  EXPECT_NEAR(state.z.x() / (fn * 0.4 / p.sigma_0), 1.0 - std::exp(-1.0), 1e-6);  // midpoint rule, (1e-3)^2
}

TEST(LugreFriction, IsPassiveAtEveryInstantWhileBristleDampingIsSmall) {
  LugreParameters p = make_lugre();
  p.sigma_1 = 100.0;  // sigma_1 |vt| <= 100 * 0.0708 < 4 g, g >= 5 * 0.4
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int i = 0; i < 1000; ++i) {
    FrictionState state;
    state.z = Vec3(unit(random), unit(random), 0.0) * 1e-4;
    const Vec3 vt = Vec3(unit(random), unit(random), 0.0) * 0.05;
    const FrictionRates r = calc_lugre_friction(p, state, kNormal, 5.0, vt);
    const double stored_rate = p.sigma_0 * state.z.dot(r.z_rate);
    EXPECT_GE(calc_friction_power(r, vt) - stored_rate - r.viscous_power, -1e-15);
  }
}

TEST(LugreFriction, FallingLoadDoesNotTurnTheForceInSlip) {
  // Steady slip under 20 N, and the load falls to a half: the bristles relax at z' = -|vt|, which must not pull.
  const LugreParameters p = make_lugre();
  FrictionState state;
  state.z = Vec3(p.mu_d * 20.0 / p.sigma_0, 0.0, 0.0);
  const FrictionRates r = calc_lugre_friction(p, state, kNormal, 10.0, Vec3(0.5, 0.0, 0.0));
  EXPECT_NEAR(r.z_rate.x(), -0.5, 1e-12);
  EXPECT_NEAR(r.force.x(), -p.mu_s * 10.0 - p.sigma_2 * 0.5, 1e-12);
}

TEST(LugreFriction, RelaxationStaysBoundedAsTheLoadVanishes) {
  const LugreParameters p = make_lugre();
  FrictionState state;
  state.z = Vec3(1e-4, 0.0, 0.0);
  const Vec3 vt(0.0, 0.2, 0.0);
  for (double fn : {1.0, 1e-6, 1e-300}) {
    const FrictionRates r = calc_lugre_friction(p, state, kNormal, fn, vt, 1e4);
    // Towards g / sigma_0 = 4e-6 m at most.
    EXPECT_LE(r.z_rate.norm(), 1e4 * (state.z.norm() + 4e-6)) << fn;
    EXPECT_TRUE(r.force.allFinite());
  }
  const FrictionRates none = calc_lugre_friction(p, state, kNormal, 0.0, vt, 1e4);
  EXPECT_EQ(none.force.norm(), 0.0);
  EXPECT_DOUBLE_EQ(none.z_rate.x(), -1.0);
  EXPECT_EQ(calc_lugre_friction(p, state, kNormal, 0.0, vt).z_rate.norm(), 0.0);
}

LugreParameters make_lugre_by_load() {
  LugreParameters p{0.45, 0.3, 4500.0, 43.0, 0.0, 0.02};
  p.sigma_0_by_load = p.sigma_1_by_mass = true;
  return p;
}

TEST(LugreFriction, OfItsOwnStiffnessIsProportionalToTheLoad) {
  // 2 kg; below its weight of 19.6 N sigma_1 follows the load as sigma_0 does, at every load z' does not know it.
  const LugreParameters p = make_lugre_by_load();
  FrictionState state;
  state.z = Vec3(2e-5, 1e-5, 0.0);
  const Vec3 vt(3e-3, -1e-3, 0.0);
  const double infinity = std::numeric_limits<double>::infinity();
  const FrictionRates one = calc_lugre_friction(p, state, kNormal, 1.0, vt, infinity, 2.0);
  EXPECT_NEAR((calc_lugre_friction(p, state, kNormal, 10.0, vt, infinity, 2.0).force - 10.0 * one.force).norm(), 0.0,
              1e-13);
  for (const double load : {0.0, 10.0, 1e5}) {
    EXPECT_EQ(calc_lugre_friction(p, state, kNormal, load, vt, infinity, 2.0).z_rate, one.z_rate);
  }
}

TEST(LugreFriction, TouchesInSlipWithTheBristlesOfSteadySliding) {
  const LugreParameters p = make_lugre_by_load();
  const Vec3 vt(0.6, -0.8, 0.0);
  FrictionState state;
  state.z = p.calc_touch_deflection(vt);
  const FrictionRates r = calc_lugre_friction(p, state, kNormal, 7.0, vt);
  EXPECT_NEAR(r.z_rate.norm(), 0.0, 1e-15);
  EXPECT_NEAR((r.force + 0.3 * 7.0 * vt).norm(), 0.0, 1e-14);
  EXPECT_EQ(p.calc_touch_deflection(Vec3::Zero()), Vec3::Zero());
  EXPECT_EQ(make_lugre().calc_touch_deflection(vt), Vec3::Zero());  // given coefficients are the source's
}

TEST(LugreFriction, FastSlipUnderABoundedRateEndsAtTheSlidingCoefficient) {
  // sigma_0 |vt| / g = 1e5 * 2 / 4 = 5e4 1/s, of which steps of 0.1 ms follow a fifth.
  const LugreParameters p = make_lugre();
  const Vec3 vt(2.0, 0.0, 0.0);
  FrictionState state;
  for (int i = 0; i < 100; ++i) state.z += 1e-4 * 0.5 * calc_lugre_friction(p, state, kNormal, 10.0, vt, 1e4).z_rate;
  EXPECT_NEAR(calc_lugre_friction(p, state, kNormal, 10.0, vt, 1e4).force.x(), -(0.4 * 10.0 + 2.0 * 2.0), 1e-9);
}

TEST(LugreFriction, IgnoresTheNormalPartOfTheDeflection) {
  const LugreParameters p = make_lugre();
  FrictionState flat, bent;
  flat.z = Vec3(1e-5, 2e-5, 0.0);
  bent.z = Vec3(1e-5, 2e-5, 7e-5);
  const Vec3 vt(1e-3, 0.0, 0.0);
  EXPECT_EQ(calc_lugre_friction(p, flat, kNormal, 5.0, vt).force, calc_lugre_friction(p, bent, kNormal, 5.0, vt).force);
  EXPECT_DOUBLE_EQ(calc_lugre_energy(p, bent, kNormal, 5.0), 0.5 * 1e5 * 5e-10);
}

TEST(LugreFriction, SticksWhenSlowSlipLoadsTheBristles) {
  const LugreParameters p = make_lugre();
  EXPECT_TRUE(calc_lugre_friction(p, {}, kNormal, 5.0, Vec3(1e-4, 0.0, 0.0)).sticking);
  EXPECT_FALSE(calc_lugre_friction(p, {}, kNormal, 5.0, Vec3(0.1, 0.0, 0.0)).sticking);
}

}  // namespace
}  // namespace abut
