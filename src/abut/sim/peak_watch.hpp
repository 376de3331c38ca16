#pragma once

#include <vector>

#include "abut/sim/dynamics.hpp"
#include "abut/solve/ode/event_driver.hpp"

namespace abut {

/// Finds the peaks of normal forces, which lie inside steps: where one is near, the parabola through the forces at both
/// ends and in the middle of the step says where.
class PeakWatch {
 public:
  PeakWatch(Dynamics& dynamics, State& state) : dynamics_(dynamics), state_(state) {}

  /// With the responses at the beginning of a step, where the patches may be others than before.
  void begin(const std::vector<PatchResponse>& responses);
  /// After a step, with the responses at its end: notes peaks inside it in the patches.
  void look_into_step(const EventDriver& driver, const std::vector<PatchResponse>& responses);

  template <class Archive>
  void visit(Archive& archive) {
    archive(forces_);
  }

 private:
  std::vector<double> note_at(const EventDriver& driver, double part);
  void look_inside(const EventDriver& driver, const std::vector<PatchResponse>& last);

  Dynamics& dynamics_;
  State& state_;
  std::vector<double>
      forces_;             ///< at the beginning of the step, by place: the order of patches may change within it [N]
  std::vector<int> near_;  ///< active patches whose peak may lie in the step in hand
  std::vector<double> y_inside_;
};

}  // namespace abut
