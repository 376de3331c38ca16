#include "abut/sim/lcp_stepper.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/contact/law/normal_force.hpp"
#include "abut/contact/patch_response.hpp"
#include "abut/geometry/capsule_pair.hpp"
#include "abut/sim/method_advice.hpp"
#include "abut/sim/step_sweep.hpp"

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Gaps below this are touching [m].
constexpr double kTouching = 1e-9;

/// Displacements out of overlaps are looked for where they come to this in a step [m].
constexpr double kWorthMoving = 1e-8;

}  // namespace

LcpStepper::LcpStepper(Dynamics& dynamics, State& state)
    : dynamics_(dynamics),
      state_(state),
      spec_(dynamics.model().scene.lcp),
      parts_(dynamics.model().tree),
      joints_(dynamics.model()) {}

SystemResult LcpStepper::step(double h) {
  joint_impulses_.assign(dynamics_.num_v(), 0.0);
  resolve_arrivals(h);
  calc_free_motion(h);
  system_.clear();
  parts_.begin(dynamics_.kinematics(), v_free_, system_);
  joints_.add_rows(parts_, system_);
  gather_contacts(h);
  for (StepContact& contact : contacts_) add_contact_rows(contact, h);
  const SystemResult result = solve(h);
  read_solution();
  caught_ = result.is_solved() ? nullptr : find_caught();
  if (caught_ != nullptr) return result;
  works_.book(dynamics_, state_, free_, joints_, v_end_, h);
  relieve(h);
  advance(h);
  return result;
}

/// Speeds at the end of the step without contacts.
void LcpStepper::calc_free_motion(double h) {
  const int num_q = dynamics_.num_q();
  joints_.calc(dynamics_, state_.time, state_.y.data(), h);
  free_.calc(dynamics_, state_.time, state_.y.data(), joints_.forces(), h,
             spec_.position_velocity == LcpSpec::PositionVelocity::start);
  v_start_.assign(state_.y.begin() + num_q, state_.y.begin() + num_q + dynamics_.num_v());
  v_free_ = free_.speeds();
  const Tree& tree = dynamics_.model().tree;
  if (tree.articulated_links().empty()) return;
  free_kinematics_.resize(tree);
  calc_articulated_kinematics(tree, std::span<const double>(state_.y).first(num_q), v_free_, free_kinematics_);
}

Vec3 LcpStepper::calc_free_velocity(int link, const Vec3& p_WQ) const {
  const Tree& tree = dynamics_.model().tree;
  const int leaf = tree.free_leaf_index(link);
  if (leaf < 0) return free_kinematics_.calc_point_velocity(link, p_WQ);
  const double* v = v_free_.data() + tree.free_leaf_data()[leaf].v_start;
  return Eigen::Map<const Vec3>(v) + Eigen::Map<const Vec3>(v + 3).cross(p_WQ - dynamics_.kinematics().p_WCm[link]);
}

