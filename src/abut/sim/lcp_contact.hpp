#pragma once

#include "abut/contact/contact_rule.hpp"
#include "abut/sim/step_friction.hpp"
#include "abut/solve/lcp/impact_rounds.hpp"

namespace abut {

/// Gaps below this are touching under method lcp [m].
inline constexpr double kLcpTouching = 1e-9;

/// A contact of one step, in the rows (normal, first tangent, second tangent) of the system.
struct StepContact {
  int point = -1;  ///< candidate point
  int place = -1;  ///< of its patch, -1 where there is none yet
  int link_a = -1, link_b = -1;
  const ContactRule* rule = nullptr;
  /// Of the contact on either link as they are at the start of the step: one point, but for contacts that are met
  /// within the step, whose places are carried back to its start [m].
  Vec3 position_a = Vec3::Zero(), position_b = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();         ///< from b into a
  double gap = 0.0;                    ///< along the normal, at the start of the step [m]
  Vec3 velocity = Vec3::Zero();        ///< of a relative to b at the start of the step [m/s]
  Vec3 free_velocity = Vec3::Zero();   ///< the same at its end, without contacts [m/s]
  double normal_force = 0.0;           ///< lambda_N that the friction limit is taken from [N]
  Vec3 old_friction = Vec3::Zero();    ///< [N]
  Vec3 friction_along = Vec3::Zero();  ///< direction of the first tangent while it sticks; zero: of old_friction
  double mu_static = 0.0, mu_kinetic = 0.0;
  double side_part = 1.0;  ///< of the limit, what is allowed across the first tangent while it sticks
  double hold = 0.0;       ///< part of the step after the touch, where bodies would slide past each other in it
  double arrival = 0.0;    ///< > 0: reached in this step at this speed, without an impulse yet: the next one rebounds
  double push = 0.0;       ///< speed asked for to leave a penetration [m/s]
  FrictionRows friction;
  int row = 0;
  Vec3 impulse = Vec3::Zero();         ///< along normal and tangents [N s]
  Vec3 end_velocity = Vec3::Zero();    ///< along normal and tangents [m/s]
  ImpactOutcomeOfContact impact;       ///< before the step began
  Vec3 impact_impulse = Vec3::Zero();  ///< world axes [N s]

  /// Of the law that acts now, by the slip at the start of the step.
  double mu() const { return friction.is_static ? mu_static : mu_kinetic; }
};

}  // namespace abut
