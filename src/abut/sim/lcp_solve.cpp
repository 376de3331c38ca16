#include <algorithm>
#include <cmath>

#include "abut/sim/lcp_stepper.hpp"
#include "abut/solve/lcp/cone_alignment.hpp"
#include "abut/solve/lcp/contact_sweeps.hpp"
#include "abut/solve/lcp/friction_newton.hpp"
#include "abut/solve/lcp/polygon_friction.hpp"
#include "abut/solve/lcp/solve_lcp.hpp"

namespace abut {

namespace {

/// Contacts whose polygons are solved together by Lemke's method; more of them would take longer than a step may.
constexpr std::size_t kMostPolygons = 24;

/// Rows that a dense matrix is still worth building for, some hundredths of a second.
constexpr int kMostDenseRows = 240;

/// Cones that are soon solved one after the other.
constexpr std::size_t kFewCones = 4;

/// What a sticking contact at its limit may exert across its force, and how far it so may leave the circle.
constexpr double kAcross = 0.05, kOnCircle = 1.002;

/// A contact speed that no record would show [m/s]: bodies at rest have no other scale.
constexpr double kNothing = 1e-10;

}  // namespace

SystemResult LcpStepper::solve(double h) {
  x_.assign(system_.num_rows(), 0.0);
  joints_.write_guess(x_);
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
  const bool has_new = std::any_of(contacts_.begin(), contacts_.end(), [](const StepContact& c) {
    return c.place < 0 && c.mu_kinetic > 0.0 && c.arrival == 0.0;
  });
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

/// New limits; and where a contact sticks with more than the circle allows, in a corner of its box, the axes turn to
/// `along`, its slip or the force that it needs, where box and circle touch, and little is allowed across it: boxes
/// that turn from step to step would together hold more than mu N.
void LcpStepper::turn_axes(StepContact& contact, const Vec3& force, const Vec3& along, double h) {
  const FrictionRows before = contact.friction;
  const bool is_corner =
      spec_.friction == LcpSpec::Friction::regularised && before.is_static && force.norm() > before.bound * kOnCircle;
  if (is_corner) {
    contact.friction_along = along;
    contact.side_part = kAcross;
  }
  set_friction_rows(contact, h);
  if (!is_corner) return;
  const Vec2 turn(contact.friction.axes[0].dot(before.axes[0]), contact.friction.axes[0].dot(before.axes[1]));
  for (int k = 1; k < 3; ++k) system_.compliance[contact.row + k] = 0.0;  // written anew afterwards
  system_.rotate_rows(contact.row + 1, turn);
  const double first = x_[contact.row + 1], second = x_[contact.row + 2];
  x_[contact.row + 1] = turn.x() * first + turn.y() * second;
  x_[contact.row + 2] = turn.x() * second - turn.y() * first;
  write_friction_rows(contact);
}

/// Friction limits from the normal impulses just found; false when none of those that matter has changed by more than a
/// ten-thousandth of the largest.
bool LcpStepper::update_limits(double h) {
  constexpr double kEnough = 1e-4;
  double largest = 0.0, change = 0.0;
  std::vector<double> u(system_.num_rows());
  system_.calc_row_velocities(speeds_.data(), u.data());
  for (StepContact& contact : contacts_) {
    const double old_bound = contact.friction.bound;
    contact.normal_force = x_[contact.row] / h;
    const Vec3 force = x_[contact.row + 1] * contact.friction.axes[0] + x_[contact.row + 2] * contact.friction.axes[1];
    const Vec3 slip = u[contact.row + 1] * contact.friction.axes[0] + u[contact.row + 2] * contact.friction.axes[1] +
                      tangential(calc_carried(contact), contact.normal);
    turn_axes(contact, force, slip.norm() > 10.0 * kNothing ? slip : force, h);
    const double bound = contact.friction.bound;
    double most = 0.0;
    for (int k = 1; k < 3; ++k) most = std::max(most, std::abs(x_[contact.row + k]));
    const bool matters = most >= std::min(bound, old_bound) * (1.0 - 1e-12) || !contact.friction.is_static;
    largest = std::max({largest, bound, old_bound});
    if (matters) change = std::max(change, std::abs(bound - old_bound));
    const bool is_round = spec_.friction == LcpSpec::Friction::regularised && contact.friction.is_static;
    if (is_round) change = std::max(change, force.norm() - kOnCircle * bound);
  }
  if (change <= kEnough * largest) return false;
  for (const StepContact& contact : contacts_) write_friction_rows(contact);
  return true;
}

/// Contacts with a friction law. Those that are reached in this step take no impulse in it: their rows keep their own
/// bounds, which a law would replace.
std::vector<FrictionContact> LcpStepper::list_friction(FrictionCone cone) const {
  std::vector<FrictionContact> list;
  for (const StepContact& contact : contacts_) {
    if (contact.arrival > 0.0) continue;
    list.push_back({contact.row, contact.mu(), cone, spec_.facets, 0.0});
  }
  return list;
}

/// Lemke's answer is judged by what it is for, speeds of contacts, as those of the other solvers are: impulses out of
/// all proportion, as redundant corners allow, would hide any residual behind their rounding.
SystemResult LcpStepper::solve_polygons() {
  const std::vector<FrictionContact> friction = list_friction(FrictionCone::polygon);
  SweepOptions sweeps;
  sweeps.tolerance = spec_.tolerance;
  sweeps.least = kNothing;
  if (contacts_.size() > kMostPolygons) return solve_together(friction, sweeps);
  const PolygonProblem problem = make_polygon_problem(system_.make_dense(), friction);
  const LcpResult lcp = solve_lcp(problem.lcp);
  if (!lcp.is_solved()) return solve_together(friction, sweeps);
  const std::vector<double> guess = x_;
  const VecX x = problem.to_rows * lcp.x;
  x_.assign(x.data(), x.data() + x.size());
  speeds_.resize(system_.num_velocities());
  system_.calc_velocities(x_.data(), speeds_.data());
  const double free_speed = system_.calc_free_speed();
  SystemResult result;
  result.conclude(calc_friction_residual(system_, friction, x_), std::max(spec_.tolerance * free_speed, kNothing),
                  free_speed, lcp.iterations, "pivots");
  if (result.is_solved()) return result;
  const std::vector<double> first = x_;
  x_ = guess;
  const SystemResult together = solve_together(friction, sweeps);
  if (together.is_solved() || together.residual < result.residual) return together;
  x_ = first;
  system_.calc_velocities(x_.data(), speeds_.data());
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

}  // namespace abut
