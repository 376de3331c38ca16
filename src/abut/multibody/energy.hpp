#pragma once

#include "abut/math/types.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// Kinetic energy of all links [J].
double calc_kinetic_energy(const Tree& tree, const Kinematics& kinematics);

/// Potential energy in a uniform field [J], zero with every centre of mass at the world's origin. Static links are left
/// out: their weight is a constant that would only cost digits.
double calc_potential_energy(const Tree& tree, const Kinematics& kinematics, const Vec3& gravity);

struct Momentum {
  Vec3 linear = Vec3::Zero();   ///< [kg m/s]
  Vec3 angular = Vec3::Zero();  ///< about the world's origin [kg m^2/s]
};

Momentum calc_momentum(const Tree& tree, const Kinematics& kinematics);

}  // namespace abut
