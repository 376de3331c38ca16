#include "abut/sim/lcp_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "abut/contact/law/normal_force.hpp"
#include "abut/contact/patch_response.hpp"
#include "abut/sim/method_advice.hpp"
#include "abut/solve/lcp/cone_alignment.hpp"
#include "abut/solve/lcp/contact_sweeps.hpp"
#include "abut/solve/lcp/friction_newton.hpp"
#include "abut/solve/lcp/polygon_friction.hpp"
#include "abut/solve/lcp/solve_lcp.hpp"

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Contacts whose polygons are solved together by Lemke's method; more of them would take longer than a step may.
constexpr std::size_t kMostPolygons = 24;

/// Rows that a dense matrix is still worth building for, some hundredths of a second.
constexpr int kMostDenseRows = 240;

/// Cones that are soon solved one after the other.
constexpr std::size_t kFewCones = 4;

/// A contact speed that no record would show [m/s]: bodies at rest have no other scale.
constexpr double kNothing = 1e-10;

}  // namespace

FrictionCoefficients calc_friction_coefficients(const FrictionParameters& friction) {
  if (const auto* p = std::get_if<CoulombParameters>(&friction)) return {p->mu_c, p->mu_s};
  if (const auto* p = std::get_if<LugreParameters>(&friction)) return {p->mu_d, p->mu_s};
  if (const auto* p = std::get_if<BristleParameters>(&friction)) return {p->mu_c, p->mu_s};
  return {};
}

LcpStepper::LcpStepper(Dynamics& dynamics, State& state)
    : dynamics_(dynamics), state_(state), spec_(dynamics.model().scene.lcp), parts_(dynamics.model().tree) {}

SystemResult LcpStepper::step(double h) {
  calc_free_motion(h);
  system_.clear();
  parts_.begin(dynamics_.kinematics(), v_free_, system_);
  gather_contacts(h);
  for (StepContact& contact : contacts_) add_contact_rows(contact, h);
  const SystemResult result = solve(h);
  read_solution();
  works_.book(dynamics_, state_, v_end_, h);
  advance(h);
  return result;
}

/// Speeds at the end of the step without contacts.
void LcpStepper::calc_free_motion(double h) {
  const int num_q = dynamics_.num_q(), num_v = dynamics_.num_v();
  rates_.resize(dynamics_.size());
  dynamics_.calc_rates(state_.time, state_.y.data(), rates_.data(), nullptr);
  v_start_.assign(state_.y.begin() + num_q, state_.y.begin() + num_q + num_v);
  v_free_.resize(num_v);
  for (int i = 0; i < num_v; ++i) v_free_[i] = v_start_[i] + h * rates_[num_q + i];
  for (const PrescribedJoint& joint : dynamics_.model().prescribed) {
    v_free_[joint.v_index] = joint.motion.rate(state_.time + h);
  }
  if (dynamics_.num_work_states() > 0) state_.y[num_q + num_v] += h * rates_[num_q + num_v];
}

/// Points that may touch within the step: nearer than the bodies can come, with room for what other contacts do to
/// them.
void LcpStepper::gather_contacts(double h) {
  contacts_.clear();
  const ContactSet& set = dynamics_.contacts();
  const BodyMotion motion = dynamics_.motion();
  const double fall = 2.0 * h * h * dynamics_.model().scene.gravity.norm();
  for (int point = 0; point < set.num_points(); ++point) {
    const PointContact& geometry = set.point_geometry(point);
    const Candidate& candidate = set.candidate_of_point(point);
    const int link_a = set.collider(candidate.collider_a).link, link_b = set.collider(candidate.collider_b).link;
    const int place = set.patch_at(point);
    const Vec3 velocity =
        calc_point_velocity(motion, link_a, geometry.point) - calc_point_velocity(motion, link_b, geometry.point);
    if (spec_.normal == LcpSpec::Normal::compliant && place < 0) continue;
    if (geometry.gap > 2.0 * h * velocity.norm() + fall + 1e-9) continue;
    StepContact contact;
    contact.point = point;
    contact.place = place;
    contact.link_a = link_a;
    contact.link_b = link_b;
    contact.rule = &set.rule(candidate.rule);
    contact.position = geometry.point;
    contact.normal = geometry.normal;
    contact.gap = geometry.gap;
    contact.velocity = velocity;
    const FrictionCoefficients mu = calc_friction_coefficients(contact.rule->friction);
    contact.mu_static = mu.statical;
    contact.mu_kinetic = mu.kinetic;
    if (place >= 0) {
      contact.normal_force = state_.step_contacts[place].normal_force;
      contact.old_friction = tangential(state_.step_contacts[place].friction_force, contact.normal);
    }
    contacts_.push_back(contact);
  }
}

