#pragma once

#include "abut/contact/law/normal_defaults.hpp"

namespace abut {

/// Stiffness of an elastic layer per volume it is pressed in, k_v = M / h [N/m^3], with the confined modulus
/// M = E (1 - nu) / ((1 + nu) (1 - 2 nu)): a layer of thickness h [m] on a rigid body, thin against the patch, cannot
/// give way sideways. It is the Winkler foundation of [Gonthier 2007, 4.1.3] with k_f = M. young [Pa] > 0, poisson in
/// [0, 0.5).
double calc_layer_stiffness(double young, double poisson, double thickness);

/// Two layers in series, 1 / (1/a + 1/b).   [Gonthier 2007 (4.132)]
double calc_series_stiffness(double a, double b);

/// The volumetric counterpart of resolve_normal(): f = k_v V (1 + A v). Laws whose damping is not proportional to the
/// spring's force have no such form and are refused. Throws InputError for missing or contradictory values.
NormalResolution resolve_volume_normal(const NormalSpec& spec);

}  // namespace abut
