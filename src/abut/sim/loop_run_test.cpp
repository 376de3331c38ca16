// Mechanisms with loops as whole runs: closed forms, the ledger, order of convergence, saving, words.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/multibody/inverse_dynamics.hpp"
#include "abut/scene/validate.hpp"
#include "abut/sim/dynamics.hpp"
#include "abut/sim/scene_fixture_test.hpp"
#include "abut/sim/world.hpp"

namespace abut {
namespace {

constexpr double kCrank = 0.3, kCoupler = 0.8, kRocker = 0.6, kGround = 0.9;

BodySpec make_bar(const std::string& name, double mass, double length) {
  BodySpec bar;
  bar.name = name;
  bar.mass = mass;
  bar.center_of_mass = Vec3(0.5 * length, 0, 0);
  bar.inertia.emplace();
  const double I = mass * length * length / 12.0;
  bar.inertia->numbers = {0.1 * I, I, I};
  return bar;
}

JointSpec make_hinge(const std::string& name, const std::string& parent, const std::string& child, const Vec3& at) {
  JointSpec joint;
  joint.name = name;
  joint.type = JointSpec::Type::revolute;
  joint.parent = parent;
  joint.child = child;
  joint.parent_position = at;
  joint.axis = Vec3(0, -1, 0);  // angles grow from x to z
  return joint;
}

/// Crank-rocker; the crank begins at 60 degrees.
SceneSpec make_four_bar(RunSpec::Method method = RunSpec::Method::adaptive) {
  SceneSpec scene;
  scene.run.method = method;
  scene.run.duration = 1.0;
  if (method != RunSpec::Method::adaptive) scene.run.step = 1e-3;
  scene.body = {make_bar("crank", 1.0, kCrank), make_bar("coupler", 2.0, kCoupler), make_bar("rocker", 1.5, kRocker)};
  scene.joint = {make_hinge("drive", "world", "crank", Vec3::Zero()),
                 make_hinge("knee", "crank", "coupler", Vec3(kCrank, 0, 0)),
                 make_hinge("pivot", "world", "rocker", Vec3(kGround, 0, 0)),
                 make_hinge("loop", "coupler", "rocker", Vec3(kCoupler, 0, 0))};
  scene.joint[0].coordinates = {M_PI / 3};
  scene.joint[2].coordinates = {1.8};
  scene.joint[3].child_position = Vec3(kRocker, 0, 0);
  scene.joint[3].closes_loop = true;
  return scene;
}

/// Angle of the rocker by Freudenstein's equation, of the branch with the knee up.
double calc_rocker(double crank) {
  const double k1 = kGround / kCrank, k2 = kGround / kRocker;
  const double k3 =
      (kCrank * kCrank - kCoupler * kCoupler + kRocker * kRocker + kGround * kGround) / (2.0 * kCrank * kRocker);
  const double a = std::cos(crank) - k1 - k2 * std::cos(crank) + k3, b = -2.0 * std::sin(crank);
  const double c = k1 - (k2 + 1.0) * std::cos(crank) + k3;
  return 2.0 * std::atan((-b - std::sqrt(b * b - 4.0 * a * c)) / (2.0 * a));
}

RunSummary run(const SceneSpec& scene, MemorySink& sink) { return simulate(compile(scene), sink); }

/// Coordinates in the order of the bodies: drive, knee, pivot.
double get_q(const Sample& sample, int i) { return sample.q[static_cast<std::size_t>(i)]; }

TEST(LoopRun, FourBarFollowsFreudensteinWithEveryMethod) {
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::explicit_, RunSpec::Method::lcp}) {
    MemorySink sink;
    SceneSpec scene = make_four_bar(method);
    ASSERT_TRUE(validate(scene).empty());
    const RunSummary summary = run(scene, sink);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    EXPECT_GT(std::abs(get_q(sink.samples.back(), 0) - M_PI / 3), 0.3) << "it moved";
    for (const Sample& sample : sink.samples) {
      // The coupler has no say: any crank angle has one rocker angle. Closed to rounding at each sample.
      EXPECT_NEAR(get_q(sample, 2), calc_rocker(get_q(sample, 0)), 1e-11) << enum_name(method) << sample.time;
    }
  }
}