void LcpStepper::set_friction_rows(StepContact& contact, double h) const {
  if (spec_.friction != LcpSpec::Friction::regularised) {
    contact.friction = make_box_rows(contact.normal, contact.mu_kinetic * contact.normal_force, h);
    return;
  }
  RegularisedFrictionInput input;
  input.normal = contact.normal;
  input.slip = contact.velocity;
  input.friction_force = contact.old_friction;
  input.static_limit = contact.mu_static * contact.normal_force;
  input.kinetic_limit = contact.mu_kinetic * contact.normal_force;
  input.step = h;
  input.v_threshold = spec_.v_threshold.value_or(calc_default_v_threshold(h, dynamics_.model().scene.gravity.norm()));
  input.stiffness = spec_.tangential_stiffness;
  contact.friction = make_regularised_rows(input);
}

void LcpStepper::add_contact_rows(StepContact& contact, double h) {
  set_friction_rows(contact, h);
  const Vec3 directions[3] = {contact.normal, contact.friction.axes[0], contact.friction.axes[1]};
  const int part_a = parts_.part_of(contact.link_a), part_b = parts_.part_of(contact.link_b);
  const MatX J_a = part_a < 0 ? MatX() : parts_.calc_jacobian(contact.link_a, contact.position, directions, 1.0);
  const MatX J_b = part_b < 0 ? MatX() : parts_.calc_jacobian(contact.link_b, contact.position, directions, -1.0);
  contact.row = system_.add_rows(3, part_a, J_a, part_b, J_b);
  set_normal_row(contact, h);
  write_friction_rows(contact);
}

void LcpStepper::set_normal_row(StepContact& contact, double h) {
  const Vec3 carried = parts_.calc_prescribed_velocity(contact.link_a, contact.position) -
                       parts_.calc_prescribed_velocity(contact.link_b, contact.position);
  const int row = contact.row;
  system_.lower[row] = 0.0;
  const double prescribed = contact.normal.dot(carried);
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
  // Where the old velocity moves the bodies, the new one acts from where that leaves them.
  const bool uses_end = spec_.position_velocity == LcpSpec::PositionVelocity::end;
  const double gap = uses_end ? contact.gap : contact.gap + h * contact.normal.dot(contact.velocity);
  const double gap_speed = (gap >= 0.0 ? 1.0 : spec_.stabilisation) * gap / h;
  const double rebound = contact.place >= 0 ? state_.step_contacts[contact.place].rebound_speed : 0.0;
  contact.push = std::max(0.0, -gap_speed);
  system_.offset[row] = prescribed + std::min(gap_speed, rebound > 0.0 ? -rebound : kInfinity);
}

void LcpStepper::write_friction_rows(const StepContact& contact) {
  const Vec3 carried = parts_.has_prescribed()
                           ? Vec3(parts_.calc_prescribed_velocity(contact.link_a, contact.position) -
                                  parts_.calc_prescribed_velocity(contact.link_b, contact.position))
                           : Vec3::Zero();
  for (int k = 0; k < 2; ++k) {
    const int row = contact.row + 1 + k;
    system_.compliance[row] = contact.friction.compliance[k];
    system_.offset[row] = contact.friction.offset[k] + contact.friction.axes[k].dot(carried);
    system_.lower[row] = -contact.friction.bound;
    system_.upper[row] = contact.friction.bound;
  }
}

SystemResult LcpStepper::solve(double h) {
  x_.assign(system_.num_rows(), 0.0);
  for (const StepContact& contact : contacts_) {
    x_[contact.row] = h * contact.normal_force;
    for (int k = 0; k < 2; ++k) x_[contact.row + 1 + k] = h * contact.old_friction.dot(contact.friction.axes[k]);
  }
  if (spec_.friction == LcpSpec::Friction::polygon) return solve_polygons();
  if (spec_.friction == LcpSpec::Friction::cone) return solve_cones();
  return solve_bounded(h);
}

