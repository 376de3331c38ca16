#pragma once

#include <optional>
#include <vector>

#include "abut/math/union_find.hpp"
#include "abut/sim/dynamics.hpp"
#include "abut/sim/micro_space.hpp"
#include "abut/sim/velocity_parts.hpp"

namespace abut {

/// What is frozen over one step: motion at its start, middle and end as foreseen, accelerations without contacts.
struct FrozenMotion {
  Kinematics start, start_mean, middle, end;  ///< start_mean: poses of the start with the speeds of the middle
  Kinematics acceleration;                    ///< poses of the middle, accelerations in the place of velocities
  std::vector<double> foreseen;               ///< accelerations that the middle is foreseen with, num_v
  std::vector<double> free;                   ///< accelerations without contacts and joint loads at the middle, num_v
  std::vector<double> way;                    ///< displacement without them, num_v [m], [rad]
  std::vector<double> prescribed_force;       ///< without them [N, N m], num_v
  std::vector<PointContact> at_start, at_middle, at_end;  ///< of candidate points
};

/// Steps of method micro: freezes directions and masses of a step, lets contact space do the rest, moves the bodies
/// and puts them where contact space has them; takes the step back and does it in halves where that made energy.
/// [docs/theory/micro.md]
class MicroStepper {
 public:
  MicroStepper(Dynamics& dynamics, State& state);

  /// One step of h [s] from state.time, with the candidates of its start: coordinates, speeds, works, bristles. Which
  /// patches begin and end is left to the caller, who looks at contacts() and events(). False where contact space
  /// found no sub-step short enough: culprit() is the point then.
  bool step(double h);

  const std::vector<MicroContact>& contacts() const { return contacts_; }
  const std::vector<MicroEvent>& events() const { return events_; }
  int culprit() const { return culprit_; }
  /// Forces of joints over the last step: loads, limits, prescribed motion [N, N m], num_v.
  const std::vector<double>& joint_forces() const { return joint_forces_; }

  /// What links felt in the mean of the last step; known where the model has sensors.
  const LinkForces& link_forces() const { return link_forces_; }

  /// For the summary.
  struct Totals {
    MicroCounts counts;
    long halvings = 0;
    long not_mended = 0;            ///< smallest parts of steps that still made more than they may
    double worst_share = 0.0;       ///< of energy that such a part made, of what moves
    double worst_time = 0.0;        ///< [s]
    double worst_projection = 0.0;  ///< [m]
    double numerical = 0.0;         ///< [J]
  };
  const Totals& totals() const { return totals_; }
  /// Largest energy of motion and springs so far [J].
  double moved() const { return moved_; }

  template <class Archive>
  void visit(Archive& archive) {
    archive(mean_acceleration_, is_smooth_, joint_force_, totals_.counts, totals_.halvings, totals_.not_mended,
            totals_.worst_share, totals_.worst_time, totals_.worst_projection, totals_.numerical, moved_);
  }

 private:
  /// A free body, or an independent tree with the speeds that forces change.
  struct Block {
    std::vector<int> columns;                ///< in v
    MatX inverse;                            ///< M^-1 at the middle
    bool is_ready = false;                   ///< in this step
    bool is_loaded = false;                  ///< has joint loads
    bool is_touched = false;                 ///< or a contact at the start of the step
    bool is_struck = false;                  ///< something rang or touched in the step
    std::vector<std::pair<int, int>> sites;  ///< and which side of each
  };
  /// Rows with what they need of the bodies.
  struct Site {
    MicroRow row;
    int point = -1, v_index = -1;
    int links[2] = {-1, -1};
    Vec3 place[2] = {Vec3::Zero(), Vec3::Zero()};  ///< of the contact on both links, at the middle [m]
    int block[2] = {-1, -1};
    MatX J[2], W[2];                  ///< rows x columns; W = M^-1 J'
    Mat3 axes_start, axes, axes_end;  ///< rows of a contact: -n, t_1, t_2; axes: those that J was made with
    Vec3 w = Vec3::Zero(), b = Vec3::Zero();
    double depth = 0.0;  ///< at the start [m]
    Vec3 impulse = Vec3::Zero();
    double residual = 0.0;  ///< contact space less geometry [m]
    int place_in_projection = -1;
  };
  struct Saved {
    std::vector<double> y, works, mean_acceleration, joint_impulses;
    LinkForces link_forces;
    std::vector<char> is_smooth;
    std::vector<MicroContact> contacts;
    std::vector<MicroJoint> joints;
    std::vector<int> contact_of_point;
    std::size_t num_events = 0;
    double time = 0.0, energy = 0.0;
    Totals totals;
  };

