#pragma once

#include <array>
#include <cstddef>

#include "abut/solve/ode/one_step.hpp"
#include "abut/solve/ode/radau_newton.hpp"

namespace abut {

/// Radau IIA of order 5: implicit, L-stable, for stiff phases (contacts at rest, relaxations of 1e7 1/s beside motions
/// of 1 s).
///
/// After Hairer & Wanner's RADAU5 (Solving ODEs II, IV.8): simplified Newton iteration on one real and one complex LU,
/// a dense Jacobian by finite differences that is kept while the iteration contracts fast, an error estimate of order 3
/// filtered by the real matrix so that it does not see what L-stability damps out, and Gustafsson's predictive step
/// control. Dense output is the collocation polynomial (locally of order 4); quadratures use the weights of the
/// collocation and are of order 5.
///
/// The estimate falls like h^4 while the true error falls like h^6; so that steps and error follow the tolerance with
/// the order of the method, the estimate is multiplied by 10 relative^(1/3) (0.1 at a relative tolerance of 1e-6)
/// before it is tested.
///
/// A kink in the rates makes the iteration or the error test fail; the step is then halved, again and again if need be.
/// Memory 24 n^2 bytes and time n^3 for each new step size, so for n up to a few hundred; where the system knows its
/// structure (OdeSystem::calc_structure) both grow far slower.
class Radau final : public OneStepStepper {
 public:
  struct Options {
    RadauNewtonOptions newton;
    double safety = 0.9;
    double min_factor = 0.2;  ///< of the step from one to the next
    double max_factor = 8.0;
    double keep_jacobian_contraction = 0.01;  ///< faster than this: the Jacobian serves the next step too
    double keep_step_factor = 1.2;            ///< a growth by less is not worth a factorisation
    int max_newton_failures = 60;             ///< in one step, before it is given up
  };

  explicit Radau(OdeSystem& system) : Radau(system, Options()) {}
  Radau(OdeSystem& system, const Options& options);

  void restart(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
               const RestartHint& hint = {}) override;
  StepOutcome step(double t_limit) override;
  void interpolate(double t, double* y, double* quadratures) override;
  bool shorten_step(double t_end) override;

  void exchange(ByteWriter& archive) override { visit(archive); }
  void exchange(ByteReader& archive) override { visit(archive); }
  template <class Archive>
  void visit(Archive& archive) {
    archive(weights_, hint_, is_started_, is_first_, was_rejected_, is_jacobian_current_, is_jacobian_wanted_,
            has_collocation_, increment_choice_, t_, t_old_, h_, h_used_, h_factorised_, error_scale_, h_accepted_,
            error_accepted_, y_, y_old_, y_end_, f_, f_old_, f_end_, q_, q_old_, fq_, fq_old_, w_, error_, defect_, z_,
            collocation_, stage_rates_, stage_quadratures_);
    if constexpr (Archive::kIsReading) {
      newton_.resize(y_.size());
      scratch_.resize(static_cast<int>(y_.size()));
      jacobian_.restart(system_);
    }
    archive(jacobian_);
    // Factors follow from the matrix, bit for bit.
    if constexpr (Archive::kIsReading) {
      if (h_factorised_ > 0.0) newton_.factorise(h_factorised_, jacobian_, &work_);
    }
    archive(work_);
  }

  /// Rates at (time(), state()), known after the first step.
  const VecX& rates() const { return f_; }

 private:
  enum class Try { passed, error_too_large, newton_failed, refused };

  void resize(int n, int nq) override;
  double calc_time_of_way(double way) const;
  bool start(double t_limit);
  bool prepare_matrices(double h);
  bool calc_matrix(double h);
  void guess_stages(double h);
  Try try_step(double t_end, double* error, RadauNewtonResult* newton);
  double calc_error(double h, bool is_delicate);
  bool calc_end_rates(double t_end);
  double calc_quadrature_error(double h) const;
  bool finish_step(double t_end);
  void store_collocation();
  double calc_factor(double error, const RadauNewtonResult& newton) const;
  void plan_next(double h, double error, double factor, const RadauNewtonResult& newton, double h_kept);
  StepOutcome fail(Try last, int rejected) const;

  Options options_;
  RadauNewton newton_;

  bool is_first_ = true, was_rejected_ = false;
  bool is_jacobian_current_ = false, is_jacobian_wanted_ = true, has_collocation_ = false;
  size_t increment_choice_ = 0;
  double h_factorised_ = 0.0;
  double error_scale_ = 1.0;  // of the estimate, see the class comment
  double h_accepted_ = 0.0, error_accepted_ = 1e-2;
  VecX y_end_, f_, f_old_, f_end_, fq_, fq_old_, error_, defect_;
  Jacobian jacobian_;
  RadauNewton::Stages z_, collocation_, stage_rates_, stage_quadratures_;
};

}  // namespace abut
