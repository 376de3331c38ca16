#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

double calc_restitution(const MemorySink& sink) {
  const auto touches = sink.events_of(ContactEventKind::touch);
  const auto lifts = sink.events_of(ContactEventKind::lift);
  if (touches.empty() || lifts.empty()) return -1.0;
  return -lifts.front().normal_speed / touches.front().normal_speed;
}

TEST(AdaptiveRun, GonthierGivesTheRestitutionAskedFor) {
  for (const double e : {0.01, 0.1, 0.5, 0.9, 1.0}) {
    for (const double speed : {0.01, 1.0, 10.0}) {
      MemorySink sink;
      const RunSummary summary = simulate(compile(make_impact(NormalSpec::Law::gonthier, e, speed)), sink);
      ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
      // The default tolerance is 1e-6 of the impact speed.
      EXPECT_NEAR(calc_restitution(sink), e, 1e-6) << "speed " << speed;
      // What is lost is the damping's: (1 - e^2) of the kinetic energy.
      const double kinetic = 0.5 * 0.5 * speed * speed;
      EXPECT_NEAR(summary.energy[Energy::damping] / kinetic, 1.0 - e * e, 1e-5);
      EXPECT_NEAR(summary.residual / kinetic, 0.0, 1e-5);
    }
  }
}

TEST(AdaptiveRun, EveryIntegratorAgrees) {
  for (const RunSpec::Integrator integrator :
       {RunSpec::Integrator::rk, RunSpec::Integrator::radau, RunSpec::Integrator::bdf, RunSpec::Integrator::adams}) {
    SceneSpec scene = make_impact(NormalSpec::Law::gonthier, 0.5, 1.0);
    scene.run.integrator = integrator;
    scene.run.tolerance = 1e-8;
    MemorySink sink;
    simulate(compile(scene), sink);
    // Multistep methods control the error of a step less tightly than one-step methods do.
    EXPECT_NEAR(calc_restitution(sink), 0.5, 1e-5) << enum_name(integrator);
  }
}

TEST(AdaptiveRun, LocatesFreeFallTouchdownToRounding) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 1.1)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e8, 1.0)};
  scene.run.duration = 0.5;
  MemorySink sink;
  simulate(compile(scene), sink);
  const auto touches = sink.events_of(ContactEventKind::touch);
  ASSERT_EQ(touches.size(), 1u);
  // A parabola is integrated without error: only rounding is left.
  EXPECT_NEAR(touches[0].time, std::sqrt(2.0 / 9.81), 1e-14);
  EXPECT_NEAR(touches[0].normal_speed, -std::sqrt(2.0 * 9.81), 1e-13);
}

TEST(AdaptiveRun, FlightCostsAlmostNothingAndRestDoesNotShrinkTheStep) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 100.0)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.5)};
  scene.run.duration = 4.0;
  MemorySink flight_sink;
  const RunSummary flight = simulate(compile(scene), flight_sink);
  EXPECT_EQ(flight_sink.events.size(), 0u);
  EXPECT_LT(flight.work.accepted, 20);

  scene.body[0].position.z() = 0.1001;
  scene.run.duration = 1000.0;
  MemorySink rest_sink;
  const RunSummary rest = simulate(compile(scene), rest_sink);
  EXPECT_EQ(rest.status, RunStatus::done);
  EXPECT_LT(rest.work.accepted, 3000);
  EXPECT_LT(rest_sink.samples.back().bodies[0].velocity.norm(), 1e-12);
}

TEST(AdaptiveRun, MultistepMethodsRestToo) {
  // Steel rests as an oscillator of a kilohertz with little damping, which BDF of high order cannot step over.
  SceneSpec scene;
  scene.body = {make_ball("ball", 0.26, 0.02, Vec3(0, 0, 0.0201)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e10, 0.7)};
  scene.run.integrator = RunSpec::Integrator::bdf;
  const auto count_steps = [&](double duration) {
    scene.run.duration = duration;
    MemorySink sink;
    return static_cast<double>(simulate(compile(scene), sink).work.accepted);
  };
  EXPECT_LT(count_steps(10.0) - count_steps(1.0), 100);
}

