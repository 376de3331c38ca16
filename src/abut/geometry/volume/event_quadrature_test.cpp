#include "abut/geometry/volume/event_quadrature.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// An area function of t with second moments that make the length scale 1.
class Function : public EventQuadrature::Integrand {
 public:
  Function(std::function<double(double)> area, std::function<std::uint64_t(double)> shape)
      : area_(std::move(area)), shape_(std::move(shape)) {}
  std::uint64_t calc(double t, SliceSums& sums) override {
    sums.setZero();
    const std::uint64_t shape = shape_(t);
    if (shape == 0) return 0;
    sums[0] = area_(t);
    sums[9] = sums[0];
    return shape;
  }

 private:
  std::function<double(double)> area_;
  std::function<std::uint64_t(double)> shape_;
};

std::uint64_t one(double) { return 1; }

TEST(EventQuadrature, SquareRootsAtTheEndsCostNothing) {
  Function half_disc([](double t) { return std::sqrt(1.0 - t * t); }, one);
  EventQuadrature quadrature;
  quadrature.calc(half_disc, {-1.0, 1.0}, {1e-6, 100, true, 0.0});
  EXPECT_NEAR(quadrature.total()[0], 0.5 * std::numbers::pi, 1e-14);
  Function power([](double t) { return std::pow(t, 1.5); }, one);
  quadrature.calc(power, {0.0, 1.0}, {1e-6, 100, true, 0.0});
  EXPECT_NEAR(quadrature.total()[0], 0.4, 1e-14);
  EXPECT_EQ(quadrature.num_evaluations(), 15);  // one rule
}

/// The area starts as a square root in the middle of nowhere: only the signature tells.
TEST(EventQuadrature, FindsEventsByTheSignature) {
  const double start = 0.1234567;
  Function late([=](double t) { return std::sqrt(t - start); }, [=](double t) { return t > start ? 7u : 0u; });
  EventQuadrature quadrature;
  quadrature.calc(late, {-1.0, 1.0}, {1e-6, 100, false, 0.0});
  const double exact = 2.0 / 3.0 * std::pow(1.0 - start, 1.5);
  EXPECT_NEAR(quadrature.total()[0] / exact, 1.0, 1e-9);
  EXPECT_LE(quadrature.relative_error(), 1e-6);
}

/// An event 1e-5 before the end, between it and the outermost node.
TEST(EventQuadrature, FindsEventsNearTheEnds) {
  const double end = 1.0 - 1e-5;
  Function early([](double) { return 1.0; }, [=](double t) { return t < end ? 3u : 0u; });
  EventQuadrature quadrature;
  quadrature.calc(early, {0.0, 1.0}, {1e-6, 100, false, 0.0});
  EXPECT_NEAR(quadrature.total()[0], end, 1e-10);
}

/// A kink that no signature shows: halving must bring the error to the bound. The estimate counts on analytic
/// integrands; here it may be short, but not by more than a factor of two.
TEST(EventQuadrature, HalvesWhereTheRulesDisagree) {
  Function kink([](double t) { return std::abs(t - 0.3); }, one);
  EventQuadrature quadrature;
  for (const double bound : {1e-3, 1e-6, 1e-8}) {
    quadrature.calc(kink, {0.0, 1.0}, {bound, 400, true, 0.0});
    EXPECT_LT(std::abs(quadrature.total()[0] / 0.29 - 1.0), 2.0 * bound);
    EXPECT_LE(quadrature.relative_error(), bound);
  }
  // The hard end on the number of intervals is respected, and the error says so.
  quadrature.calc(kink, {0.0, 1.0}, {1e-15, 8, true, 0.0});
  EXPECT_GT(quadrature.relative_error(), 1e-15);
}

TEST(EventQuadrature, NodesReproduceTheTotal) {
  Function function([](double t) { return std::exp(t); }, one);
  EventQuadrature quadrature;
  quadrature.calc(function, {0.0, 0.5, 2.0}, {1e-9, 100, true, 0.0});
  std::vector<QuadratureNode> nodes;
  quadrature.add_nodes(nodes);
  double sum = 0.0, last = -1.0;
  for (const QuadratureNode& node : nodes) {
    sum += node.weight * std::exp(node.t);
    EXPECT_GT(node.t, last);
    last = node.t;
  }
  EXPECT_NEAR(sum / quadrature.total()[0], 1.0, 1e-14);
  EXPECT_FALSE(quadrature.has_gap());
}

/// Each node is known by its turn among the evaluations, whatever was cut or halved before.
TEST(EventQuadrature, NodesKnowTheirEvaluation) {
  class Recorder : public EventQuadrature::Integrand {
   public:
    std::uint64_t calc(double t, SliceSums& sums) override {
      seen.push_back(t);
      sums.setZero();
      sums[0] = sums[9] = t > 0.3 ? 1.0 + std::abs(t - 0.7) : 0.0;
      return calc_signature(t);
    }
    std::uint64_t calc_signature(double t) override { return t > 0.3 ? 1 : 0; }
    std::vector<double> seen;
  } recorder;
  EventQuadrature quadrature;
  quadrature.calc(recorder, {0.0, 1.0}, {1e-6, 100, false, 0.0});
  std::vector<QuadratureNode> nodes;
  quadrature.add_nodes(nodes);
  int num_known = 0;
  for (const QuadratureNode& node : nodes) {
    if (node.evaluation < 0) continue;
    ++num_known;
    EXPECT_EQ(recorder.seen[node.evaluation], node.t);
  }
  EXPECT_GT(num_known, 30);
}

TEST(EventQuadrature, SeesGaps) {
  Function two([](double) { return 1.0; }, [](double t) { return std::abs(t) > 0.25 ? 5u : 0u; });
  EventQuadrature quadrature;
  quadrature.calc(two, {-1.0, 1.0}, {1e-6, 100, false, 0.0});
  EXPECT_TRUE(quadrature.has_gap());
  EXPECT_NEAR(quadrature.total()[0], 1.5, 1e-6);
}

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
  quadrature.calc(arc, {-1.0, 1.0}, {1e-6, 400, true, 1e-26});
  EXPECT_EQ(quadrature.num_evaluations(), 15);  // the first rule and no more
  quadrature.calc(arc, {-1.0, 1.0}, {1e-6, 400, true, 0.0});
  // Without the floor it is refined, but not to the end: more intervals bring no less error.
  EXPECT_GT(quadrature.num_evaluations(), 100);
  EXPECT_LT(quadrature.num_evaluations(), 4000);
}

/// Several jumps that no signature shows take more intervals than show whether rounding is cut up.
TEST(EventQuadrature, JumpsAreNoRounding) {
  Function stairs([](double t) { return std::floor(7.3 * t) + 1.0; }, one);
  EventQuadrature quadrature;
  quadrature.calc(stairs, {0.0, 1.0}, {1e-6, 400, true, 0.0});
  EXPECT_LE(quadrature.relative_error(), 1e-6);
  EXPECT_NEAR(quadrature.total()[0], 8.0 - 28.0 / 7.3, 1e-5);
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
  quadrature.calc(arc, {-1.0, 1.0}, {1e-10, 400, true, 1e-26});
  EXPECT_NEAR(quadrature.total()[0], std::acos(0.0), 1e-10);
}

}  // namespace
}  // namespace abut
