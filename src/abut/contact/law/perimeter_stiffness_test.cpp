#include "abut/contact/law/perimeter_stiffness.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

using Normals = PerimeterRule::Normals;

NormalSpec make_input() {
  NormalSpec input;
  input.law = NormalLaw::flores;
  input.young = 2.1e5;
  input.poisson = 0.3;
  input.restitution = 0.5;
  return input;
}

TEST(PerimeterStiffness, IsHertzForASphere) {
  const NormalResolution resolved = resolve_perimeter_normal(make_input(), Normals::patch, std::nullopt);
  const double modulus = 2.1e5 / (2.0 * (1.0 - 0.09));
  EXPECT_NEAR(resolved.parameters.stiffness.value(),
              0.25 * modulus * 4.0 * std::numbers::sqrt2 / (3.0 * std::numbers::pi), 1e-9 * modulus);
  EXPECT_EQ(resolved.parameters.exponent, 1.0);
  // k' x L with L = 2 pi sqrt(2 R x) against 4/3 E* sqrt(R) x^1.5.
  const double R = 0.2, x = 0.01;
  EXPECT_NEAR(resolved.parameters.stiffness.value() * x * 2.0 * std::numbers::pi * std::sqrt(2.0 * R * x),
              4.0 / 3.0 * modulus * std::sqrt(R) * x * std::sqrt(x), 1e-9);
}

TEST(PerimeterStiffness, FaceNormalsTakeTheSourcesFactor) {
  const double modulus = 2.1e5 / (2.0 * (1.0 - 0.09));
  EXPECT_NEAR(resolve_perimeter_normal(make_input(), Normals::both, std::nullopt).parameters.stiffness.value(),
              0.125 * modulus, 1e-9);
  EXPECT_NEAR(resolve_perimeter_normal(make_input(), Normals::both, 1.0).parameters.stiffness.value(), 0.25 * modulus,
              1e-9);
}

TEST(PerimeterStiffness, RefusesWhatHasNoForm) {
  const auto message_of = [](const NormalSpec& input, std::optional<double> factor) -> std::string {
    try {
      resolve_perimeter_normal(input, Normals::patch, factor);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  NormalSpec input = make_input();
  input.law = NormalLaw::lee_wang;
  EXPECT_NE(message_of(input, {}).find("lee-wang has no perimeter form"), std::string::npos);
  input = make_input();
  input.exponent = 1.5;
  EXPECT_NE(message_of(input, {}).find("exponent has no place"), std::string::npos);
  input = make_input();
  input.stiffness = 1e5;
  EXPECT_NE(message_of(input, {}).find("not both"), std::string::npos);
  input.young = input.poisson = std::nullopt;
  EXPECT_EQ(message_of(input, {}), "");
  EXPECT_NE(message_of(input, 0.5).find("not both"), std::string::npos);
}

TEST(LugreStep, SlidesAtTheSteadyForceAtOnceWhenFast) {
  LugreParameters p{.mu_s = 0.3, .mu_d = 0.1, .sigma_0 = 200.0, .sigma_1 = 1.0, .sigma_2 = 0.1, .v_stribeck = 0.001};
  Vec3 z = Vec3::Zero();
  LugreStep step;
  for (int i = 0; i < 200; ++i) {
    step = step_lugre_friction(p, 1.0, z, Vec3::UnitZ(), 10.0, Vec3(1.0, 0, 0), 1e-3);
    z = step.z;
  }
  // [Moisio 2013, 6.3], computed independently: 1.100 N and 5 mm at 1 m/s.
  EXPECT_NEAR(step.force.x(), -1.1, 1e-9);
  EXPECT_NEAR(z.x(), 0.005, 1e-9);
}

TEST(LugreStep, SharesAddUp) {
  const LugreParameters p{.mu_s = 0.3, .mu_d = 0.2, .sigma_0 = 1e4, .sigma_1 = 30.0, .sigma_2 = 2.0};
  const Vec3 z(1e-5, -2e-5, 0), v(1e-4, 3e-4, 0);
  const LugreStep whole = step_lugre_friction(p, 1.0, z, Vec3::UnitZ(), 8.0, v, 1e-3);
  const LugreStep part = step_lugre_friction(p, 0.25, z, Vec3::UnitZ(), 2.0, v, 1e-3);
  EXPECT_NEAR((4.0 * part.force - whole.force).norm(), 0.0, 1e-15);
  EXPECT_NEAR((part.z - whole.z).norm(), 0.0, 1e-20);
}

TEST(LugreStep, GivesBackNoMoreThanItTook) {
  const LugreParameters p{.mu_s = 0.4, .mu_d = 0.2, .sigma_0 = 1e5, .sigma_1 = 0.0, .sigma_2 = 0.0};
  Vec3 z = Vec3::Zero();
  double taken = 0.0;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 v(1e-3 * std::sin(0.05 * i) + 3e-3 * std::sin(0.011 * i), 2e-3 * std::cos(0.031 * i), 0.0);
    const LugreStep step = step_lugre_friction(p, 1.0, z, Vec3::UnitZ(), 5.0, v, 1e-3);
    z = step.z;
    taken -= 1e-3 * step.force.dot(v);
    EXPECT_GE(taken, 0.5 * p.sigma_0 * z.squaredNorm() - 1e-15) << i;
  }
}

}  // namespace
}  // namespace abut
