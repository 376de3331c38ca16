#include "abut/solve/ode/adaptive_stepper.hpp"

#include "abut/solve/ode/auto_stepper.hpp"
#include "abut/solve/ode/cvode_stepper.hpp"
#include "abut/solve/ode/dormand_prince.hpp"
#include "abut/solve/ode/radau.hpp"

namespace abut {

std::unique_ptr<AdaptiveStepper> make_adaptive_stepper(AdaptiveMethod method, OdeSystem& system) {
  switch (method) {
    case AdaptiveMethod::automatic:
      return std::make_unique<AutoStepper>(system);
    case AdaptiveMethod::dormand_prince:
      return std::make_unique<DormandPrince>(system);
    case AdaptiveMethod::radau:
      return std::make_unique<Radau>(system);
    case AdaptiveMethod::bdf:
      return std::make_unique<CvodeStepper>(system);
    case AdaptiveMethod::adams:
      break;
  }
  CvodeStepper::Options options;
  options.family = CvodeStepper::Family::adams;
  options.corrector = CvodeStepper::Corrector::fixed_point;
  return std::make_unique<CvodeStepper>(system, options);
}

}  // namespace abut