TEST(LoopRunLong, FourBarKeepsItsEnergyForAHundredSeconds) {
  MemorySink sink;
  SceneSpec scene = make_four_bar();
  scene.run.duration = 100.0;
  const RunSummary summary = run(scene, sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  EXPECT_LT(std::abs(summary.worst_residual), 1e-6 * summary.energy_turnover);
  for (const Sample& sample : sink.samples) EXPECT_NEAR(get_q(sample, 2), calc_rocker(get_q(sample, 0)), 1e-11);
}

/// Projection takes nothing from the order of the method: half the step, a sixteenth of the error.
TEST(LoopRun, ExplicitStepsAreOfTheirOrder) {
  const auto end_of = [](double step) {
    SceneSpec scene = make_four_bar(RunSpec::Method::explicit_);
    scene.run.step = step;
    MemorySink sink;
    EXPECT_EQ(run(scene, sink).status, RunStatus::done);
    return get_q(sink.samples.back(), 0);
  };
  const double fine = end_of(1e-3), half = end_of(0.01), full = end_of(0.02);
  const double order = std::log2(std::abs(full - fine) / std::abs(half - fine));
  EXPECT_GT(order, 3.5);
  EXPECT_LT(order, 4.7);
}

/// Steps on velocities are of first order, and do not lose energy by the bend of what the loop allows.
TEST(LoopRun, VelocityStepsKeepEnergyAsTreesDo) {
  const auto drift_of = [](double step) {
    SceneSpec scene = make_four_bar(RunSpec::Method::lcp);
    scene.run.step = step;
    scene.run.duration = 5.0;
    MemorySink sink;
    const RunSummary summary = run(scene, sink);
    EXPECT_EQ(summary.status, RunStatus::done);
    EXPECT_LT(std::abs(summary.worst_residual), 1e-6 * summary.energy_turnover) << "all is booked";
    return std::abs(calc_stored(sink.samples.back()) - calc_stored(sink.samples.front())) / 10.0;
  };
  EXPECT_LT(drift_of(1e-3), 0.01);
  EXPECT_LT(drift_of(2e-3), 0.02);
}

/// Bennett's linkage: four hinges in space that can move only because of their proportions. All five conditions hold
/// with a rank of two on its path, and of three beside it.
TEST(LoopRun, BennettsLinkageGoesRound) {
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::lcp}) {
    SceneSpec scene;
    scene.run.method = method;
    scene.run.duration = 3.0;
    if (method == RunSpec::Method::lcp) scene.run.step = 1e-3;
    const double a = 0.4, b = a * std::sin(M_PI / 3) / std::sin(M_PI / 6);
    const auto turn = [](double degrees) {
      RotationSpec rotation;
      rotation.axis = Vec3::UnitX();
      rotation.degrees = degrees;
      return rotation;
    };
    scene.body = {make_bar("l1", 1.0, a), make_bar("l2", 1.0, b), make_bar("l3", 1.0, a)};
    scene.joint = {make_hinge("j1", "world", "l1", Vec3::Zero()), make_hinge("j2", "l1", "l2", Vec3(a, 0, 0)),
                   make_hinge("j3", "l2", "l3", Vec3(b, 0, 0)), make_hinge("loop", "world", "l3", Vec3(-b, 0, 0))};
    for (JointSpec& joint : scene.joint) joint.axis = Vec3::UnitZ();
    scene.joint[1].parent_rotation = turn(30);
    scene.joint[2].parent_rotation = turn(60);
    scene.joint[3].parent_rotation = turn(-60);
    scene.joint[3].child_position = Vec3(a, 0, 0);
    scene.joint[3].child_rotation = turn(30);
    scene.joint[3].closes_loop = true;
    scene.joint[0].coordinates = {1.0};
    scene.joint[1].coordinates = {2.0};
    scene.joint[2].coordinates = {-1.0};
    MemorySink sink;
    const Model model = compile(scene);
    EXPECT_EQ(model.loops.islands()[0].rank, 2);
    const RunSummary summary = simulate(model, sink);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    EXPECT_LT(std::abs(summary.worst_residual), 1e-6 * summary.energy_turnover);
    double way = 0.0;
    for (const Sample& sample : sink.samples) {
      way = std::max(way, std::abs(get_q(sample, 0) - 1.0));
      // Opposite hinges turn alike: the angles of the first and the third are opposite.
      EXPECT_NEAR(std::sin(get_q(sample, 0) + get_q(sample, 2)), 0.0, 1e-9);
    }
    EXPECT_GT(way, 1.0);
  }
}

