#pragma once

#include <vector>

#include "abut/contact/contact_rule.hpp"
#include "abut/contact/patch_pool.hpp"

namespace abut {

/// Sees to it that perimeter contacts return no more than was put in: after a step has been tried, the works of their
/// held forces are known exactly, whatever else acts on the bodies. Where springs or bristles gave back more than they
/// held, the forces are weakened and the step is to be taken again from where it began; likewise without damping where
/// a damping force, held past a reversal, drove the motion. So no impact makes mechanical energy (kinetic, potential,
/// elastic, bristles), to rounding. A contact that lasts carries its load at the depth of the law: where its springs
/// hold less than their depth says, what is missing comes out of the heat it has made itself, which settle() books.
///    [Moisio 2013, 4.2.3, 4.2.4; docs/theory/perimeter.md, "Energy"]
class PerimeterGuard {
 public:
  /// Before the first trial of a step of length h [s].
  void begin(const PatchPool& pool, double h);
  /// After a trial. `before`, `after`: kNumPatchWorks for each place of the pool [J]. True if the forces of some patch
  /// have been weakened.
  bool weaken(const std::vector<ContactRule>& rules, const double* before, const double* after, PatchPool& pool);

  /// After a step has been taken: what springs have returned beyond what they held is put back into their works, and
  /// becomes `made` of their memory. The sum of the step, for the ledger [J].
  static double settle(double* works, PatchPool& pool);

  long num_weakened() const { return num_weakened_; }  ///< trials that had to be repeated so far

  template <class Archive>
  void visit(Archive& archive) {
    archive(num_weakened_);
  }

 private:
  /// Of one load in one patch: what the springs or bristles of the patch hold, and what counts against it.
  struct Account {
    double reserve = 0.0;    ///< [J]
    double credit = 0.0;     ///< how far the speed at the end of the step counts, see calc_claim [1]
    double begins = 0.0;     ///< step times what the load returns at the beginning, at full strength [J]
    double self_work = 0.0;  ///< that the load alone would do from rest [J]
  };
  struct Trial {
    double strength = 0.0, drawn = 0.0;  ///< of the trial before, if there was one [1], [J]
    double granted = 0.0;                ///< largest strength that did not draw too much [1]
  };
  Account make_account(const PerimeterMemory& memory, const PatchWork& work, double effective_mass) const;
  static double calc_claim(const Account& account, double strength, double drawn);
  static double find_strength(const Account& account, double linear, double square);
  bool adjust(const Account& account, double drawn, Trial& last, double& strength) const;

  double step_ = 0.0;
  int num_trials_ = 0;
  std::vector<Trial> elastic_, friction_;  ///< of the active patches
  long num_weakened_ = 0;
};

}  // namespace abut
