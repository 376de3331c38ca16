#pragma once

#include <optional>

#include "abut/scene/run_spec.hpp"

namespace abut {

struct Model;

/// What a run of the whole scene by a rule with fixed steps tells about a step.
struct StepTrial {
  double missed = 0.0;    ///< worst residual over the energy turned over; infinite where the run stops [1]
  bool is_whole = false;  ///< reached the end of the scene, and was not cut short for the time it would take
};

/// Runs the scene as it is, without keeping anything. Nothing where explicit steps cannot run it.
std::optional<StepTrial> try_step(const Model& model, double step,
                                  RunSpec::Integrator integrator = RunSpec::Integrator::rk4);

/// Longest steps between which the scene as a whole is looked at.
struct StepSearch {
  double longest = 0.0;  ///< to begin with [s]
  double expected =
      0.0;  ///< what the contacts bear, each by itself: no longer one is believed unless the run was whole [s]
};

/// The longest step, by powers of two below the first, at which a run and some with a little less keep their books; the
/// expected one where no trial says otherwise. Contacts know nothing of each other: a body between two grippers swings
/// faster than on one, and what a small contact misses does not show beside the work of a motor.
double find_step_of_scene(const Model& model, const StepSearch& search,
                          RunSpec::Integrator integrator = RunSpec::Integrator::rk4);

}  // namespace abut
