#pragma once

#include <vector>

#include "abut/sim/dynamics.hpp"
#include "abut/sim/free_motion.hpp"
#include "abut/sim/joint_rows.hpp"
#include "abut/sim/lcp_contact.hpp"
#include "abut/sim/step_works.hpp"
#include "abut/sim/velocity_parts.hpp"
#include "abut/solve/lcp/contact_sweeps.hpp"
#include "abut/solve/lcp/friction_contact.hpp"
#include "abut/solve/lcp/system_solver.hpp"

namespace abut {

/// Velocity steps with contacts as a bounded complementarity problem.   [Peiret et al. 2016 (1)-(31)]
///
/// From (q, v): v+ = v_free + M^-1 J' x, where the impulses x and the contact velocities at the end of the step are
/// complementary (FreeMotion, JointRows, contacts); then q+ = q + h G (v+ + u). Normal rows, hard contact: N v+ + gap /
/// h >= 0, so that a body may close its gap and no more; N v+ >= 0 where bodies overlap. The velocities u move bodies
/// without being kept: they are the least (in M) with which overlaps shrink by `stabilisation` in a step, and with
/// which a contact that rebounds is reached but not crossed. Such a contact takes no impulse in the step that reaches
/// it; the next one begins with the impact, at the speed of the touch, one contact after the other where several are
/// struck (resolve_impacts). Normal rows, compliant: the contact's own law, linearised about the depth expected at the
/// end of the step. Contacts that are not touching yet are looked for along the motion: what passes beside a body is
/// not stopped by it (find_touch_in_step).
class LcpStepper {
 public:
  LcpStepper(Dynamics& dynamics, State& state);

  /// One step of length h [s] from state.time, at the geometry of that instant. Speeds, coordinates and works are
  /// advanced; which patches begin and end is left to the caller, who looks at contacts().
  SystemResult step(double h);

  /// At the motion of state.time: see StepWorks. Called before samples, so that these balance.
  void book_stored_change() { works_.book_stored_change(dynamics_, state_); }

  const std::vector<StepContact>& contacts() const { return contacts_; }
  /// Work of a contact in the last step, at the mean of start and end velocities, which is exact for impulses [J];
  /// `stepping` is what of it belongs to the step and not to the contact's law.
  struct ContactWork {
    PatchWork patch;
    double stepping = 0.0;
  };
  ContactWork calc_work(const StepContact& contact, double h) const;
  /// Work of the impacts of contacts that the step has not listed: struck, they parted and meet nothing in it [J].
  ContactWork calc_unlisted_work() const;
  /// Forces of joints in the last step: loads, prescribed motion and contacts [N, N m], num_v.
  std::vector<double> calc_joint_forces(double h) const;
  /// What links felt in the mean of the last step; known where the model has sensors.
  const LinkForces& link_forces() const { return link_forces_; }
  /// Impact rounds that were given up, so far.
  long unfinished_impacts() const { return unfinished_impacts_; }
  /// Of the last step: the contact whose impulse is out of all proportion to what moves, as where two bodies that
  /// nothing can stop close on a third; the step was not solved then, and not taken. Null where there is none.
  const StepContact* caught() const { return caught_; }

  /// The books, and what the solvers begin with.
  template <class Archive>
  void visit(Archive& archive) {
    archive(solver_, relief_solver_, joints_, works_, unfinished_impacts_);
  }

 private:
  void resolve_arrivals(double h);
  void calc_free_motion(double h);
  void gather_contacts(double h);
  bool is_met(StepContact& contact, const Candidate& candidate, double h) const;
  void set_arrival(StepContact& contact, double h) const;
  Vec3 calc_free_velocity(int link, const Vec3& p_WQ) const;
  double calc_restitution(const StepContact& contact, double speed);
  double calc_v_threshold(const StepContact& contact, double h) const;
  void set_friction_rows(StepContact& contact, double h) const;
  void add_contact_rows(StepContact& contact, double h);
  void set_normal_row(StepContact& contact, double h);
  void write_friction_rows(const StepContact& contact);
  Vec3 calc_carried(const StepContact& contact) const;
  SystemResult solve(double h);
  SystemResult solve_bounded(double h);
  void solve_densely(SystemResult& result);
  SystemResult solve_polygons();
  SystemResult solve_cones();
  SystemResult solve_together(const std::vector<FrictionContact>& friction, SweepOptions sweeps);
  bool update_limits(double h);
  void turn_axes(StepContact& contact, const Vec3& force, const Vec3& along, double h);
  std::vector<FrictionContact> list_friction(FrictionCone cone) const;
  void read_solution();
  void add_link_impulses(const std::vector<StepContact>& contacts, bool is_impact);
  void note_link_forces(double h);
  void add_joint_impulses(std::span<const double> v_change, bool is_impact);
  void relieve(double h);
  std::vector<double> calc_held_speeds();
  void book_relief(double h);
  const StepContact* find_caught() const;
  void advance(double h);

  Dynamics& dynamics_;
  State& state_;
  const LcpSpec& spec_;
  VelocityParts parts_;
  ConstraintSystem system_;
  SystemSolver solver_, relief_solver_;
  FreeMotion free_;
  JointRows joints_;
  std::vector<StepContact> contacts_, struck_;
  std::vector<double> x_, speeds_;  ///< impulses of rows, speeds of parts
  StepWorks works_;
  std::vector<double> v_start_, v_free_, v_end_, relief_;
  Kinematics free_kinematics_;          ///< of mechanisms at the start's poses with the free speeds
  std::vector<double> joint_impulses_;  ///< of prescribed joints, because of contacts
  std::vector<Vec6> link_impulses_;
  std::vector<double> v_before_;  ///< before the impacts that the step begins with; where the model has sensors
  LinkForces link_forces_;
  long unfinished_impacts_ = 0;
  const StepContact* caught_ = nullptr;
};

}  // namespace abut
