#pragma once

#include <array>
#include <string_view>

namespace abut {

/// The energy ledger: what is stored now, what has been dissipated and what has been put in since the start. [J]
/// The balance  stored + dissipated - supplied - (stored at the start)  is zero for an exact solution.
enum class Energy {
  kinetic,
  gravitational,
  elastic,           ///< in the normal springs of contacts
  bristle,           ///< in deflected bristles of contacts
  spring,            ///< point springs, joint springs and joint limits
  damping,           ///< by the damping of normal contact forces
  friction,          ///< by sliding friction in contacts
  viscous_friction,  ///< by the viscous part of friction in contacts
  spring_damping,    ///< by dampers of point springs and joints
  joint_friction,
  /// Left in volumetric springs when their contact ended, or drawn from them where negative: their force has no
  /// potential, so that a closed path may keep or give energy.
  volume_hysteresis,
  time_stepping,      ///< by velocity steps themselves: the implicit Euler rule lags behind its forces by half a step
  motor,              ///< work of motors
  prescribed_motion,  ///< work done to enforce prescribed motion
  applied_force,      ///< work of applied forces
  relaxation,         ///< put in by the fixed-step relaxation of late contact detection
  geometry,           ///< put in, or taken where negative, by geometry and inertia frozen over steps (method micro)
};

inline constexpr int kNumEnergies = 17;
inline constexpr std::array<std::string_view, kNumEnergies> kEnergyNames = {
    "kinetic",        "gravitational",     "elastic",           "bristle",
    "spring",         "damping",           "friction",          "viscous_friction",
    "spring_damping", "joint_friction",    "volume_hysteresis", "time_stepping",
    "motor",          "prescribed_motion", "applied_force",     "relaxation",
    "geometry"};

}  // namespace abut
