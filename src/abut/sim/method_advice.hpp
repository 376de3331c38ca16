#pragma once

#include <string>
#include <vector>

#include "abut/contact/law/resolved_value.hpp"
#include "abut/sim/advice.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// What can be said of a method that steps velocities before anything is simulated: which numbers it will use, where
/// they come from, and which of them ask for trouble.
struct MethodAdvice {
  std::vector<ResolvedValue> values;
  std::vector<std::string> warnings;

  bool is_empty() const { return values.empty() && warnings.empty(); }
};

/// Slip above which regularised friction counts as sliding, unless the scene says otherwise: 2 h g [m/s].
/// A rolling contact begins a step with the slip that one step of acceleration makes, up to about h g / 2 for a wheel
/// (computed independently); a threshold below that re-enters the sliding branch, and the contact creeps.
double calc_default_v_threshold(double step, double gravity);

/// Slip with which a rolling contact may begin a step: a threshold below it is not safe [m/s].
double calc_rolling_slip(double step, double gravity);

/// Warns of a contact that overlaps at the start, out of which a step of h takes the bodies by a velocity that they
/// keep: depth / h. `why` the depth counts [m].
void warn_of_overlap(const ContactAdvice& contact, double depth, double h, const char* why, MethodAdvice& advice);

/// A sentence for scenes of other methods whose explicit steps must be this short [s]: that method micro would follow
/// their contacts at steps of a millisecond. Empty where it would not, or where that gains nothing.
std::string suggest_micro(const Model& model, double explicit_step);

/// What the method of the model has to say (MethodRow::advise). `contacts` as make_contact_advice() found them.
MethodAdvice make_method_advice(const Model& model, const std::vector<ContactAdvice>& contacts);

}  // namespace abut
