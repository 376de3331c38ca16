#pragma once

namespace abut {

/// Isotropic linear elastic solid. A rigid one has an infinite Young's modulus.
struct ElasticMaterial {
  double young = 0.0;    ///< E [Pa], > 0
  double poisson = 0.3;  ///< nu [-], from -1 to 0.5
};

/// Contact modulus E* [Pa]: 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b. [Gonthier 2007 (2.3); Azad and Featherstone
/// 2014 (6)] Throws InputError for values outside their range and for two rigid bodies, which have no finite stiffness.
double calc_contact_modulus(const ElasticMaterial& a, const ElasticMaterial& b);

/// Sphere of equivalent radius R [m] on a plane: k = 4/3 E* sqrt(R) [N/m^1.5];
/// 1/R = 1/R_a + 1/R_b. [Azad and Featherstone 2014 (5), (10)]
double calc_hertz_stiffness(double contact_modulus, double radius);

/// Hertz's contact of two smooth surfaces whose gap at touch is (c_1 y^2 + c_2 z^2) / 2, c_1 >= c_2 > 0 the relative
/// principal curvatures [1/m]; circular when they are equal. [Johnson 1985, 4.2]
struct HertzContact {
  double stiffness = 0.0;        ///< k of f = k x^1.5 [N/m^1.5]
  double axis_ratio = 1.0;       ///< short over long semi-axis of the patch, in (0, 1]
  double short_axis_rate = 0.0;  ///< short semi-axis over sqrt(depth) [m^0.5]
};

/// Largest c_1 / c_2 treated as a point contact. Beyond it the ellipse is longer than any body and the contact is a
/// line, whose stiffness depends on the bodies' length and which Hertz's point theory does not give.
inline constexpr double kMaxCurvatureRatio = 1e6;

/// contact_modulus E* [Pa]; the two relative principal curvatures in any order [1/m]. Throws InputError with the
/// reason when the contact is not elliptical: a curvature that is zero or negative (line or conforming), or a ratio
/// above the limit.
HertzContact make_hertz_contact(double contact_modulus, double curvature_1, double curvature_2);

struct HertzPatch {
  double depth = 0.0;      ///< approach of the bodies [m]
  double long_axis = 0.0;  ///< semi-axes [m]
  double short_axis = 0.0;
  double peak_pressure = 0.0;  ///< at the centre, 3 f / (2 pi a b) [Pa]
};

/// The patch under a static force [N] >= 0.
HertzPatch calc_hertz_patch(const HertzContact& contact, double force);

/// How much softer or stiffer a true sphere is than Hertz's paraboloid at the same depth, when the patch radius is
/// `patch_ratio` times the sphere's radius, in [0, 1): F_sphere / F_hertz - 1 <= 0. From the exact solution for a
/// punch [Sneddon 1965]: F = E* [(a^2 + R^2)/2 ln((R+a)/(R-a)) - a R], depth = a/2 ln((R+a)/(R-a)).
/// It measures the shape error alone; finite strain and bodies of finite size come on top.
double calc_hertz_shape_error(double patch_ratio);

/// Patch radius over body radius above which runs warn that Hertz's assumption (small patch) is strained.
inline constexpr double kPatchRatioWarning = 0.1;

}  // namespace abut
