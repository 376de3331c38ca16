// Which points have part in a step of LcpStepper.

#include <algorithm>
#include <cmath>

#include "abut/contact/patch_response.hpp"
#include "abut/sim/lcp_stepper.hpp"
#include "abut/sim/step_sweep.hpp"

namespace abut {

Vec3 LcpStepper::calc_free_velocity(int link, const Vec3& p_WQ) const {
  const Tree& tree = dynamics_.model().tree;
  const int leaf = tree.free_leaf_index(link);
  if (leaf < 0) return free_kinematics_.calc_point_velocity(link, p_WQ);
  const double* v = v_free_.data() + tree.free_leaf_data()[leaf].v_start;
  return Eigen::Map<const Vec3>(v) + Eigen::Map<const Vec3>(v + 3).cross(p_WQ - dynamics_.kinematics().p_WCm[link]);
}

/// Points that may touch within the step: nearer than the bodies can come, with room for what other contacts do to
/// them.
void LcpStepper::gather_contacts(double h) {
  contacts_.clear();
  const ContactSet& set = dynamics_.contacts();
  const BodyMotion motion = dynamics_.motion();
  const double fall = 2.0 * h * h * dynamics_.model().scene.gravity.norm();
  const bool is_hard = spec_.normal == LcpSpec::Normal::hard;
  for (int point = 0; point < set.num_points(); ++point) {
    const PointContact& geometry = set.point_geometry(point);
    const Candidate& candidate = set.candidate_of_point(point);
    StepContact contact;
    contact.link_a = set.collider(candidate.collider_a).link;
    contact.link_b = set.collider(candidate.collider_b).link;
    contact.place = set.patch_at(point);
    if (!is_hard && contact.place < 0) continue;
    const Vec3 v_a = calc_point_velocity(motion, contact.link_a, geometry.point);
    const Vec3 v_b = calc_point_velocity(motion, contact.link_b, geometry.point);
    contact.velocity = v_a - v_b;
    contact.free_velocity =
        calc_free_velocity(contact.link_a, geometry.point) - calc_free_velocity(contact.link_b, geometry.point);
    // Bodies that move alongside each other come together where one of them is stopped.
    const double speed = std::max({v_a.norm(), v_b.norm(), contact.velocity.norm(), contact.free_velocity.norm()});
    if (geometry.gap > 2.0 * h * speed + fall + kLcpTouching) continue;
    contact.point = point;
    contact.rule = &set.rule(candidate.rule);
    contact.position_a = contact.position_b = geometry.point;
    contact.normal = geometry.normal;
    contact.gap = geometry.gap;
    const FrictionCoefficients mu = calc_friction_coefficients(contact.rule->friction);
    contact.mu_static = mu.statical;
    contact.mu_kinetic = mu.kinetic;
    if (is_hard && contact.place < 0 && !is_met(contact, candidate, h)) continue;
    if (contact.place >= 0) {
      contact.normal_force = state_.step_contacts[contact.place].normal_force;
      contact.old_friction = tangential(state_.step_contacts[contact.place].friction_force, contact.normal);
    }
    for (const StepContact& struck : struck_) {
      if (struck.point != point) continue;
      contact.impact = struck.impact;
      contact.impact_impulse = struck.impact_impulse;
    }
    if (is_hard) set_arrival(contact, h);
    contacts_.push_back(contact);
  }
}

/// Whether bodies that would cross the plane of their nearest points within the step really meet: false where they pass
/// beside each other. Where they do, the contact is the one of that instant.
bool LcpStepper::is_met(StepContact& contact, const Candidate& candidate, double h) const {
  if (contact.gap <= kLcpTouching || contact.gap + h * contact.normal.dot(contact.free_velocity) >= 0.0) return true;
  if (spec_.position_velocity == LcpSpec::PositionVelocity::start) return true;
  const ContactSet& set = dynamics_.contacts();
  const Kinematics& now = dynamics_.kinematics();
  const auto sweep = [&](int link) {
    const Vec3& center = now.p_WCm[link];
    const Tree& tree = dynamics_.model().tree;
    const int leaf = tree.free_leaf_index(link);
    const Vec3 w = leaf < 0 ? free_kinematics_.w_WB[link]
                            : Vec3(Eigen::Map<const Vec3>(v_free_.data() + tree.free_leaf_data()[leaf].v_start + 3));
    return LinkSweep{now.X_WB[link], center, calc_free_velocity(link, center), w};
  };
  const LinkSweep a = sweep(contact.link_a), b = sweep(contact.link_b);
  // Corners of a manifold are those that face each other, unless a face keeps the two apart.
  if (is_manifold(candidate.pair.kind))
    return !stay_apart(set.collider(candidate.collider_a), a, set.collider(candidate.collider_b), b, h);
  const std::optional<SweptTouch> touch =
      find_touch_in_step(candidate, set.collider(candidate.collider_a), a, set.collider(candidate.collider_b), b,
                         contact.point - candidate.first_point, h);
  if (!touch) return false;
  contact.normal = touch->contact.normal;
  contact.position_a = touch->contact.point - touch->time * a.v;
  contact.position_b = touch->contact.point - touch->time * b.v;
  const BodyMotion motion = dynamics_.motion();
  contact.velocity = calc_point_velocity(motion, contact.link_a, contact.position_a) -
                     calc_point_velocity(motion, contact.link_b, contact.position_b);
  contact.free_velocity =
      calc_free_velocity(contact.link_a, contact.position_a) - calc_free_velocity(contact.link_b, contact.position_b);
  contact.gap = std::max(0.0, -touch->time * contact.normal.dot(contact.free_velocity));
  // Far past the place of the touch its normal means nothing any more.
  constexpr double kFar = 0.05;
  const double size =
      std::min(set.collider(candidate.collider_a).bounding_radius, set.collider(candidate.collider_b).bounding_radius);
  const double past = (h - touch->time) * tangential(contact.free_velocity, contact.normal).norm();
  if (past > kFar * size) contact.hold = 1.0 - touch->time / h;
  return true;
}

/// Whether the contact is reached in this step fast enough to rebound: faster than the step itself makes bodies meet
/// that rest on each other, 2 h times their acceleration towards each other.
void LcpStepper::set_arrival(StepContact& contact, double h) const {
  if (!spec_.restitution || spec_.position_velocity == LcpSpec::PositionVelocity::start) return;
  if (contact.place >= 0) {
    if (state_.step_contacts[contact.place].arrival_speed > 0.0) return;
  }
  const double start = contact.normal.dot(contact.velocity), end = contact.normal.dot(contact.free_velocity);
  if (!(contact.gap + h * end < 0.0)) return;
  // The speed at the touch, some part of the step after its start.
  const double part = std::clamp(contact.gap / (-h * end), 0.0, 1.0);
  const double approach = -(start + part * (end - start));
  const double slow = std::max(contact.rule->normal.v_small, 2.0 * (start - end));
  if (!(approach > slow)) return;
  if (contact.normal_force > 0.0) {
    // Bodies that press on each other do not strike each other; those that a step left with next to no load may.
    constexpr double kNextToNothing = 0.01;  // of the speed of approach
    const double mass =
        dynamics_.calc_effective_mass(contact.link_a, contact.link_b, contact.position_a, contact.normal);
    if (h * contact.normal_force > kNextToNothing * mass * approach) return;
  }
  if (!contact.rule->normal.damping && contact.rule->normal.restitution.calc_coefficient(approach) <= 0.0) return;
  contact.arrival = approach;
}

}  // namespace abut
