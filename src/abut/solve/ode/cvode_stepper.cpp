// The only file that knows SUNDIALS (6.x).
#include "abut/solve/ode/cvode_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include <cvodes/cvodes.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "abut/base/error.hpp"
#include "abut/solve/ode/finite_difference_jacobian.hpp"
#include "abut/solve/ode/rate_evaluator.hpp"
#include "abut/solve/ode/starting_step.hpp"

namespace abut {
namespace {

template <typename T, void (*Free)(T)>
struct Handle {
  T value = nullptr;
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(); }
  void reset(T other = nullptr) {
    if (value != nullptr) Free(value);
    value = other;
  }
};

constexpr double kTinyStep = 16.0 * std::numeric_limits<double>::epsilon();
constexpr int kMaxTinySteps = 20;

void free_vector(N_Vector v) { N_VDestroy(v); }
void free_matrix(SUNMatrix m) { SUNMatDestroy(m); }
void free_linear(SUNLinearSolver s) { SUNLinSolFree(s); }
void free_nonlinear(SUNNonlinearSolver s) { SUNNonlinSolFree(s); }
void free_context(SUNContext c) { SUNContext_Free(&c); }
void free_memory(void* memory) { CVodeFree(&memory); }
/// Failures come back as return values; nothing is printed.
void ignore_message(int, const char*, const char*, char*, void*) {}

void require_ok(int flag, const char* call) { ABUT_REQUIRE(flag >= 0, "{} returned {}", call, flag); }

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
  bool is_started = false;   // the memory below continues from (t, y)
  bool was_refused = false;  // the rates were not finite at least once in this step or the tiny ones before it
  int tiny_steps = 0;        // in a row, at the resolution of time
  std::exception_ptr thrown;
  double t = 0.0, t_old = 0.0, h = 0.0;
  VecX y, y_old, q, q_old, w, f, y_scratch, f_scratch, q_scratch;
  MatX jacobian;

  Handle<SUNContext, free_context> context;
  Handle<N_Vector, free_vector> nv_y, nv_q, nv_scratch_y, nv_scratch_q;
  Handle<SUNMatrix, free_matrix> matrix;
  Handle<SUNLinearSolver, free_linear> linear;
  Handle<SUNNonlinearSolver, free_nonlinear> nonlinear;
  Handle<void*, free_memory> memory;
  WorkCounter at_restart;  // counts of memories and histories before the present one

  /// What `act` throws must not pass through CVODE, which is C: it waits until step() is back.
  template <class Act>
  int shield(const Act& act) {
    try {
      return act();
    } catch (...) {
      thrown = std::current_exception();
      return -1;
    }
  }
  static int calc_rates(realtype time, N_Vector y_in, N_Vector f_out, void* data);
  static int calc_quadratures(realtype time, N_Vector y_in, N_Vector q_out, void* data);
  static int calc_weights(N_Vector y_in, N_Vector w_out, void* data);
  static int calc_matrix(realtype time, N_Vector y_in, N_Vector f_in, SUNMatrix out, void* data, N_Vector, N_Vector,
                         N_Vector);

  void resize(int n, int nq);
  void create_memory();
  void create_solver();
  void control_quadratures();
  bool begin(double t_limit);
  void read_counts();
  void read_state(double time);
  StepOutcome fail(int flag, int rejected) const;
};

int CvodeStepper::Impl::calc_rates(realtype time, N_Vector y_in, N_Vector f_out, void* data) {
  Impl& self = *static_cast<Impl*>(data);
  ++self.work.rate_evaluations;
  return self.shield([&] {
    Eigen::Map<VecX> out(N_VGetArrayPointer(f_out), self.y.size());
    const bool is_fine = self.system.calc_rates(time, N_VGetArrayPointer(y_in), out.data(), nullptr);
    if (is_fine && out.allFinite()) return 0;
    self.was_refused = true;
    return 1;
  });
}

int CvodeStepper::Impl::calc_quadratures(realtype time, N_Vector y_in, N_Vector q_out, void* data) {
  Impl& self = *static_cast<Impl*>(data);
  return self.shield([&] {
    self.y_scratch = Eigen::Map<const VecX>(N_VGetArrayPointer(y_in), self.y.size());
    const bool is_fine = self.rates(time, self.y_scratch, &self.f_scratch, &self.q_scratch);
    Eigen::Map<VecX>(N_VGetArrayPointer(q_out), self.q.size()) = self.q_scratch;
    if (is_fine) return 0;
    self.was_refused = true;
    return 1;
  });
}

