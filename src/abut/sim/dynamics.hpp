#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "abut/base/function_view.hpp"
#include "abut/contact/contact_set.hpp"
#include "abut/multibody/dynamics.hpp"
#include "abut/multibody/joint_friction.hpp"
#include "abut/multibody/loop_solver.hpp"
#include "abut/sim/energy.hpp"
#include "abut/sim/link_forces.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/pile_plan.hpp"
#include "abut/sim/state.hpp"
#include "abut/solve/ode/ode_system.hpp"

namespace abut {

/// Contacts whose forces are found by the method itself, with the motion: what the records and the ledger need of them.
struct GivenContacts {
  std::vector<PatchResponse> responses;  ///< of the active patches
  double elastic = 0.0;                  ///< stored in normal springs [J]
  double bristle = 0.0;                  ///< stored in bristles [J]
  /// Of joints in the last step, by loads, prescribed motion and contacts [N, N m], num_v; empty before the first.
  std::vector<double> joint_forces;
  LinkForces link_forces;  ///< in the mean of the last step, where the model has sensors; unknown before the first
};

/// What acts from outside beside the scene: held until it is changed.
struct Inputs {
  std::vector<AppliedForce> forces;
  std::vector<std::optional<TimeTable>>
      commands;  ///< of motors, in the order of Model::joint_loads; empty: the scene's
  std::vector<std::optional<CubicMotion>> motions;  ///< in the order of Model::prescribed; empty: the scene's

  template <class Archive>
  void visit(Archive& archive) {
    archive(forces, commands, motions);
  }
};

/// The equations of motion of a model with its contacts, as the integrators see them.
///
///   y = [ q | v | work of prescribed motion | friction states, `stride` numbers for each place of the patch pool ]
///   Q = [ global works | kNumPatchWorks for each place of the pool ]
///
/// Which patches exist is fixed between two calls of bind(): they begin and end only between steps.
class Dynamics : public OdeSystem {
 public:
  Dynamics(const Model& model, ThreadPool& threads);

  /// The initial state, with no patches yet.
  State make_initial_state() const;

  /// Takes the patches of this state as the ones that act, until the next call. The state must outlive it.
  void bind(State& state) { state_ = &state; }
  /// Whether project() also puts bristle deflections back into their tangent planes; the fixed-step methods do that
  /// themselves, when they look for contacts.
  void set_friction_projection(bool is_wanted) { projects_friction_ = is_wanted; }
  /// From now on contacts are those that the caller keeps up to date here: the laws of force are not evaluated, and
  /// accelerations are those without contact.
  GivenContacts& give_contacts() { return given_contacts_.emplace(); }
  /// Fastest friction relaxation the method can follow [1/s]; a fixed step passes the inverse of its length.
  void set_max_rate(double max_rate);
  /// Length of the explicit steps that have to follow the slope of friction at rest [s].
  void set_followed_step(double step) { followed_step_ = step; }

  /// Whether advance() may be used: free bodies and contacts at points only, nothing else acts.
  bool is_pile() const;
  /// One step of semi-implicit Euler for such a model, in one pass instead of a dozen (see PilePlan); the same bits as
  /// the general way. The motion must be that of (t, y), as calc_motion() or the last advance() left it, and the
  /// candidates valid and in the order of owners; `update` is called with the points whose patches begin or end, and
  /// must bring the pool up to date. False where a number is not finite; the coordinates are then as before.
  using UpdatePatches = FunctionView<const std::vector<PatchChange>&(std::span<const int> points)>;
  bool advance(double t, double h, State& state, const UpdatePatches& update);
  /// After advance(): largest depth at the beginning of that step [m].
  double deepest() const { return pile_.deepest; }
  /// Whether the candidates must be made anew, as advance() found since it was asked last.
  bool take_list_outdated() { return is_list_outdated_.exchange(false); }

