#include "abut/contact/law/hertz_stiffness.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/contact/law/complete_elliptic.hpp"

namespace abut {
namespace {

TEST(CompleteElliptic, AgreesWithTheStandardLibrary) {
  for (double k_prime : {0.05, 0.2, 0.5, 0.8, 0.95}) {
    const double modulus = std::sqrt((1.0 - k_prime) * (1.0 + k_prime));
    const double m = modulus * modulus;
    const CompleteElliptic c = calc_complete_elliptic(k_prime);
    const double k = std::comp_ellint_1(modulus), e = std::comp_ellint_2(modulus);
    EXPECT_NEAR(c.k, k, 1e-13);  // the modulus' rounding is magnified by 1/k'^2 = 400
    EXPECT_NEAR(c.e, e, 5e-13);  // a 40-digit computation finds 1.6e-13 of this in the library, at k' = 0.2
    EXPECT_NEAR(c.d, (k - e) / m, 2e-13);
    EXPECT_NEAR(c.b, (e - (1.0 - m) * k) / m, 2e-13);
  }
}

TEST(CompleteElliptic, AgreesWithFortyDigits) {
  EXPECT_NEAR(calc_complete_elliptic(0.2).e, 1.0505022269844500, 1e-15);  // some units in the last place
  EXPECT_NEAR(calc_complete_elliptic(0.05).e, 1.0048564047864904, 1e-15);
}

TEST(CompleteElliptic, HasItsLimits) {
  const CompleteElliptic round = calc_complete_elliptic(1.0);
  EXPECT_DOUBLE_EQ(round.k, std::numbers::pi / 2.0);
  EXPECT_DOUBLE_EQ(round.e, std::numbers::pi / 2.0);
  EXPECT_DOUBLE_EQ(round.b, std::numbers::pi / 4.0);
  EXPECT_DOUBLE_EQ(round.d, std::numbers::pi / 4.0);
  // K -> ln(4/k'), E -> 1, with corrections of order k'^2 ln k'.
  const CompleteElliptic slender = calc_complete_elliptic(1e-6);
  EXPECT_NEAR(slender.k, std::log(4e6), 1e-10);
  EXPECT_NEAR(slender.e, 1.0, 1e-10);
}

TEST(CompleteElliptic, SatisfiesLegendresRelation) {
  for (double k_prime : {0.1, 0.4, 0.7}) {
    const CompleteElliptic a = calc_complete_elliptic(k_prime);
    const CompleteElliptic b = calc_complete_elliptic(std::sqrt((1.0 - k_prime) * (1.0 + k_prime)));
    EXPECT_NEAR(a.e * b.k + b.e * a.k - a.k * b.k, std::numbers::pi / 2.0, 1e-14);
  }
}

TEST(HertzStiffness, ContactModulusOfEqualMaterials) {
  const ElasticMaterial steel{210e9, 0.3};
  EXPECT_NEAR(calc_contact_modulus(steel, steel) / (210e9 / (2.0 * 0.91)), 1.0, 1e-15);
  const ElasticMaterial rigid{std::numeric_limits<double>::infinity(), 0.3};
  EXPECT_NEAR(calc_contact_modulus(steel, rigid) / (210e9 / 0.91), 1.0, 1e-15);
}

TEST(HertzStiffness, PublishedSphereOnPlane) {
  // [Moisio 2013, 5.2.5]: E = 210 kPa both, nu = 0.3, R = 0.2 m: E* = 115384.6 Pa, K = 68802.09 N/m^1.5.
  const double modulus = calc_contact_modulus({210000.0, 0.3}, {210000.0, 0.3});
  EXPECT_NEAR(modulus, 115384.6, 0.06);
  EXPECT_NEAR(calc_hertz_stiffness(modulus, 0.2), 68802.09, 0.006);
  // [Azad and Featherstone 2014, figure 5], steel on cast iron: E* = 71.8 GPa, k = 1.08e10.
  const double iron = calc_contact_modulus({200e9, 0.3}, {100e9, 0.25});
  EXPECT_NEAR(iron, 71.8e9, 0.06e9);
  EXPECT_NEAR(calc_hertz_stiffness(iron, 0.0127), 1.08e10, 0.006e10);
}

TEST(HertzContact, CircularLimit) {
  const double modulus = 1e11, radius = 0.03;
  const double k = calc_hertz_stiffness(modulus, radius);
  EXPECT_NEAR(make_hertz_contact(modulus, 1.0 / radius, 1.0 / radius).stiffness / k, 1.0, 1e-15);
  // To first order only the mean curvature matters, so a ratio 1 + s leaves an error of
  // order s^2 against its mean radius.
  for (double s : {1e-14, 1e-12, 1e-9, 1e-6}) {
    const HertzContact c = make_hertz_contact(modulus, (1.0 + s) / radius, 1.0 / radius);
    const double mean = calc_hertz_stiffness(modulus, radius / (1.0 + 0.5 * s));
    EXPECT_NEAR(c.stiffness / mean, 1.0, 1e-12 + s * s) << s;
    EXPECT_NEAR(c.axis_ratio, 1.0 - 2.0 / 3.0 * s, 1e-15 + s * s)
        << s;  // expansion of B/(k'^2 D) = 1 + 3/2 (1 - k') + ...
  }
}

// Surface displacement under p_0 sqrt(1 - y^2/b^2 - z^2/a^2) on a half-space, by polar quadrature of p / (pi E* r)
// around the point: independent of elliptic integrals. With E* = 1.
double calc_displacement(double a, double b, double p_0, double y0, double z0) {
  double sum = 0.0;
  const int num_angles = 400;
  for (int i = 0; i < num_angles; ++i) {
    const double angle = 2.0 * std::numbers::pi * (i + 0.5) / num_angles;
    const double c = std::cos(angle) / b, s = std::sin(angle) / a, y = y0 / b, z = z0 / a;
    // Along the ray 1 - |(y,z) + t (c,s)|^2 = A - 2 B t - C t^2; the integral of its root from t = 0 to its zero.
    const double A = 1.0 - y * y - z * z, B = y * c + z * s, C = c * c + s * s;
    const double root = std::sqrt(C);
    sum += ((A * C + B * B) / (2.0 * C * root)) * (std::numbers::pi / 2.0 - std::asin(B / std::sqrt(A * C + B * B))) -
           B * std::sqrt(A) / (2.0 * C);
  }
  return p_0 * sum * 2.0 / num_angles;  // 2 pi / num_angles / pi
}

TEST(HertzContact, EllipticalPatchSatisfiesTheContactCondition) {
  for (double ratio : {1.5, 4.0, 20.0}) {
    const double c_1 = ratio, c_2 = 1.0, force = 1e-6;
    const HertzContact contact = make_hertz_contact(1.0, c_1, c_2);
    const HertzPatch patch = calc_hertz_patch(contact, force);
    EXPECT_NEAR(contact.stiffness * std::pow(patch.depth, 1.5) / force, 1.0, 1e-13);
    const double a = patch.long_axis, b = patch.short_axis;
    // Inside the patch displacement + gap = depth. Periodic midpoint rule: exact to rounding for these slendernesses.
    for (const auto& [y, z] : {std::pair{0.0, 0.0}, {0.6 * b, 0.0}, {0.0, 0.7 * a}, {0.4 * b, -0.5 * a}}) {
      const double u = calc_displacement(a, b, patch.peak_pressure, y, z);
      EXPECT_NEAR((u + 0.5 * (c_1 * y * y + c_2 * z * z)) / patch.depth, 1.0, 1e-9) << ratio;
    }
  }
}

TEST(HertzContact, TabulatedEllipse) {
  // Curvature ratio 2.0: the classical approximation b/a = (c_2/c_1)^(2/3) (Johnson
  // (4.29), stated good to some per cent).
  EXPECT_NEAR(make_hertz_contact(1.0, 2.0, 1.0).axis_ratio, std::pow(2.0, -2.0 / 3.0), 0.01);
  // Equal cylinders of radius R crossed at right angles touch like a sphere of radius R on a plane.
  EXPECT_NEAR(make_hertz_contact(1e9, 20.0, 20.0).stiffness / calc_hertz_stiffness(1e9, 0.05), 1.0, 1e-14);
}

TEST(HertzContact, IsSymmetricMonotoneAndSmoothInTheCurvatures) {
  double last = 1e300;
  for (double ratio : {1.0, 1.1, 2.0, 10.0, 100.0, 1e4, 1e6}) {
    const HertzContact c = make_hertz_contact(1.0, ratio, 1.0);
    EXPECT_EQ(c.stiffness, make_hertz_contact(1.0, 1.0, ratio).stiffness);
    EXPECT_LT(c.stiffness, last);  // a sharper body is softer
    last = c.stiffness;
    const CompleteElliptic i = calc_complete_elliptic(c.axis_ratio);
    EXPECT_NEAR(i.b / (c.axis_ratio * c.axis_ratio * i.d) / ratio, 1.0, 2e-14) << ratio;
  }
}

std::string error_of(double c_1, double c_2) {
  try {
    make_hertz_contact(1.0, c_1, c_2);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(HertzContact, RefusesLineAndConformingContactWithAReason) {
  EXPECT_NE(error_of(10.0, 0.0).find("line contact"), std::string::npos);
  EXPECT_NE(error_of(10.0, -1.0).find("conforms"), std::string::npos);
  EXPECT_NE(error_of(2e6, 1.0).find("a line contact, whose stiffness depends on its length"), std::string::npos);
  EXPECT_NE(error_of(std::numeric_limits<double>::infinity(), 1.0).find("edge or corner"), std::string::npos);
  EXPECT_THROW(calc_contact_modulus({-1.0, 0.3}, {1.0, 0.3}), InputError);
  EXPECT_THROW(calc_contact_modulus({1.0, 0.6}, {1.0, 0.3}), InputError);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_THROW(calc_contact_modulus({infinite, 0.3}, {infinite, 0.3}), InputError);
}

TEST(HertzShapeError, FollowsItsExpansion) {
  EXPECT_EQ(calc_hertz_shape_error(0.0), 0.0);
  for (double r : {1e-3, 2.9e-3, 3.1e-3, 0.02, 0.05}) {
    EXPECT_NEAR(calc_hertz_shape_error(r), -0.1 * r * r, r * r * r * r + 1e-10) << r;
  }
  // Sneddon at a/R = 0.24: depth 0.058746 R, force 0.018874 E* R^2; Hertz 0.018985.
  EXPECT_NEAR(calc_hertz_shape_error(0.24), 0.018874 / 0.018985 - 1.0, 1e-4);
}

}  // namespace
}  // namespace abut
