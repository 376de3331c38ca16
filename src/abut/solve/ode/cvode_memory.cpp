// The only source that calls SUNDIALS (6.x).
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "abut/base/error.hpp"
#include "abut/solve/ode/cvode_memory_detail.hpp"
#include "abut/solve/ode/finite_difference_jacobian.hpp"

namespace abut {
namespace {

/// Failures come back as return values; nothing is printed.
void ignore_message(int, const char*, const char*, char*, void*) {}

void require_ok(int flag, const char* call) { ABUT_REQUIRE(flag >= 0, "{} returned {}", call, flag); }

Eigen::Map<VecX> view(N_Vector v) { return {N_VGetArrayPointer(v), N_VGetLength(v)}; }

std::span<double> span_of(N_Vector v) { return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))}; }

}  // namespace

void CvodeTape::clear() {
  t = first_step = 0.0;
  y.resize(0);
  q.resize(0);
  limits.clear();
  answers.clear();
  numbers.clear();
}

CvodeMemory::CvodeMemory(OdeSystem& system, const CvodeStepper::Options& options, WorkCounter& work)
    : system_(system), options_(options), work_(work), rates_(system, work) {}

CvodeMemory::~CvodeMemory() {
  free_all();
  if (context_ != nullptr) SUNContext_Free(&context_);
}

void CvodeMemory::free_all() {
  if (memory_ != nullptr) CVodeFree(&memory_);
  if (nonlinear_ != nullptr) SUNNonlinSolFree(std::exchange(nonlinear_, nullptr));
  if (linear_ != nullptr) SUNLinSolFree(std::exchange(linear_, nullptr));
  if (matrix_ != nullptr) SUNMatDestroy(std::exchange(matrix_, nullptr));
  for (N_Vector* v : {&nv_y_, &nv_q_}) {
    if (*v != nullptr) N_VDestroy(std::exchange(*v, nullptr));
  }
}

void CvodeMemory::set_size(Eigen::Index n, Eigen::Index num_quadratures) {
  free_all();
  tape_.clear();
  for (VecX* x : {&y_scratch_, &f_scratch_}) x->setZero(n);
  q_scratch_.setZero(num_quadratures);
  if (context_ == nullptr) require_ok(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
  nv_y_ = N_VNew_Serial(n, context_);
  nv_q_ = N_VNew_Serial(num_quadratures, context_);
}

/// Answers a call of CVODE and notes what was said. What `act` throws must not pass through CVODE, which is C: it waits
/// until the step is over.
template <class Act>
int CvodeMemory::answer(std::span<double> out, const Act& act) {
  if (is_replaying_) return answer_again(out);
  try {
    const bool is_fine = act();
    tape_.answers.push_back(is_fine ? 0 : 1);
    if (is_fine) tape_.numbers.insert(tape_.numbers.end(), out.begin(), out.end());
    return is_fine ? 0 : 1;
  } catch (...) {
    thrown_ = std::current_exception();
    return -1;
  }
}

int CvodeMemory::answer_again(std::span<double> out) {
  const bool is_there = next_answer_ < tape_.answers.size();
  if (is_there && tape_.answers[next_answer_] == 1) return tape_.answers[next_answer_++];
  if (!is_there || out.size() > tape_.numbers.size() - next_number_) {
    thrown_ = std::make_exception_ptr(InputError("the saved bytes tell another history of CVODE than they began"));
    return -1;
  }
  ++next_answer_;
  std::copy_n(tape_.numbers.begin() + static_cast<std::ptrdiff_t>(next_number_), out.size(), out.begin());
  next_number_ += out.size();
  return 0;
}

int CvodeMemory::calc_rates(realtype time, N_Vector y, N_Vector f_out, void* data) {
  CvodeMemory& self = *static_cast<CvodeMemory*>(data);
  return self.answer(span_of(f_out), [&] {
    ++self.work_.rate_evaluations;
    Eigen::Map<VecX> out = view(f_out);
    const bool is_fine = self.system_.calc_rates(time, N_VGetArrayPointer(y), out.data(), nullptr) && out.allFinite();
    if (!is_fine) self.was_refused = true;
    return is_fine;
  });
}

int CvodeMemory::calc_quadratures(realtype time, N_Vector y, N_Vector q_out, void* data) {
  CvodeMemory& self = *static_cast<CvodeMemory*>(data);
  return self.answer(span_of(q_out), [&] {
    self.y_scratch_ = view(y);
    const bool is_fine = self.rates_(time, self.y_scratch_, &self.f_scratch_, &self.q_scratch_);
    view(q_out) = self.q_scratch_;
    if (!is_fine) self.was_refused = true;
    return is_fine;
  });
}

int CvodeMemory::calc_weights(N_Vector y_in, N_Vector w_out, void* data) {
  const CvodeMemory& self = *static_cast<const CvodeMemory*>(data);
  const Eigen::Map<VecX> y = view(y_in);
  Eigen::Map<VecX> w = view(w_out);
  // CVODE gives up where an error below the rounding of y is asked for: a depth of nanometres in a coordinate of
  // metres.
  constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    const double allowed = self.weights_.absolute[i] + self.weights_.relative * std::abs(y[i]);
    w[i] = 1.0 / std::max(allowed, kRounding * std::abs(y[i]));
  }
  return 0;
}

