#pragma once

namespace abut {

/// What an integration has cost so far. Counts survive restarts; the benchmarks compare methods by them.
struct WorkCounter {
  long accepted = 0;          ///< steps
  long rejected = 0;          ///< tries thrown away (error too large, Newton failed, rates refused)
  long rate_evaluations = 0;  ///< calls of OdeSystem::calc_rates, those for finite differences included
  long jacobians = 0;
  long factorisations = 0;  ///< one for each step size and Jacobian, real and complex together
  long newton_iterations = 0;
  long restarts = 0;
  long events = 0;  ///< instants at which at least one event fired (counted by EventDriver)

  WorkCounter& operator+=(const WorkCounter& other) {
    accepted += other.accepted;
    rejected += other.rejected;
    rate_evaluations += other.rate_evaluations;
    jacobians += other.jacobians;
    factorisations += other.factorisations;
    newton_iterations += other.newton_iterations;
    restarts += other.restarts;
    events += other.events;
    return *this;
  }
};

}  // namespace abut
