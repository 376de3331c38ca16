#pragma once

#include <algorithm>
#include <cmath>
#include <compare>

#include "abut/contact/law/blow.hpp"
#include "abut/contact/law/normal_force.hpp"
#include "abut/contact/region/region_traits.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Which contact it is: two colliders, and which of the pair's points (a box has eight corners). Survives time.
struct PatchKey {
  int collider_a = -1;
  int collider_b = -1;
  int point = 0;
  auto operator<=>(const PatchKey&) const = default;
};

/// Work done in one patch since it began [J]. Dissipated parts are positive.
struct PatchWork {
  double damping = 0.0;     ///< by the damping part of the normal force
  double friction = 0.0;    ///< by the tangential force, all of it (bristle storage and viscous part included)
  double viscous = 0.0;     ///< the viscous part of it
  double relaxation = 0.0;  ///< put in by the fixed-step relaxation of late detection
  double elastic =
      0.0;  ///< into the normal spring, where no formula gives what it stores (volumetric and perimeter patches)

  PatchWork& operator+=(const PatchWork& other) {
    damping += other.damping;
    friction += other.friction;
    viscous += other.viscous;
    relaxation += other.relaxation;
    elastic += other.elastic;
    return *this;
  }
  /// From and to the order in which the integrator keeps them.
  static PatchWork read(const double* values) { return {values[0], values[1], values[2], values[3], values[4]}; }
  void write(double* values) const {
    values[0] = damping;
    values[1] = friction;
    values[2] = viscous;
    values[3] = relaxation;
    values[4] = elastic;
  }
};
inline constexpr int kNumPatchWorks = 5;

/// What a patch does at one instant. What the summation over bodies reads comes first: in a large pile only that part
/// is fetched.
struct PatchResponse {
  Vec3 force = Vec3::Zero();  ///< on a, normal and tangential [N]
  Vec3 point = Vec3::Zero();  ///< of action [m]
  int link_a = -1, link_b = -1;
  double gap = 0.0;            ///< [m]
  double depth_rate = 0.0;     ///< [m/s], > 0 approaching
  double normal_force = 0.0;   ///< [N]
  Vec3 normal = Vec3::Zero();  ///< from b into a
  Vec3 slip = Vec3::Zero();    ///< tangential velocity of a relative to b [m/s]
  Vec3 z_rate = Vec3::Zero();  ///< [m/s]
  double dwell_rate = 0.0;     ///< [1/s]
  bool sticking = false;
  PatchWork power;         ///< [W]
  double perimeter = 0.0;  ///< length of the curve of perimeter patches [m]
  // Volumetric patches only, but for the torque, which perimeter patches have as well:
  Vec3 torque = Vec3::Zero();    ///< on a, beyond that of the force at its point [N m]
  double rim_rate = 0.0;         ///< of the twisted bristles' deflection at the gyration radius [m/s]
  double spin = 0.0;             ///< of a relative to b about the normal [rad/s]
  double stored = 0.0;           ///< in a volumetric spring that has a potential [J]
  double volume = 0.0;           ///< [m^3]
  double area = 0.0;             ///< [m^2]
  double gyration_radius = 0.0;  ///< [m]
  Mat3 inertia = Mat3::Zero();   ///< [m^5]
};

/// Memory of a patch from touch to lift. The bristle deflection and the dwell state are continuous states and live in
/// the integrator's vector, not here. What every step reads comes first, in two lines of the cache.
struct alignas(64) Patch {
  PatchKey key;
  int rule = -1;
  NormalCoefficients normal;  ///< made at the first instant of contact   [Gonthier 2007 (3.24), (3.43)]
  Blow blow;                  ///< what its damping was made for, and when it is made anew
  double touch_time = 0.0;    ///< [s]
  /// Compliance measure at late detection: depth x_ro [m], or volume V_ro [m^3]   [Gonthier 2007 (3.45)]
  double relaxation_measure = 0.0;
  double relaxation_time = 1.0;  ///< [s]
  double peak_force = 0.0;       ///< largest normal force so far [N]
  double peak_time = 0.0;        ///< when [s]
  double peak_depth = 0.0;       ///< [m]
  bool sticking = false;
  /// The surfaces separate faster than the spring can follow, so the force is zero although they still overlap; what
  /// was stored has been booked as damping at that instant. Set where the instant is located; otherwise that energy
  /// drains by the power.
  /// It concerns the ledger only: the force follows the law all the same.
  bool has_let_go = false;
  /// Whether letting go is still located. Once only: under a steady load the border of letting go attracts the motion,
  /// and would be crossed without end.
  bool watches_grip = true;
  bool in_use = false;
  RegionKind region = RegionKind::point;

  double effective_mass = 0.0;  ///< along the normal, at touch [kg]
  double touch_speed = 0.0;     ///< approach speed at touch [m/s]
  /// The normal law as one of the depth of approach, for estimates of depth, force and time: `normal` itself for a
  /// point; for a volume V ~ c x^p near the touch is put into it.
  NormalCoefficients by_depth;
  // Volumetric patches only: what the next choice of axis and of piece goes by.
  Vec3 last_normal = Vec3::Zero();    ///< zero at the first instant
  Vec3 last_centroid = Vec3::Zero();  ///< in the frame of collider b's link [m]
  double last_volume = 0.0;           ///< [m^3]
  Mat3 last_inertia = Mat3::Zero();   ///< J_v in the axes of collider b's link [m^5]
  /// What a volumetric spring without a potential may still give back of its force, by what it held at the end of the
  /// last step [1].
  double give_back = 1.0;

  const RegionTraits& traits() const { return region_traits(region); }

  /// Not of forces that are held, which may still be weakened in the step that begins.
  void note_peak(double t, const PatchResponse& response) {
    if (!traits().is_held_over_steps) note_acting(t, response);
  }
  /// Of forces that acted.
  void note_acting(double t, const PatchResponse& response) {
    if (response.normal_force > peak_force) {
      peak_force = response.normal_force;
      peak_time = t;
    }
    peak_depth = std::max(peak_depth, -response.gap);
  }

  /// What the relaxation still hides of the compliance measure at time t [m] or [m^3].
  double hidden_measure(double t) const {
    return relaxation_measure == 0.0 ? 0.0 : relaxation_measure * std::exp(-(t - touch_time) / relaxation_time);
  }
};

}  // namespace abut