int CvodeStepper::Impl::calc_weights(N_Vector y_in, N_Vector w_out, void* data) {
  const Impl& self = *static_cast<const Impl*>(data);
  const double* y = N_VGetArrayPointer(y_in);
  double* w = N_VGetArrayPointer(w_out);
  // CVODE gives up where an error below the rounding of y is asked for: a depth of nanometres in a coordinate of
  // metres.
  constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
  for (Eigen::Index i = 0; i < self.y.size(); ++i) {
    const double allowed = self.weights.absolute[i] + self.weights.relative * std::abs(y[i]);
    w[i] = 1.0 / std::max(allowed, kRounding * std::abs(y[i]));
  }
  return 0;
}

int CvodeStepper::Impl::calc_matrix(realtype time, N_Vector y_in, N_Vector f_in, SUNMatrix out, void* data, N_Vector,
                                    N_Vector, N_Vector) {
  Impl& self = *static_cast<Impl*>(data);
  return self.shield([&] {
    const Eigen::Index n = self.y.size();
    const VecX y_here = Eigen::Map<const VecX>(N_VGetArrayPointer(y_in), n);
    const VecX f_here = Eigen::Map<const VecX>(N_VGetArrayPointer(f_in), n);
    if (!calc_jacobian(self.rates, self.weights, time, y_here, f_here, 1.0, &self.y_scratch, &self.f_scratch,
                       &self.jacobian)) {
      return 1;
    }
    Eigen::Map<MatX>(SUNDenseMatrix_Data(out), n, n) = self.jacobian;  // both column-major
    return 0;
  });
}

void CvodeStepper::Impl::resize(int n, int nq) {
  for (VecX* x : {&y, &y_old, &w, &f, &y_scratch, &f_scratch}) x->setZero(n);
  for (VecX* x : {&q, &q_old, &q_scratch}) x->setZero(nq);
  scratch.resize(n);
  memory.reset();
  nonlinear.reset();
  linear.reset();
  matrix.reset();
  if (context.value == nullptr) require_ok(SUNContext_Create(nullptr, &context.value), "SUNContext_Create");
  nv_y.reset(N_VNew_Serial(n, context.value));
  nv_scratch_y.reset(N_VNew_Serial(n, context.value));
  nv_q.reset(N_VNew_Serial(nq, context.value));
  nv_scratch_q.reset(N_VNew_Serial(nq, context.value));
}

void CvodeStepper::Impl::create_memory() {
  memory.reset(CVodeCreate(options.family == Family::bdf ? CV_BDF : CV_ADAMS, context.value));
  ABUT_REQUIRE(memory.value != nullptr, "CVodeCreate failed");
  void* m = memory.value;
  require_ok(CVodeSetErrHandlerFn(m, ignore_message, nullptr), "CVodeSetErrHandlerFn");
  require_ok(CVodeInit(m, calc_rates, t, nv_y.value), "CVodeInit");
  require_ok(CVodeWFtolerances(m, calc_weights), "CVodeWFtolerances");
  require_ok(CVodeSetUserData(m, this), "CVodeSetUserData");
  require_ok(CVodeSetMaxNumSteps(m, -1), "CVodeSetMaxNumSteps");
  // Kinks cost failures in a row; a run should survive them by shorter steps.
  require_ok(CVodeSetMaxErrTestFails(m, 60), "CVodeSetMaxErrTestFails");
  require_ok(CVodeSetMaxConvFails(m, 60), "CVodeSetMaxConvFails");
  require_ok(CVodeSetNonlinConvCoef(m, options.newton_coefficient), "CVodeSetNonlinConvCoef");
  if (options.max_order > 0) require_ok(CVodeSetMaxOrd(m, options.max_order), "CVodeSetMaxOrd");
  // A body at rest is a lightly damped oscillator, where BDF of order three and more is stable for short steps only:
  // CVODE then looks for that and goes down to order two.
  if (options.family == Family::bdf) require_ok(CVodeSetStabLimDet(m, SUNTRUE), "CVodeSetStabLimDet");
  create_solver();
  if (q.size() > 0) {
    require_ok(CVodeQuadInit(m, calc_quadratures, nv_q.value), "CVodeQuadInit");
  }
}

