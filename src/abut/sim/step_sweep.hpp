#pragma once

#include <optional>

#include "abut/contact/candidate_list.hpp"
#include "abut/contact/collider.hpp"
#include "abut/geometry/point_contact.hpp"

namespace abut {

/// A link's steady motion through a step: its centre of mass moves straight, the link turns about it.
struct LinkSweep {
  Pose X_WL;                   ///< at the start
  Vec3 center = Vec3::Zero();  ///< of mass, at the start [m]
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();

  Pose calc_pose(double t) const;
  Vec3 calc_center(double t) const { return center + t * v; }
};

/// Where and when a point of a pair is touched.
struct SweptTouch {
  double time = 0.0;  ///< since the start of the step [s]
  PointContact contact;
};

/// The first touch at point `index` of a pair within h [s], by Newton's method on the gap: that of convex bodies that
/// do not turn is a convex function of time, of which Newton's steps from the left never pass the first zero; none
/// where the gap stops falling before.
std::optional<SweptTouch> find_touch_in_step(const Candidate& candidate, const Collider& a, const LinkSweep& motion_a,
                                             const Collider& b, const LinkSweep& motion_b, int index, double h);

/// Whether some flat face keeps two solids apart all through h [s]: then they pass beside each other, whatever their
/// nearest corners say. Of solids with very many faces the first ones are tried.
bool stay_apart(const Collider& a, const LinkSweep& motion_a, const Collider& b, const LinkSweep& motion_b, double h);

}  // namespace abut