/// Nothing is free where the crank is driven; steps on velocities find the same torque, and book its work.
TEST(LoopRun, DrivenLinkageNeedsTheSameTorqueWithEveryMethod) {
  SceneSpec scene = make_four_bar();
  scene.joint[0].coordinates.clear();
  scene.joint[0].motion.emplace().kind = RateMotionSpec{M_PI / 3, 3.0};
  scene.joint[2].damping = 0.5;
  MemorySink fine;
  const RunSummary expected = run(scene, fine);
  for (const auto method : {RunSpec::Method::explicit_, RunSpec::Method::lcp}) {
    scene.run.method = method;
    scene.run.step = 1e-3;
    MemorySink sink;
    const RunSummary summary = run(scene, sink);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    const double tolerance = method == RunSpec::Method::lcp ? 0.05 : 1e-6;  // of first order in the step
    EXPECT_NEAR(sink.samples[500].joint_force[0], fine.samples[500].joint_force[0], tolerance) << enum_name(method);
    EXPECT_NEAR(summary.energy[Energy::prescribed_motion], expected.energy[Energy::prescribed_motion], tolerance);
    EXPECT_LT(std::abs(summary.worst_residual), 1e-6 * summary.energy_turnover) << enum_name(method);
  }
}

/// With the crank driven the torque is what power asks for; the reactions close Newton and Euler's equations.
TEST(LoopRun, ReactionsCloseNewtonAndEuler) {
  SceneSpec scene = make_four_bar();
  scene.joint[0].coordinates.clear();
  scene.joint[0].motion.emplace().kind = RateMotionSpec{M_PI / 3, 3.0};
  const Model model = compile(scene);
  ThreadPool threads(1);
  Dynamics dynamics(model, threads);
  State state = dynamics.make_initial_state();
  dynamics.bind(state);
  std::vector<double> rates(dynamics.size());
  ASSERT_TRUE(dynamics.calc_rates(0.0, state.y.data(), rates.data(), nullptr));
  std::vector<Vec6> wrenches(model.tree.num_links(), Vec6::Zero());
  dynamics.loops()->add_wrenches(dynamics.kinematics(), wrenches);
  std::vector<Wrench> loads(wrenches.size());
  for (std::size_t i = 0; i < loads.size(); ++i) loads[i] = {wrenches[i].head<3>(), wrenches[i].tail<3>()};
  const VecX left = calc_inverse_dynamics(model.tree, dynamics.kinematics(), {scene.gravity, loads, {}},
                                          std::span(rates).subspan(dynamics.num_q(), dynamics.num_v()));
  // The drive's torque is that of its prescribed motion; no other joint gives any.
  EXPECT_NEAR(left[0], dynamics.joint_forces()[0], 1e-12);
  EXPECT_NEAR(left[1], 0.0, 1e-12);
  EXPECT_NEAR(left[2], 0.0, 1e-12);
  // Power: the torque by the rate is the rate of kinetic and potential energy, by differences of the closed form.
  const auto energy = [&](double t) {
    const auto poses = [&](double at) {
      const double crank = M_PI / 3 + 3.0 * at, rocker = calc_rocker(crank);
      const Vec2 a = kCrank * Vec2(std::cos(crank), std::sin(crank));
      const Vec2 b = Vec2(kGround, 0) + kRocker * Vec2(std::cos(rocker), std::sin(rocker));
      const double coupler = std::atan2(b.y() - a.y(), b.x() - a.x());
      return std::array<Vec3, 3>{Vec3(0.5 * a.x(), 0.5 * a.y(), crank),
                                 Vec3(0.5 * (a + b).x(), 0.5 * (a + b).y(), coupler),
                                 Vec3(0.5 * (b.x() + kGround), 0.5 * b.y(), rocker)};
    };
    const double h = 1e-4;
    const auto before = poses(t - h), after = poses(t + h), now = poses(t);
    const std::array<double, 3> mass = {1.0, 2.0, 1.5}, length = {kCrank, kCoupler, kRocker};
    double sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 v = (after[i] - before[i]) / (2.0 * h);
      const double I = mass[i] * length[i] * length[i] / 12.0;
      sum += 0.5 * mass[i] * v.head<2>().squaredNorm() + 0.5 * I * v.z() * v.z() + 9.81 * mass[i] * now[i].y();
    }
    return sum;
  };
  const double h = 1e-4;
  EXPECT_NEAR(left[0], (energy(h) - energy(-h)) / (2.0 * h) / 3.0, 1e-5);
}

