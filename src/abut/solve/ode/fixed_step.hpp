#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/solve/ode/explicit_tableau.hpp"
#include "abut/solve/ode/ode_system.hpp"
#include "abut/solve/ode/work_counter.hpp"

namespace abut {

enum class FixedMethod { euler, semi_implicit_euler, heun, rk3, rk4, rk5 };

/// Names as scenes spell them: "euler", "semi-implicit-euler", "heun", "rk3", "rk4", "rk5".
const std::vector<std::string>& fixed_method_names();
std::optional<FixedMethod> find_fixed_method(std::string_view name);
/// Order of convergence: 1, 1, 2, 3, 4, 5.
int order_of(FixedMethod method);

struct FixedOutcome {
  bool is_ok = true;
  int component = -1;  ///< first component of y that is not finite, or -1 when the system refused its rates
  std::string reason;  ///< empty unless failed
};

/// Steps of a length that the caller chooses; no error control, no events.
///
/// semi-implicit-euler takes the velocities first, v += h dv/dt, then q += h dq/dt with the new v, and everything else
/// explicitly: one evaluation of the rates, like euler, but stable for h < 2 / omega without damping.
class FixedStepper {
 public:
  FixedStepper(OdeSystem& system, FixedMethod method);

  /// Advances y and Q in place from t to t + h. On failure both are left as they were.
  FixedOutcome step(double t, double h, double* y, double* quadratures);

  FixedMethod method() const { return method_; }
  const WorkCounter& work() const { return work_; }
  template <class Archive>
  void visit(Archive& archive) {
    archive(work_);
  }

 private:
  void resize_if_needed();
  FixedOutcome describe_failure(double t, double h, const double* y, bool is_accepted) const;
  FixedOutcome step_in_place(double t, double h, double* y, double* quadratures);
  bool calc_stage(int stage, double t, double h, const double* y);
  void combine_stages(double h, const double* y);

  OdeSystem& system_;
  FixedMethod method_;
  ExplicitTableau tableau_;
  std::array<VecX, ExplicitTableau::kMaxStages> k_;   // rates of the stages
  std::array<VecX, ExplicitTableau::kMaxStages> kq_;  // rates of the quadratures
  VecX y_stage_, y_new_, qdot_;
  WorkCounter work_;
};

}  // namespace abut
