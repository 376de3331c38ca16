#pragma once

#include <vector>

#include "abut/contact/law/friction_step.hpp"
#include "abut/contact/law/normal_step.hpp"
#include "abut/scene/micro_spec.hpp"
#include "abut/sim/micro_row.hpp"

namespace abut {

/// Contact space: depths, slips and bristles of one island of bodies over one step, in which masses and directions stay
/// as they are, integrated at their own pace.   [docs/theory/micro.md]
///
///   w' = b - A lambda(x, w, z),   x' = w_n,   A = J M^-1 J' (symmetric)
///
/// w: speeds of rows [m/s], > 0 approaching and as slip of a relative to b; lambda resists them [N]. Storage grows and
/// is kept: a step allocates nothing once it has been as large.
class MicroSpace {
 public:
  explicit MicroSpace(const MicroSpec& spec) : spec_(spec) {}

  /// Begins an island; rows are added, then A, b and w filled in, then it is integrated.
  void clear();
  /// Returns the index of its first row.
  int add(const MicroRow& row);
  void make_room();
  int num_rows() const { return num_rows_; }
  std::vector<MicroRow>& rows() { return rows_; }
  double& A(int i, int j) { return matrix_[static_cast<std::size_t>(j) * num_rows_ + i]; }
  double A(int i, int j) const { return matrix_[static_cast<std::size_t>(j) * num_rows_ + i]; }
  std::vector<double> b, w;

  /// Over h [s] from `time` [s]. False where no sub-step is short enough; culprit() is the row then.
  bool integrate(double time, double h, std::vector<MicroContact>& contacts, std::vector<MicroJoint>& joints,
                 std::vector<MicroEvent>& events);

  /// Impulses of rows over the step [N s], and their running integral [N s^2].
  const std::vector<double>& impulse() const { return impulse_; }
  const std::vector<double>& moment() const { return moment_; }
  /// Lost by implicit sub-steps, never negative [J].
  double numerical() const { return numerical_; }
  /// Taken out of the motion by the dampers of contacts and by their friction, what bristles hold included [J].
  double damping() const { return damping_; }
  double friction() const { return friction_; }
  const MicroCounts& counts() const { return counts_; }
  /// Whether nothing rang or touched: the mean acceleration of the step says what the next one's will be.
  bool was_quiet() const { return counts_.implicit == counts_.sub_steps && counts_.flights == 0; }
  int culprit() const { return culprit_; }

 private:
  enum class Mode { mean, implicit };
  struct Local {
    Vec3 force = Vec3::Zero();
    Mat3 D = Mat3::Zero();                             ///< d force / d w+
    double depth = 0.0;                                ///< at the end
    double elastic = 0.0;                              ///< of a stop or contact: of the force, the spring's [N]
    double way = 0.0;                                  ///< of a joint: from start to end [rad] or [m]
    double damping = 0.0, rubbing = 0.0, motor = 0.0;  ///< powers of a joint at the mean [W]
    double z = 0.0;                                    ///< of a joint's friction
    FrictionStep friction;
  };
  struct Choice {
    Mode mode = Mode::implicit;
    double eta = 0.0, eta_ring = 0.0;
    bool any = false;
    int next = -1;  ///< contact row that touches at the end
  };

  double sub_step(double rest);
  Choice choose(double rest);
  bool take(Choice& choice, double rest);
  bool look_for_unseen(Choice& choice);
  void refresh();
  void apply(const std::vector<double>& lambda);
  bool solve(Mode mode, double eta);
  double calc_residual(Mode mode, double eta);
  bool solve_linear();
  void evaluate(std::size_t k, Mode mode, double eta, Local& out) const;
  void evaluate_normal(const MicroRow& row, const MicroContact& contact, Mode mode, double eta, Local& out) const;
  void evaluate_friction(const MicroRow& row, const MicroContact& contact, double eta, Local& out) const;
  void evaluate_joint(const MicroRow& row, const MicroJoint& joint, double eta, Local& out) const;
  void accept(Mode mode, double eta);
  void accept_contact(std::size_t k, Mode mode, double eta);
  void accept_joint(std::size_t k, double eta);
  void fly(double eta);
  void touch(std::size_t k, double time);
  void lift(std::size_t k, double time);
  bool is_free(const MicroRow& row, const MicroContact& contact) const;
  void note_peak(const MicroRow& row, MicroContact& contact, double depth_end, double time, double eta) const;
  NormalCoefficients calc_law(const MicroRow& row, const MicroContact& contact) const;
  double calc_frequency(const MicroRow& row, const MicroContact& contact) const;
  double calc_ripple(const MicroRow& row, const MicroContact& contact) const;
  bool is_on(const MicroRow& row) const { return row.kind == MicroRow::Kind::joint || contact(row).touches; }
  MicroContact& contact(const MicroRow& row) const { return (*contacts_)[row.index]; }

  const MicroSpec& spec_;
  int num_rows_ = 0;
  std::vector<MicroRow> rows_;
  std::vector<double> matrix_;
  std::vector<MicroContact>* contacts_ = nullptr;
  std::vector<MicroJoint>* joints_ = nullptr;
  std::vector<MicroEvent>* events_ = nullptr;
  std::vector<NormalCoefficients> laws_;  ///< that act in this sub-step
  std::vector<char> is_free_;             ///< of rows_: an impact beside which no load counts
  std::vector<Local> local_;
  std::vector<int> on_;  ///< rows_ that act
  std::vector<int> at_;  ///< their rows, in order
  std::vector<double> lambda_, carried_, rate_, w_end_, residual_, jacobian_, step_, kept_;
  std::vector<double> impulse_, moment_;
  double time_ = 0.0, end_ = 0.0;
  double numerical_ = 0.0, damping_ = 0.0, friction_ = 0.0;
  MicroCounts counts_;
  int culprit_ = -1;
};

}  // namespace abut