/// The nearest points of two capsules, whichever of them carry. Those of the set know when one takes over from another,
/// by gaps that are no distances (calc_carried_capsules): a step would take them for overlaps, and draw the bodies
/// apart.
PointContact LcpStepper::calc_true_contact(int point) const {
  const ContactSet& set = dynamics_.contacts();
  const Candidate& candidate = set.candidate_of_point(point);
  if (candidate.pair.kind != PointPairKind::kCapsuleCapsule) return set.point_geometry(point);
  const BodyMotion motion = dynamics_.motion();
  const Collider &a = set.collider(candidate.collider_a), &b = set.collider(candidate.collider_b);
  std::array<PointContact, kCapsuleCapsulePoints> points;
  calc_capsule_capsule(std::get<Capsule>(a.shape), calc_collider_pose(a, motion.X_WB[a.link]),
                       std::get<Capsule>(b.shape), calc_collider_pose(b, motion.X_WB[b.link]), points.data());
  return points[point - candidate.first_point];
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
    const PointContact geometry = calc_true_contact(point);
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
    if (geometry.gap > 2.0 * h * speed + fall + kTouching) continue;
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
  if (contact.gap <= kTouching || contact.gap + h * contact.normal.dot(contact.free_velocity) >= 0.0) return true;
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

/// Slip up to which a contact counts as sticking [m/s]: what the step's accelerations make of rest, or what is given.
double LcpStepper::calc_v_threshold(const StepContact& contact, double h) const {
  if (spec_.v_threshold) return *spec_.v_threshold;
  const double driven = tangential(contact.free_velocity - contact.velocity, contact.normal).norm() / h;
  return calc_default_v_threshold(h, std::max(dynamics_.model().scene.gravity.norm(), driven));
}

void LcpStepper::set_friction_rows(StepContact& contact, double h) const {
  const double v_threshold = calc_v_threshold(contact, h);
  if (contact.arrival > 0.0) {
    contact.friction = make_box_rows(contact.normal, 0.0, h);
    return;
  }
  if (spec_.friction != LcpSpec::Friction::regularised) {
    const bool is_static = tangential(contact.velocity, contact.normal).norm() <= v_threshold;
    const double mu = is_static ? contact.mu_static : contact.mu_kinetic;
    contact.friction = make_box_rows(contact.normal, mu * contact.normal_force, h);
    contact.friction.is_static = is_static;
    return;
  }
  RegularisedFrictionInput input;
  input.normal = contact.normal;
  input.slip = contact.velocity;
  input.friction_force = contact.old_friction;
  input.along = contact.friction_along;
  input.static_limit = contact.mu_static * contact.normal_force;
  input.kinetic_limit = contact.mu_kinetic * contact.normal_force;
  input.step = h;
  input.v_threshold = v_threshold;
  input.stiffness = spec_.tangential_stiffness;
  contact.friction = make_regularised_rows(input);
}

void LcpStepper::add_contact_rows(StepContact& contact, double h) {
  set_friction_rows(contact, h);
  const Vec3 directions[3] = {contact.normal, contact.friction.axes[0], contact.friction.axes[1]};
  const int part_a = parts_.part_of(contact.link_a), part_b = parts_.part_of(contact.link_b);
  const MatX J_a = part_a < 0 ? MatX() : parts_.calc_jacobian(contact.link_a, contact.position_a, directions, 1.0);
  const MatX J_b = part_b < 0 ? MatX() : parts_.calc_jacobian(contact.link_b, contact.position_b, directions, -1.0);
  contact.row = system_.add_rows(3, part_a, J_a, part_b, J_b);
  set_normal_row(contact, h);
  write_friction_rows(contact);
}

/// Velocity of a relative to b at the end of the step from prescribed joints alone.
Vec3 LcpStepper::calc_carried(const StepContact& contact) const {
  if (!parts_.has_prescribed()) return Vec3::Zero();
  return parts_.calc_prescribed_velocity(contact.link_a, contact.position_a) -
         parts_.calc_prescribed_velocity(contact.link_b, contact.position_b);
}

void LcpStepper::set_normal_row(StepContact& contact, double h) {
  const int row = contact.row;
  system_.lower[row] = 0.0;
  const double prescribed = contact.normal.dot(calc_carried(contact));
  if (spec_.normal == LcpSpec::Normal::compliant) {
    // f = f* + k (d - d*) + c (d' - d'*) about the depth expected at the end, d = -(gap + h u), d' = -u.
    const Patch& patch = state_.pool.patches[contact.place];
    const double u = contact.normal.dot(contact.velocity);
    const double depth = std::max(-(contact.gap + h * u), 1e-12), rate = -u;
    const NormalCoefficients law =
        calc_law_now(contact.rule->normal, patch.normal, patch.blow, depth, rate, state_.time);
    const NormalForceGradient slope = calc_normal_force_gradient(law, depth, rate);
    const double k = std::max(slope.by_depth, 1e-300), c = std::max(slope.by_rate, 0.0);
    const double force = calc_normal_force(law, depth, rate).total;
    const double stiff = h * h * k + h * c;
    const double constant = h * (force + k * (-contact.gap - depth) - c * rate);
    system_.compliance[row] = 1.0 / stiff;
    system_.offset[row] = prescribed - constant / stiff;
    return;
  }
  if (spec_.position_velocity == LcpSpec::PositionVelocity::start) {
    // The old velocity moves the bodies, the new one acts from where that leaves them, and takes them out of overlaps.
    const double gap = contact.gap + h * contact.normal.dot(contact.velocity);
    const double gap_speed = (gap >= 0.0 ? 1.0 : spec_.stabilisation) * gap / h;
    contact.push = std::max(0.0, -gap_speed);
    system_.offset[row] = prescribed + gap_speed;
    return;
  }
  if (contact.arrival > 0.0) system_.upper[row] = 0.0;
  double speed = std::max(0.0, contact.gap) / h;
  if (contact.gap < 0.0 && contact.normal_force > 0.0) {
    // A rolling contact goes on along an arc: a step begins with the approach of its chord and must end with as much of
    // the opposite. That is no rebound, and it leaves what chords cut into the arc; never faster than it came.
    const double approach = -contact.normal.dot(contact.velocity);
    speed = -std::clamp(approach, 0.0, -spec_.stabilisation * contact.gap / h);
  }
  system_.offset[row] = prescribed + speed;
}

void LcpStepper::write_friction_rows(const StepContact& contact) {
  const Vec3 carried = calc_carried(contact);
  for (int k = 0; k < 2; ++k) {
    const int row = contact.row + 1 + k;
    system_.compliance[row] = contact.friction.compliance[k];
    system_.offset[row] = contact.friction.offset[k] + contact.friction.axes[k].dot(carried);
    const double bound = (k == 0 ? 1.0 : contact.side_part) * contact.friction.bound;
    system_.lower[row] = -bound;
    system_.upper[row] = bound;
  }
}

void LcpStepper::read_solution() {
  v_end_ = v_free_;
  parts_.write_velocities(speeds_, v_end_);
  joints_.read(x_);
  std::vector<double> u(system_.num_rows());
  if (!u.empty()) system_.calc_row_velocities(speeds_.data(), u.data());
  for (StepContact& contact : contacts_) {
    const Vec3 carried = calc_carried(contact);
    const Vec3 directions[3] = {contact.normal, contact.friction.axes[0], contact.friction.axes[1]};
    for (int k = 0; k < 3; ++k) {
      contact.impulse[k] = x_[contact.row + k];
      contact.end_velocity[k] = u[contact.row + k] + directions[k].dot(carried);
    }
  }
  std::vector<double> change(v_end_.size());
  for (std::size_t i = 0; i < change.size(); ++i) change[i] = v_end_[i] - v_free_[i];
  add_joint_impulses(change, false);
}

/// Displacements over h, in which speeds have no part: out of overlaps, and not across contacts that are to rebound.
void LcpStepper::relieve(double h) {
  relief_.clear();
  if (spec_.normal != LcpSpec::Normal::hard || spec_.position_velocity == LcpSpec::PositionVelocity::start) return;
  bool is_needed = false;
  const std::vector<double> moving = calc_held_speeds();
  std::vector<double> u(system_.num_rows());
  if (!u.empty()) system_.calc_row_velocities(moving.data(), u.data());
  for (const StepContact& contact : contacts_) {
    const double gap_speed = (contact.gap >= 0.0 ? 1.0 : spec_.stabilisation) * contact.gap / h;
    system_.offset[contact.row] = u[contact.row] + contact.normal.dot(calc_carried(contact)) + gap_speed;
    is_needed = is_needed || h * system_.offset[contact.row] < -kWorthMoving || contact.hold > 0.0;
  }
  if (!is_needed) return;
  std::vector<char> is_normal(system_.num_rows(), 0);
  for (const StepContact& contact : contacts_) is_normal[contact.row] = 1;
  for (int row = 0; row < system_.num_rows(); ++row) {
    system_.lower[row] = 0.0;
    system_.upper[row] = is_normal[row] ? kInfinity : 0.0;
    system_.compliance[row] = 0.0;
    if (!is_normal[row]) system_.offset[row] = 0.0;
  }
  system_.clear_momentum();
  SystemSolverOptions options;
  options.tolerance = 1e-6;  // of the overlaps that are left in a step
  options.least = 0.1 * kTouching / h;
  std::vector<double> x(system_.num_rows(), 0.0), speeds;
  relief_solver_.solve(system_, options, x, speeds);
  if (!std::all_of(speeds.begin(), speeds.end(), [](double v) { return std::isfinite(v); })) return;
  for (std::size_t i = 0; i < speeds.size(); ++i) speeds[i] += moving[i] - speeds_[i];
  relief_.assign(v_end_.size(), 0.0);
  parts_.write_velocities(speeds, relief_);
  book_relief(h);
}

/// Speeds of parts that move bodies in this step: those found, but single bodies that would slide far past the place
/// where they are to rebound stay there.
std::vector<double> LcpStepper::calc_held_speeds() {
  std::vector<double> moving = speeds_;
  for (const StepContact& contact : contacts_) {
    if (contact.hold == 0.0 || contact.arrival == 0.0) continue;
    for (const int link : {contact.link_a, contact.link_b}) {
      if (dynamics_.model().tree.free_leaf_index(link) < 0) continue;
      const int start = system_.part_start(parts_.part_of(link));
      for (int i = start; i < start + 6; ++i) {
        const double held = (1.0 - contact.hold) * speeds_[i];
        if (std::abs(held) < std::abs(moving[i])) moving[i] = held;
      }
    }
  }
  return moving;
}

/// Lifting bodies out of overlaps is put in from outside; stopping them at a touch is part of the step.
void LcpStepper::book_relief(double h) {
  const bool arrives =
      std::any_of(contacts_.begin(), contacts_.end(), [](const StepContact& c) { return c.arrival > 0.0; });
  if (arrives) return;
  const Tree& tree = dynamics_.model().tree;
  Vec3 momentum = Vec3::Zero();
  for (const FreeLeaf& leaf : tree.free_leaf_data()) {
    momentum += leaf.mass * Eigen::Map<const Vec3>(relief_.data() + leaf.v_start);
  }
  const double lifted = -h * dynamics_.model().scene.gravity.dot(momentum);
  state_.ended.relaxation += lifted;
  state_.works[static_cast<int>(GlobalWork::time_stepping)] += lifted;
}

void LcpStepper::advance(double h) {
  const int num_q = dynamics_.num_q(), num_v = dynamics_.num_v();
  const bool uses_end = spec_.position_velocity == LcpSpec::PositionVelocity::end;
  const Tree& tree = dynamics_.model().tree;
  const std::span<double> q = std::span(state_.y).first(num_q);
  std::vector<double> moving = uses_end ? v_end_ : v_start_;
  for (std::size_t i = 0; i < relief_.size(); ++i) moving[i] += relief_[i];
  move_coordinates(tree, moving, h, q);
  std::copy(v_end_.begin(), v_end_.end(), state_.y.begin() + num_q);
  // Work of the impulses that prescribed joints added because of contacts.
  if (dynamics_.num_work_states() > 0) {
    for (const PrescribedJoint& joint : dynamics_.model().prescribed) {
      const double mean = 0.5 * (v_start_[joint.v_index] + v_end_[joint.v_index]);
      state_.y[num_q + num_v] += joint_impulses_[joint.v_index] * mean;
    }
  }
  state_.time += h;
  dynamics_.enforce_prescribed(state_.time, state_.y.data());
}

}  // namespace abut