SystemResult LcpStepper::solve_bounded(double h) {
  SystemSolverOptions options;
  options.tolerance = spec_.tolerance;
  options.least = kNothing;
  SystemResult result;
  const bool has_new = std::any_of(contacts_.begin(), contacts_.end(),
                                   [](const StepContact& c) { return c.place < 0 && c.mu_kinetic > 0.0; });
  int iterations = 0;
  if (has_new) {
    // A new contact has no force yet to limit its friction: that of the problem in which it has none.
    result = solver_.solve(system_, options, x_, speeds_);
    iterations += result.iterations;
    for (StepContact& contact : contacts_) {
      if (contact.place < 0) contact.normal_force = x_[contact.row] / h;
      set_friction_rows(contact, h);
      write_friction_rows(contact);
    }
  }
  for (int k = 0;; ++k) {
    result = solver_.solve(system_, options, x_, speeds_);
    iterations += result.iterations;
    if (k >= spec_.bound_updates || !update_limits(h)) break;
    options.begins_at_guess = true;
  }
  result.iterations = iterations;
  if (!result.is_solved()) solve_densely(result);
  return result;
}

/// A second opinion where the structured solver did not get there: slower, and less choosy about the matrix.
void LcpStepper::solve_densely(SystemResult& result) {
  if (system_.num_rows() > kMostDenseRows) return;
  LcpOptions options;
  options.tolerance = spec_.tolerance;
  const LcpResult dense = solve_lcp(system_.make_dense(), options);
  if (!dense.is_solved()) return;
  x_.assign(dense.x.data(), dense.x.data() + dense.x.size());
  system_.calc_velocities(x_.data(), speeds_.data());
  result.status = LcpStatus::solved;
  result.residual = dense.residual;
  result.relative_residual = dense.relative_residual;
  result.iterations += dense.iterations;
}

/// Friction limits from the normal impulses just found; false when none of those that matter has changed by more than a
/// ten-thousandth of the largest.
bool LcpStepper::update_limits(double h) {
  constexpr double kEnough = 1e-4;
  double largest = 0.0, change = 0.0;
  for (StepContact& contact : contacts_) {
    const double old_bound = contact.friction.bound;
    contact.normal_force = x_[contact.row] / h;
    set_friction_rows(contact, h);
    const double bound = contact.friction.bound;
    double most = 0.0;
    for (int k = 1; k < 3; ++k) most = std::max(most, std::abs(x_[contact.row + k]));
    const bool matters = most >= std::min(bound, old_bound) * (1.0 - 1e-12) || !contact.friction.is_static;
    largest = std::max({largest, bound, old_bound});
    if (matters) change = std::max(change, std::abs(bound - old_bound));
  }
  if (change <= kEnough * largest) return false;
  for (const StepContact& contact : contacts_) write_friction_rows(contact);
  return true;
}

std::vector<FrictionContact> LcpStepper::list_friction(FrictionCone cone) const {
  std::vector<FrictionContact> list;
  for (const StepContact& contact : contacts_) {
    list.push_back({contact.row, contact.mu_kinetic, cone, spec_.facets, 0.0});
  }
  return list;
}

SystemResult LcpStepper::solve_polygons() {
  const std::vector<FrictionContact> friction = list_friction(FrictionCone::polygon);
  SweepOptions sweeps;
  sweeps.tolerance = spec_.tolerance;
  sweeps.least = kNothing;
  if (contacts_.size() > kMostPolygons) return solve_together(friction, sweeps);
  const PolygonProblem problem = make_polygon_problem(system_.make_dense(), friction);
  const LcpResult lcp = solve_lcp(problem.lcp);
  if (!lcp.is_solved()) return solve_together(friction, sweeps);
  const VecX x = problem.to_rows * lcp.x;
  x_.assign(x.data(), x.data() + x.size());
  speeds_.resize(system_.num_velocities());
  system_.calc_velocities(x_.data(), speeds_.data());
  SystemResult result;
  result.status = lcp.status;
  result.residual = lcp.residual;
  result.relative_residual = lcp.relative_residual;
  result.iterations = lcp.iterations;
  return result;
}

/// All contacts at once by Newton's method, and where that does not end some sweeps from the best it found.
SystemResult LcpStepper::solve_together(const std::vector<FrictionContact>& friction, SweepOptions sweeps) {
  FrictionNewtonOptions options;
  options.tolerance = spec_.tolerance;
  options.least = kNothing;
  // A factorisation takes milliseconds for a hundred bodies and a tenth of a second for a thousand.
  options.max_newton = std::clamp(300000 / std::max(1, system_.num_velocities()), 30, options.max_newton);
  const SystemResult newton = solve_friction_newton(system_, friction, options, x_, speeds_);
  if (newton.is_solved()) return newton;
  sweeps.max_sweeps = 100;
  const std::vector<double> best = x_;
  SystemResult result = solve_contact_sweeps(system_, friction, sweeps, x_, speeds_);
  result.iterations += newton.iterations;
  if (result.is_solved() || result.residual <= newton.residual) return result;
  x_ = best;
  system_.calc_velocities(x_.data(), speeds_.data());
  return newton;
}

