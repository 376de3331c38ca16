#pragma once

#include <vector>

#include "abut/solve/lcp/block_cholesky.hpp"
#include "abut/solve/lcp/constraint_system.hpp"

namespace abut {

struct SystemSolverOptions {
  double tolerance = 1e-10;  ///< on the residual over the largest row speed without impulses
  double least = 0.0;        ///< residual that is good enough whatever that speed [m/s]
  int max_newton = 300;      ///< factorisations in all
  int few_newton = 12;       ///< factorisations before an interior point method is asked for a better start
  int max_proximal = 60;
  /// Whether the impulses begin at the guess however far it is from a solution, and not at zero. Where they are not
  /// unique, those nearest to the beginning are found: from zero, loads are shared evenly. A guess that nearly solves
  /// the problem is gone on from in any case.
  bool begins_at_guess = false;
  /// Proximal weight over the diagonal of S. Smaller: fewer proximal steps; but the linear systems lose as many digits.
  double proximal = 1e-7;
};

/// Outcome of one structured solve; the impulses are left in the caller's x. The residual is that of BoundedLcp with x
/// scaled by the diagonal of S, so that all of it is a speed: max |mid(w, S_ii (x - lower), S_ii (x - upper))| [m/s].
struct SystemResult {
  LcpStatus status = LcpStatus::invalid;
  double residual = 0.0;           ///< [m/s]
  double relative_residual = 0.0;  ///< over the largest row speed at x = 0
  int iterations = 0;              ///< factorisations
  int outer_iterations = 0;        ///< proximal steps
  std::string message;

  bool is_solved() const { return status == LcpStatus::solved; }
  /// Enters the residual reached [m/s], the status it means against the goal [m/s], and a message where it falls short
  /// ("... after 12 sweeps").
  void conclude(double reached, double goal, double free_speed, int count, const char* counted);
};

/// Solves a ConstraintSystem in the space of velocities, where redundant contacts cost nothing: there are never more
/// unknowns than degrees of freedom, and the matrix is as sparse as the graph of bodies.
///
/// From the last x_k with its velocities v_k and w_k = J v_k + C x_k + c, the step to be found is d = v - v_k, with
///   x(d) = clamp(x_k - (w_k + J d) / (C + e), lower, upper),    M d = J' (x(d) - x_k):
/// the bounded problem made regular by a proximal weight e. This is the gradient of a convex piecewise quadratic
/// function of d. A Newton step on it is one block pivot of all rows at once; an exact line search along it takes the
/// part of the least-index safeguard, and makes the descent finite from any start. The proximal steps lead to a
/// solution of the problem as given, e = 0, also where x is not unique (a table on four legs). All is in increments, so
/// that rounding is relative to them and the last steps refine the solution to full precision.
///
/// Keeps the analysed pattern and its memory between calls.
class SystemSolver {
 public:
  /// `x` (num_rows) holds a guess, which only tells which rows act, and receives the impulses; `v` (num_velocities)
  /// receives M^-1 (p + J' x).
  SystemResult solve(const ConstraintSystem& system, const SystemSolverOptions& options, std::vector<double>& x,
                     std::vector<double>& v);

  /// The guess that the next solve begins with.
  template <class Archive>
  void visit(Archive& archive) {
    archive(last_sides_);
  }

 private:
  void prepare(const ConstraintSystem& system);
  void set_proximal(const ConstraintSystem& system, double proximal);
  void begin(const ConstraintSystem& system, const SystemSolverOptions& options, std::vector<double>& x,
             std::vector<double>& v, SystemResult& result);
  bool approach(const ConstraintSystem& system, const SystemSolverOptions& options, std::vector<double>& x,
                std::vector<double>& v, SystemResult& result);
  void iterate(const ConstraintSystem& system, const SystemSolverOptions& options, std::vector<double>& x,
               std::vector<double>& v, SystemResult& result);
  bool minimize(const ConstraintSystem& system, int max_newton, SystemResult& result);
  bool factorize(const ConstraintSystem& system, int max_newton, SystemResult& result);
  void calc_increments(const std::vector<double>& u);
  void predict_sides(const ConstraintSystem& system, const std::vector<double>& x);
  double calc_slope(double t) const;
  double search_line() const;
  void assess(const ConstraintSystem& system, double tolerance, const std::vector<double>& x, std::vector<double>& v,
              SystemResult& result);

  BlockCholesky cholesky_;
  std::vector<double> diagonal_;             ///< of S [1/kg]
  std::vector<double> stiff_;                ///< 1 / (C + e) [kg]
  std::vector<double> w_;                    ///< of the last x_k [m/s]
  std::vector<double> low_, high_;           ///< bounds minus x_k
  std::vector<double> d_, u_, dx_;           ///< increments of v, J v and x
  std::vector<double> step_, u_step_, rhs_;  ///< Newton step, J step, force balance
  std::vector<double> work_, row_weights_, row_work_, best_x_;
  std::vector<char> sides_, factored_sides_,
      last_sides_;  ///< of each row: at its lower bound, free, at its upper bound
  bool is_factored_ = false;
  double proximal_ = 0.0;  ///< the weight in force
  double mass_slope_ = 0.0, mass_curvature_ = 0.0;
  double mean_mobility_ = 0.0;  ///< of the rows, J M^-1 J' [1/kg]
  double least_ = 0.0;
  double slack_ = 0.0;       ///< what of it is in force [m/s]
  double worth_ = 0.0;       ///< violation that makes a row leave its bound [m/s], a hundredth of what is tolerated
  double free_speed_ = 0.0;  ///< largest |J M^-1 p + c| [m/s]
};

}  // namespace abut
