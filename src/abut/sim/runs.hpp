#pragma once

#include "abut/sim/dynamics.hpp"
#include "abut/sim/run_book.hpp"
#include "abut/sim/run_clock.hpp"

namespace abut {

/// How a run ended, whatever the method.
struct RunEnd {
  RunStatus status = RunStatus::done;
  std::string message, advice;
  RunWork work;
  std::vector<std::string> notes;  ///< what the method has to say of itself
};

/// Fixed steps; contacts are noticed at the first step that finds them overlapping.   [spec 0, 2.2.5, 3.2]
RunEnd run_fixed_step(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock);

/// Fixed steps on velocities, with contacts as complementarity conditions at the end of each.   [spec 2]
RunEnd run_lcp(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock);

/// Fixed steps whose motion, contact geometry and layer deflection are all unknown at the end of each.   [spec 4]
RunEnd run_ncp(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock);

/// Error-controlled steps; the integrator stops exactly where a contact begins or ends, and starts afresh there.
RunEnd run_adaptive(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock);

/// Time constant of a patch: the period over 2 pi of the small oscillation of its effective mass on the spring at this
/// depth, or at the depth its touch speed will reach when that is larger [s].
double calc_time_constant(const Patch& patch, double depth);

/// Depth at which the patch's spring would have taken up all of the kinetic energy at touch [m].
double calc_impact_depth(const Patch& patch);
/// The same for a touch at this speed [m/s].
double calc_impact_depth(const Patch& patch, double speed);

}  // namespace abut
