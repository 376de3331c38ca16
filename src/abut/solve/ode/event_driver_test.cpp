#include "abut/solve/ode/event_driver.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "abut/solve/ode/dormand_prince.hpp"
#include "abut/solve/ode/ode_test_systems.hpp"
#include "abut/solve/ode/radau.hpp"

namespace abut {
namespace {

using testing::FunctionSystem;
using Directions = std::vector<EventDirection>;

constexpr double kGravity = 9.81;

/// Free flight over a floor at height 0: y = (height, velocity), event: height.
FunctionSystem make_flight(EventDirection direction = EventDirection::falling) {
  FunctionSystem system(2, [](double, const double* y, double* f, double*) {
    f[0] = y[1];
    f[1] = -kGravity;
    return true;
  });
  system.with_events({direction}, [](double, const double* y, double* g) { g[0] = y[0]; });
  return system;
}

/// A ball that bounces on a Hertz contact, x'' = -g + k max(0, -x)^1.5; the flag freezes the contact between events.
class HertzBall : public OdeSystem {
 public:
  explicit HertzBall(double stiffness) : stiffness_(stiffness) {}
  int size() const override { return 2; }
  int num_quadratures() const override { return 1; }
  int num_events() const override { return 1; }
  EventDirection event_direction(int) const override { return EventDirection::both; }
  bool calc_rates(double, const double* y, double* f, double* q) override {
    f[0] = y[1];
    const double force = is_touching ? stiffness_ * std::pow(std::max(0.0, -y[0]), 1.5) : 0.0;
    f[1] = -kGravity + force;
    if (q != nullptr) q[0] = force * y[1];  // work of the contact; zero over a bounce
    return true;
  }
  void calc_events(double, const double* y, double* g) override { g[0] = y[0]; }

  bool is_touching = false;

