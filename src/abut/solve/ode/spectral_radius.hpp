#pragma once

#include "abut/solve/ode/error_weights.hpp"
#include "abut/solve/ode/rate_evaluator.hpp"

namespace abut {

/// Estimates the largest |eigenvalue| of df/dy [1/s] by four steps of power iteration on finite differences: four
/// evaluations.
///
/// The growth over two steps is taken, which is exact for an undamped oscillator, whatever the units of position and
/// velocity. Meant for a choice between methods: a clustered spectrum is underestimated by some tens of per cent,
/// non-normal systems may be overestimated. Zero when the rates do not depend on y or were refused.
class SpectralRadiusEstimator {
 public:
  double calc(RateEvaluator& rates, const ErrorWeights& weights, double t, const VecX& y, const VecX& f);

 private:
  void resize(Eigen::Index n);

  VecX increments_, direction_, y_, f_;
};

}  // namespace abut