SystemResult LcpStepper::solve_cones() {
  const std::vector<FrictionContact> friction = list_friction(FrictionCone::circle);
  SweepOptions sweeps;
  sweeps.tolerance = spec_.tolerance;
  sweeps.least = kNothing;
  if (contacts_.size() > kFewCones) {
    ConeAlignmentOptions options;
    options.tolerance = spec_.tolerance;
    options.least = kNothing;
    const SystemResult result = solve_by_cone_alignment(system_, friction, options, solver_, x_, speeds_);
    if (result.is_solved()) return result;
    return solve_together(friction, sweeps);
  }
  return solve_contact_sweeps(system_, friction, sweeps, x_, speeds_);
}

void LcpStepper::read_solution() {
  v_end_ = v_free_;
  parts_.write_velocities(speeds_, v_end_);
  std::vector<double> u(system_.num_rows());
  if (!u.empty()) system_.calc_row_velocities(speeds_.data(), u.data());
  for (StepContact& contact : contacts_) {
    const Vec3 carried = parts_.calc_prescribed_velocity(contact.link_a, contact.position) -
                         parts_.calc_prescribed_velocity(contact.link_b, contact.position);
    const Vec3 directions[3] = {contact.normal, contact.friction.axes[0], contact.friction.axes[1]};
    for (int k = 0; k < 3; ++k) {
      contact.impulse[k] = x_[contact.row + k];
      contact.end_velocity[k] = u[contact.row + k] + directions[k].dot(carried);
    }
  }
  joint_impulses_.assign(dynamics_.num_v(), 0.0);
  if (!parts_.has_prescribed()) return;
  link_impulses_.assign(dynamics_.model().tree.num_links(), Vec6::Zero());
  const Kinematics& now = dynamics_.kinematics();
  for (const StepContact& contact : contacts_) {
    const Vec3 impulse = contact.impulse[0] * contact.normal + contact.impulse[1] * contact.friction.axes[0] +
                         contact.impulse[2] * contact.friction.axes[1];
    for (const auto& [link, sign] : {std::pair(contact.link_a, 1.0), std::pair(contact.link_b, -1.0)}) {
      link_impulses_[link].head<3>() += sign * impulse;
      link_impulses_[link].tail<3>() += sign * (contact.position - now.p_WCm[link]).cross(impulse);
    }
  }
  std::vector<double> change(v_end_.size());
  for (std::size_t i = 0; i < change.size(); ++i) change[i] = v_end_[i] - v_free_[i];
  parts_.add_prescribed_impulses(link_impulses_, change, joint_impulses_);
}

PatchWork LcpStepper::calc_work(const StepContact& contact) const {
  const Vec3 directions[3] = {contact.normal, contact.friction.axes[0], contact.friction.axes[1]};
  PatchWork work;
  for (int k = 0; k < 3; ++k) {
    const double mean = 0.5 * (contact.end_velocity[k] + directions[k].dot(contact.velocity));
    (k == 0 ? work.damping : work.friction) -= contact.impulse[k] * mean;
  }
  // What leaving a penetration puts in is not restitution.
  work.relaxation = 0.5 * contact.impulse[0] * contact.push;
  work.damping += work.relaxation;
  return work;
}

void LcpStepper::advance(double h) {
  const int num_q = dynamics_.num_q(), num_v = dynamics_.num_v();
  const bool uses_end = spec_.position_velocity == LcpSpec::PositionVelocity::end;
  const Tree& tree = dynamics_.model().tree;
  const std::span<double> q = std::span(state_.y).first(num_q);
  std::vector<double>& q_dot = rates_;
  q_dot.resize(num_q);
  calc_q_dot(tree, q, uses_end ? v_end_ : v_start_, q_dot);
  for (int i = 0; i < num_q; ++i) q[i] += h * q_dot[i];
  std::copy(v_end_.begin(), v_end_.end(), state_.y.begin() + num_q);
  normalize_quaternions(tree, q);
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
