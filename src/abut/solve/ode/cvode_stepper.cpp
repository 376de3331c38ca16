#include "abut/solve/ode/cvode_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/solve/ode/cvode_memory_detail.hpp"
#include "abut/solve/ode/starting_step.hpp"

namespace abut {
namespace {

constexpr double kTinyStep = 16.0 * std::numeric_limits<double>::epsilon();
constexpr int kMaxTinySteps = 20;

}  // namespace

struct CvodeStepper::Impl {
  Impl(OdeSystem& s, const Options& o) : system(s), options(o) {}

  OdeSystem& system;
  Options options;
  ErrorWeights weights;
  RestartHint hint;
  WorkCounter work;
  RateEvaluator rates{system, work};
  StartingScratch scratch;
  CvodeMemory memory{system, options, work};
  bool is_started = false;  // the memory goes on from (t, y)
  int tiny_steps = 0;       // in a row, at the resolution of time
  double t = 0.0, t_old = 0.0, h = 0.0;
  VecX y, y_old, q, q_old, w, f, y_inside, q_inside;
  WorkCounter at_restart;  // counts of histories before the present one

  void resize(Eigen::Index n, Eigen::Index nq);
  bool begin(double t_limit);
  void read_counts();
  StepOutcome fail(int flag, int rejected) const;

