#include <algorithm>
#include <cmath>

#include "abut/contact/law/impact.hpp"
#include "abut/contact/law/normal_force.hpp"
#include "abut/contact/patch_response.hpp"
#include "abut/sim/lcp_stepper.hpp"

namespace abut {

namespace {

/// Contacts that would close within this part of a step at the speed of a blow are struck with it.
constexpr double kAtOnce = 0.01;

/// Beyond this the damper is so strong that nothing rebounds: dimensionless, where 1 is near critical.
constexpr double kOverdamped = 30.0;

}  // namespace

/// Newton's coefficient at this speed; of a law with a given damper, what an impact on it would leave.
double LcpStepper::calc_restitution(const StepContact& contact, double speed) {
  const NormalLawParameters& law = contact.rule->normal;
  if (!(speed > law.v_small)) return 0.0;
  if (!law.damping) return law.restitution.calc_coefficient(speed);
  const auto mass = [this](int a, int b, const Vec3& p, const Vec3& n) {
    return dynamics_.calc_effective_mass(a, b, p, n);
  };
  const Patch patch = contact.place >= 0
                          ? state_.pool.patches[contact.place]
                          : dynamics_.contacts().make_patch(contact.point, dynamics_.motion(), state_.time, true, mass);
  const double damper = patch.normal.damping / calc_damping_scale(patch.normal, speed, patch.effective_mass);
  return damper < kOverdamped ? calc_impact(patch.normal, speed, patch.effective_mass).restitution : 0.0;
}

/// The impacts of contacts that the last step reached, and of those that they strike.
void LcpStepper::resolve_arrivals(double h) {
  struck_.clear();
  const ContactSet& set = dynamics_.contacts();
  double fastest = 0.0;
  for (const int place : state_.pool.active) {
    if (place >= static_cast<int>(state_.step_contacts.size())) continue;
    fastest = std::max(fastest, state_.step_contacts[place].arrival_speed);
  }
  if (fastest == 0.0) return;
  const int num_q = dynamics_.num_q(), num_v = dynamics_.num_v();
  v_start_.assign(state_.y.begin() + num_q, state_.y.begin() + num_q + num_v);
  system_.clear();
  parts_.begin(dynamics_.kinematics(), v_start_, system_);
  const BodyMotion motion = dynamics_.motion();
  std::vector<ImpactContact> impacts;
  for (int point = 0; point < set.num_points(); ++point) {
    const PointContact& geometry = set.point_geometry(point);
    const int place = set.patch_at(point);
    const double arrival = place >= 0 ? state_.step_contacts[place].arrival_speed : 0.0;
    if (arrival == 0.0 && geometry.gap > kAtOnce * h * fastest) continue;
    const Candidate& candidate = set.candidate_of_point(point);
    StepContact contact;
    contact.point = point;
    contact.place = place;
    contact.link_a = set.collider(candidate.collider_a).link;
    contact.link_b = set.collider(candidate.collider_b).link;
    contact.rule = &set.rule(candidate.rule);
    contact.position_a = contact.position_b = geometry.point;
    contact.normal = geometry.normal;
    contact.velocity = calc_point_velocity(motion, contact.link_a, geometry.point) -
                       calc_point_velocity(motion, contact.link_b, geometry.point);
    contact.friction = make_box_rows(contact.normal, 0.0, h);
    const int part_a = parts_.part_of(contact.link_a), part_b = parts_.part_of(contact.link_b);
    if (part_a < 0 && part_b < 0) continue;
    const Vec3 directions[3] = {contact.normal, contact.friction.axes[0], contact.friction.axes[1]};
    const MatX J_a = part_a < 0 ? MatX() : parts_.calc_jacobian(contact.link_a, contact.position_a, directions, 1.0);
    const MatX J_b = part_b < 0 ? MatX() : parts_.calc_jacobian(contact.link_b, contact.position_b, directions, -1.0);
    contact.row = system_.add_rows(3, part_a, J_a, part_b, J_b);
    const Vec3 carried = calc_carried(contact);
    for (int k = 0; k < 3; ++k) system_.offset[contact.row + k] = directions[k].dot(carried);
    const double mu = calc_friction_coefficients(contact.rule->friction).kinetic;
    const double slow = std::max(contact.rule->normal.v_small, h * dynamics_.model().scene.gravity.norm());
    impacts.push_back({contact.row, mu, arrival, slow});
    struck_.push_back(contact);
  }
  speeds_.resize(system_.num_velocities());
  x_.assign(system_.num_rows(), 0.0);
  system_.calc_velocities(x_.data(), speeds_.data());
  const ImpactRounds done = resolve_impacts(
      system_, impacts, [&](int c, double speed) { return calc_restitution(struck_[c], speed); }, speeds_);
  if (!done.is_finished) ++unfinished_impacts_;
  v_end_ = v_start_;
  parts_.write_velocities(speeds_, v_end_);
  for (std::size_t c = 0; c < struck_.size(); ++c) {
    StepContact& contact = struck_[c];
    contact.impact = done.contacts[c];
    const Vec3& x = contact.impact.impulse;
    contact.impact_impulse = x[0] * contact.normal + x[1] * contact.friction.axes[0] + x[2] * contact.friction.axes[1];
  }
  std::vector<double> change(num_v);
  for (int i = 0; i < num_v; ++i) change[i] = v_end_[i] - v_start_[i];
  add_joint_impulses(change, true);
  std::copy(v_end_.begin(), v_end_.end(), state_.y.begin() + num_q);
}

/// Impulses of prescribed joints that keep their motion while contacts change the other speeds.
void LcpStepper::add_joint_impulses(std::span<const double> v_change, bool is_impact) {
  if (!parts_.has_prescribed()) return;
  link_impulses_.assign(dynamics_.model().tree.num_links(), Vec6::Zero());
  add_link_impulses(is_impact ? struck_ : contacts_, is_impact);
  std::vector<double> tau(v_change.size(), 0.0);
  if (!is_impact) joints_.add_row_impulses(tau);
  parts_.add_prescribed_impulses(link_impulses_, tau, v_change, joint_impulses_);
}

/// Those of contacts, about the centres of mass.
void LcpStepper::add_link_impulses(const std::vector<StepContact>& contacts, bool is_impact) {
  const Kinematics& now = dynamics_.kinematics();
  for (const StepContact& contact : contacts) {
    const Vec3 impulse =
        is_impact ? contact.impact_impulse
                  : Vec3(contact.impulse[0] * contact.normal + contact.impulse[1] * contact.friction.axes[0] +
                         contact.impulse[2] * contact.friction.axes[1]);
    link_impulses_[contact.link_a].head<3>() += impulse;
    link_impulses_[contact.link_a].tail<3>() += (contact.position_a - now.p_WCm[contact.link_a]).cross(impulse);
    link_impulses_[contact.link_b].head<3>() -= impulse;
    link_impulses_[contact.link_b].tail<3>() -= (contact.position_b - now.p_WCm[contact.link_b]).cross(impulse);
  }
}

/// At the poses of the start, where the impulses of the step were found.
void LcpStepper::note_link_forces(double h) {
  const Tree& tree = dynamics_.model().tree;
  link_forces_.at = dynamics_.kinematics();
  take_mechanisms(tree, free_.mechanisms_at_mean(), link_forces_.at);
  link_impulses_.assign(static_cast<std::size_t>(tree.num_links()), Vec6::Zero());
  add_link_impulses(struck_, true);
  add_link_impulses(contacts_, false);
  link_forces_.contacts.clear();
  for (const Vec6& impulse : link_impulses_)
    link_forces_.contacts.push_back({impulse.head<3>() / h, impulse.tail<3>() / h});
  std::vector<double> vdot(v_end_.size());
  for (std::size_t i = 0; i < vdot.size(); ++i) vdot[i] = (v_end_[i] - v_before_[i]) / h;
  calc_link_forces(tree, dynamics_.model().scene.gravity, dynamics_.wrenches(), vdot, link_forces_);
}

LcpStepper::ContactWork LcpStepper::calc_work(const StepContact& contact, double h) const {
  const Vec3 directions[3] = {contact.normal, contact.friction.axes[0], contact.friction.axes[1]};
  ContactWork work;
  double taken[2] = {0.0, 0.0};  // by the normal impulse, by those of friction
  for (int k = 0; k < 3; ++k) {
    const double mean = 0.5 * (contact.end_velocity[k] + directions[k].dot(contact.velocity));
    taken[k == 0 ? 0 : 1] -= contact.impulse[k] * mean;
  }
  work.patch.friction = taken[1] + contact.impact.friction;
  work.patch.damping = contact.impact.damping;
  work.stepping = contact.impact.stepping;
  if (spec_.normal == LcpSpec::Normal::compliant) {
    // What the law's damper takes at the end of the step; what its spring does is booked by what it stores.
    const double depth = -(contact.gap + h * contact.end_velocity[0]), rate = -contact.end_velocity[0];
    const Patch& patch = state_.pool.patches[contact.place];
    const NormalCoefficients law =
        calc_law_now(contact.rule->normal, patch.normal, patch.blow, depth, rate, state_.time);
    const NormalForce force = calc_normal_force(law, depth, rate);
    const double damped = std::max(0.0, h * (force.total - force.elastic) * rate);
    work.patch.damping += damped;
    work.stepping += taken[0] - damped;
    return work;
  }
  // What leaving a penetration puts in is not restitution.
  work.patch.relaxation = 0.5 * contact.impulse[0] * contact.push;
  const double stopped = taken[0] + work.patch.relaxation;
  // Approaches too slow for the step to let them rebound: the law would have taken 1 - e^2 of that, the step the rest.
  const NormalLawParameters& law = contact.rule->normal;
  const double approach = std::max(law.v_small, -contact.normal.dot(contact.velocity));
  const double e = spec_.restitution && !law.damping ? law.restitution.calc_coefficient(approach) : 0.0;
  work.patch.damping += (1.0 - e * e) * stopped;
  work.stepping += e * e * stopped;
  return work;
}

LcpStepper::ContactWork LcpStepper::calc_unlisted_work() const {
  ContactWork work;
  for (const StepContact& struck : struck_) {
    const auto is_same = [&](const StepContact& contact) { return contact.point == struck.point; };
    if (std::any_of(contacts_.begin(), contacts_.end(), is_same)) continue;
    work.patch.friction += struck.impact.friction;
    work.patch.damping += struck.impact.damping;
    work.stepping += struck.impact.stepping;
  }
  return work;
}

std::vector<double> LcpStepper::calc_joint_forces(double h) const {
  std::vector<double> force = free_.prescribed_forces();
  joints_.add_forces(h, force);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] += joint_impulses_[i] / h;
  return force;
}

const StepContact* LcpStepper::find_caught() const {
  const StepContact* caught = nullptr;
  double largest = 0.0;
  std::vector<double> diagonal(system_.num_rows());
  system_.calc_diagonal(diagonal.data());
  for (const StepContact& contact : contacts_) {
    // The speed that the impulse would give to what it acts on, alone.
    const double speed = diagonal[contact.row] * contact.impulse[0];
    if (!(speed > largest)) continue;
    largest = speed;
    caught = &contact;
  }
  constexpr double kOutOfProportion = 1e4;
  double fastest = 0.0;
  for (const StepContact& contact : contacts_) {
    fastest = std::max({fastest, contact.velocity.norm(), contact.free_velocity.norm()});
  }
  return largest > kOutOfProportion * fastest ? caught : nullptr;
}

}  // namespace abut