int CvodeMemory::calc_matrix(realtype time, N_Vector y, N_Vector f, SUNMatrix out, void* data, N_Vector, N_Vector,
                             N_Vector) {
  CvodeMemory& self = *static_cast<CvodeMemory*>(data);
  const Eigen::Index n = N_VGetLength(y);
  return self.answer({SUNDenseMatrix_Data(out), static_cast<std::size_t>(n * n)}, [&] {
    const VecX y_here = view(y), f_here = view(f);
    if (!calc_jacobian(self.rates_, self.weights_, time, y_here, f_here, 1.0, &self.y_scratch_, &self.f_scratch_,
                       &self.jacobian_)) {
      return false;
    }
    Eigen::Map<MatX>(SUNDenseMatrix_Data(out), n, n) = self.jacobian_;  // both column-major
    return true;
  });
}

void CvodeMemory::create() {
  memory_ = CVodeCreate(options_.family == CvodeStepper::Family::bdf ? CV_BDF : CV_ADAMS, context_);
  ABUT_REQUIRE(memory_ != nullptr, "CVodeCreate failed");
  require_ok(CVodeSetErrHandlerFn(memory_, ignore_message, nullptr), "CVodeSetErrHandlerFn");
  require_ok(CVodeInit(memory_, calc_rates, tape_.t, nv_y_), "CVodeInit");
  require_ok(CVodeWFtolerances(memory_, calc_weights), "CVodeWFtolerances");
  require_ok(CVodeSetUserData(memory_, this), "CVodeSetUserData");
  require_ok(CVodeSetMaxNumSteps(memory_, -1), "CVodeSetMaxNumSteps");
  // Kinks cost failures in a row; a run should survive them by shorter steps.
  require_ok(CVodeSetMaxErrTestFails(memory_, 60), "CVodeSetMaxErrTestFails");
  require_ok(CVodeSetMaxConvFails(memory_, 60), "CVodeSetMaxConvFails");
  require_ok(CVodeSetNonlinConvCoef(memory_, options_.newton_coefficient), "CVodeSetNonlinConvCoef");
  if (options_.max_order > 0) require_ok(CVodeSetMaxOrd(memory_, options_.max_order), "CVodeSetMaxOrd");
  // A body at rest is a lightly damped oscillator, where BDF of order three and more is stable for short steps only:
  // CVODE then looks for that and goes down to order two.
  if (options_.family == CvodeStepper::Family::bdf)
    require_ok(CVodeSetStabLimDet(memory_, SUNTRUE), "CVodeSetStabLimDet");
  create_solver();
  if (tape_.q.size() > 0) require_ok(CVodeQuadInit(memory_, calc_quadratures, nv_q_), "CVodeQuadInit");
}

void CvodeMemory::create_solver() {
  if (options_.corrector == CvodeStepper::Corrector::fixed_point) {
    nonlinear_ = SUNNonlinSol_FixedPoint(nv_y_, 0, context_);
    require_ok(CVodeSetNonlinearSolver(memory_, nonlinear_), "CVodeSetNonlinearSolver");
    return;
  }
  const Eigen::Index n = tape_.y.size();
  if (n > options_.max_dense_size) {
    linear_ = SUNLinSol_SPGMR(nv_y_, SUN_PREC_NONE, 20, context_);
    require_ok(CVodeSetLinearSolver(memory_, linear_, nullptr), "CVodeSetLinearSolver");
    return;
  }
  jacobian_.setZero(n, n);
  matrix_ = SUNDenseMatrix(n, n, context_);
  linear_ = SUNLinSol_Dense(nv_y_, matrix_, context_);
  require_ok(CVodeSetLinearSolver(memory_, linear_, matrix_), "CVodeSetLinearSolver");
  require_ok(CVodeSetJacFn(memory_, calc_matrix), "CVodeSetJacFn");
}