TEST(AdaptiveRun, DoesNotJumpOverASmallTarget) {
  // A fast ball crosses a small fixed one: the flight is a parabola that could be taken in one step of a second.
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  BodySpec target = make_ball("target", 1.0, 0.05, Vec3::Zero());
  target.mass.reset();
  target.fixed = true;
  scene.body = {make_ball("ball", 0.1, 0.01, Vec3(-10, 0, 0.055), Vec3(20, 0, 0)), target};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.8)};
  scene.run.duration = 1.0;
  MemorySink sink;
  simulate(compile(scene), sink);
  EXPECT_EQ(sink.events_of(ContactEventKind::touch).size(), 1u);
}

TEST(AdaptiveRun, BoxOnFeetSticksOnASlopeWithoutDrift) {
  const double slope = 15.0 * M_PI / 180.0;
  SceneSpec scene;
  BodySpec box = make_ball("box", 4.0, 0.01, Vec3(0, 0, 0.0));
  box.shape.clear();
  for (const double x : {-0.09, 0.09}) {
    for (const double y : {-0.09, 0.09}) box.shape.push_back(make_shape_spec(SphereSpec{0.01}, Vec3(x, y, -0.05)));
  }
  box.inertia = InertiaSpec{{0.0167, 0.0167, 0.0267}};
  box.center_of_mass = Vec3::Zero();
  box.orientation = Quat(Eigen::AngleAxisd(slope, Vec3::UnitY()));
  const Vec3 n(std::sin(slope), 0, std::cos(slope));
  scene.body = {box, make_floor(n, -0.0601)};
  ContactSpec contact = make_contact(NormalSpec::Law::gonthier, 1e7, 0.5);
  add_bristle(contact, 0.5);
  scene.contact = {contact};
  scene.run.duration = 2.0;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_LT(summary.work.accepted, 1000);
  EXPECT_LT(sink.samples.back().bodies[0].velocity.norm(), 1e-12);
  EXPECT_TRUE(summary.pairs.at(0).sticking);
}

TEST(AdaptiveRun, AgreesWithFixedStepsWhileTheNormalTurns) {
  // A ball set down beside the lowest line of a bore rolls to and fro. Two methods, one motion; this does not tell
  // whether deflections are projected (dynamics_test does): in stick the bristles find their equilibrium again by
  // themselves.
  SceneSpec scene;
  BodySpec bore;
  bore.name = "bore";
  bore.fixed = true;
  bore.shape.push_back(make_shape_spec(BoreSpec{1.0}));
  bore.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()));
  const double angle = 0.5, depth = 5e-5;
  const Vec3 center = (0.9 + depth) * Vec3(std::sin(angle), 0, -std::cos(angle));
  scene.body = {make_ball("ball", 2.0, 0.1, center, Vec3(0, 0.3, 0)), bore};
  ContactSpec contact = make_contact(NormalSpec::Law::gonthier, 1e7, 0.5);
  add_bristle(contact, 0.6);
  scene.contact = {contact};
  scene.run.duration = 1.0;
  scene.run.tolerance = 1e-8;
  MemorySink adaptive, fixed;
  simulate(compile(scene), adaptive);
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.integrator = RunSpec::Integrator::rk4;
  scene.run.step = 2e-5;
  simulate(compile(scene), fixed);
  const Sample& a = adaptive.samples.back();
  const Sample& b = fixed.samples.back();
  // Against a run at 1e-10 both are off by 4e-10 m, 8e-9 rad/s and 1e-6 of the deflection, the fixed step alike at 20,
  // 10 and 5 us; the limits leave a factor of ten and more.
  EXPECT_LT((a.bodies[0].position - b.bodies[0].position).norm(), 1e-8);
  EXPECT_LT((a.bodies[0].angular_velocity - b.bodies[0].angular_velocity).norm(), 1e-7);
  ASSERT_EQ(a.contacts.size(), 1u);
  ASSERT_EQ(b.contacts.size(), 1u);
  EXPECT_GT(a.contacts[0].bristle.norm(), 1e-7);
  EXPECT_LT((a.contacts[0].bristle - b.contacts[0].bristle).norm(), 1e-5 * a.contacts[0].bristle.norm());
}

