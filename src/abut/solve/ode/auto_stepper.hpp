#pragma once

#include <memory>

#include "abut/solve/ode/adaptive_stepper.hpp"
#include "abut/solve/ode/cvode_stepper.hpp"
#include "abut/solve/ode/dormand_prince.hpp"
#include "abut/solve/ode/radau.hpp"
#include "abut/solve/ode/spectral_radius.hpp"

namespace abut {

/// Explicit where the motion itself is fast (flight, impact), implicit where only the equations are (contact at rest).
///
/// Dormand-Prince takes the non-stiff phases; Radau (up to max_radau_size states, or more where they are loosely
/// coupled, so that its matrices are sparse) or BDF (above) the stiff ones. With rho the largest |eigenvalue| of df/dy
/// (hint of the caller, or four evaluations) and h the step that accuracy allows:
///   at a restart        implicit when rho h is large for the starting step, or for the step just before an implicit
///   phase was
///                       interrupted; else explicit
///   explicit->implicit  when Dormand-Prince finds itself at the border of stability, and as a probe after
///   `probe_steps`
///                       explicit steps in a row with rho h near 1, because a lightly damped oscillator limits the step
///                       long before that border; the pause between probes doubles each time one finds nothing
///   implicit->explicit  when the implicit steps are so short (rho h < explicit_border) that explicit ones would be
///   stable
/// A method that gives up hands over to the other one before the step counts as failed. A wrong choice costs time,
/// never accuracy: both sides control the same error.
class AutoStepper final : public AdaptiveStepper {
 public:
  struct Options {
    DormandPrince::Options dormand_prince;
    Radau::Options radau;
    CvodeStepper::Options bdf;
    int max_radau_size = 300;
    double implicit_border = 20.0;  ///< rho h at a restart above which the implicit method starts
    double explicit_border = 2.0;   ///< rho h below which the explicit method takes over again
    int probe_steps = 60;
  };

  explicit AutoStepper(OdeSystem& system) : AutoStepper(system, Options()) {}
  AutoStepper(OdeSystem& system, const Options& options);

  void restart(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
               const RestartHint& hint = {}) override;
  StepOutcome step(double t_limit) override;
  void interpolate(double t, double* y, double* quadratures) override { active_->interpolate(t, y, quadratures); }
  bool shorten_step(double t_end) override { return active_->shorten_step(t_end); }

  double time() const override { return active_->time(); }
  const double* state() const override { return active_->state(); }
  const double* quadratures() const override { return active_->quadratures(); }
  double step_start() const override { return active_->step_start(); }
  double step_size() const override { return active_->step_size(); }
  WorkCounter work() const override;
  void exchange(ByteWriter& archive) override { visit(archive); }
  void exchange(ByteReader& archive) override { visit(archive); }
  template <class Archive>
  void visit(Archive& archive) {
    int which = active_ == &explicit_ ? 0 : active_ == &radau_ ? 1 : 2;
    archive(which, weights_, hint_, own_work_, is_fresh_, is_probe_, implicit_step_, rate_, step_at_check_,
            steps_in_phase_, steps_since_check_, probe_pause_, num_switches_, y_, f_, w_);
    bool has_bdf = bdf_ != nullptr;
    archive(has_bdf);
    if constexpr (Archive::kIsReading) {
      bdf_.reset();
      if (has_bdf) implicit_by_bdf();
      active_ = which == 0 ? static_cast<AdaptiveStepper*>(&explicit_) : which == 1 ? &radau_ : &implicit_by_bdf();
      scratch_.resize(static_cast<int>(y_.size()));
    }
    active_->exchange(archive);
    if (which != 0) explicit_.visit_idle(archive);
    if (which != 1) radau_.visit_idle(archive);
    if (which != 2 && has_bdf) bdf_->exchange_idle(archive);
  }

  bool is_implicit() const { return active_ != &explicit_; }
  long num_switches() const { return num_switches_; }

 private:
  AdaptiveStepper& implicit();
  AdaptiveStepper& implicit_by_bdf();
  void choose_at_restart(double t_limit);
  void consider_switch();
  bool wants_implicit();
  bool wants_explicit();
  void switch_to(AdaptiveStepper& next, double first_step);
  double calc_rate();
  double calc_first_rate(double t);

  OdeSystem& system_;
  Options options_;
  DormandPrince explicit_;
  Radau radau_;
  std::unique_ptr<CvodeStepper> bdf_;  // made when first needed: it holds a context of SUNDIALS
  AdaptiveStepper* active_ = &explicit_;
  ErrorWeights weights_;
  RestartHint hint_;
  WorkCounter own_work_;
  RateEvaluator rates_{system_, own_work_};
  StartingScratch scratch_;
  SpectralRadiusEstimator spectral_radius_;
  VecX y_, f_, w_;

  bool is_fresh_ = false;
  bool is_probe_ = false;
  double implicit_step_ = 0.0;  // last step of an implicit phase [s]
  double rate_ = 0.0;           // last estimate of rho [1/s]
  double step_at_check_ = 0.0;
  int steps_in_phase_ = 0, steps_since_check_ = 0, probe_pause_ = 0;
  long num_switches_ = 0;
};

}  // namespace abut
