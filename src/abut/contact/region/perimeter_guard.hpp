#pragma once

#include <vector>

#include "abut/contact/contact_rule.hpp"
#include "abut/contact/contact_set.hpp"

namespace abut {

/// Sees to it that perimeter contacts return no more than was put in: after a step has been tried, the works of their
/// held forces are known exactly, whatever else acts on the bodies. Where springs or bristles gave back more than they
/// held, the forces are weakened and the step is to be taken again from where it began; likewise without damping where
/// a damping force, held past a reversal, drove the motion. So no contact makes mechanical energy (kinetic, potential,
/// elastic, bristles), to rounding.   [spec 3, 2.15; docs/theory/perimeter.md, "Energy"]
class PerimeterGuard {
 public:
  /// Before the first trial of a step of length h [s].
  void begin(const PatchPool& pool, double h);
  /// After a trial. `before`, `after`: kNumPatchWorks for each place of the pool [J]. True if the forces of some patch
  /// have been weakened.
  bool weaken(const std::vector<ContactRule>& rules, const double* before, const double* after, PatchPool& pool);

  long num_weakened() const { return num_weakened_; }  ///< trials that had to be repeated so far

 private:
  struct Trial {
    double strength = 1.0, drawn = 0.0;  ///< of the last trial [1], [J]
  };
  bool weaken_load(double reserve, double drawn, double force, double mass, Trial& last, double& strength) const;

  double step_ = 0.0;
  int num_trials_ = 0;
  std::vector<Trial> elastic_, friction_;  ///< of the active patches
  long num_weakened_ = 0;
};

}  // namespace abut