TEST(AdaptiveRun, DeepOverlapAtTheStartIsPushedOut) {
  for (const double stiffness : {1e6, 1e10}) {
    SceneSpec scene;
    scene.body = {make_ball("ball", 2.0, 0.1, Vec3(0, 0, 0.09)), make_floor()};
    scene.contact = {make_contact(NormalSpec::Law::gonthier, stiffness, 0.5)};
    scene.run.duration = 30.0;
    MemorySink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    // The low-speed floor of the damping lets it creep out at 0.7 mm/s at most; it never sinks.
    EXPECT_GT(sink.samples.back().bodies[0].position.z(), 0.09);
    EXPECT_NEAR(summary.residual / summary.energy_turnover, 0.0, 1e-3);
  }
}

TEST(AdaptiveRun, StopsWithAReasonAfterTooManySteps) {
  SceneSpec scene = make_impact(NormalSpec::Law::gonthier, 0.5, 1.0);
  scene.run.max_steps = 5;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.message.find("max_steps = 5"), std::string::npos) << summary.message;
}

TEST(AdaptiveRun, StopsWithAReasonWhenItGetsNowhere) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3::Zero())};
  scene.body[0].angular_velocity = Vec3(0, 4, 1e18);  // an attitude that no step of time resolves
  scene.run.duration = 1.0;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.message.find("the last 20000 steps led on by"), std::string::npos) << summary.message;
}

/// Two sheets of balls fly against each other; more than 64 colliders go through the broad phase.
SceneSpec make_sheets(int balls_a_sheet, double gravity) {
  SceneSpec scene;
  scene.gravity = Vec3(0, 0, -gravity);
  const int side = static_cast<int>(std::ceil(std::sqrt(balls_a_sheet)));
  for (int i = 0; i < 2 * balls_a_sheet; ++i) {
    const int place = i / 2;
    const double way = i % 2 == 0 ? -1.0 : 1.0;
    scene.body.push_back(make_ball(fmt::format("ball{}", i), 1.0, 0.05,
                                   Vec3(0.3 * way, 0.102 * (place % side), 0.102 * static_cast<double>(place / side)),
                                   Vec3(-way, 0, 0)));
  }
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e7, 1.0)};
  scene.run.duration = 0.4;
  return scene;
}

TEST(AdaptiveRun, SheetsOfAnyNumberOfBallsBounceOffEachOther) {
  for (const int balls : {1, 32, 33, 500}) {
    for (const double gravity : {0.0, 9.81}) {
      if (balls == 500 && gravity > 0.0) continue;
      MemorySink sink;
      const RunSummary summary = simulate(compile(make_sheets(balls, gravity)), sink);
      ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
      EXPECT_EQ(sink.events_of(ContactEventKind::touch).size(), static_cast<std::size_t>(balls));
      // Equal masses, elastic: each comes back with the speed it had, to the tolerance.
      for (int i = 0; i < 2 * balls; ++i) {
        EXPECT_NEAR(sink.samples.back().bodies[i].velocity.x(), i % 2 == 0 ? -1.0 : 1.0, 1e-5) << i;
      }
    }
  }
}

TEST(AdaptiveRun, AFastBallStrikesTheOneOfManyThatIsInItsWay) {
  for (const int others : {3, 70}) {
    SceneSpec scene;
    scene.gravity = Vec3::Zero();
    scene.body = {make_ball("cue", 1.0, 0.05, Vec3::Zero(), Vec3(2, 0, 0))};
    for (int i = 0; i < others; ++i)
      scene.body.push_back(make_ball(fmt::format("b{}", i), 1.0, 0.05, Vec3(2.0 + 0.2 * i, 0, 0)));
    scene.contact = {make_contact(NormalSpec::Law::hertz, 1e7, 1.0)};
    scene.run.duration = 1.0;
    MemorySink sink;
    simulate(compile(scene), sink);
    // It goes on for half of the impact, 3.5 ms.
    EXPECT_NEAR(sink.samples.back().bodies[0].position.x(), 1.9, 4e-3) << others;
  }
}

