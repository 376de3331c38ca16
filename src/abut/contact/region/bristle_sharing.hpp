#pragma once

#include "abut/contact/contact_rule.hpp"
#include "abut/contact/patch_pool.hpp"

namespace abut {

/// The bristles of a patch among the states of the integrator, as patches begin, break up and are joined.

inline void write_deflection(const Vec3& z, double* states) {
  for (int i = 0; i < 3; ++i) states[i] = z[i];
}

/// The deflection of the bristles at an arm from the centroid: z + theta n x arm.
inline Vec3 calc_deflection(const double* states, double theta, const Vec3& normal, const Vec3& arm) {
  return Vec3(states[0], states[1], states[2]) + theta * normal.cross(arm);
}

/// Angle of bristles whose deflection at the gyration radius is `rim` [rad].
inline double calc_twist(double rim, double gyration_radius) {
  return gyration_radius > 0.0 ? rim / gyration_radius : 0.0;
}

/// A part that breaks off takes its bristles along; `theta` is the twist of those it breaks off from, about n.
inline void share_bristles(const Vec3& n, const PatchKin& kin, double theta, int stride, double* parent,
                           double* child) {
  if (stride < 3) return;
  write_deflection(calc_deflection(parent, theta, n, kin.arm), child);
  write_deflection(calc_deflection(parent, theta, n, kin.retreat), parent);
  if (stride >= 4) child[3] = parent[3];
}

/// Energy in bristles that are states of the integrator [J].
double calc_stored_in_bristles(const FrictionParameters& friction, const PatchResponse& response, const double* states,
                               int stride);

}  // namespace abut