/// Offset of the slider by the closed form of crank and rod.
TEST(LoopRun, SliderCrankFollowsItsClosedForm) {
  SceneSpec scene;
  scene.run.duration = 2.0;
  scene.body = {make_bar("crank", 1.0, 0.2), make_bar("rod", 1.0, 0.5), make_bar("piston", 0.5, 0.05)};
  scene.joint = {
      make_hinge("drive", "world", "crank", Vec3::Zero()), make_hinge("pin", "crank", "rod", Vec3(0.2, 0, 0)),
      make_hinge("rail", "world", "piston", Vec3::Zero()), make_hinge("loop", "rod", "piston", Vec3(0.5, 0, 0))};
  scene.joint[0].motion.emplace().kind = RateMotionSpec{0.5, 5.0};
  scene.joint[2].type = JointSpec::Type::prismatic;
  scene.joint[2].axis = Vec3::UnitX();
  scene.joint[2].coordinates = {0.6};
  scene.joint[3].closes_loop = true;
  MemorySink sink;
  const RunSummary summary = run(scene, sink);
  ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
  for (const Sample& sample : sink.samples) {
    const double angle = 0.5 + 5.0 * sample.time, side = 0.2 * std::sin(angle);
    const double root = std::sqrt(0.25 - side * side);
    EXPECT_NEAR(get_q(sample, 2), 0.2 * std::cos(angle) + root, 1e-11);
    EXPECT_NEAR(sample.v[2], -5.0 * (0.2 * std::sin(angle) + 0.04 * std::sin(angle) * std::cos(angle) / root), 1e-10);
  }
}

TEST(LoopRun, SaysWhatItTookToCloseTheLoops) {
  const Model model = compile(make_four_bar());
  ASSERT_EQ(model.loop_notes.size(), 2u);
  EXPECT_NE(model.loop_notes[0].find("moved joint 'knee' by"), std::string::npos) << model.loop_notes[0];
  EXPECT_EQ(model.loop_notes[0].find("'drive'"), std::string::npos) << "its angle was given";
  EXPECT_NE(model.loop_notes[1].find("over-constrained, 3 of 5"), std::string::npos) << model.loop_notes[1];
  SceneSpec rolling = make_four_bar();
  rolling.joint[0].velocities = {2.0};
  const Model turned = compile(rolling);
  EXPECT_EQ(turned.v0[0], 2.0);
  EXPECT_NE(turned.v0[2], 0.0);
}

