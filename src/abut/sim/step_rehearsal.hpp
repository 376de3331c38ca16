#pragma once

#include "abut/contact/contact_rule.hpp"
#include "abut/contact/patch.hpp"
#include "abut/solve/ode/fixed_step.hpp"

namespace abut {

/// One contact by itself: two bodies seen from the point where they touch, which moves as the mass matrix there lets
/// it. Enough to try out steps on, and a thousand times cheaper than the scene.
struct RehearsedContact {
  const ContactRule* rule = nullptr;
  Patch patch;                           ///< as it would begin; its law as one of depth (Patch::by_depth)
  Mat3 inverse_mass = Mat3::Identity();  ///< acceleration of a relative to b at the point for a force on a [1/kg]
  Vec3 normal = Vec3::UnitZ();           ///< from b into a
  Vec3 velocity = Vec3::Zero();          ///< of a relative to b when they touch [m/s]
  Vec3 acceleration = Vec3::Zero();      ///< of a relative to b while nothing touches [m/s^2]
  double impact_duration = 0.0;          ///< [s]; 0 where they do not strike
};

/// Longest step with which this contact keeps its books: the impact, at whatever instant of a step it begins, and the
/// rest under its load that follows, miss no more than `part` of the energy they turn over. Found by trying, with the
/// very integrator and laws of a run: stability limits of linear springs tell neither what an impact that begins late
/// in a step does nor that friction beyond its limit only flickers. Infinite where nothing strikes or presses.
double find_largest_step(const RehearsedContact& contact, FixedMethod method, double part = 0.02);

/// Worst residual over the energy turned over, at this step; infinite where it diverges [1].
double rehearse_impact(const RehearsedContact& contact, FixedMethod method, double step);
double rehearse_rest(const RehearsedContact& contact, FixedMethod method, double step);

}  // namespace abut
