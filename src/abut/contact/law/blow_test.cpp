#include "abut/contact/law/blow.hpp"

#include <gtest/gtest.h>

#include "abut/contact/law/impact.hpp"

namespace abut {
namespace {

NormalLawParameters make_rule(NormalLaw law, double e) {
  NormalLawParameters rule;
  rule.law = law;
  rule.exponent = law == NormalLaw::kelvin_voigt ? 1.0 : 1.5;
  rule.restitution = Restitution::make_constant(e);
  return rule;
}

Blow make_blow_at(const NormalLawParameters& rule, double stiffness, double speed, double mass) {
  const NormalCoefficients c = make_normal_coefficients(rule, stiffness, speed, mass);
  return make_blow(rule, c, c, speed, mass, 0.0);
}

struct Motion {
  double depth = 0.0, speed = 0.0;
};

/// One body of mass m [kg] on the law, pressed by a force [N]; midpoint rule, whose error at these steps is below 1e-6.
template <class Stop>
Motion move(const NormalLawParameters& rule, const NormalCoefficients& c, const Blow& blow, Motion start, double load,
            double step, Stop stop) {
  const auto calc_acceleration = [&](const Motion& m, double t) {
    const NormalCoefficients now = calc_law_now(rule, c, blow, m.depth, m.speed, t);
    return (load - calc_normal_force(now, m.depth, m.speed).total) / blow.mass;
  };
  Motion m = start;
  for (int i = 0; i < 4'000'000 && !stop(m); ++i) {
    const double t = i * step;
    const Motion middle{m.depth + 0.5 * step * m.speed, m.speed + 0.5 * step * calc_acceleration(m, t)};
    m = {m.depth + step * middle.speed, m.speed + step * calc_acceleration(middle, t + 0.5 * step)};
  }
  return m;
}

TEST(Blow, IsolatedImpactKeepsItsDamping) {
  for (const NormalLawRow& row : kNormalLaws) {
    const NormalLaw law = row.law;
    for (const double e : {0.01, 0.1, 0.5, 0.9, 0.99}) {
      const NormalLawParameters rule = make_rule(law, e);
      const double mass = 0.7, speed = 1.3;
      const NormalCoefficients c = make_normal_coefficients(rule, 1e7, speed, mass);
      const Blow blow = make_blow(rule, c, c, speed, mass, 0.0);
      const ImpactOutcome impact = calc_impact(c, speed, mass);
      // Half of it would do; what is left is for depths that are known roughly.
      EXPECT_LT(impact.duration, 0.55 * blow.hold_time) << normal_law_name(law) << " " << e;
      bool is_constant = true;
      const Motion end = move(rule, c, blow, {0.0, speed}, 0.0, 2e-4 * impact.duration, [&](const Motion& m) {
        is_constant = is_constant && calc_law_now(rule, c, blow, m.depth, m.speed, 0.0).damping == c.damping;
        return m.depth <= 0.0 && m.speed < 0.0;
      });
      EXPECT_TRUE(is_constant) << normal_law_name(law) << " " << e;
      EXPECT_NEAR(-end.speed / speed, impact.restitution, 2e-3);
    }
  }
}

TEST(Blow, ContactThatBeganAtRestHasTheDampingOfTheEnergyInIt) {
  // A body pressed in and let go: half an impact. Its energy is that of an impact at 1 m/s, so the damper is nearly the
  // one of an impact at 1 m/s; made for v_small it would hold the body for a thousand times as long.
  const NormalLawParameters rule = make_rule(NormalLaw::gonthier, 0.9);
  const double k = 1e7, mass = 1.0, depth = std::pow(2.5 * 0.5 / k, 0.4);
  const NormalCoefficients c = make_normal_coefficients(rule, k, 0.0, mass);
  const Blow blow = make_blow(rule, c, c, 0.0, mass, 0.0);
  EXPECT_NEAR(calc_blow_speed(blow, 0.5, 0.0, 0.0), 1.05, 0.02);  // what the damper has taken on the way in included
  const Motion end = move(rule, c, blow, {depth, 0.0}, 0.0, 1e-7, [](const Motion& m) { return m.depth <= 0.0; });
  EXPECT_LT(end.speed, -0.93);  // half of what a whole impact loses
  EXPECT_GT(end.speed, -1.0);
}

TEST(Blow, SecondBlowIsDampedLikeTheFirst) {
  // An impact on a contact that began at rest: restitution as asked for, as far as u stands for the impact.
  for (const NormalLaw law : {NormalLaw::gonthier, NormalLaw::lee_wang, NormalLaw::azad_featherstone}) {
    for (const double e : {0.3, 0.6, 0.9}) {
      const NormalLawParameters rule = make_rule(law, e);
      const Blow blow = make_blow_at(rule, 1e6, 0.0, 1.0);
      const NormalCoefficients c = make_normal_coefficients(rule, 1e6, 0.0, 1.0);
      const Motion end =
          move(rule, c, blow, {0.0, 1.0}, 0.0, 1e-7, [](const Motion& m) { return m.depth <= 0.0 && m.speed < 0.0; });
      EXPECT_NEAR(-end.speed, e, 0.03) << normal_law_name(law) << " " << e;
    }
  }
}

TEST(Blow, RestUnderLoadIsDampedByAFractionOfCritical) {
  // About the static depth x_s the damping ratio is zeta = D g / (2 v omega) with v^2 = 2 g x_s / (p + 1),
  // omega^2 = p g / x_s: zeta = D / 2 sqrt(eta (p + 1) / (2 p)), whatever mass, load and stiffness are.
  const NormalLawParameters rule = make_rule(NormalLaw::gonthier, 0.5);
  const double mass = 2.0, g = 9.81, k = 1e8, p = 1.5;
  const NormalCoefficients c = make_normal_coefficients(rule, k, 0.0, mass);
  const Blow blow = make_blow(rule, c, c, 0.0, mass, 0.0);
  const double depth = std::pow(mass * g / k, 1.0 / p);
  const double rate = calc_law_now(rule, c, blow, depth, 0.0, 10.0).damping * std::pow(depth, p) / mass;
  const double omega = std::sqrt(p * g / depth);
  const double D = gonthier_damping(0.5) / 0.5;
  const double eta = 2.0 * (1.0 / D - std::log1p(D) / (D * D));
  EXPECT_NEAR(rate / (2.0 * omega), 0.5 * D * std::sqrt(eta * (p + 1.0) / (2.0 * p)), 0.01);
}

TEST(Blow, TouchIsForgottenWhenItsImpactIsOver) {
  const NormalLawParameters rule = make_rule(NormalLaw::gonthier, 0.5);
  const Blow blow = make_blow_at(rule, 1e8, 3.0, 1.0);
  EXPECT_EQ(calc_blow_speed(blow, 0.0, 0.0, blow.hold_time), 3.0);
  EXPECT_NEAR(calc_blow_speed(blow, 0.0, 0.0, 4.0 * blow.hold_time), 0.3, 1e-12);
  EXPECT_EQ(calc_blow_speed(blow, 0.0, 0.0, 1e6 * blow.hold_time), rule.v_small);
}

TEST(Blow, SpeedIsSmoothWhereANewBlowBegins) {
  const NormalLawParameters rule = make_rule(NormalLaw::gonthier, 0.5);
  const Blow blow = make_blow_at(rule, 1e8, 1.0, 1.0);
  const auto slope = [&](double square) {
    constexpr double d = 1e-6;
    return (calc_blow_speed(blow, 0.0, std::sqrt(square + d), 0.0) -
            calc_blow_speed(blow, 0.0, std::sqrt(square - d), 0.0)) /
           (2.0 * d);
  };
  EXPECT_EQ(slope(1.9), 0.0);
  EXPECT_NEAR(slope(2.0 + 1e-4), 0.0, 1e-4);
  EXPECT_NEAR(slope(4.0), 0.5 * (1.0 - 4.0 / 16.0) / std::sqrt(2.0), 1e-6);
}

TEST(Blow, RestitutionThatDependsOnSpeedIsThatOfTheBlow) {
  NormalLawParameters rule = make_rule(NormalLaw::gonthier, 1.0);
  rule.restitution = Restitution::make_linear(0.2);
  const NormalCoefficients c = make_normal_coefficients(rule, 1e6, 0.0, 1.0);
  const Blow blow = make_blow(rule, c, c, 0.0, 1.0, 0.0);
  const double damping = calc_damping(rule, c, blow, 0.0, 2.0, 0.0);
  const double speed = calc_blow_speed(blow, 0.0, 2.0, 0.0);
  EXPECT_NEAR(damping, gonthier_damping(1.0 - 0.2 * speed) / (1.0 - 0.2 * speed) * 1e6 / speed, 1e-6 * damping);
}

TEST(Blow, GivenDampingAndNoDampingStay) {
  NormalLawParameters rule = make_rule(NormalLaw::hunt_crossley, 0.5);
  rule.damping = 123.0;
  EXPECT_FALSE(make_blow_at(rule, 1e6, 0.0, 1.0).renews);
  EXPECT_FALSE(make_blow_at(make_rule(NormalLaw::hertz, 1.0), 1e6, 0.0, 1.0).renews);
  // Its damping does not depend on the speed: lambda = d sqrt(k m).
  EXPECT_FALSE(make_blow_at(make_rule(NormalLaw::kelvin_voigt, 0.5), 1e6, 0.0, 1.0).renews);
}

}  // namespace
}  // namespace abut