 private:
  double stiffness_;
};

TEST(EventDriver, TouchdownOfFreeFlightIsExact) {
  for (const AdaptiveMethod method :
       {AdaptiveMethod::dormand_prince, AdaptiveMethod::radau, AdaptiveMethod::automatic}) {
    FunctionSystem system = make_flight();
    const std::unique_ptr<AdaptiveStepper> stepper = make_adaptive_stepper(method, system);
    EventDriver driver(system, *stepper);
    const Vec2 start(1.0, 0.5);
    driver.restart(0.0, start.data(), nullptr, ErrorWeights::uniform(2, 1e-6, 1e-6));
    const AdvanceResult result = driver.advance(10.0);
    ASSERT_EQ(result.status, AdvanceStatus::event);
    EXPECT_EQ(result.events, std::vector<int>{0});
    const double exact = (0.5 + std::sqrt(0.25 + 2.0 * kGravity)) / kGravity;
    // A parabola is integrated exactly: what is left is rounding of a few steps.
    EXPECT_NEAR(result.t, exact, 1e-14);
    EXPECT_LT(std::abs(driver.state()[0]), 1e-14);
    EXPECT_NEAR(driver.state()[1], 0.5 - kGravity * exact, 1e-13);
    EXPECT_EQ(driver.work().events, 1);
  }
}

TEST(EventDriver, LandsWithTheAccuracyOfTheStep) {
  // cos t^2 = 0 at sqrt(pi / 2): the dense output alone would miss it by its own, larger error.
  FunctionSystem system = testing::make_chirp();
  system.with_events({EventDirection::falling}, [](double, const double* y, double* g) { g[0] = y[1]; });
  for (const AdaptiveMethod method : {AdaptiveMethod::dormand_prince, AdaptiveMethod::radau, AdaptiveMethod::bdf}) {
    const std::unique_ptr<AdaptiveStepper> stepper = make_adaptive_stepper(method, system);
    EventDriver driver(system, *stepper);
    const Vec2 start(0.0, 1.0);
    const double q = 0.0;
    driver.restart(0.0, start.data(), &q, ErrorWeights::uniform(2, 1e-10, 1e-10));
    const AdvanceResult result = driver.advance(10.0);
    ASSERT_EQ(result.status, AdvanceStatus::event);
    const bool is_multistep = method == AdaptiveMethod::bdf;
    EXPECT_NEAR(result.t, std::sqrt(0.5 * std::acos(-1.0)), is_multistep ? 1e-7 : 3e-9);  // tens of tolerances
    EXPECT_LT(std::abs(driver.state()[1]), 1e-14);  // on zero itself, whatever the error of the time
    EXPECT_NEAR(driver.quadratures()[0], 0.5, is_multistep ? 1e-6 : 3e-9);
  }
}

struct Bounces {
  std::vector<double> touchdowns;
  double energy = 0.0, work = 0.0;
  WorkCounter cost;
};

/// Drops the ball from 1 m and lets it bounce until t_end.
Bounces bounce(AdaptiveStepper& stepper, HertzBall& ball, double tolerance, double t_end) {
  EventDriver driver(ball, stepper);
  Vec2 y(1.0, 0.0);
  double q = 0.0;
  const ErrorWeights free{tolerance, Vec2(tolerance, tolerance)};
  const ErrorWeights touching{tolerance, Vec2(1e-4 * tolerance, tolerance)};
  Bounces result;
  driver.restart(0.0, y.data(), &q, free);
  while (true) {
    const AdvanceResult advance = driver.advance(t_end);
    y = Eigen::Map<const Vec2>(driver.state());
    q = driver.quadratures()[0];
    if (advance.status != AdvanceStatus::event) {
      EXPECT_EQ(advance.status, AdvanceStatus::reached) << advance.reason;
      break;
    }
    EXPECT_LT(std::abs(y[0]), 1e-13);  // rounding of 4 m/s at 1e-15 s
    ball.is_touching = !ball.is_touching;
    if (ball.is_touching) result.touchdowns.push_back(advance.t);
    RestartHint hint;
    if (ball.is_touching) hint.first_step = 1e-5;
    driver.restart(advance.t, y.data(), &q, ball.is_touching ? touching : free, hint);
  }
  result.energy = 0.5 * y[1] * y[1] + kGravity * y[0];
  result.work = q;
  result.cost = driver.work();
  return result;
}

TEST(EventDriver, HertzBallKeepsItsEnergyAndItsPeriod) {
  HertzBall ball(1e9);
  DormandPrince stepper(ball);
  const double tolerance = 1e-10;
  const Bounces run = bounce(stepper, ball, tolerance, 4.2);
  ASSERT_EQ(run.touchdowns.size(), 5u);
  const double fall = std::sqrt(2.0 / kGravity);
  EXPECT_NEAR(run.touchdowns[0], fall, 1e-12);
  // All bounces alike: equal intervals, each of two falls and one contact. Speed errors of 1e-10 a step, some tens of
  // steps each, times 2 / g.
  const double period = run.touchdowns[1] - run.touchdowns[0];
  EXPECT_NEAR(run.touchdowns[4] - run.touchdowns[3], period, 1e-8);
  // Duration of a Hertz contact without gravity: 3.21807 (m^2 / (k^2 v))^(1/5); gravity adds about g t /
  // v.
  const double speed = std::sqrt(2.0 * kGravity);
  const double duration = 3.21807 * std::pow(1.0 / (1e18 * speed), 0.2);
  EXPECT_NEAR(period - 2.0 * fall, duration, 2e-3 * duration);
  // Ends in flight: all energy is kinetic and potential, and the work of the contact has cancelled.
  // Speeds of 4.4 m/s are off by up to 5e-10 m/s a step in 200 steps; the balance shares those errors and is better.
  EXPECT_NEAR(run.energy, kGravity, 4e-7);
  EXPECT_NEAR(run.work, 0.0, 4e-7);
  EXPECT_NEAR(run.energy - run.work, kGravity, 1e-8);
  EXPECT_EQ(run.cost.events, 10);
}

TEST(EventDriver, EveryMethodBouncesAlike) {
  HertzBall reference_ball(1e9);
  DormandPrince reference_stepper(reference_ball);
  const Bounces reference = bounce(reference_stepper, reference_ball, 1e-10, 3.5);
  for (const AdaptiveMethod method :
       {AdaptiveMethod::automatic, AdaptiveMethod::radau, AdaptiveMethod::bdf, AdaptiveMethod::adams}) {
    HertzBall ball(1e9);
    const std::unique_ptr<AdaptiveStepper> stepper = make_adaptive_stepper(method, ball);
    const Bounces run = bounce(*stepper, ball, 1e-8, 3.5);
    ASSERT_EQ(run.touchdowns.size(), reference.touchdowns.size());
    for (size_t i = 0; i < run.touchdowns.size(); ++i) {
      // Speeds off by up to some hundred steps of 1e-8 m/s; multistep methods lose about ten times more.
      EXPECT_NEAR(run.touchdowns[i], reference.touchdowns[i], 1e-5) << static_cast<int>(method);
    }
  }
}

TEST(EventDriver, StartingOnZeroDoesNotFireBeforeLeaving) {
  FunctionSystem system = make_flight();
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const Vec2 up(0.0, 2.0);
  driver.restart(0.0, up.data(), nullptr, ErrorWeights::uniform(2, 1e-6, 1e-6));
  const AdvanceResult result = driver.advance(10.0);
  ASSERT_EQ(result.status, AdvanceStatus::event);
  EXPECT_NEAR(result.t, 4.0 / kGravity, 1e-14);  // not at 0
  // Going on downwards from there without a change: below zero, it never fires again.
  EXPECT_EQ(driver.advance(5.0).status, AdvanceStatus::reached);
  EXPECT_EQ(driver.time(), 5.0);
}

TEST(EventDriver, MicroHopAfterATouchdownIsSeen) {
  // Flight of 2e-7 s at the start of steps that could be a second long.
  FunctionSystem system = make_flight();
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const Vec2 start(0.0, 1e-6);
  driver.restart(0.0, start.data(), nullptr, ErrorWeights::uniform(2, 1e-3, 1e-3));
  const AdvanceResult result = driver.advance(1.0);
  ASSERT_EQ(result.status, AdvanceStatus::event);
  EXPECT_NEAR(result.t, 2e-6 / kGravity, 1e-13);
}

TEST(EventDriver, RestartOnTheEventKeepsItUnfired) {
  FunctionSystem system = make_flight(EventDirection::both);
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  Vec2 y(1.0, 0.0);
  const ErrorWeights weights = ErrorWeights::uniform(2, 1e-8, 1e-8);
  driver.restart(0.0, y.data(), nullptr, weights);
  AdvanceResult result = driver.advance(10.0);
  const double first = result.t;
  for (int bounce = 1; bounce <= 4; ++bounce) {
    ASSERT_EQ(result.status, AdvanceStatus::event);
    y = Eigen::Map<const Vec2>(driver.state());
    y[1] = -y[1];  // rigid, elastic
    driver.restart(result.t, y.data(), nullptr, weights);
    result = driver.advance(20.0);
    EXPECT_NEAR(result.t, (1 + 2 * bounce) * first, 1e-13);  // closed form; rounding of a few steps
  }
}

TEST(EventDriver, GrazingDipBetweenSamplesIsSeen) {
  // A parabola that dips 1e-6 below the level for 0.9 ms in a flight of seconds, sampled every quarter step at most.
  FunctionSystem system(2, [](double, const double* y, double* f, double*) {
    f[0] = y[1];
    f[1] = kGravity;
    return true;
  });
  const double depth = 1e-6;
  const double bottom = 0.731;  // time of the lowest point
  system.with_events({EventDirection::falling}, [](double, const double* y, double* g) { g[0] = y[0]; });
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const Vec2 start(0.5 * kGravity * bottom * bottom - depth, -kGravity * bottom);
  driver.restart(0.0, start.data(), nullptr, ErrorWeights::uniform(2, 1e-3, 1e-3));
  const AdvanceResult result = driver.advance(5.0);
  ASSERT_EQ(result.status, AdvanceStatus::event);
  // The slope at the root is sqrt(2 g depth) = 4e-3 m/s: rounding of 1e-15 m is 3e-13 s.
  EXPECT_NEAR(result.t, bottom - std::sqrt(2.0 * depth / kGravity), 1e-11);
}

TEST(EventDriver, PassingAboveDoesNotFire) {
  FunctionSystem system(2, [](double, const double* y, double* f, double*) {
    f[0] = y[1];
    f[1] = kGravity;
    return true;
  });
  system.with_events({EventDirection::both}, [](double, const double* y, double* g) { g[0] = y[0]; });
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const Vec2 start(0.5 * kGravity * 0.49 + 1e-6, -kGravity * 0.7);
  driver.restart(0.0, start.data(), nullptr, ErrorWeights::uniform(2, 1e-8, 1e-8));
  EXPECT_EQ(driver.advance(5.0).status, AdvanceStatus::reached);
}

/// Phase with y = t and the given functions of t as events.
FunctionSystem make_clock(Directions directions, FunctionSystem::Events events) {
  FunctionSystem system(1, [](double, const double*, double* f, double*) {
    f[0] = 1.0;
    return true;
  });
  system.with_events(std::move(directions), std::move(events));
  return system;
}

std::vector<double> collect_times(FunctionSystem& system, double t_end, double max_step) {
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const double start = 0.0;
  RestartHint hint;
  hint.max_step = max_step;
  driver.restart(0.0, &start, nullptr, ErrorWeights::uniform(1, 1e-8, 1e-8), hint);
  std::vector<double> times;
  while (true) {
    const AdvanceResult result = driver.advance(t_end);
    if (result.status != AdvanceStatus::event || times.size() > 100) break;
    times.push_back(result.t);
  }
  return times;
}

TEST(EventDriver, DirectionsSelectCrossings) {
  const auto cosine = [](double, const double* y, double* g) { g[0] = std::cos(y[0]); };
  const double pi = std::acos(-1.0);
  const struct {
    EventDirection direction;
    std::vector<double> expected;
  } cases[] = {{EventDirection::falling, {0.5 * pi, 2.5 * pi}},
               {EventDirection::rising, {1.5 * pi, 3.5 * pi}},
               {EventDirection::both, {0.5 * pi, 1.5 * pi, 2.5 * pi, 3.5 * pi}}};
  for (const auto& one : cases) {
    FunctionSystem system = make_clock({one.direction}, cosine);
    const std::vector<double> times = collect_times(system, 12.0, 1.0);
    ASSERT_EQ(times.size(), one.expected.size());
    for (size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], one.expected[i], 1e-14);  // y = t up to rounding
  }
}

TEST(EventDriver, EarliestOfManyInOneStepComesFirst) {
  FunctionSystem system = make_clock({EventDirection::falling, EventDirection::falling, EventDirection::rising},
                                     [](double, const double* y, double* g) {
                                       g[0] = 0.52 - y[0];
                                       g[1] = std::exp(-y[0]) - std::exp(-0.51);
                                       g[2] = std::pow(y[0], 3) - std::pow(0.515, 3);
                                     });
  const std::vector<double> times = collect_times(system, 10.0, 10.0);
  ASSERT_EQ(times.size(), 3u);
  EXPECT_NEAR(times[0], 0.51, 1e-14);
  EXPECT_NEAR(times[1], 0.515, 1e-14);
  EXPECT_NEAR(times[2], 0.52, 1e-14);
}

TEST(EventDriver, SimultaneousEventsAreReportedTogether) {
  FunctionSystem system = make_clock(Directions(4, EventDirection::falling), [](double, const double* y, double* g) {
    g[0] = 1.0 - y[0];
    g[1] = 3.0 * (1.0 - y[0] * y[0]);
    g[2] = 1.0 + 1e-9 - y[0];  // just after
    g[3] = y[0] - 1.0;         // wrong direction
  });
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const double start = 0.0;
  driver.restart(0.0, &start, nullptr, ErrorWeights::uniform(1, 1e-8, 1e-8));
  const AdvanceResult first = driver.advance(10.0);
  ASSERT_EQ(first.status, AdvanceStatus::event);
  EXPECT_EQ(first.events, (std::vector<int>{0, 1}));
  const AdvanceResult second = driver.advance(10.0);
  ASSERT_EQ(second.status, AdvanceStatus::event);
  EXPECT_EQ(second.events, std::vector<int>{2});
  EXPECT_NEAR(second.t, 1.0 + 1e-9, 1e-14);
  EXPECT_EQ(driver.advance(10.0).status, AdvanceStatus::reached);
}

TEST(EventDriver, StopTimesDoNotHideEvents) {
  FunctionSystem system =
      make_clock({EventDirection::falling}, [](double, const double* y, double* g) { g[0] = 1.0 - y[0]; });
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const double start = 0.0;
  driver.restart(0.0, &start, nullptr, ErrorWeights::uniform(1, 1e-8, 1e-8));
  EXPECT_EQ(driver.advance(1.0 - 1e-12).status, AdvanceStatus::reached);
  EXPECT_EQ(driver.advance(1.0 + 1e-12).status, AdvanceStatus::event);
  EXPECT_EQ(driver.advance(2.0).status, AdvanceStatus::reached);
  EXPECT_EQ(driver.advance(2.0).status, AdvanceStatus::reached);  // already there
}

TEST(EventDriver, ObserverSeesEveryPieceAndMayInterrupt) {
  FunctionSystem system = make_flight();
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const Vec2 start(1.0, 0.0);
  RestartHint hint;
  hint.max_step = 0.1;
  driver.restart(0.0, start.data(), nullptr, ErrorWeights::uniform(2, 1e-8, 1e-8), hint);
  double covered = 0.0;
  const AdvanceResult result = driver.advance(10.0, [&](const EventDriver& d) {
    EXPECT_EQ(d.step_start(), covered);
    covered = d.time();
    const double t = 0.5 * (d.step_start() + d.time());
    Vec2 y;
    d.interpolate(t, y.data(), nullptr);
    EXPECT_NEAR(y[0], 1.0 - 0.5 * kGravity * t * t, 1e-13);
    return true;
  });
  EXPECT_EQ(result.status, AdvanceStatus::event);
  EXPECT_EQ(covered, result.t);

  driver.restart(0.0, start.data(), nullptr, ErrorWeights::uniform(2, 1e-8, 1e-8), hint);
  EXPECT_EQ(driver.advance(10.0, [](const EventDriver& d) { return d.time() < 0.2; }).status,
            AdvanceStatus::interrupted);
  EXPECT_LT(driver.time(), 0.4);
}

TEST(EventDriver, FailureIsData) {
  FunctionSystem system(1, [](double t, const double*, double* f, double*) {
    f[0] = t < 1.0 ? 1.0 : std::numeric_limits<double>::infinity();
    return true;
  });
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const double start = 0.0;
  driver.restart(0.0, &start, nullptr, ErrorWeights::uniform(1, 1e-6, 1e-6));
  const AdvanceResult result = driver.advance(2.0);
  EXPECT_EQ(result.status, AdvanceStatus::failed);
  EXPECT_EQ(result.step_status, StepStatus::rates_not_finite);
  EXPECT_NEAR(result.t, 1.0, 1e-12);
  EXPECT_NEAR(driver.state()[0], result.t, 1e-14);
  EXPECT_FALSE(result.reason.empty());
}

TEST(EventDriver, IsDeterministic) {
  double ends[2][2];
  for (int i = 0; i < 2; ++i) {
    HertzBall ball(1e9);
    const std::unique_ptr<AdaptiveStepper> stepper = make_adaptive_stepper(AdaptiveMethod::automatic, ball);
    const Bounces run = bounce(*stepper, ball, 1e-7, 3.0);
    ends[i][0] = run.touchdowns.back();
    ends[i][1] = run.energy;
  }
  EXPECT_EQ(ends[0][0], ends[1][0]);
  EXPECT_EQ(ends[0][1], ends[1][1]);
}

/// The tip of an arm of 1 m that turns steadily about a hinge at this height: exact for a step of any length.
class TurningArm : public OdeSystem {
 public:
  TurningArm(double rate, double height) : rate_(rate), height_(height) {}
  int size() const override { return 1; }
  int num_events() const override { return 1; }
  bool calc_rates(double, const double*, double* f, double*) override {
    f[0] = rate_;
    return true;
  }
  void calc_events(double, const double* y, double* g) override { g[0] = height_ - std::sin(y[0]); }
  void calc_event_speeds(double* speeds) override { speeds[0] = rate_; }
  double event_span(int) const override { return 0.01; }