  void load_contacts();
  bool advance(double h, int level);
  bool take(double h);
  bool is_wrong(int level) const;
  void save(Saved& saved) const;
  void restore(const Saved& saved);

  // Of a step: what is frozen, rows, islands, motion, books.
  void freeze(double h);
  void foresee();
  void add_prescribed_loads(double h);
  void turn_bodies(double h);
  void find_rows(double h);
  void add_contact(int point, double h);
  void add_joint(int index);
  void set_joint_side(Site& site, int v_index, double sign);
  void add_stop(int index, double side, double h);
  std::optional<double> find_touch_time(int point, double h);
  BodyMotion move_pair(int link_a, int link_b, double part);
  double calc_stiffness(int point, const Kinematics& then);
  void set_sides(Site& site, const PointContact& at, const Mat3& axes, const Vec3 (&shift)[2]);
  Vec3 calc_rates_of(const Mat3& axes, const Kinematics& motion, const PointContact& at, int a, int b) const;
  bool solve_islands(double h);
  bool solve_island(const std::vector<int>& sites, double h);
  void take_results(const std::vector<int>& sites);
  void move(double h);
  void book_prescribed(double h);
  void book_loads(double h);
  void add_link_impulses();
  void note_link_forces(double h);
  void average_link_forces(double h);
  void project();
  bool calc_residuals();
  void project_island(const std::vector<int>& sites);
  void look_again();
  double calc_coordinate(const Site& site) const;
  double calc_stored() const;
  double calc_booked() const;
  void close();
  int block_of(int link) const;
  Block& ready(int block);
  Site& new_site();

  Dynamics& dynamics_;
  State& state_;
  const MicroSpec& spec_;
  VelocityParts parts_;
  ConstraintSystem system_;
  MicroSpace space_;
  std::vector<Block> blocks_;
  std::vector<int> block_of_speed_;
  UnionFind sets_;
  std::vector<Site> sites_;
  int num_sites_ = 0;
  std::vector<std::vector<int>> islands_;
  FrozenMotion frozen_;
  Kinematics scratch_;
  DynamicsWorkspace workspace_;
  std::vector<double> rates_, mean_speeds_, v_start_, y_middle_, q_end_, change_, shift_;
  std::vector<double> tau_, prescribed_acceleration_, prescribed_impulse_;
  std::vector<Vec3> spin_end_;  ///< of free bodies, body axes [rad/s]
  std::vector<Vec6> link_impulses_;
  LinkForces link_forces_;  ///< within a step the sum over its parts, each times its length
  std::vector<int> on_;
  MatX projection_;
  VecX offset_;
  std::vector<MicroContact> contacts_;
  std::vector<int> contact_of_point_;
  std::vector<MicroJoint> joints_;
  std::vector<MicroEvent> events_;
  std::vector<Saved> saved_;
  std::vector<double> mean_acceleration_;  ///< of the last step, num_v
  std::vector<char> is_smooth_;            ///< of each block: nothing struck it in that step
  std::vector<double> joint_force_, joint_forces_, joint_impulses_;
  double energy_ = 0.0;    ///< kinetic, potential, of springs and contacts, at state.time [J]
  double geometry_ = 0.0;  ///< of the last part of a step [J]
  double overlap_ = 0.0;   ///< energy of the deepest overlap that nobody saw [J]
  double moved_ = 0.0, potential_ = 0.0;
  double taken_ = 0.0, booked_ = 0.0;  ///< by contacts in the step; put in by all else before it [J]
  int culprit_ = -1;
  Totals totals_;
};

}  // namespace abut
