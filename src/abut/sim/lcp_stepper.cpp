#include "abut/sim/lcp_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "abut/contact/law/normal_force.hpp"
#include "abut/contact/patch_response.hpp"
#include "abut/sim/method_advice.hpp"

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Displacements out of overlaps are looked for where they come to this in a step [m].
constexpr double kWorthMoving = 1e-8;

}  // namespace

LcpStepper::LcpStepper(Dynamics& dynamics, State& state)
    : dynamics_(dynamics),
      state_(state),
      spec_(dynamics.model().scene.lcp),
      parts_(dynamics.model().tree, &dynamics.model().loops),
      joints_(dynamics.model()) {}

SystemResult LcpStepper::step(double h) {
  joint_impulses_.assign(dynamics_.num_v(), 0.0);
  if (dynamics_.has_sensors()) {
    const auto v = state_.y.begin() + dynamics_.num_q();
    v_before_.assign(v, v + dynamics_.num_v());
  }
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
  if (dynamics_.has_sensors()) note_link_forces(h);
  relieve(h);
  advance(h);
  return result;
}

/// Speeds at the end of the step without contacts.
void LcpStepper::calc_free_motion(double h) {
  const int num_q = dynamics_.num_q();
  dynamics_.span_step(state_.time, state_.time + h);
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

/// Velocity of a relative to b at the end of the step that no impulse changes: of prescribed joints, and in loops.
Vec3 LcpStepper::calc_carried(const StepContact& contact) const {
  if (!parts_.has_carried()) return Vec3::Zero();
  return parts_.calc_carried_velocity(contact.link_a, contact.position_a) -
         parts_.calc_carried_velocity(contact.link_b, contact.position_b);
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
  options.least = 0.1 * kLcpTouching / h;
  std::vector<double> x(system_.num_rows(), 0.0), speeds;
  relief_solver_.solve(system_, options, x, speeds);
  if (!std::all_of(speeds.begin(), speeds.end(), [](double v) { return std::isfinite(v); })) return;
  for (std::size_t i = 0; i < speeds.size(); ++i) speeds[i] += moving[i] - speeds_[i];
  relief_.assign(v_end_.size(), 0.0);
  parts_.write_changes(speeds, relief_);
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
  // Speeds stay those of the middle of the step.
  if (dynamics_.loops() != nullptr) dynamics_.close_loops(state_.time, state_.y.data(), false);
}

}  // namespace abut