  // OdeSystem
  int size() const override { return friction_start() + stride_ * num_places(); }
  int num_quadratures() const override { return kNumGlobalWorks + kNumPatchWorks * num_places(); }
  int num_events() const override;
  EventDirection event_direction(int event) const override;
  bool calc_rates(double t, const double* y, double* ydot, double* quadrature_rates) override;
  void calc_events(double t, const double* y, double* g) override;
  void calc_event_speeds(double* speeds) override;
  void calc_event_bounds(double* bounds) override;
  void calc_wanted_events(double t, const double* y, const std::vector<char>& wanted, double* g) override;
  double event_span(int event) const override;
  std::uint64_t event_key(int event) const override;
  EventPiece prepare_events(double t0, double t1, const Interpolate& interpolate) override;
  /// Makes the candidates anew where the motion computed last is not covered by them. The events may be others then.
  void cover_now();
  void project(double t, double* y) override;
  /// Bristles need no tangent plane where no integration goes on, and planes take a look at the contacts.
  void project_inside(double t, double* y) override;
  bool needs_projection() const override { return loops_.has_value(); }
  bool calc_structure(RateStructure* structure) const override;
  int position_size() const override { return num_q(); }
  int velocity_size() const override { return num_v(); }
  void calc_position_rates(const double* y, double* qdot) override;
  void parallel_for(int count, const FunctionView<void(int, int)>& body) override;

  /// Poses and velocities at (t, y); the rest of this class then refers to that instant.
  void calc_motion(double t, const double* y);
  /// Responses of the active patches at (t, y); loads and accelerations are not computed.
  const std::vector<PatchResponse>& calc_responses(double t, const double* y);
  /// Of one of them, after calc_motion() at (t, y).
  PatchResponse calc_response(int active, double t, const double* y) {
    return contacts_.calc_response(active, make_response_input(t, y), responses_);
  }
  /// After calc_motion() and ContactSet::calc_geometry() at the same instant: the next calc_rates() there reuses both,
  /// and hands its responses to `observe`, which sees the beginning of a fixed step without a further evaluation.
  using Observe = std::function<void(const std::vector<PatchResponse>&)>;
  void mark_current(Observe observe) {
    is_current_ = true;
    observe_ = std::move(observe);
  }
  const std::vector<PatchResponse>& responses() const { return responses_; }
  /// For those who only look: forces at (t, y) without a trace in what the next step depends on, between remember() and
  /// recall() of the contacts. `rates` is room for size() numbers. Given contacts: in the mean of the last step.
  void look_at_forces(double t, const double* y, std::span<double> rates, LinkForces& forces);
  bool has_sensors() const { return !model_.sensors.empty(); }
  /// Of springs, applied forces and contacts on each link at the last calc_rates().
  const std::vector<Wrench>& wrenches() const { return wrenches_; }

  /// Removes the part of every bristle deflection that has left its tangent plane, at the geometry computed last.
  void project_friction_states(double* y) const;
  /// Closes the loops of (t, y) to rounding, coordinates and speeds, where integration or a step has left them a little
  /// open: the least change by the energy of the change. What it makes or takes shows in the residual of the ledger.
  void close_loops(double t, double* y, bool closes_speeds = true);
  /// Null where there are none.
  LoopSolver* loops() { return loops_ ? &*loops_ : nullptr; }
  /// Largest gap that could not be closed, in parts of the mechanism's size [1].
  double worst_gap() const { return worst_gap_; }
  /// Puts the coordinates of prescribed joints where they belong at time t.
  void enforce_prescribed(double t, double* y) const;

  EnergyBalance calc_energy(double t, const double* y, const double* works);

  /// Gravitational energy and that of springs and joint loads at the motion computed last [J].
  double calc_stored_energy() const;
  /// Works over a step of length h of springs and forces as they are at the motion computed last, at the mean of its
  /// velocities and those of `end` (of the step's end at the same poses); the elastic part, which is no work to or from
  /// outside, goes to time_stepping with the sign of a loss [J].
  void add_load_works(double t, double h, const Kinematics& end, double* works) const;

  /// Energy in the bristles of one patch [J].
  double calc_bristle_storage(int place, const PatchResponse& response, const double* y) const;