/// A balanced arm of 1 m turns on a hinge so low that its tip dips into the floor.
SceneSpec make_arm(double rate, double dip) {
  SceneSpec scene;
  BodySpec arm = make_ball("arm", 1.0, 0.02, Vec3::Zero());
  arm.shape[0].position = Vec3(1, 0, 0);
  arm.center_of_mass = Vec3::Zero();
  arm.inertia = InertiaSpec{{10, 10, 10}};
  scene.body = {arm, make_floor()};
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.type = JointSpec::Type::revolute;
  hinge.child = "arm";
  hinge.axis = Vec3::UnitY();
  hinge.parent_position = Vec3(0, 0, 1.02 - dip);
  hinge.velocities = {rate};
  scene.joint = {hinge};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.9)};
  return scene;
}

TEST(AdaptiveRun, AnArmThatTurnsSteadilyStrikesTheFloorItDipsInto) {
  for (const double rate : {1.0, 10.0, 33.0, 100.0}) {
    for (const double dip : {0.001, 0.01, 0.05, 0.4}) {
      SceneSpec scene = make_arm(rate, dip);
      scene.run.duration = 1.1 * std::asin(1.0 - dip) / rate + 0.5 / rate;
      MemorySink sink;
      simulate(compile(scene), sink);
      const auto touches = sink.events_of(ContactEventKind::touch);
      ASSERT_FALSE(touches.empty()) << rate << " " << dip;
      EXPECT_NEAR(touches[0].time * rate, std::asin(1.0 - dip), 1e-9) << rate << " " << dip;
    }
  }
}

TEST(AdaptiveRun, ScalesComeFromTheLoadsThatAct) {
  // A ball pressed on the floor by 50 N, without weight: the steps are as many as with a weight of 50 N.
  const auto count_steps = [](double gravity, double force) {
    SceneSpec scene;
    scene.gravity = Vec3(0, 0, -gravity);
    scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 0.1)), make_floor()};
    scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e8, 0.3)};
    ForceSpec push;
    push.body = "ball";
    push.force = Vec3(0, 0, -force);
    if (force > 0.0) scene.force = {push};
    scene.run.duration = 0.05;
    MemorySink sink;
    return static_cast<double>(simulate(compile(scene), sink).work.accepted);
  };
  EXPECT_LT(count_steps(0.0, 50.0), 1.5 * count_steps(50.0, 0.0));
}

TEST(AdaptiveRun, PeakForceIsThatInsideTheStep) {
  const auto calc_peak = [](NormalSpec::Law law, double restitution, double tolerance) {
    SceneSpec scene = make_impact(law, restitution, 1.0);
    scene.run.tolerance = tolerance;
    MemorySink sink;
    return simulate(compile(scene), sink).pairs.at(0).peak_force;
  };
  // All kinetic energy is in the spring: 2/5 k x^(5/2) = m v^2 / 2.
  const double depth = std::pow(1.25 * 0.5 / 1e8, 0.4);
  EXPECT_NEAR(calc_peak(NormalSpec::Law::hertz, 1.0, 1e-6) / (1e8 * std::pow(depth, 1.5)), 1.0, 1e-6);
  // With damping the peak comes before the deepest point; short steps find it by themselves. Long ones have a parabola
  // through three forces, off by the third derivative: (h / 4)^3 / 6 of steps of about an eighth of the impact.
  const double exact = calc_peak(NormalSpec::Law::gonthier, 0.5, 1e-12);
  EXPECT_NEAR(calc_peak(NormalSpec::Law::gonthier, 0.5, 1e-6) / exact, 1.0, 2e-5);
}

/// Refuses what it is handed after some samples.
class RefusingSink : public MemorySink {
 public:
  void sample(const Sample& sample) override {
    if (samples.size() == 20) throw InputError("no stiffness for these curvatures");
    MemorySink::sample(sample);
  }
};

TEST(AdaptiveRun, AFailureInsideIsData) {
  SceneSpec scene = make_impact(NormalSpec::Law::gonthier, 0.5, 1.0);
  scene.run.record_interval = scene.run.duration / 100;
  RefusingSink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.message.find("no stiffness for these curvatures"), std::string::npos) << summary.message;
  EXPECT_EQ(sink.samples.size(), 20u);
}

}  // namespace
}  // namespace abut