 private:
  double rate_, height_;
};

TEST(EventDriver, ALongStepOfASteadyTurnMissesNoDip) {
  for (const double rate : {1.0, 3.0, 10.0, 47.0, 100.0}) {
    for (const double depth : {1e-9, 1e-4, 0.01, 0.05, 0.1, 0.4}) {
      TurningArm arm(rate, 1.0 - depth);
      DormandPrince stepper(arm);
      EventDriver driver(arm, stepper);
      const double angle = 0.0;
      driver.restart(0.0, &angle, nullptr, ErrorWeights::uniform(1, 1e-6, 1e-6));
      const AdvanceResult result = driver.advance(40.0 / rate);
      ASSERT_EQ(result.status, AdvanceStatus::event) << rate << " " << depth;
      // Where it grazes, rounding of the height decides over its root.
      const double slack = 1e-12 + 4e-16 / std::sqrt(depth);
      EXPECT_NEAR(result.t * rate, std::asin(1.0 - depth), slack) << rate << " " << depth;
    }
    TurningArm above(rate, 1.0 + 1e-9);
    DormandPrince stepper(above);
    EventDriver driver(above, stepper);
    const double angle = 0.0;
    driver.restart(0.0, &angle, nullptr, ErrorWeights::uniform(1, 1e-6, 1e-6));
    EXPECT_EQ(driver.advance(40.0 / rate).status, AdvanceStatus::reached) << rate;
  }
}

TEST(EventDriver, AGuardThatStandsOnZeroFiresWhenItGoesBelow) {
  for (const EventDirection direction : {EventDirection::falling, EventDirection::guard}) {
    FunctionSystem system = make_flight(direction);
    DormandPrince stepper(system);
    EventDriver driver(system, stepper);
    const double start[2] = {0.0, 0.0};  // on the floor, about to fall through it
    driver.restart(0.0, start, nullptr, ErrorWeights::uniform(2, 1e-6, 1e-6));
    const AdvanceResult result = driver.advance(1.0);
    if (direction == EventDirection::falling) {
      EXPECT_EQ(result.status, AdvanceStatus::reached);
      continue;
    }
    ASSERT_EQ(result.status, AdvanceStatus::event);
    // At rest it leaves the noise of 1e-15 m after sqrt(2e-15 / g) s.
    EXPECT_LT(result.t, 1e-7);
  }
}

/// The depth of a patch whose piece is joined to another one at x = 1, and breaks off again at x = 2: its gap jumps.
class JoinedPiece : public OdeSystem {
 public:
  int size() const override { return 1; }
  int num_events() const override { return 1; }
  EventDirection event_direction(int) const override { return EventDirection::guard; }
  double event_span(int) const override { return 0.1; }
  bool calc_rates(double, const double*, double* f, double*) override {
    f[0] = 1.0;
    return true;
  }
  void calc_events(double, const double* y, double* g) override {
    const double gap = y[0] < 1.0 || y[0] >= 2.0 ? -0.01 : 1.0;
    g[0] = has_patch ? -gap : gap;
    ++num_looks;
  }