void CvodeStepper::Impl::create_solver() {
  void* m = memory.value;
  if (options.corrector == Corrector::fixed_point) {
    nonlinear.reset(SUNNonlinSol_FixedPoint(nv_y.value, 0, context.value));
    require_ok(CVodeSetNonlinearSolver(m, nonlinear.value), "CVodeSetNonlinearSolver");
    return;
  }
  const Eigen::Index n = y.size();
  if (n > options.max_dense_size) {
    linear.reset(SUNLinSol_SPGMR(nv_y.value, SUN_PREC_NONE, 20, context.value));
    require_ok(CVodeSetLinearSolver(m, linear.value, nullptr), "CVodeSetLinearSolver");
    return;
  }
  jacobian.setZero(n, n);
  matrix.reset(SUNDenseMatrix(n, n, context.value));
  linear.reset(SUNLinSol_Dense(nv_y.value, matrix.value, context.value));
  require_ok(CVodeSetLinearSolver(m, linear.value, matrix.value), "CVodeSetLinearSolver");
  require_ok(CVodeSetJacFn(m, calc_matrix), "CVodeSetJacFn");
}

void CvodeStepper::Impl::control_quadratures() {
  const bool counts = hint.quadrature_scale > 0.0;
  require_ok(CVodeSetQuadErrCon(memory.value, counts ? SUNTRUE : SUNFALSE), "CVodeSetQuadErrCon");
  if (!counts) return;
  const double relative = weights.effective_relative();
  require_ok(CVodeQuadSStolerances(memory.value, relative, relative * hint.quadrature_scale), "CVodeQuadSStolerances");
}

/// Hands (t, y, q) to CVODES as a fresh problem at order 1.
bool CvodeStepper::Impl::begin(double t_limit) {
  if (!rates(t, y, &f)) return false;
  Eigen::Map<VecX>(N_VGetArrayPointer(nv_y.value), y.size()) = y;
  if (q.size() > 0) Eigen::Map<VecX>(N_VGetArrayPointer(nv_q.value), q.size()) = q;
  at_restart = work;
  if (memory.value == nullptr) {
    create_memory();
  } else {
    require_ok(CVodeReInit(memory.value, t, nv_y.value), "CVodeReInit");
    if (q.size() > 0) require_ok(CVodeQuadReInit(memory.value, nv_q.value), "CVodeQuadReInit");
  }
  if (q.size() > 0) control_quadratures();
  const double h_max = std::min(hint.max_step, t_limit - t);
  const double bound = hint.first_step > 0.0 ? std::min(hint.first_step, h_max) : h_max;
  weights.calc_weights(y, y, &w);
  const double first = calc_starting_step(rates, t, y, f, w, 1, bound, &scratch);
  require_ok(CVodeSetInitStep(memory.value, first), "CVodeSetInitStep");
  require_ok(CVodeSetMaxStep(memory.value, std::isfinite(hint.max_step) ? hint.max_step : 0.0), "CVodeSetMaxStep");
  at_restart.rate_evaluations = work.rate_evaluations;
  is_started = true;
  return true;
}

void CvodeStepper::Impl::read_counts() {
  long steps = 0, error_fails = 0, solver_fails = 0, iterations = 0, matrices = 0, setups = 0;
  void* m = memory.value;
  CVodeGetNumSteps(m, &steps);
  CVodeGetNumErrTestFails(m, &error_fails);
  CVodeGetNumStepSolveFails(m, &solver_fails);
  CVodeGetNumNonlinSolvIters(m, &iterations);
  CVodeGetNumLinSolvSetups(m, &setups);
  if (matrix.value != nullptr) CVodeGetNumJacEvals(m, &matrices);
  work.accepted = at_restart.accepted + steps;
  work.rejected = at_restart.rejected + error_fails + solver_fails;
  work.newton_iterations = at_restart.newton_iterations + iterations;
  work.jacobians = at_restart.jacobians + matrices;
  work.factorisations = at_restart.factorisations + (matrix.value != nullptr ? setups : 0);
}

