#include "abut/geometry/volume/event_quadrature.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// A half-circle of tiny height with as much noise: no rule converges on it.
class NoisyArc : public EventQuadrature::Integrand {
 public:
  std::uint64_t calc(double t, SliceSums& sums) override {
    sums.setZero();
    sums[0] = 1e-30 * (std::sqrt(std::max(0.0, 1.0 - t * t)) + 0.5 * std::cos(1e7 * t));
    return 1;
  }
};

TEST(EventQuadrature, TotalsThatAreRoundingAreNotRefined) {
  NoisyArc arc;
  EventQuadrature quadrature;
  quadrature.calc(arc, {-1.0, 1.0}, {1e-6, 400, 1e-26});
  EXPECT_EQ(quadrature.num_evaluations(), 15);  // the first rule and no more
  quadrature.calc(arc, {-1.0, 1.0}, {1e-6, 400, 0.0});
  EXPECT_GT(quadrature.num_evaluations(), 1000);  // without the floor it is refined to the end
}

TEST(EventQuadrature, TheFloorLeavesOrdinaryIntegralsAlone) {
  class Arc : public EventQuadrature::Integrand {
   public:
    std::uint64_t calc(double t, SliceSums& sums) override {
      sums.setZero();
      sums[0] = std::sqrt(std::max(0.0, 1.0 - t * t));
      return 1;
    }
  } arc;
  EventQuadrature quadrature;
  quadrature.calc(arc, {-1.0, 1.0}, {1e-10, 400, 1e-26});
  EXPECT_NEAR(quadrature.total()[0], std::acos(0.0), 1e-10);
}

}  // namespace
}  // namespace abut
