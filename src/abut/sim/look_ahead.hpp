#pragma once

#include <set>
#include <utility>
#include <vector>

#include "abut/base/function_view.hpp"
#include "abut/sim/dynamics.hpp"

namespace abut {

/// How it stands with a pair of colliders that had not touched at the start.
enum class LookedAhead {
  touches,  ///< met, and handed over
  apart,    ///< not met in the time looked at, and nothing acted on either body meanwhile but what was known
  unknown   ///< a body touched something else before, or the end of the run was not reached
};

/// Moves the bodies as joints, prescribed motion, springs, forces and motors have it, without contact forces, and finds
/// when each pair of colliders first touches. What has touched stays where it is from then on, as if held: good for
/// what falls and swings before the first touch, a guess after it.
class LookAhead {
 public:
  using Pair = std::pair<int, int>;  ///< colliders a and b of a candidate

  /// The state is that of the start; both must outlive this.
  LookAhead(Dynamics& dynamics, State& state) : dynamics_(dynamics), state_(state) {}

  /// Calls `meet` for each pair of `wanted` that touches, with its nearest point, while the dynamics stand at that
  /// instant; bodies that overlap from the start count as held from then on and are not handed over.
  void run(std::set<Pair> wanted, const FunctionView<void(int point, double time)>& meet);

  LookedAhead outcome(const Pair& pair) const;
  double time_reached() const { return state_.time; }  ///< [s]

 private:
  struct Met {
    Pair pair;
    int point = -1;
  };
  void look(double t, const double* y);
  std::vector<Met> find_met(const std::set<Pair>& wanted) const;
  void hold(const Pair& pair);
  bool is_held(int link) const;

  Dynamics& dynamics_;
  State& state_;
  std::vector<char> held_;  ///< by link
  std::set<Pair> met_;
  bool has_ended_ = false;  ///< the whole duration was looked at
};

}  // namespace abut
