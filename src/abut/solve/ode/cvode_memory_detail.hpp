#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

#include "abut/solve/ode/cvode_stepper.hpp"
#include "abut/solve/ode/rate_evaluator.hpp"

namespace abut {

/// What CVODE was told since it began: where, how far its steps might go, and what the functions it calls answered. It
/// has no door to its history, but that is a function of this: told again, CVODE is where it was, to the bit.
struct CvodeTape {
  double t = 0.0, first_step = 0.0;    ///< of the beginning [s]
  VecX y{}, q{};                       ///< state and quadratures there; no state: it has not begun
  std::vector<double> limits{};        ///< of the steps since [s]
  std::vector<std::int8_t> answers{};  ///< of the functions, in order: 0, or 1 where they refused
  std::vector<double> numbers{};       ///< that came with the answers

  bool has_begun() const { return y.size() > 0; }
  void clear();
};

/// One memory of CVODES (6.x), the functions that it calls, and the tape of what they said.
class CvodeMemory {
 public:
  CvodeMemory(OdeSystem& system, const CvodeStepper::Options& options, WorkCounter& work);
  CvodeMemory(const CvodeMemory&) = delete;
  CvodeMemory& operator=(const CvodeMemory&) = delete;
  ~CvodeMemory();

  const CvodeTape& tape() const { return tape_; }
  /// No step can be taken and nothing be looked up until the next beginning.
  void forget() { tape_.clear(); }
  /// Of all that follows.
  void set_size(Eigen::Index n, Eigen::Index num_quadratures);

  /// A fresh problem at order 1. `weights` and `hint` stay as they are until the next.
  void begin(double t, const VecX& y, const VecX& q, double first_step, const ErrorWeights& weights,
             const RestartHint& hint);
  /// As CVode() returns; `reached`: time at the end of the step [s]. What the system threw comes through.
  int step(double t_limit, double* reached);
  void get_state(VecX* y, VecX* q);
  /// Within the last step; false outside. Either may be null.
  bool interpolate(double t, VecX* y, VecX* q);
  double next_step() const;
  /// Adds what was done since the beginning, but for the evaluations of rates, which are counted as they happen.
  void add_work(WorkCounter* work) const;

  /// Rates were not finite, or refused, since this was cleared.
  bool was_refused = false;

  /// Tells it again what is on the tape. InputError where that does not fit together.
  void replay(CvodeTape tape, const ErrorWeights& weights, const RestartHint& hint);

 private:
  template <class Act>
  int answer(std::span<double> out, const Act& act);
  int answer_again(std::span<double> out);
  static int calc_rates(realtype time, N_Vector y, N_Vector f_out, void* data);
  static int calc_quadratures(realtype time, N_Vector y, N_Vector q_out, void* data);
  static int calc_weights(N_Vector y, N_Vector w_out, void* data);
  static int calc_matrix(realtype time, N_Vector y, N_Vector f, SUNMatrix out, void* data, N_Vector, N_Vector,
                         N_Vector);
  void free_all();
  void create();
  void create_solver();
  void control_quadratures();
  void start();
  int take_step(double t_limit, double* reached);

  OdeSystem& system_;
  CvodeStepper::Options options_;
  WorkCounter& work_;
  RateEvaluator rates_;
  ErrorWeights weights_;
  RestartHint hint_;
  CvodeTape tape_;
  bool is_replaying_ = false;
  std::size_t next_answer_ = 0, next_number_ = 0;  // of the tape, while it is told again
  std::exception_ptr thrown_;
  VecX y_scratch_, f_scratch_, q_scratch_;
  MatX jacobian_;

  SUNContext context_ = nullptr;
  N_Vector nv_y_ = nullptr, nv_q_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver nonlinear_ = nullptr;
  void* memory_ = nullptr;
};

}  // namespace abut
