#pragma once

#include <array>

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
/// Near parallel, 0 is any point of a line and jumps with the slightest tilt, so the two ends carry: a capsule rests on
/// another without rocking noise. Where the axes cross, 0 carries and with it the farther end, as long as that is
/// inside too. The stored energy is then phi(g_0) + phi(max(g_1, g_2)) with true distances only, a potential; flush it
/// is that of the two ends, far from parallel or at a tip that of one point. Points whose part another has taken are
/// lifted by reach = r_a + r_b [m]:
///   0     while it is nearer than the ends by less than 1e-8 reach;
///   1, 2  the nearer one while 0 carries, and both where the stretch is shorter than 0.1 reach.
/// So only points with the same gap hand over to each other, and nothing is lifted slowly under load.
/// The smallest gap is always the true signed distance to within 1e-8 reach.
/// Coincident axis points: normal perpendicular to both axes.
///
/// That is for capsules that do not touch yet. Once some points carry, they keep their true gaps until another takes
/// over (calc_carried_capsules): a window in which two points carry what one should, or none, is a window in which
/// energy is made or lost, and it is long where the axes pass each other all but parallel.
void calc_capsule_capsule(const Capsule& a, const Pose& X_WA, const Capsule& b, const Pose& X_WB, PointContact* out);

/// The same while some points carry. Those have their true gaps. One that does not has a gap above zero as long as it
/// is not its turn, and below zero when it is to take over, at equal gaps to within 1e-11 reach:
///   0     from the nearer end, when it is nearer than that;
///   1, 2  from 0, when the nearer end is as near as 0; from the other end, when it has become the farther one.
/// An end that nothing carries for touches at its true gap. Each set of carriers has a potential of its own, so that it
/// does no harm where a turn that lasts for less than a step goes unseen.
void calc_carried_capsules(const Capsule& a, const Pose& X_WA, const Capsule& b, const Pose& X_WB,
                           const std::array<bool, kCapsuleCapsulePoints>& carries, PointContact* out);

/// Which of three points hands its part over to the point `heir`, which is about to carry; -1 where none does: then it
/// comes to touch. `carries`: whether each of the others does now. Points hand over at equal gaps.
int find_forerunner(const Capsule& a, const Pose& X_WA, const Capsule& b, const Pose& X_WB, int heir,
                    const std::array<bool, kCapsuleCapsulePoints>& carries);

}  // namespace abut
