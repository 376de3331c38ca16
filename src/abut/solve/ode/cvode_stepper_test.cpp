#include "abut/solve/ode/cvode_stepper.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "abut/solve/ode/ode_test_systems.hpp"

namespace abut {
namespace {

using testing::FunctionSystem;

CvodeStepper::Options make_adams(CvodeStepper::Corrector corrector) {
  CvodeStepper::Options options;
  options.family = CvodeStepper::Family::adams;
  options.corrector = corrector;
  return options;
}

TEST(CvodeStepper, AllVariantsSolveTheChirpWithItsQuadrature) {
  FunctionSystem system = testing::make_chirp();
  for (const CvodeStepper::Options& options : {CvodeStepper::Options(), make_adams(CvodeStepper::Corrector::newton),
                                               make_adams(CvodeStepper::Corrector::fixed_point)}) {
    CvodeStepper stepper(system, options);
    const testing::RunResult run =
        run_to(stepper, system, 0.0, 3.0, Vec2(0.0, 1.0), ErrorWeights::uniform(2, 1e-9, 1e-9));
    const Vec3 exact = testing::chirp_solution(3.0);
    EXPECT_EQ(stepper.time(), 3.0);
    // A multistep method lets some hundred local errors of one tolerance add up.
    EXPECT_LT((run.y - exact.head<2>()).norm(), 1e-6);
    EXPECT_NEAR(run.q[0], exact[2], 1e-6);
    EXPECT_GT(run.work.accepted, 50);
    EXPECT_GT(run.work.rate_evaluations, run.work.accepted);
  }
}

TEST(CvodeStepper, TolerancesBelowTheRoundingOfTheStateDoNotStopIt) {
  // A coordinate of a metre with the weights of a nanometre's depth: 1e-19 m, which 1 m in doubles cannot show.
  FunctionSystem system(2, [](double t, const double*, double* f, double*) {
    f[0] = 1e-9 * std::cos(t);
    f[1] = -std::sin(t);
    return true;
  });
  CvodeStepper stepper(system);
  const testing::RunResult run =
      run_to(stepper, system, 0.0, 1.0, Vec2(1.0, 1.0), ErrorWeights{0.0, Vec2(1e-19, 1e-8)});
  ASSERT_TRUE(run.outcome.is_accepted()) << run.outcome.reason;
  EXPECT_NEAR(run.y[0] - 1.0, 1e-9 * std::sin(1.0), 1e-14);  // some dozen roundings of 1 m
  EXPECT_NEAR(run.y[1], std::cos(1.0), 1e-6);
}

TEST(CvodeStepper, RobertsonAndHires) {
  FunctionSystem robertson = testing::make_robertson();
  CvodeStepper stepper(robertson);
  const testing::RunResult run =
      run_to(stepper, robertson, 0.0, 1e11, Vec3(1.0, 0.0, 0.0), ErrorWeights{1e-7, Vec3(1e-10, 1e-15, 1e-10)});
  ASSERT_TRUE(run.outcome.is_accepted()) << run.outcome.reason;
  EXPECT_NEAR(run.y[0], 0.2083340149701255e-7, 5e-10);  // BDF at low order: a few times the weight of 1e-10
  EXPECT_NEAR(run.y[2], 0.9999999791665050, 1e-6);
  EXPECT_GT(run.work.jacobians, 3);
  EXPECT_GE(run.work.factorisations, run.work.jacobians);

  FunctionSystem hires = testing::make_hires();
  CvodeStepper other(hires);
  const testing::RunResult end =
      run_to(other, hires, 0.0, 321.8122, testing::hires_start(), ErrorWeights::uniform(8, 1e-9, 1e-12));
  const VecX relative = ((end.y - testing::hires_end()).array() / testing::hires_end().array()).abs();
  EXPECT_LT(relative.maxCoeff(), 1e-4);  // the sharp turn before the end multiplies some thousand tolerances
}

TEST(CvodeStepper, LargeSystemsUseGmres) {
  // Heat on a rod of 500 cells, one mode: exp(-lambda t) with the discrete eigenvalue.
  constexpr int n = 500;
  FunctionSystem system(n, [](double, const double* y, double* f, double*) {
    for (int i = 0; i < n; ++i) {
      const double left = i > 0 ? y[i - 1] : 0.0;
      const double right = i + 1 < n ? y[i + 1] : 0.0;
      f[i] = 100.0 * (left - 2.0 * y[i] + right);
    }
    return true;
  });
  const double pi = std::acos(-1.0);
  VecX y0(n);
  for (int i = 0; i < n; ++i) y0[i] = std::sin(50.0 * pi * (i + 1) / (n + 1));
  CvodeStepper stepper(system);
  const testing::RunResult run = run_to(stepper, system, 0.0, 0.2, y0, ErrorWeights::uniform(n, 1e-8, 1e-8));
  const double lambda = 400.0 * std::pow(std::sin(25.0 * pi / (n + 1)), 2);
  EXPECT_LT((run.y - std::exp(-0.2 * lambda) * y0).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_EQ(run.work.jacobians, 0);  // no matrix was ever formed
}

TEST(CvodeStepper, InterpolatesAndShortens) {
  FunctionSystem system = testing::make_chirp();
  CvodeStepper stepper(system);
  run_to(stepper, system, 0.0, 1.0, Vec2(0.0, 1.0), ErrorWeights::uniform(2, 1e-9, 1e-9));
  ASSERT_TRUE(stepper.step(5.0).is_accepted());
  const double t = 0.5 * (stepper.step_start() + stepper.time());
  Vec3 got;
  stepper.interpolate(t, got.data(), &got[2]);
  EXPECT_LT((got - testing::chirp_solution(t)).cwiseAbs().maxCoeff(), 1e-6);  // that of the run
  ASSERT_TRUE(stepper.shorten_step(t));
  EXPECT_EQ(stepper.time(), t);
  EXPECT_EQ(stepper.state()[0], got[0]);
  ASSERT_TRUE(stepper.step(5.0).is_accepted());  // begins anew from there
  EXPECT_LT(std::abs(stepper.state()[0] - testing::chirp_solution(stepper.time())[0]), 1e-6);
}

TEST(CvodeStepper, RestartsWithAnotherSize) {
  int size = 1;
  class Relaxation : public OdeSystem {
   public:
    explicit Relaxation(const int& size) : size_(size) {}
    int size() const override { return size_; }
    bool calc_rates(double, const double* y, double* f, double*) override {
      for (int i = 0; i < size_; ++i) f[i] = -y[i];
      return true;
    }

   private:
    const int& size_;
  } system(size);
  CvodeStepper stepper(system);
  for (size = 1; size <= 3; ++size) {
    const testing::RunResult run =
        testing::run_to(stepper, system, 0.0, 1.0, VecX::Ones(size), ErrorWeights::uniform(size, 1e-8, 1e-8));
    ASSERT_EQ(run.y.size(), size);
    EXPECT_NEAR(run.y[size - 1], std::exp(-1.0), 1e-6);
  }
}

TEST(CvodeStepper, ReachesALimitAtTheResolutionOfTime) {
  FunctionSystem system = testing::make_chirp();
  CvodeStepper stepper(system);
  run_to(stepper, system, 0.0, 1.0, Vec2(0.0, 1.0), ErrorWeights::uniform(2, 1e-9, 1e-9));
  const double next = std::nextafter(1.0, 2.0);
  ASSERT_TRUE(stepper.step(next).is_accepted());
  EXPECT_EQ(stepper.time(), next);
  ASSERT_TRUE(stepper.step(1.5).is_accepted());
}

/// Ends of steps, states and what lies inside the steps, until `t_end`.
std::vector<double> list_steps(CvodeStepper& stepper, double t_end, int n) {
  std::vector<double> found;
  VecX inside(n);
  while (stepper.time() < t_end && stepper.step(t_end).is_accepted()) {
    found.push_back(stepper.time());
    found.insert(found.end(), stepper.state(), stepper.state() + n);
    stepper.interpolate(0.5 * (stepper.step_start() + stepper.time()), inside.data(), nullptr);
    found.insert(found.end(), inside.begin(), inside.end());
  }
  found.push_back(static_cast<double>(stepper.work().rate_evaluations));
  found.push_back(static_cast<double>(stepper.work().jacobians));
  found.push_back(static_cast<double>(stepper.work().rejected));
  return found;
}

TEST(CvodeStepper, GoesOnFromBytesToTheSameBits) {
  // The system counts its calls and answers by them in the last bit, as one with warm starts does: a history that were
  // made again by asking it would be another.
  int calls = 0;
  const auto make_system = [&calls](int n) {
    FunctionSystem system(n, [&calls, n](double t, const double* y, double* f, double* q) {
      for (int i = 0; i < n; ++i) f[i] = -50.0 * (y[i] - std::cos(t * (1 + i))) * (1.0 + 1e-15 * (++calls % 7));
      if (q != nullptr) q[0] = y[0];
      return true;
    });
    system.with_quadratures(1);
    return system;
  };
  CvodeStepper::Options gmres;
  gmres.max_dense_size = 1;
  CvodeStepper::Options forgetful;
  forgetful.max_remembered = 100;
  for (const CvodeStepper::Options& options : {CvodeStepper::Options(), make_adams(CvodeStepper::Corrector::newton),
                                               make_adams(CvodeStepper::Corrector::fixed_point), gmres, forgetful}) {
    constexpr int n = 3;
    FunctionSystem system = make_system(n), other_system = make_system(n);
    CvodeStepper stepper(system, options), other(other_system, options);
    const double quadrature = 0.0;
    // The second beginning of a memory that was used before has to be like the first of a new one.
    for (int round = 0; round < 2; ++round) {
      stepper.restart(round, Vec3(1.0, 0.5, 0.2).data(), &quadrature, ErrorWeights::uniform(n, 1e-8, 1e-8),
                      {.quadrature_scale = 1e-3});
      for (int k = 0; k < 40; ++k) ASSERT_TRUE(stepper.step(5.0).is_accepted());
    }
    ASSERT_TRUE(stepper.step(stepper.time() + 1e-5).is_accepted());  // a stop on the way
    ByteWriter writer;
    stepper.exchange(writer);
    const Bytes bytes = writer.take();
    const int asked = calls;
    ByteReader reader(bytes);
    other.exchange(reader);
    reader.finish();
    EXPECT_EQ(calls, asked);
    ByteWriter again;
    other.exchange(again);
    EXPECT_EQ(again.take(), bytes);
    const std::vector<double> expected = list_steps(stepper, 3.0, n);
    EXPECT_GT(expected.size(), 100u);
    calls = asked;
    EXPECT_EQ(list_steps(other, 3.0, n), expected);
    EXPECT_EQ(*other.quadratures(), *stepper.quadratures());
  }
}

TEST(CvodeStepper, InterpolatesAShortenedStepFromBytes) {
  FunctionSystem system = testing::make_chirp();
  CvodeStepper stepper(system), other(system);
  run_to(stepper, system, 0.0, 1.0, Vec2(0.0, 1.0), ErrorWeights::uniform(2, 1e-9, 1e-9));
  ASSERT_TRUE(stepper.step(5.0).is_accepted());
  const double start = stepper.step_start(), middle = 0.5 * (start + stepper.time());
  ASSERT_TRUE(stepper.shorten_step(middle));
  ByteWriter writer;
  stepper.exchange(writer);
  const Bytes bytes = writer.take();
  ByteReader reader(bytes);
  other.exchange(reader);
  Vec3 here, there;
  stepper.interpolate(0.5 * (start + middle), here.data(), &here[2]);
  other.interpolate(0.5 * (start + middle), there.data(), &there[2]);
  EXPECT_EQ(here, there);
}

TEST(CvodeStepper, AHistoryTooLongToRememberBeginsAfresh) {
  FunctionSystem system = testing::make_chirp();
  CvodeStepper::Options options;
  options.max_remembered = 200;
  CvodeStepper stepper(system, options);
  const testing::RunResult run =
      run_to(stepper, system, 0.0, 3.0, Vec2(0.0, 1.0), ErrorWeights::uniform(2, 1e-9, 1e-9));
  EXPECT_LT((run.y - testing::chirp_solution(3.0).head<2>()).norm(), 1e-6);  // as without
  ByteWriter writer;
  stepper.exchange(writer);
  // A step has some tens of numbers at most; besides them a few hundred bytes.
  EXPECT_LT(writer.take().size(), 400 * sizeof(double));
}

TEST(CvodeStepper, RefusesBytesThatDoNotFitTogether) {
  FunctionSystem system = testing::make_chirp();
  CvodeStepper stepper(system), other(system);
  run_to(stepper, system, 0.0, 0.5, Vec2(0.0, 1.0), ErrorWeights::uniform(2, 1e-9, 1e-9));
  ByteWriter writer;
  stepper.exchange(writer);
  Bytes bytes = writer.take();
  // The tape is at the end, and its numbers at the end of it, behind their count: the last one goes.
  std::uint64_t count = 0;
  std::size_t numbers = 0, place = bytes.size() - sizeof count;
  do {
    ++numbers, place -= sizeof(double);
    std::memcpy(&count, &bytes[place], sizeof count);
  } while (count != numbers && place > sizeof count);
  ASSERT_GT(count, 10u);
  --count;
  std::memcpy(&bytes[place], &count, sizeof count);
  bytes.resize(bytes.size() - sizeof(double));
  ByteReader reader(bytes);
  EXPECT_THROW(other.exchange(reader), InputError);
}

TEST(CvodeStepper, RefusedRatesGiveAStatus) {
  FunctionSystem system(1, [](double t, const double*, double* f, double*) {
    f[0] = t < 1.0 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
    return true;
  });
  CvodeStepper stepper(system);
  const testing::RunResult run = run_to(stepper, system, 0.0, 2.0, VecX::Zero(1), ErrorWeights::uniform(1, 1e-6, 1e-6));
  EXPECT_EQ(run.outcome.status, StepStatus::rates_not_finite);
  EXPECT_NE(run.outcome.reason.find("not finite"), std::string::npos);
  EXPECT_LE(stepper.time(), 1.0);
}

}  // namespace
}  // namespace abut