TEST(LoopRun, RefusesLoopsThatCannotClose) {
  SceneSpec scene = make_four_bar();
  scene.joint[2].parent_position = Vec3(2.0, 0, 0);
  // Stretched out the chain reaches 0.3 + 0.8 + 0.6 = 1.7 m, so 0.3 m are missing.
  const std::string message = message_of(scene);
  EXPECT_NE(message.find("loop of joint 'loop' cannot be closed"), std::string::npos) << message;
  EXPECT_NE(message.find("0.3 m"), std::string::npos) << message;

  scene = make_four_bar();
  scene.joint[0].coordinates.clear();
  scene.joint[0].motion.emplace().kind = RateMotionSpec{M_PI / 3, 3.0};
  scene.joint[2].coordinates.clear();
  scene.joint[2].motion.emplace().kind = RateMotionSpec{calc_rocker(M_PI / 3), 0.0};
  EXPECT_NE(message_of(scene).find("velocities at the start do not fit"), std::string::npos) << message_of(scene);
  scene.joint[0].motion->kind = RateMotionSpec{M_PI / 3, 0.0};
  EXPECT_NE(message_of(scene).find("leave one of the motions out"), std::string::npos) << message_of(scene);
}

TEST(LoopRun, OtherMethodsRefuseInWords) {
  for (const auto method : {RunSpec::Method::ncp, RunSpec::Method::micro}) {
    const std::string message = message_of(make_four_bar(method));
    EXPECT_NE(message.find("loops, which joint 'loop' closes"), std::string::npos) << message;
  }
}

TEST(LoopRun, SavedWorldsGoOnToTheSameBits) {
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::explicit_, RunSpec::Method::lcp}) {
    const auto model = std::make_shared<const Model>(compile(make_four_bar(method)));
    World world(model);
    ASSERT_TRUE(world.advance(0.3).is_ok());
    const Bytes saved = world.save();
    World other(model);
    other.load(saved);
    ASSERT_TRUE(world.advance(0.6).is_ok());
    ASSERT_TRUE(other.advance(0.6).is_ok());
    for (std::size_t i = 0; i < world.coordinates().size(); ++i)
      EXPECT_EQ(world.coordinates()[i], other.coordinates()[i]) << enum_name(method);
    RunOptions drops;
    drops.drops_scratch = true;
    MemorySink kept, dropped;
    simulate(*model, kept);
    simulate(*model, dropped, drops);
    EXPECT_EQ(kept.samples.back().q, dropped.samples.back().q) << enum_name(method);
  }
}

TEST(LoopRun, ChangedModelsAreThoseOfTheChangedScene) {
  const Model model = compile(make_four_bar());
  const SceneChange change{"joint.drive.coordinates", std::vector<double>{1.2}};
  const Model changed = model.with(std::span(&change, 1));
  SceneSpec scene = make_four_bar();
  scene.joint[0].coordinates = {1.2};
  const Model expected = compile(scene);
  EXPECT_EQ(changed.q0, expected.q0);
  EXPECT_NEAR(changed.q0[2], calc_rocker(1.2), 1e-11);
}

/// Two discs in mesh: one turns by -1/3 of the other, and feels three times the torque.
SceneSpec make_gear_pair(RunSpec::Method method) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.run.method = method;
  scene.run.duration = 1.0;
  if (method != RunSpec::Method::adaptive) scene.run.step = 1e-3;
  for (const char* name : {"small", "large"}) {
    BodySpec disc;
    disc.name = name;
    disc.mass = 1.0;
    disc.center_of_mass = Vec3::Zero();
    disc.inertia.emplace();
    const double I = disc.name == "small" ? 0.02 : 0.3;
    disc.inertia->numbers = {I, I, I};
    scene.body.push_back(disc);
    scene.joint.push_back(make_hinge(disc.name + "-axle", "world", name, Vec3::Zero()));
  }
  scene.joint[0].motor.emplace().value = 0.6;  // N m
  CouplingSpec coupling;
  coupling.name = "mesh";
  coupling.joint = "large-axle";
  coupling.of = "small-axle";
  coupling.ratio = -1.0 / 3.0;
  scene.coupling = {coupling};
  return scene;
}

TEST(Couplings, GearsTurnAsTheirRatioSays) {
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::explicit_, RunSpec::Method::lcp}) {
    MemorySink sink;
    const RunSummary summary = run(make_gear_pair(method), sink);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    // torque = (I_1 + ratio^2 I_2) acceleration
    const double acceleration = 0.6 / (0.02 + 0.3 / 9.0);
    EXPECT_NEAR(sink.samples.back().v[0], acceleration, 1e-9 * acceleration) << enum_name(method);
    EXPECT_NEAR(sink.samples.back().q[1], -sink.samples.back().q[0] / 3.0, 1e-12);
    EXPECT_LT(std::abs(summary.worst_residual), 1e-9 * summary.energy_turnover);
  }
}

