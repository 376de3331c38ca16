#pragma once

#include <array>

#include "abut/solve/ode/explicit_tableau.hpp"
#include "abut/solve/ode/one_step.hpp"

namespace abut {

/// Dormand and Prince's explicit Runge-Kutta pair of order 5(4) with local extrapolation: six evaluations a step, dense
/// output of order 4 for the motion and the quadratures at no extra evaluation, step control with proportional and
/// integral part, and detection of stiffness (Hairer, Norsett & Wanner, Solving ODEs I, II.4-II.6, and II by Hairer &
/// Wanner, IV.2).
class DormandPrince final : public OneStepStepper {
 public:
  struct Options {
    double safety = 0.9;  ///< of the step that would just pass the error test; lower: fewer rejections, shorter steps
    double integral = 0.04;   ///< exponent of the previous error; higher: smoother steps, slower reaction
    double min_factor = 0.2;  ///< of the step from one try to the next
    double max_factor = 10.0;
    int stiff_steps = 8;  ///< steps at the border of stability (h |lambda| > 3.25) after which is_stiff() holds
    int calm_steps = 6;   ///< steps in a row well inside it that reset the count
  };

  explicit DormandPrince(OdeSystem& system) : DormandPrince(system, Options()) {}
  DormandPrince(OdeSystem& system, const Options& options);

  void restart(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
               const RestartHint& hint = {}) override;
  StepOutcome step(double t_limit) override;
  void interpolate(double t, double* y, double* quadratures) override;
  bool shorten_step(double t_end) override;

  void exchange(ByteWriter& archive) override { visit(archive); }
  void exchange(ByteReader& archive) override { visit(archive); }
  template <class Archive>
  void visit(Archive& archive) {
    archive(weights_, hint_, work_, is_started_, t_, t_old_, h_, h_used_, error_old_, error_rejected_, h_rejected_, y_,
            y_old_, y_end_, y_sixth_, q_, q_old_, q_end_, w_, error_, k_first_, kq_first_, k_, kq_, stiff_count_,
            calm_count_, stiffness_rate_);
    if constexpr (Archive::kIsReading) scratch_.resize(static_cast<int>(y_.size()));
  }

  /// True when the last steps were limited by stability rather than by accuracy.
  bool is_stiff() const { return stiff_count_ >= options_.stiff_steps; }
  /// Size of the dominant eigenvalue seen in the last step [1/s]; 0 when it could not be told.
  double stiffness_rate() const { return stiffness_rate_; }

 private:
  static constexpr int kStages = 7;

  void resize(int n, int nq) override;
  bool start(double t_limit);
  bool try_stages(double t_end);
  double calc_error();
  double calc_quadrature_error() const;
  double calc_factor(double error) const;
  double calc_rejection_factor(double error) const;
  void accept(double t_end);
  void detect_stiffness();
  StepOutcome fail(bool refused, int rejected) const;

  Options options_;
  double error_old_ = 1e-4;
  double error_rejected_ = 0.0, h_rejected_ = 0.0;  // of the try before; 0 = none in this step
  VecX y_end_, y_sixth_, q_end_, error_;
  VecX k_first_, kq_first_;  // rates at (t_, y_): first stage of the next step
  std::array<VecX, kStages> k_, kq_;
  int stiff_count_ = 0, calm_count_ = 0;
  double stiffness_rate_ = 0.0;
};

}  // namespace abut
