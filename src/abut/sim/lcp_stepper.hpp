#pragma once

#include <vector>

#include "abut/sim/dynamics.hpp"
#include "abut/sim/step_friction.hpp"
#include "abut/sim/step_works.hpp"
#include "abut/sim/velocity_parts.hpp"
#include "abut/solve/lcp/contact_sweeps.hpp"
#include "abut/solve/lcp/friction_contact.hpp"
#include "abut/solve/lcp/system_solver.hpp"

namespace abut {

/// A contact of one step, in the rows (normal, first tangent, second tangent) of the system.
struct StepContact {
  int point = -1;  ///< candidate point
  int place = -1;  ///< of its patch, -1 where there is none yet
  int link_a = -1, link_b = -1;
  const ContactRule* rule = nullptr;
  Vec3 position = Vec3::Zero(), normal = Vec3::UnitZ();  ///< [m], from b into a
  double gap = 0.0;                                      ///< at the start of the step [m]
  Vec3 velocity = Vec3::Zero();                          ///< of a relative to b at the start of the step [m/s]
  double normal_force = 0.0;                             ///< lambda_N that the friction limit is taken from [N]
  Vec3 old_friction = Vec3::Zero();                      ///< [N]
  double mu_static = 0.0, mu_kinetic = 0.0;
  double push = 0.0;  ///< speed asked for to leave a penetration [m/s]
  FrictionRows friction;
  int row = 0;
  Vec3 impulse = Vec3::Zero();       ///< along normal and tangents [N s]
  Vec3 end_velocity = Vec3::Zero();  ///< along normal and tangents [m/s]
};

/// Velocity steps with contacts as a bounded complementarity problem.   [spec 2, 2.1-2.4]
///
/// From (q, v): v+ = v + h a + M^-1 J' x with a the accelerations without contacts, where the impulses x and the
/// contact velocities at the end of the step are complementary; then q+ = q + h G v+. Normal rows, hard contact: N v+ +
/// gap / h >= 0, so that a body may close its gap and no more. A penetration is left at the rate `stabilisation` / h,
/// and no faster. With restitution, a contact closes its gap in the step in which it is reached, and leaves with e
/// times the approach speed in the next: bodies neither sink nor rebound from a distance. Normal rows, compliant: the
/// contact's own law, linearised about the depth expected at the end of the step.
class LcpStepper {
 public:
  LcpStepper(Dynamics& dynamics, State& state);

  /// One step of length h [s] from state.time, at the geometry of that instant. Speeds, coordinates and works are
  /// advanced; which patches begin and end is left to the caller, who looks at contacts().
  SystemResult step(double h);

  /// At the motion of state.time: see StepWorks. Called before samples, so that these balance.
  void book_stored_change() { works_.book_stored_change(dynamics_, state_); }

  const std::vector<StepContact>& contacts() const { return contacts_; }
  /// Work of a contact in the last step, at the mean of start and end velocities, which is exact for impulses [J].
  PatchWork calc_work(const StepContact& contact) const;
  /// Impulses of prescribed joints that contacts caused in the last step [N s, N m s], num_v.
  const std::vector<double>& joint_impulses() const { return joint_impulses_; }

 private:
  void calc_free_motion(double h);
  void gather_contacts(double h);
  void set_friction_rows(StepContact& contact, double h) const;
  void add_contact_rows(StepContact& contact, double h);
  void set_normal_row(StepContact& contact, double h);
  void write_friction_rows(const StepContact& contact);
  SystemResult solve(double h);
  SystemResult solve_bounded(double h);
  void solve_densely(SystemResult& result);
  SystemResult solve_polygons();
  SystemResult solve_cones();
  SystemResult solve_together(const std::vector<FrictionContact>& friction, SweepOptions sweeps);
  bool update_limits(double h);
  std::vector<FrictionContact> list_friction(FrictionCone cone) const;
  void read_solution();
  void advance(double h);

  Dynamics& dynamics_;
  State& state_;
  const LcpSpec& spec_;
  VelocityParts parts_;
  ConstraintSystem system_;
  SystemSolver solver_;
  std::vector<StepContact> contacts_;
  std::vector<double> x_, speeds_;  ///< impulses of rows, speeds of parts
  std::vector<double> rates_;
  StepWorks works_{TurningRule::velocities};
  std::vector<double> v_start_, v_free_, v_end_;
  std::vector<double> joint_impulses_;
  std::vector<Vec6> link_impulses_;
};

/// Sliding and static coefficients of a friction law, whatever it is.
struct FrictionCoefficients {
  double kinetic = 0.0, statical = 0.0;
};
FrictionCoefficients calc_friction_coefficients(const FrictionParameters& friction);

}  // namespace abut