void CvodeMemory::control_quadratures() {
  const bool counts = hint_.quadrature_scale > 0.0;
  require_ok(CVodeSetQuadErrCon(memory_, counts ? SUNTRUE : SUNFALSE), "CVodeSetQuadErrCon");
  if (!counts) return;
  const double relative = weights_.effective_relative();
  require_ok(CVodeQuadSStolerances(memory_, relative, relative * hint_.quadrature_scale), "CVodeQuadSStolerances");
}

void CvodeMemory::begin(double t, const VecX& y, const VecX& q, double first_step, const ErrorWeights& weights,
                        const RestartHint& hint) {
  weights_ = weights;
  hint_ = hint;
  tape_.clear();
  tape_.t = t;
  tape_.first_step = first_step;
  tape_.y = y;
  tape_.q = q;
  start();
}

/// Hands the beginning of the tape to CVODES.
void CvodeMemory::start() {
  view(nv_y_) = tape_.y;
  const bool has_quadratures = tape_.q.size() > 0;
  if (has_quadratures) view(nv_q_) = tape_.q;
  if (memory_ == nullptr) {
    create();
  } else {
    require_ok(CVodeReInit(memory_, tape_.t, nv_y_), "CVodeReInit");
    if (has_quadratures) require_ok(CVodeQuadReInit(memory_, nv_q_), "CVodeQuadReInit");
  }
  if (has_quadratures) control_quadratures();
  require_ok(CVodeSetInitStep(memory_, tape_.first_step), "CVodeSetInitStep");
  require_ok(CVodeSetMaxStep(memory_, std::isfinite(hint_.max_step) ? hint_.max_step : 0.0), "CVodeSetMaxStep");
}

int CvodeMemory::take_step(double t_limit, double* reached) {
  require_ok(CVodeSetStopTime(memory_, t_limit), "CVodeSetStopTime");
  const int flag = CVode(memory_, t_limit, nv_y_, reached, CV_ONE_STEP);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  return flag;
}

int CvodeMemory::step(double t_limit, double* reached) {
  tape_.limits.push_back(t_limit);
  return take_step(t_limit, reached);
}

void CvodeMemory::replay(CvodeTape tape, const ErrorWeights& weights, const RestartHint& hint) {
  weights_ = weights;
  hint_ = hint;
  tape_ = std::move(tape);
  start();
  next_answer_ = next_number_ = 0;
  is_replaying_ = true;
  try {
    double reached = 0.0;
    for (const double limit : tape_.limits) take_step(limit, &reached);
  } catch (...) {
    is_replaying_ = false;
    throw;
  }
  is_replaying_ = false;
  if (next_answer_ != tape_.answers.size() || next_number_ != tape_.numbers.size())
    throw InputError("the saved bytes tell more of a history of CVODE than it asks for");
}

void CvodeMemory::get_state(VecX* y, VecX* q) {
  *y = view(nv_y_);
  if (q->size() == 0) return;
  double unused = 0.0;
  require_ok(CVodeGetQuad(memory_, &unused, nv_q_), "CVodeGetQuad");
  *q = view(nv_q_);
}

bool CvodeMemory::interpolate(double t, VecX* y, VecX* q) {
  if (!tape_.has_begun()) return false;
  if (y != nullptr) {
    if (CVodeGetDky(memory_, t, 0, nv_y_) != CV_SUCCESS) return false;
    *y = view(nv_y_);
  }
  if (q != nullptr && q->size() > 0) {
    if (CVodeGetQuadDky(memory_, t, 0, nv_q_) != CV_SUCCESS) return false;
    *q = view(nv_q_);
  }
  return true;
}

double CvodeMemory::next_step() const {
  double h = 0.0;
  require_ok(CVodeGetCurrentStep(memory_, &h), "CVodeGetCurrentStep");
  return h;
}

void CvodeMemory::add_work(WorkCounter* work) const {
  long steps = 0, error_fails = 0, solver_fails = 0, iterations = 0, matrices = 0, setups = 0;
  CVodeGetNumSteps(memory_, &steps);
  CVodeGetNumErrTestFails(memory_, &error_fails);
  CVodeGetNumStepSolveFails(memory_, &solver_fails);
  CVodeGetNumNonlinSolvIters(memory_, &iterations);
  CVodeGetNumLinSolvSetups(memory_, &setups);
  if (matrix_ != nullptr) CVodeGetNumJacEvals(memory_, &matrices);
  work->accepted += steps;
  work->rejected += error_fails + solver_fails;
  work->newton_iterations += iterations;
  work->jacobians += matrices;
  if (matrix_ != nullptr) work->factorisations += setups;
}

}  // namespace abut