  template <class Archive>
  void visit(Archive& archive);
};

void CvodeStepper::Impl::resize(Eigen::Index n, Eigen::Index nq) {
  for (VecX* x : {&y, &y_old, &w, &f, &y_inside}) x->setZero(n);
  for (VecX* x : {&q, &q_old, &q_inside}) x->setZero(nq);
  scratch.resize(static_cast<int>(n));
  memory.set_size(n, nq);
}

/// Hands (t, y, q) to CVODES as a fresh problem at order 1.
bool CvodeStepper::Impl::begin(double t_limit) {
  if (!rates(t, y, &f)) return false;
  at_restart = work;
  const double h_max = std::min(hint.max_step, t_limit - t);
  const double bound = hint.first_step > 0.0 ? std::min(hint.first_step, h_max) : h_max;
  weights.calc_weights(y, y, &w);
  memory.begin(t, y, q, calc_starting_step(rates, t, y, f, w, 1, bound, &scratch), weights, hint);
  at_restart.rate_evaluations = work.rate_evaluations;
  is_started = true;
  return true;
}

void CvodeStepper::Impl::read_counts() {
  const long evaluations = work.rate_evaluations;
  work = at_restart;
  memory.add_work(&work);
  work.rate_evaluations = evaluations;
}

StepOutcome CvodeStepper::Impl::fail(int flag, int rejected) const {
  const char* hint_text = "the tolerance asks for a step below the resolution of time";
  StepStatus status = StepStatus::step_too_small;
  if (memory.was_refused || flag == CV_FIRST_RHSFUNC_ERR || flag == CV_REPTD_RHSFUNC_ERR ||
      flag == CV_UNREC_RHSFUNC_ERR) {
    status = StepStatus::rates_not_finite;
    hint_text = "the rates are not finite or were refused, however short the step";
  } else if (flag == CV_CONV_FAILURE || flag == CV_LSETUP_FAIL || flag == CV_LSOLVE_FAIL || flag == CV_NLS_FAIL) {
    status = StepStatus::newton_failed;
    hint_text = "the corrector does not converge, however short the step";
  }
  return {status, t, rejected, fmt::format("at t = {:.15g} s {} (CVODE {})", t, hint_text, flag)};
}

CvodeStepper::CvodeStepper(OdeSystem& system, const Options& options)
    : impl_(std::make_unique<Impl>(system, options)) {}
CvodeStepper::~CvodeStepper() = default;

void CvodeStepper::restart(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
                           const RestartHint& hint) {
  Impl& s = *impl_;
  const int n = s.system.size();
  const int nq = s.system.num_quadratures();
  ABUT_REQUIRE(n > 0, "CVODE needs at least one state");
  ABUT_REQUIRE(weights.absolute.size() == n && weights.absolute.minCoeff() > 0.0,
               "{} positive absolute tolerances are needed, {} were given", n, weights.absolute.size());
  if (s.y.size() != n || s.q.size() != nq) s.resize(n, nq);
  s.y = Eigen::Map<const VecX>(y, n);
  if (nq > 0) s.q = Eigen::Map<const VecX>(quadratures, nq);
  s.y_old = s.y;
  s.q_old = s.q;
  s.t = s.t_old = t;
  s.h = 0.0;
  s.weights = weights;
  s.hint = hint;
  s.is_started = false;
  s.memory.forget();
  s.tiny_steps = 0;
  ++s.work.restarts;
}

StepOutcome CvodeStepper::step(double t_limit) {
  Impl& s = *impl_;
  ABUT_REQUIRE(t_limit > s.t, "a step from t = {} s cannot end at {} s", s.t, t_limit);
  if (s.memory.tape().numbers.size() > s.options.max_remembered) s.is_started = false;
  if (!s.is_started && !s.begin(t_limit)) return s.fail(CV_FIRST_RHSFUNC_ERR, 0);
  if (s.tiny_steps == 0) s.memory.was_refused = false;
  s.t_old = s.t;
  s.y_old = s.y;
  s.q_old = s.q;
  if (t_limit - s.t <= 64.0 * std::numeric_limits<double>::epsilon() * std::abs(t_limit)) {
    // CVODE refuses intervals at the resolution of time; over one, the rates are constant.
    VecX q_rates = s.q;
    if (!s.rates(s.t, s.y, &s.f, &q_rates)) return s.fail(CV_FIRST_RHSFUNC_ERR, 0);
    s.y += (t_limit - s.t) * s.f;
    s.q += (t_limit - s.t) * q_rates;
    s.t = t_limit;
    s.is_started = false;
    ++s.work.accepted;
    return {StepStatus::accepted, s.t, 0, {}};
  }
  const long rejected_before = s.work.rejected;
  double reached = s.t;
  int flag = 0;
  try {
    flag = s.memory.step(t_limit, &reached);
  } catch (...) {
    s.is_started = false;
    throw;
  }
  s.read_counts();
  const int rejected = static_cast<int>(s.work.rejected - rejected_before);
  if (flag < 0) return s.fail(flag, rejected);
  s.t = flag == CV_TSTOP_RETURN ? t_limit : reached;
  s.memory.get_state(&s.y, &s.q);
  s.system.project(s.t, s.y.data());
  s.h = s.memory.next_step();
  // CVODE creeps towards an instant it cannot pass in ever smaller steps without ever giving up.
  const bool is_tiny = s.t < t_limit && s.t - s.t_old <= kTinyStep * std::abs(s.t);
  s.tiny_steps = is_tiny ? s.tiny_steps + 1 : 0;
  if (s.tiny_steps > kMaxTinySteps) return s.fail(flag, rejected);
  return {StepStatus::accepted, s.t, rejected, {}};
}

void CvodeStepper::interpolate(double t, double* y, double* quadratures) {
  Impl& s = *impl_;
  const Eigen::Index n = s.y.size();
  const Eigen::Index nq = s.q.size();
  // After a linear sliver or a shortened step the history has been left behind; both ends are still exact.
  const bool is_end = t == s.t;
  if (is_end || t == s.t_old || !s.is_started) {
    if (y != nullptr) Eigen::Map<VecX>(y, n) = is_end ? s.y : s.y_old;
    if (quadratures != nullptr) Eigen::Map<VecX>(quadratures, nq) = is_end ? s.q : s.q_old;
    if (is_end || t == s.t_old) return;
  }
  if (y != nullptr && s.memory.interpolate(t, &s.y_inside, nullptr)) {
    Eigen::Map<VecX>(y, n) = s.y_inside;
    s.system.project_inside(t, y);
  }
  if (quadratures != nullptr && s.memory.interpolate(t, nullptr, &s.q_inside))
    Eigen::Map<VecX>(quadratures, nq) = s.q_inside;
}

bool CvodeStepper::shorten_step(double t_end) {
  Impl& s = *impl_;
  ABUT_REQUIRE(t_end > s.t_old, "a step from t = {} s cannot be shortened to {} s", s.t_old, t_end);
  if (t_end == s.t) return true;
  if (!s.memory.interpolate(t_end, &s.y, &s.q)) return false;
  s.system.project(t_end, s.y.data());
  s.t = t_end;
  s.is_started = false;
  return true;
}

double CvodeStepper::time() const { return impl_->t; }
const double* CvodeStepper::state() const { return impl_->y.data(); }
const double* CvodeStepper::quadratures() const { return impl_->q.data(); }
double CvodeStepper::step_start() const { return impl_->t_old; }
double CvodeStepper::step_size() const { return impl_->h; }
WorkCounter CvodeStepper::work() const { return impl_->work; }

template <class Archive>
void CvodeStepper::Impl::visit(Archive& archive) {
  int n = static_cast<int>(y.size()), nq = static_cast<int>(q.size());
  archive(n, nq);
  if (Archive::kIsReading && n > 0) resize(n, nq);
  CvodeTape tape = memory.tape();
  archive(weights, hint, work, at_restart, is_started, memory.was_refused, tiny_steps, t, t_old, h, y, y_old, q, q_old,
          tape);
  if (!Archive::kIsReading) return;
  const bool fits = y.size() == n && y_old.size() == n && q.size() == nq && q_old.size() == nq &&
                    (weights.absolute.size() == n || n == 0);
  const bool tape_fits = !tape.has_begun() || (tape.y.size() == n && tape.q.size() == nq);
  if (!fits || !tape_fits) throw InputError("the saved bytes hold vectors of several lengths");
  if (tape.has_begun()) memory.replay(std::move(tape), weights, hint);
}

void CvodeStepper::exchange(ByteWriter& archive) { impl_->visit(archive); }
void CvodeStepper::exchange(ByteReader& archive) { impl_->visit(archive); }
void CvodeStepper::exchange_idle(ByteWriter& archive) { archive(impl_->work); }
void CvodeStepper::exchange_idle(ByteReader& archive) { archive(impl_->work); }

}  // namespace abut
