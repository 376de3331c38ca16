#pragma once

#include <span>
#include <vector>

#include "abut/sim/dynamics.hpp"
#include "abut/sim/velocity_parts.hpp"

namespace abut {

/// One load along one joint coordinate over a step, as an impulse that depends on the speed at its end:
///   x = clamp(impulse - weight v+, lower, upper)                        [N s, or N m s]
/// Dry friction has an infinite weight: v+ = 0, or x at the bound against v+.
struct JointRow {
  enum class Kind { passive, friction, motor };
  static constexpr int kDriven = -2;
  int entry = 0;    ///< of Model::joint_loads
  int v_index = 0;  ///< in v
  int v_of = -1;    ///< of a gearbox: its speed is v[v_index] - ratio v[v_of]
  double ratio = 0.0;
  Kind kind = Kind::passive;
  double impulse = 0.0;  ///< [N s, N m s]
  double weight = 0.0;   ///< [kg, kg m^2]
  double lower = 0.0, upper = 0.0;
  double damping = 0.0, viscous = 0.0;  ///< parts of the weight that dissipate: damper, viscous friction
  int row = -1;    ///< in the system; -1: nothing but its own motion decides, kDriven: that of loops
  double x = 0.0;  ///< found [N s, N m s]
};

/// Springs, dampers, limits, friction and motors of joints, implicitly, so that no gain and no friction limits the
/// step.
///
///   springs, limits and position gains k     -h k (q - q0 + h (v+ - v) / 4): Newmark's rule with beta = 1/4, stable
///                                            for every k, without loss
///   limits reached within the step           -h k part (q - q0 + h v+ / 2) / 2, part: of the way that lies beyond
///   dampers, viscous friction, speed gains   -h c v+
///   dry friction                             |x| <= h coulomb, against v+: a joint sticks at rest (v_eps has no part)
///   motors                                   |x| <= h force_limit
class JointRows {
 public:
  explicit JointRows(const Model& model);

  bool is_empty() const { return model_.joint_loads.empty() && model_.gearboxes.empty(); }
  /// The loads of a step of length h from (t, y).
  void calc(const Dynamics& dynamics, double t, const double* y, double h);
  /// Generalised forces of loads that do not wait for the speeds: torques of motors, and all loads of prescribed
  /// joints [N, N m], num_v.
  const std::vector<double>& forces() const { return forces_; }
  /// Rows of all others; their parts join the system.
  void add_rows(VelocityParts& parts, ConstraintSystem& system);
  /// First guess of their impulses: those of the step before.
  void write_guess(std::vector<double>& x) const;
  void read(const std::vector<double>& x);
  std::vector<JointRow>& rows() { return rows_; }

  /// Works of the step that ends with the speeds v_end [J]; what springs give is left to the change of what they store.
  void book(std::span<const double> v_start, std::span<const double> v_end, double* works) const;
  /// force[i] += what the loads exert in the step [N, N m].
  void add_forces(double h, std::span<double> force) const;
  /// impulse[i] += those of the rows that waited for the speeds [N s, N m s].
  void add_row_impulses(std::span<double> impulse) const;

  /// The guess of the next step.
  template <class Archive>
  void visit(Archive& archive) {
    archive(rows_, last_);
  }

 private:
  void add_entry(int entry, const Dynamics& dynamics, double t, double q, double v, double h);
  void add_gearbox(int index, const double* q, const double* v, double h);
  void push(JointRow row, double h, bool is_prescribed);

  const Model& model_;
  std::vector<int> link_of_speed_;
  std::vector<char> is_prescribed_;  ///< by speed
  std::vector<double> rates_;        ///< of prescribed joints at the end of the step
  std::vector<JointRow> rows_, last_;
  std::vector<double> forces_;
};

}  // namespace abut
