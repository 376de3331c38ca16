#include "abut/contact/law/friction_law.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace abut {
namespace {

const BristleParameters kBristle{.mu_c = 0.3, .mu_s = 0.4, .sigma_0 = 4000.0, .sigma_1 = 40.0};

TEST(FrictionLaw, IsCalledAsInScenes) {
  EXPECT_EQ(friction_law_name(NoFriction{}), "none");
  EXPECT_EQ(friction_law_name(CoulombParameters{}), "coulomb");
  EXPECT_EQ(friction_law_name(LugreParameters{}), "lugre");
  EXPECT_EQ(friction_law_name(BristleParameters{}), "bristle");
}

TEST(FrictionLaw, WithoutAnAnswerHasTheOneThatIsStated) {
  const FrictionParameters none = NoFriction{};
  const Vec3 n = Vec3::UnitZ(), slip = Vec3::UnitX();
  EXPECT_EQ(num_friction_states(none), 0);
  EXPECT_EQ(calc_friction_coefficients(none).kinetic, 0.0);
  EXPECT_EQ(calc_friction_energy(none, {}, n, 5.0), 0.0);
  EXPECT_EQ(calc_twist_energy(none, 1e-3, 5.0), 0.0);
  EXPECT_EQ(calc_charge_per_load(none), 0.0);
  EXPECT_EQ(calc_break_away(none), 1e-4);
  EXPECT_EQ(calc_damping_per_load(none), 0.0);
  EXPECT_TRUE(std::isinf(calc_friction_pace(none, 5.0, 1.0).time));
  EXPECT_EQ(calc_fastest_friction_rate(none, 5.0, 1.0, 1.0), 0.0);
  EXPECT_FALSE(bends_at_touch(none));
  EXPECT_EQ(calc_touch_deflection(none, slip), Vec3::Zero());
}

TEST(FrictionLaw, AnswersForItself) {
  const FrictionParameters bristle = kBristle;
  const Vec3 n = Vec3::UnitZ();
  EXPECT_EQ(num_friction_states(bristle), 4);
  EXPECT_EQ(calc_friction_coefficients(bristle).kinetic, 0.3);
  EXPECT_EQ(calc_friction_coefficients(bristle).statical, 0.4);
  // A full charge, deflected to break-away under 5 N.
  const double z = calc_break_away(bristle);
  EXPECT_DOUBLE_EQ(z, 0.4 / 4000.0);
  EXPECT_DOUBLE_EQ(calc_friction_energy(bristle, {.z = Vec3(z, 0, 0)}, n, 5.0), 5.0 * calc_charge_per_load(bristle));
  EXPECT_DOUBLE_EQ(calc_twist_energy(bristle, z, 5.0), 5.0 * calc_charge_per_load(bristle));
  EXPECT_DOUBLE_EQ(calc_friction_pace(bristle, 5.0, 2.0).time, 2.0 / (40.0 * 5.0));
  EXPECT_DOUBLE_EQ(calc_fastest_friction_rate(bristle, 5.0, 2.0, 0.5), 40.0 * 5.0 * 0.5);
  EXPECT_FALSE(bends_at_touch(bristle));
  EXPECT_TRUE(bends_at_touch(LugreParameters{}));
}

}  // namespace
}  // namespace abut