void CvodeStepper::Impl::read_state(double time) {
  t = time;
  y = Eigen::Map<const VecX>(N_VGetArrayPointer(nv_y.value), y.size());
  if (q.size() > 0) {
    double unused = 0.0;
    require_ok(CVodeGetQuad(memory.value, &unused, nv_q.value), "CVodeGetQuad");
    q = Eigen::Map<const VecX>(N_VGetArrayPointer(nv_q.value), q.size());
  }
  system.project(y.data());
}

StepOutcome CvodeStepper::Impl::fail(int flag, int rejected) const {
  const char* hint_text = "the tolerance asks for a step below the resolution of time";
  StepStatus status = StepStatus::step_too_small;
  if (was_refused || flag == CV_FIRST_RHSFUNC_ERR || flag == CV_REPTD_RHSFUNC_ERR || flag == CV_UNREC_RHSFUNC_ERR) {
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
  s.tiny_steps = 0;
  ++s.work.restarts;
}

StepOutcome CvodeStepper::step(double t_limit) {
  Impl& s = *impl_;
  ABUT_REQUIRE(t_limit > s.t, "a step from t = {} s cannot end at {} s", s.t, t_limit);
  if (!s.is_started && !s.begin(t_limit)) return s.fail(CV_FIRST_RHSFUNC_ERR, 0);
  if (s.tiny_steps == 0) s.was_refused = false;
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
  require_ok(CVodeSetStopTime(s.memory.value, t_limit), "CVodeSetStopTime");
  const long rejected_before = s.work.rejected;
  double reached = s.t;
  const int flag = CVode(s.memory.value, t_limit, s.nv_y.value, &reached, CV_ONE_STEP);
  if (s.thrown) {
    s.is_started = false;
    std::rethrow_exception(std::exchange(s.thrown, nullptr));
  }
  s.read_counts();
  const int rejected = static_cast<int>(s.work.rejected - rejected_before);
  if (flag < 0) return s.fail(flag, rejected);
  s.read_state(flag == CV_TSTOP_RETURN ? t_limit : reached);
  CVodeGetCurrentStep(s.memory.value, &s.h);
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
  if (y != nullptr && CVodeGetDky(s.memory.value, t, 0, s.nv_scratch_y.value) == CV_SUCCESS) {
    Eigen::Map<VecX>(y, n) = Eigen::Map<const VecX>(N_VGetArrayPointer(s.nv_scratch_y.value), n);
    s.system.project_inside(y);
  }
  if (quadratures != nullptr && nq > 0 && CVodeGetQuadDky(s.memory.value, t, 0, s.nv_scratch_q.value) == CV_SUCCESS) {
    Eigen::Map<VecX>(quadratures, nq) = Eigen::Map<const VecX>(N_VGetArrayPointer(s.nv_scratch_q.value), nq);
  }
}

bool CvodeStepper::shorten_step(double t_end) {
  Impl& s = *impl_;
  ABUT_REQUIRE(t_end > s.t_old, "a step from t = {} s cannot be shortened to {} s", s.t_old, t_end);
  if (t_end == s.t) return true;
  if (CVodeGetDky(s.memory.value, t_end, 0, s.nv_y.value) != CV_SUCCESS) return false;
  s.y = Eigen::Map<const VecX>(N_VGetArrayPointer(s.nv_y.value), s.y.size());
  if (s.q.size() > 0) {
    if (CVodeGetQuadDky(s.memory.value, t_end, 0, s.nv_q.value) != CV_SUCCESS) return false;
    s.q = Eigen::Map<const VecX>(N_VGetArrayPointer(s.nv_q.value), s.q.size());
  }
  s.system.project(s.y.data());
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

namespace {

[[noreturn]] void refuse_to_save() {
  throw InputError(
      "integrators bdf and adams keep a history that cannot be saved; use integrator = \"automatic\", \"rk\" or "
      "\"radau\"");
}

}  // namespace

void CvodeStepper::exchange(ByteWriter&) { refuse_to_save(); }
void CvodeStepper::exchange(ByteReader&) { refuse_to_save(); }

}  // namespace abut
