#include "abut/contact/law/volume_stiffness.hpp"

#include <string>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

std::string error_of(const NormalSpec& input) {
  try {
    resolve_volume_normal(input);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(VolumeStiffness, LayersActInSeries) {  // [Gonthier 2007 (4.127), (4.132)]
  NormalSpec input;
  input.stiffness = 3e7;
  input.restitution = 0.5;
  NormalSpec pair = input;
  pair.stiffness_b = 6e7;
  const NormalResolution both = resolve_volume_normal(pair);
  EXPECT_DOUBLE_EQ(both.parameters.stiffness.value(), 2e7);
  // Each body takes the share of the volume that loads both layers alike: k_a V_a = k_b V_b.
  const double v_a = 6e7 / (3e7 + 6e7), v_b = 3e7 / (3e7 + 6e7);
  EXPECT_DOUBLE_EQ(3e7 * v_a, both.parameters.stiffness.value());
  EXPECT_DOUBLE_EQ(6e7 * v_b, both.parameters.stiffness.value());
  EXPECT_DOUBLE_EQ(resolve_volume_normal(input).parameters.stiffness.value(), 3e7);
}

TEST(VolumeStiffness, LayerFromMaterialIsTheConfinedModulusOverThickness) {
  EXPECT_DOUBLE_EQ(calc_layer_stiffness(2e6, 0.0, 0.01), 2e8);
  // nu = 1/3: (2/3) / (4/3 * 1/3) = 3/2.
  EXPECT_NEAR(calc_layer_stiffness(2e6, 1.0 / 3.0, 0.01), 3e8, 1e-4);
  NormalSpec input;
  input.young = 2e6;
  input.poisson = 0.0;
  input.restitution = 0.5;
  input.thickness = 0.01;
  const NormalResolution one = resolve_volume_normal(input);
  EXPECT_DOUBLE_EQ(one.parameters.stiffness.value(), 2e8);
  EXPECT_EQ(one.values.back().key, "v_small");
  input.thickness_b = 0.01;
  const NormalResolution two = resolve_volume_normal(input);
  EXPECT_DOUBLE_EQ(two.parameters.stiffness.value(), 1e8);
  EXPECT_FALSE(one.contact_modulus.has_value());
  EXPECT_EQ(one.parameters.exponent, 1.0);
}

TEST(VolumeStiffness, SaysWhatIsWrong) {
  NormalSpec input;
  EXPECT_EQ(error_of(input), "gonthier: needs stiffness [N/m^3], or young, poisson and thickness");
  input.young = 1e6;
  EXPECT_NE(error_of(input).find("need the thickness [m]"), std::string::npos);
  input.poisson = 0.5;
  input.thickness = 0.1;
  EXPECT_NE(error_of(input).find("poisson = 0.5"), std::string::npos);
  input = {};
  input.law = NormalLaw::kelvin_voigt;
  input.stiffness = 1.0;
  EXPECT_NE(error_of(input).find("kelvin-voigt has no volumetric form"), std::string::npos);
  input.law = NormalLaw::gonthier;
  input.exponent = 1.5;
  EXPECT_NE(error_of(input).find("exponent has no place"), std::string::npos);
  input.exponent.reset();
  input.thickness = 0.1;
  EXPECT_NE(error_of(input).find("not both"), std::string::npos);
}

}  // namespace
}  // namespace abut