  bool has_patch = true;
  int num_looks = 0;
};

TEST(EventDriver, AGapThatHasJumpedAtItsEventIsWatchedAgain) {
  JoinedPiece system;
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const double start = 0.0;
  driver.restart(0.0, &start, nullptr, ErrorWeights::uniform(1, 1e-6, 1e-6));
  ASSERT_EQ(driver.advance(3.0).status, AdvanceStatus::event);
  EXPECT_NEAR(driver.time(), 1.0, 1e-12);
  system.has_patch = false;
  const double middle = driver.state()[0];
  driver.restart(driver.time(), &middle, nullptr, ErrorWeights::uniform(1, 1e-6, 1e-6));
  ASSERT_EQ(driver.advance(3.0).status, AdvanceStatus::event);
  EXPECT_NEAR(driver.time(), 2.0, 1e-12);
}

TEST(EventDriver, AJumpIsLocatedByHalving) {
  // Three seconds to 2^-52 of one take 54 halvings; lines through the two sides of a jump lead nowhere, and used to
  // take two looks of three.
  JoinedPiece system;
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const double start = 0.0;
  driver.restart(0.0, &start, nullptr, ErrorWeights::uniform(1, 1e-6, 1e-6));
  ASSERT_EQ(driver.advance(3.0).status, AdvanceStatus::event);
  EXPECT_LT(system.num_looks, 85);
}

/// A flight along x over walls one metre apart, of which only those within the piece of the step are functions.
class Walls : public OdeSystem {
 public:
  int size() const override { return 1; }
  int num_events() const override { return last_ - first_; }
  EventDirection event_direction(int) const override { return EventDirection::guard; }
  std::uint64_t event_key(int event) const override { return static_cast<std::uint64_t>(first_ + event); }
  bool calc_rates(double, const double*, double* f, double*) override {
    f[0] = 1.0;
    return true;
  }
  void calc_events(double, const double* y, double* g) override {
    for (int k = first_; k < last_; ++k) g[k - first_] = k - y[0];
  }
  EventPiece prepare_events(double t0, double t1, const Interpolate& interpolate) override {
    double x = 0.0;
    interpolate(t0, &x);
    const double end = std::min(t1, t0 + 2.5);
    first_ = num_passed + 1;
    last_ = std::max(first_, static_cast<int>(std::floor(x + end - t0)) + 2);
    return {end, true};
  }

