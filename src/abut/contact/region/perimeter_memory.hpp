#pragma once

#include <array>
#include <limits>
#include <vector>

#include "abut/contact/patch.hpp"
#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// What perimeter contact remembers from step to step. Vectors are in the frame of one collider's shape, the one that
/// moves or is smaller.   [Moisio 2013, 5.1.1]

/// Explicit steps follow rates of damping up to about 1 / step; with several contacts at one body, less. What is
/// stronger is weakened to this part of effective mass / step [1].
inline constexpr double kFollowedDamping = 0.1;

/// At one place, along one normal.
struct PerimeterSide {
  double depth = 0.0;        ///< faithful: integrated depth; continuous: what it deviates from its loop's [m]
  double touch_speed = 0.0;  ///< faithful: normal speed at first contact [m/s]
  Vec3 z = Vec3::Zero();     ///< bristle deflection [m]
};

/// A point of a segment: one of its two Gauss points, or with faithful memory one of its ends, as in the source.
struct PerimeterPlace {
  Vec3 position = Vec3::Zero();  ///< [m]
  int loop = 0;
  std::array<PerimeterSide, 2> side;  ///< by normal
};

/// A pair of triangles that cross.
struct PerimeterPair {
  int triangle_a = -1, triangle_b = -1;
  std::array<int, 2> place = {-1, -1};  ///< of start and end
};

/// A connected piece of the curve.
struct PerimeterLoop {
  double length = 0.0;                            ///< [m]
  std::array<double, 2> depth = {0.0, 0.0};       ///< mean along each normal [m]
  std::array<double, 2> peak_speed = {0.0, 0.0};  ///< approach speed that the damping is measured by [m/s]
  double age = 0.0;                               ///< since its touch [s]
};

/// Force on a and torque on a about a point, world axes [N], [N m].
struct PerimeterLoad {
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();
};

/// What acts from one step to the next.
struct PerimeterHold {
  PerimeterLoad elastic, damping, friction;
  Vec3 point = Vec3::Zero();    ///< the torques refer to [m]
  Vec3 normal = Vec3::UnitZ();  ///< from b into a
  double depth = 0.0;           ///< mean over the curve [m]
  double perimeter = 0.0;       ///< length of the curve [m]
  double viscous_power = 0.0;   ///< [W]
  bool sticking = false;
  double elastic_power = 0.0;      ///< that the springs return at the beginning of the step [W]
  double product = 0.0;            ///< sum of elastic force times depth [J]
  double lasting = 0.0;            ///< 0 in an impact, 1 in a contact that has outlasted it [1]
  double time_constant = 0.0;      ///< sqrt(effective mass / stiffness) [s]
  double strength = 1.0;           ///< part of all forces that the guard of energy leaves [1]
  double damping_strength = 1.0;   ///< and of the damping, besides [1]
  double friction_strength = 1.0;  ///< and of the friction, besides [1]
};

/// Of springs and damping, as the guard has left them, along the normal [N].
inline double calc_normal_force(const PerimeterHold& hold) {
  return hold.strength * hold.normal.dot(hold.elastic.force + hold.damping_strength * hold.damping.force);
}

struct PerimeterMemory {
  std::vector<PerimeterPair> pairs;  ///< sorted by triangle_a, then triangle_b
  std::vector<PerimeterPlace> places;
  std::vector<PerimeterLoop> loops;
  Pose X_AB;                                            ///< of the shapes, where the curve of the places was
  Vec3 shift_a = Vec3::Zero(), shift_b = Vec3::Zero();  ///< of the frames of endless shapes then [m]
  PerimeterHold hold;
  double time = -std::numeric_limits<double>::infinity();  ///< of the step the rest belongs to [s]
  double stored_at_touch = 0.0;      ///< elastic energy of bodies pressed together from the start [J]
  double made = 0.0;                 ///< returned beyond what was put in, and booked as such [J]
  double bristle_energy = 0.0;       ///< at the beginning of the step, no more than was put in [J]
  double next_bristle_energy = 0.0;  ///< of the deflections at its end [J]
  double bristle_stiffness = 0.0;    ///< of all points together, in the step before [N/m]
  double fullness = 0.0;     ///< what the springs held when last pressed, in parts of the sum of force times depth [1]
  double slenderness = 0.0;  ///< mean depth by force, in parts of the curve's length, when last pressed [1]
  double peak_force = 0.0;   ///< largest sum of elastic forces while pressed [N]
  double friction_work = 0.0;  ///< until the beginning of the step, since the touch [J]

  /// What the springs hold, given the work put into them since the touch [J].
  double calc_elastic_energy(double elastic_work) const { return stored_at_touch + elastic_work; }
};

}  // namespace abut
