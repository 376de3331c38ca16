#pragma once

#include <optional>

#include "abut/contact/contact_rule.hpp"
#include "abut/contact/law/normal_defaults.hpp"

namespace abut {

/// L_r for which the law of perimeter contact is Hertz's, for a sphere on a plane: 4 sqrt(2) / (3 pi). [Moisio 2013
/// (5.13)-(5.19)]
inline constexpr double kHertzStiffnessFactor = 0.60021087743460;
/// What the source takes, for each of two face normals.   [Moisio 2013, 5.2.5]
inline constexpr double kSourceStiffnessFactor = 0.5;

/// The counterpart of resolve_normal() for perimeter contact, in which a piece of the curve of length L [m] pushes with
///
///   f = k' x L (1 + a v),   k' = E* L_r / 4 [N/m^2]                                    [Moisio 2013 (5.18)-(5.21)]
///
/// x depth [m], v = dx/dt [m/s], E* the contact modulus [Pa], L_r the stiffness factor [1], a by the law's rule for the
/// restitution. Round the whole curve of a sphere pressed into a plane L = 2 pi sqrt(2 R x), hence Hertz's exponent.
/// Laws whose damping is not proportional to the spring's force are refused, as is an exponent. Throws InputError.
NormalResolution resolve_perimeter_normal(const NormalSpec& input, PerimeterRule::Normals normals,
                                          const std::optional<double>& stiffness_factor);

}  // namespace abut