  int num_passed = 0;

 private:
  int first_ = 0, last_ = 0;
};

TEST(EventDriver, FunctionsMayComeAndGoBetweenPiecesOfAStep) {
  Walls walls;
  DormandPrince stepper(walls);
  EventDriver driver(walls, stepper);
  const double start = 0.5;
  driver.restart(0.0, &start, nullptr, ErrorWeights::uniform(1, 1e-6, 1e-6));
  for (int k = 1; k <= 20; ++k) {
    const AdvanceResult result = driver.advance(100.0);
    ASSERT_EQ(result.status, AdvanceStatus::event) << k;
    EXPECT_NEAR(result.t, k - 0.5, 1e-13) << k;
    walls.num_passed = k;
  }
}

/// A height known to a picometre only, as that of a thin volume: secants do not go on in its rounding.
TEST(EventDriver, LandingEndsWhereTheFunctionIsRounding) {
  FunctionSystem system = make_flight();
  system.with_events({EventDirection::falling}, [](double, const double* y, double* g) {
    const double steps = std::floor(1e12 * y[0]);
    g[0] = 1e-12 * (steps + 0.5 + 0.3 * std::cos(steps));
  });
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const Vec2 start(1.0, 0.0);
  driver.restart(0.0, start.data(), nullptr, ErrorWeights::uniform(2, 1e-6, 1e-6));
  const AdvanceResult result = driver.advance(10.0);
  ASSERT_EQ(result.status, AdvanceStatus::event);
  EXPECT_NEAR(result.t, std::sqrt(2.0 / kGravity), 1e-11);
  EXPECT_LT(driver.work().rate_evaluations, 60);
}

/// A gap that shows a micrometre too much once it is below zero, as that of a sliver of volume: it has no zero, and
/// where secants end, a micrometre before the crossing or behind it, is no touch.
TEST(EventDriver, ASmallJumpIsWhereItIs) {
  FunctionSystem system = make_flight();
  system.with_events({EventDirection::guard}, [](double, const double* y, double* g) {
    g[0] = y[0] > 1e-5 ? y[0] : y[0] > 0.0 ? 0.7 * y[0] : y[0] - 1e-6;
  });
  system.with_span(0.1);
  DormandPrince stepper(system);
  EventDriver driver(system, stepper);
  const Vec2 start(1.0, 0.0);
  driver.restart(0.0, start.data(), nullptr, ErrorWeights::uniform(2, 1e-6, 1e-6));
  const AdvanceResult result = driver.advance(10.0);
  ASSERT_EQ(result.status, AdvanceStatus::event);
  EXPECT_NEAR(result.t, std::sqrt(2.0 / kGravity), 1e-9);
}

}  // namespace
}  // namespace abut
