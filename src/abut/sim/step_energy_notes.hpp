#pragma once

#include <span>
#include <string>
#include <vector>

#include "abut/base/function_view.hpp"
#include "abut/contact/contact_set.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// What methods that step velocities have to say of the energy that the step itself makes or takes (`time_stepping`).
class StepEnergyWatch {
 public:
  /// After each step: what has been lost to stepping so far [J].
  void look(double lost);
  /// `turnover`: the energy turned over in the run; `least`: what is not worth a word; `lifted`: put in by moving
  /// bodies out of overlaps [J].
  std::vector<std::string> make_notes(double turnover, double least, double lifted = 0.0) const;

  template <class Archive>
  void visit(Archive& archive) {
    archive(highest_, last_, made_);
  }

 private:
  double highest_ = 0.0, last_ = 0.0;
  double made_ = 0.0;  ///< largest fall from an earlier value [J]
};

/// A thousandth of what lifting every body by its own size would take, and without gravity what all of them have at a
/// micrometre a second [J]: below that nobody would see it.
double calc_least_energy(const Model& model);

/// Whether an overlap of this depth at the start is worth a word [m].
using OverlapMatters = FunctionView<bool(const Collider& a, const Collider& b, double depth)>;

/// Pairs that begin inside each other, at the geometry computed last: "ball and floor overlap by 50 mm at the start,
/// ...". At most a few.
std::vector<std::string> describe_start_overlaps(const ContactSet& contacts, const Model& model,
                                                 const OverlapMatters& matters, const std::string& what_happens);

/// "; deepest contact: 'a' and 'b', 0.2 m" of some candidate points, or nothing where there are none.
std::string describe_deepest(const ContactSet& contacts, const Model& model, std::span<const int> points);

/// A word where contacts give a restitution or a damper and the method, ncp, has layers of its own instead. An elastic
/// law, which gives neither key, counts where something struck faster than bodies that are set down do: `fastest`, at
/// any touch [m/s].
std::vector<std::string> describe_idle_restitution(const SceneSpec& scene, double fastest);

}  // namespace abut