  int num_q() const { return model_.tree.num_q(); }
  int num_v() const { return model_.tree.num_v(); }
  /// 1 when there is prescribed motion: where nothing but that moves, only the work it takes makes a method look
  /// closely, so it is a state under error control and not a quadrature.
  int num_work_states() const { return model_.prescribed.empty() ? 0 : 1; }
  /// One for each joint coordinate with dry friction, where time is continuous, and one more where its stiction takes
  /// time to recover: steps of velocities hold joints by impulses.
  int num_joint_bristles() const { return num_joint_states_; }
  /// Of one of these states: a deflection, or 1 for the dwell.
  double joint_bristle_scale(int state) const;
  int joint_bristle_start() const { return num_q() + num_v() + num_work_states(); }
  /// Where the friction states of contacts begin in y.
  int friction_start() const { return joint_bristle_start() + num_joint_bristles(); }
  int stride() const { return stride_; }
  int num_places() const { return static_cast<int>(state_->pool.patches.size()); }
  const Model& model() const { return model_; }
  const Kinematics& kinematics() const { return kinematics_; }
  BodyMotion motion() const;
  ContactSet& contacts() { return contacts_; }
  /// Generalised forces of joints at the last calc_rates(): loads and prescribed motion [N, N m].
  const std::vector<double>& joint_forces() const { return joint_forces_; }
  /// Effective mass along the normal at a contact point, at the motion computed last [kg].
  double calc_effective_mass(int link_a, int link_b, const Vec3& point, const Vec3& normal) const;
  Inputs& inputs() { return inputs_; }
  const Inputs& inputs() const { return inputs_; }
  bool has_applied_forces() const { return !model_.forces.empty() || !inputs_.forces.empty(); }
  /// Of the motor of a joint load.
  const TimeTable& command(std::size_t entry) const {
    const bool is_given = !inputs_.commands.empty() && inputs_.commands[entry].has_value();
    return is_given ? *inputs_.commands[entry] : model_.joint_loads[entry].command;
  }
  /// From here on a step of fixed length goes from t0 to t1. It looks at tables over time at a few instants, and would
  /// miss or multiply a pulse that is shorter: where a table bends inside the step, its mean acts all along it, so that
  /// impulses are those of the table whatever the step.
  void span_step(double t0, double t1) { step_begin_ = t0, step_end_ = t1; }
  /// Value and slope of a table at t, for the step in hand.
  double sample(const TimeTable& table, double t) const {
    return table.bends_within(step_begin_, step_end_) ? table.mean(step_begin_, step_end_) : table.value(t);
  }
  double sample_rate(const TimeTable& table, double t) const {
    if (!table.bends_within(step_begin_, step_end_)) return table.rate(t);
    return (table.value(step_end_) - table.value(step_begin_)) / (step_end_ - step_begin_);
  }
  /// Of the k-th prescribed joint.
  MotionSample prescribed_motion(std::size_t k, double t) const {
    const bool is_given = !inputs_.motions.empty() && inputs_.motions[k].has_value();
    return is_given ? inputs_.motions[k]->sample(t) : model_.prescribed[k].motion.sample(t);
  }
  long contact_evaluations() const { return contact_evaluations_; }

  /// What the next step depends on beside the bound state. After reading, contacts().rematch() and a look at the
  /// geometry are due.
  template <class Archive>
  void visit(Archive& archive) {
    archive(contacts_, inputs_, max_rate_, projects_friction_, grips_, contact_evaluations_, worst_gap_);
    if (given_contacts_) archive(*given_contacts_);
    if constexpr (Archive::kIsReading) is_list_outdated_ = false;
  }

