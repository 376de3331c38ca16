#include "abut/solve/ode/adaptive_stepper.hpp"

#include <algorithm>

#include "abut/solve/ode/auto_stepper.hpp"
#include "abut/solve/ode/cvode_stepper.hpp"
#include "abut/solve/ode/dormand_prince.hpp"
#include "abut/solve/ode/radau.hpp"

namespace abut {

namespace {

/// Embedded estimates see the error at a corner some 20 to 50 times smaller than it is.
constexpr double kCornerShare = 0.03;

}  // namespace

double calc_quadrature_allowance(const ErrorWeights& weights, const RestartHint& hint, const VecX& quadratures) {
  const double magnitude = quadratures.size() > 0 ? quadratures.lpNorm<Eigen::Infinity>() : 0.0;
  return kCornerShare * weights.effective_relative() * std::max(hint.quadrature_scale, magnitude);
}

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
