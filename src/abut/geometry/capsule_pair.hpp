#pragma once

#include "abut/geometry/point_contact.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

constexpr int kCapsuleCapsulePoints = 3;

/// Contacts of capsule A with capsule B. Each is that of two balls on the two axes, with its point of action in the
/// middle of their overlap:
///   0     the nearest points of the two axes;
///   1, 2  the lower and the upper end (along the axis of A) of the stretch over which the axes lie side by side.
///
/// Capsules that cross touch at 0. Near parallel, 0 is any point of a line and jumps with the slightest tilt, so the
/// ends carry: a capsule rests on another without rocking noise. A tip touches at one point, whichever stands for it.
/// Who carries is decided by lifting the gaps of the others by up to reach = r_a + r_b [m], continuously in the pose:
///   0     is lifted while it is nearer than the ends by less than e0 = 1e-5 reach, on a stretch longer than reach;
///   1, 2  are lifted while the stretch is shorter than reach, or while 0 carries. Wherever 0 is in between: a lift
///   that
///         came and went with the way from 0 to an end would change under load, and do work that no force accounts for.
/// The smallest gap is always the true signed distance to within e0, and exactly so unless the nearest points are next
/// to an end or the axes near parallel.
/// Coincident axis points: normal perpendicular to both axes.
void calc_capsule_capsule(const Capsule& a, const Pose& X_WA, const Capsule& b, const Pose& X_WB, PointContact* out);

}  // namespace abut