/// A compliant one rings at the frequency of both inertias seen from the first joint.
TEST(Couplings, CompliantGearboxRingsAtItsFrequency) {
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::lcp}) {
    SceneSpec scene = make_gear_pair(method);
    scene.joint[0].motor.reset();
    scene.coupling[0].stiffness = 50.0;
    scene.joint[1].velocities = {1.0};
    // 1/I = 1/I_large + ratio^2 / I_small
    const double rate = std::sqrt(50.0 * (1.0 / 0.3 + 1.0 / 9.0 / 0.02)), period = 2.0 * M_PI / rate;
    scene.run.duration = 10.0 * period;
    if (scene.run.step) scene.run.step = period / 2000.0;
    MemorySink sink;
    const RunSummary summary = run(scene, sink);
    ASSERT_EQ(summary.status, RunStatus::done);
    const Sample& end = sink.samples.back();
    EXPECT_NEAR(end.v[1], 1.0, method == RunSpec::Method::lcp ? 0.02 : 1e-5) << enum_name(method);
    EXPECT_LT(std::abs(summary.worst_residual), 1e-6 * summary.energy_turnover);
  }
}

TEST(Couplings, ContradictionsAreSaidInWords) {
  SceneSpec scene = make_gear_pair(RunSpec::Method::adaptive);
  CouplingSpec second = scene.coupling[0];
  second.name = "belt";
  second.ratio = 0.5;
  scene.coupling.push_back(second);
  std::vector<Problem> problems = validate(scene);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].message.find("lock joint 'large-axle'"), std::string::npos) << problems[0].message;
  scene.coupling[1].ratio = -1.0 / 3.0;
  scene.coupling[1].offset = 0.1;
  problems = validate(scene);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].message.find("contradicts the couplings before it"), std::string::npos);
  scene.coupling[1].offset = 0.0;
  EXPECT_TRUE(validate(scene).empty());
  const Model model = compile(scene);
  ASSERT_EQ(model.loop_notes.size(), 1u);
  EXPECT_NE(model.loop_notes[0].find("1 of 2 conditions follow"), std::string::npos) << model.loop_notes[0];
}

/// A ball strikes the rocker: the loop stays closed through the impact, whatever finds it.
TEST(LoopRun, StaysClosedThroughImpacts) {
  for (const auto method : {RunSpec::Method::adaptive, RunSpec::Method::lcp}) {
    SceneSpec scene = make_four_bar(method);
    scene.gravity = Vec3::Zero();
    scene.body[2].shape = {make_shape_spec(SphereSpec{0.05}, Vec3(0.3, 0, 0))};
    const double rocker = calc_rocker(M_PI / 3);
    const Vec3 target(kGround + 0.3 * std::cos(rocker), 0, 0.3 * std::sin(rocker));
    scene.body.push_back(make_ball("ball", 1.0, 0.05, target + Vec3(0.2, 0, 0), Vec3(-2.0, 0, 0)));
    scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.8)};
    scene.run.duration = 0.3;
    if (scene.run.step) scene.run.step = 1e-4;
    MemorySink sink;
    const RunSummary summary = run(scene, sink);
    ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
    ASSERT_EQ(sink.events_of(ContactEventKind::touch).size(), 1u) << enum_name(method);
    for (const Sample& sample : sink.samples) EXPECT_NEAR(get_q(sample, 2), calc_rocker(get_q(sample, 0)), 1e-11);
    EXPECT_GT(std::abs(sink.samples.back().v[0]), 0.5) << "the blow goes through the whole linkage";
    EXPECT_LT(std::abs(summary.worst_residual),
              (method == RunSpec::Method::lcp ? 1e-3 : 1e-5) * summary.energy_turnover);
  }
}

}  // namespace
}  // namespace abut
