#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/contact/law/friction_defaults.hpp"
#include "abut/contact/law/normal_defaults.hpp"

namespace abut {
namespace {

std::string origin_of(const std::vector<ResolvedValue>& values, const std::string& key) {
  for (const ResolvedValue& v : values) {
    if (v.key == key) return v.origin;
  }
  return "absent";
}

template <class Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FrictionDefaults, BristleFollowsTheRules) {
  BristleSpec in;
  in.mu_c = 0.4;
  const Resolved<BristleParameters> r = resolve_friction(in, 9.81);
  EXPECT_EQ(r.parameters.mu_s, 0.4);
  EXPECT_DOUBLE_EQ(r.parameters.sigma_0, 4000.0);
  EXPECT_DOUBLE_EQ(r.parameters.sigma_1, 2.0 * std::sqrt(4000.0 / 9.81));
  EXPECT_EQ(r.parameters.sigma_2, 0.0);
  EXPECT_DOUBLE_EQ(r.parameters.v_stribeck, std::sqrt(0.4 * 9.81 * 1e-4));
  EXPECT_EQ(r.parameters.tau_dwell, 0.0);
  EXPECT_DOUBLE_EQ(r.parameters.v_eps, r.parameters.v_stribeck / 100.0);
  EXPECT_TRUE(r.notes.empty());
  EXPECT_EQ(r.values.size(), 8u);
  EXPECT_EQ(origin_of(r.values, "mu_c"), "given");
  EXPECT_EQ(origin_of(r.values, "mu_s"), "rule: same as mu_c");
  EXPECT_EQ(origin_of(r.values, "sigma_1"), "rule: critical, 2 sqrt(sigma_0 / g) at g = 9.81 m/s^2");
}

TEST(FrictionDefaults, CriticalDampingOfSpec0Section53) {
  BristleSpec in;
  in.mu_c = 0.3;
  in.sigma_0 = 1e5;
  EXPECT_NEAR(resolve_friction(in, 9.81).parameters.sigma_1, 202.0, 0.5);  // printed to three digits
}

TEST(FrictionDefaults, WithoutGravityTheRuleSaysWhichItUsed) {
  BristleSpec in;
  in.mu_c = 0.4;
  const Resolved<BristleParameters> r = resolve_friction(in, 0.0);
  EXPECT_EQ(r.parameters.sigma_1, resolve_friction(in, 9.81).parameters.sigma_1);
  EXPECT_EQ(origin_of(r.values, "sigma_1"),
            "rule: critical, 2 sqrt(sigma_0 / g) at g = 9.81 m/s^2, as the scene has no gravity");
}

TEST(FrictionDefaults, NotesOddButLegalValues) {
  BristleSpec in;  // [Gonthier 2007, table 5.2]
  in.mu_c = 0.4;
  in.mu_s = 0.45;
  in.sigma_0 = 1e5;
  in.sigma_1 = 1e4;
  in.v_stribeck = 0.1;
  in.tau_dwell = 0.01;
  in.v_eps = 0.02;
  const Resolved<BristleParameters> r = resolve_friction(in, 9.81);
  ASSERT_EQ(r.notes.size(), 3u);
  EXPECT_NE(r.notes[0].find("v_eps"), std::string::npos);
  EXPECT_EQ(r.notes[1], "sigma_1 = 10000 s/m is 50x critical: stiction settles slowly (rule: 2 sqrt(sigma_0/g) = 202)");
  EXPECT_NE(r.notes[2].find("tau_dwell"), std::string::npos);
}

TEST(FrictionDefaults, LugreFollowsTheLoad) {
  LugreSpec in;
  in.mu_d = 0.4;
  in.mu_s = 0.5;
  const Resolved<LugreParameters> r = resolve_friction(in, 10.0);
  for (const double load : {1.0, 20.0, 5000.0}) {  // of 2 kg: less than the weight, the weight, an impact
    const LugreParameters now = calc_lugre_now(r.parameters, load, 2.0);
    EXPECT_DOUBLE_EQ(now.sigma_0, 0.5 * load / 2.5e-5);
    EXPECT_DOUBLE_EQ(now.sigma_1, 2.0 * std::sqrt(now.sigma_0 * std::min(2.0, load / 10.0)));
  }
  EXPECT_EQ(origin_of(r.values, "sigma_0"), "rule: mu_s fn / 2.5e-5 m, fn the load that acts; here for 1 N");
  in.sigma_0 = 3e4;
  const LugreParameters given = calc_lugre_now(resolve_friction(in, 10.0).parameters, 7.0, 2.0);
  EXPECT_EQ(given.sigma_0, 3e4);
  EXPECT_DOUBLE_EQ(given.sigma_1, 2.0 * std::sqrt(3e4 * 2.0));
}

TEST(FrictionDefaults, StribeckSpeedLeavesRoomForAWideStep) {
  CoulombSpec in;
  in.mu = 0.5;
  in.v_eps = 0.1;
  const Resolved<CoulombParameters> wide = resolve_friction(in, 9.81);
  EXPECT_DOUBLE_EQ(wide.parameters.v_stribeck, 1.0);
  EXPECT_EQ(origin_of(wide.values, "v_stribeck"), "rule: 10 v_eps");
  EXPECT_TRUE(wide.notes.empty());
  in.v_stribeck = 0.5;  // given, it stays, and the note is deserved
  EXPECT_EQ(resolve_friction(in, 9.81).notes.size(), 1u);
}

TEST(FrictionDefaults, StribeckSpeedLetsBristlesTakeUpALoad) {
  // A load of mu_s fn that comes at once charges critically damped bristles at up to exp(-1) mu_s sqrt(g / sigma_0);
  // that must count as sticking.
  BristleSpec in;
  in.mu_c = 0.3;
  in.mu_s = 0.45;
  const Resolved<BristleParameters> r = resolve_friction(in, 9.81);
  const double charging = std::exp(-1.0) * 0.45 * std::sqrt(9.81 / r.parameters.sigma_0);
  EXPECT_GT(calc_stribeck_weight(charging * charging, r.parameters.v_stribeck), 0.85);
  EXPECT_TRUE(r.notes.empty());
  in.v_stribeck = 1e-3;
  ASSERT_EQ(resolve_friction(in, 9.81).notes.size(), 1u);
  EXPECT_NE(resolve_friction(in, 9.81).notes[0].find("v_stribeck"), std::string::npos);
  in.mu_s = 0.3;  // no stiction to lose
  EXPECT_TRUE(resolve_friction(in, 9.81).notes.empty());
}

TEST(FrictionDefaults, CoulombTakesMuForBoth) {
  CoulombSpec in;
  in.mu = 0.6;
  const Resolved<CoulombParameters> r = resolve_friction(in, 9.81);
  EXPECT_EQ(r.parameters.mu_c, 0.6);
  EXPECT_EQ(r.parameters.mu_s, 0.6);
  in.mu_c = 0.5;
  EXPECT_EQ(error_of([&] { resolve_friction(in, 9.81); }), "coulomb: give mu, or mu_c and mu_s, not both");
}

TEST(FrictionDefaults, RefusesWrongInput) {
  EXPECT_EQ(error_of([] { resolve_friction(BristleSpec{}, 9.81); }), "bristle: mu_c is missing");
  BristleSpec in;
  in.mu_c = 0.4;
  in.mu_s = 0.3;
  EXPECT_EQ(error_of([&] { resolve_friction(in, 9.81); }), "bristle: mu_s is 0.3, must not be below mu_c = 0.4");
  in.mu_s = 0.4;
  in.sigma_0 = -1.0;
  EXPECT_EQ(error_of([&] { resolve_friction(in, 9.81); }), "bristle: sigma_0 must be > 0 1/m, found -1");
  in.sigma_0 = 1e5;
  in.sigma_1 = 0.0;
  EXPECT_EQ(error_of([&] { resolve_friction(in, 9.81); }), "bristle: sigma_1 must be > 0 s/m, found 0");
  LugreSpec lugre;
  lugre.mu_d = 0.0;
  EXPECT_EQ(error_of([&] { resolve_friction(lugre, 9.81); }),
            "lugre: mu_d is 0, must be positive; take law = \"none\" for no friction");
}

TEST(NormalDefaults, FillsInExponentAndFloor) {
  NormalSpec in;
  in.stiffness = 1e6;
  in.restitution = 0.5;
  const NormalResolution r = resolve_normal(in);
  EXPECT_EQ(r.parameters.exponent, 1.5);
  EXPECT_EQ(r.parameters.v_small, 1e-3);
  EXPECT_FALSE(r.contact_modulus.has_value());
  EXPECT_EQ(origin_of(r.values, "exponent"), "default: 3/2, Hertz");
  EXPECT_EQ(origin_of(r.values, "restitution"), "given");
  in.law = NormalLaw::kelvin_voigt;
  EXPECT_EQ(resolve_normal(in).parameters.exponent, 1.0);
}

TEST(NormalDefaults, MaterialDataGiveTheContactModulus) {
  NormalSpec in;
  in.young = 210e9;
  in.poisson = 0.3;
  in.restitution = 0.9;
  const NormalResolution r = resolve_normal(in);
  EXPECT_FALSE(r.parameters.stiffness.has_value());
  EXPECT_NEAR(r.contact_modulus.value() / (210e9 / (2.0 * 0.91)), 1.0, 1e-15);
  EXPECT_EQ(origin_of(r.values, "poisson_b"), "rule: same as poisson");
  EXPECT_EQ(origin_of(r.values, "young_b"), "rule: same as young");
}

TEST(NormalDefaults, UnitsOfDampingFollowTheLaw) {
  NormalSpec in;
  in.stiffness = 1e6;
  in.damping = 10.0;
  const auto unit_of_damping = [&in](NormalLaw law) {
    in.law = law;
    for (const ResolvedValue& v : resolve_normal(in).values) {
      if (v.key == "damping") return v.unit;
    }
    return std::string("absent");
  };
  EXPECT_EQ(unit_of_damping(NormalLaw::kelvin_voigt), "N s/m^1");
  EXPECT_EQ(unit_of_damping(NormalLaw::lee_wang), "N s/m^2");
  EXPECT_EQ(unit_of_damping(NormalLaw::azad_featherstone), "N s/m^1.5");
  EXPECT_EQ(unit_of_damping(NormalLaw::hunt_crossley), "N s/m^2.5");
}

TEST(NormalDefaults, NotesARestitutionTheLawWillMiss) {
  NormalSpec in;
  in.law = NormalLaw::hunt_crossley;
  in.stiffness = 1e6;
  in.restitution = 0.5;
  const NormalResolution r = resolve_normal(in);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_EQ(r.notes[0], "hunt-crossley gives restitution 0.663 where 0.5 is asked for; gonthier meets it exactly");
  in.restitution = 0.95;
  EXPECT_TRUE(resolve_normal(in).notes.empty());
}

TEST(NormalDefaults, RefusesContradictions) {
  NormalSpec in;
  EXPECT_EQ(error_of([&] { resolve_normal(in); }), "gonthier: needs stiffness, or young and poisson");
  in.stiffness = 1e6;
  in.young = 1e9;
  EXPECT_EQ(error_of([&] { resolve_normal(in); }), "gonthier: give stiffness, or young and poisson, not both");
  in.young.reset();
  in.restitution = 0.5;
  in.damping = 1.0;
  EXPECT_EQ(error_of([&] { resolve_normal(in); }),
            "gonthier: give only one of damping, restitution, restitution_slope, restitution_table");
  in = {};
  in.young = 1e9;
  in.poisson = 0.3;
  in.law = NormalLaw::kelvin_voigt;
  EXPECT_EQ(error_of([&] { resolve_normal(in); }),
            "kelvin-voigt: exponent is 1; a stiffness from young and poisson is Hertz's and needs 1.5");
  in = {};
  in.stiffness = 1e6;
  in.law = NormalLaw::hertz;
  in.restitution = 0.5;
  EXPECT_EQ(error_of([&] { resolve_normal(in); }),
            "hertz: has no damping; remove damping or restitution, or choose another law");
}

}  // namespace
}  // namespace abut
