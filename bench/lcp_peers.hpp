#pragma once

#include <string>
#include <vector>

#include "abut/solve/lcp/bounded_lcp.hpp"

namespace abut {

/// Processor time of this thread [s]: what a solver costs, whatever else the machine does.
double calc_thread_time();

/// How a solver of another library did on a bounded problem.
struct PeerResult {
  std::string name;
  double seconds = 0.0;  ///< processor time of the solution alone, without setting it up
  VecX x;
  std::string remark;  ///< what it reports of itself
};

/// Siconos' solvers (Apache 2), on the problem with one more unknown for each upper bound, since they know no bounds.
/// Empty where it is not installed. Those that take minutes are left out
/// of large problems, or cut short; the residual tells.
std::vector<PeerResult> run_siconos(const BoundedLcp& problem);

/// ODE's direct solver (BSD), Dantzig's algorithm for bounded problems, on the matrix as it is and with ODE's usual
/// constraint force mixing, 1e-10, which makes redundant rows regular. Empty where it is not installed.
std::vector<PeerResult> run_ode(const BoundedLcp& problem);

}  // namespace abut