 private:
  void advance_part(PilePlan::Part& part, const PointAdvance& advance, State& state);
  bool advance_waiting(double h, double* y);
  /// Free leaves begin <= k < end, once all their loads are known; false where a number is not finite.
  bool advance_leaves(int begin, int end, double h, double* y);
  void save_leaf(int leaf, const double* y);
  void write_patch_rates(int place, const PatchResponse& response, double* friction_rates, double* patch_powers) const;
  void add_springs(double* global_powers);
  void add_applied_forces(double t, double* global_powers);
  void add_applied_force(const AppliedForce& applied, double t, double* global_powers);
  void add_applied_work(const AppliedForce& applied, double t, double h, const Kinematics& end, double* works) const;
  void calc_joint_loads(double t, double* global_powers);
  /// Friction of joints that stick, and the rates of their bristles.
  void add_joint_bristles(double* z_rates, double* global_powers);
  void make_joint_bristles();
  void start_dwell(double* y) const;
  double calc_spring_energy() const;
  bool is_in_island(int link) const;
  double calc_inverse_mass_in_loops(int link_a, int link_b, const Vec3& point, const Vec3& normal) const;
  void add_gearboxes(double* global_powers);
  void add_bushings(double* global_powers);
  double calc_approach_bound(const Candidate& candidate) const;
  std::vector<double> calc_thicknesses() const;

  const Model& model_;
  ThreadPool& threads_;
  ContactSet contacts_;
  State* state_ = nullptr;
  std::optional<GivenContacts> given_contacts_;
  Inputs inputs_;
  int stride_ = 0;
  std::vector<double> thicknesses_;  ///< of the colliders [m]
  std::vector<double> y_inside_;     ///< of a step
  double max_rate_ = std::numeric_limits<double>::infinity();
  double followed_step_ = 0.0;                ///< explicit steps of the run [s]; 0: there are none
  double step_begin_ = 0.0, step_end_ = 0.0;  ///< of the fixed step in hand [s]; none under error control
  std::vector<char> is_wanted_;               ///< all event functions
  std::vector<char> is_point_wanted_;         ///< of those in hand, with the grips at each point
  /// What is known of an active patch since its event functions were bounded last.
  struct GripNote {
    bool is_sure = false;        ///< where its grip was looked at last
    bool has_pressed = false;    ///< in some evaluation of the rates, well
    bool has_slackened = false;  ///< in some other one it did not, or cannot be told to
    double least_depth = std::numeric_limits<double>::infinity(), most_depth = 0.0;  ///< in all of them [m]

    /// Whether it went on overlapping, by the rule of calm functions (event_watch.hpp) and more samples than that asks.
    bool is_steady() const { return least_depth <= most_depth && least_depth >= 0.5 * most_depth && least_depth > 0.0; }
  };
  void note_grips();
  ResponseInput make_response_input(double t, const double* y) const;
  std::vector<GripNote> grips_;
  bool is_current_ = false;
  bool is_only_looked_at_ = false;  ///< calc_rates() leaves no notes
  bool projects_friction_ = false;
  Observe observe_;
  long contact_evaluations_ = 0;

  std::vector<double> q_, v_;  ///< copies with prescribed joints in place, only when there are any
  const double* q_now_ = nullptr;
  const double* v_now_ = nullptr;
  const double* z_now_ = nullptr;  ///< bristles of joints
  Kinematics kinematics_;
  DynamicsWorkspace workspace_;
  std::vector<Wrench> wrenches_;
  /// Dry friction of a joint coordinate that holds at rest.
  struct JointBristle {
    int entry = 0;         ///< among the model's joint loads
    double inertia = 0.0;  ///< of the coordinate in the initial pose [kg m^2] or [kg]
    JointFriction friction;
    JointStiction stiction;  ///< where the load asks for it
    int state = 0;           ///< first of its one or two
  };
  std::vector<JointBristle> joint_bristles_;
  int num_joint_states_ = 0;
  std::optional<LoopSolver> loops_;
  Kinematics loop_kinematics_;  ///< where loops are being closed
  std::vector<ArticulatedBody> loop_bodies_;
  std::vector<double> loop_change_;
  double worst_gap_ = 0.0;
  std::vector<double> tau_, prescribed_acceleration_, prescribed_force_, joint_forces_;
  std::vector<PatchResponse> responses_;
  // Of advance():
  PilePlan pile_;
  std::atomic<bool> is_list_outdated_{false};
  std::vector<double> rates_, before_;  ///< rates, and the coordinates before the step
};

}  // namespace abut
