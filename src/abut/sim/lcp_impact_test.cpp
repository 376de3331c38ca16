#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

constexpr double kGravity = 9.81;

SceneSpec make_lcp(double step, double duration) {
  SceneSpec scene;
  scene.run.method = RunSpec::Method::lcp;
  scene.run.step = step;
  scene.run.duration = duration;
  return scene;
}

/// Balls in a row along x, without gravity, the first `moving` of them at 1 m/s towards the others.
SceneSpec make_row(int count, int moving, double gap, double restitution) {
  SceneSpec scene = make_lcp(1e-3, 0.3);
  scene.gravity = Vec3::Zero();
  for (int k = 0; k < count; ++k) {
    const double ahead = k < moving ? -0.05 : 0.0;
    scene.body.push_back(make_ball("ball" + std::to_string(k), 1.0, 0.05, Vec3((0.1 + gap) * k + ahead, 0, 0),
                                   Vec3(k < moving ? 1.0 : 0.0, 0, 0)));
  }
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, restitution)};
  return scene;
}

// As many balls leave as came, at their speed, whether the row touches or has gaps that a step jumps over.
TEST(LcpImpact, ABlowGoesThroughARowOfBalls) {
  for (const double gap : {0.0, 1e-4, 3e-3}) {
    for (const int moving : {1, 2}) {
      MemorySink sink;
      const RunSummary summary = simulate(compile(make_row(5, moving, gap, 1.0)), sink);
      ASSERT_EQ(summary.status, RunStatus::done);
      EXPECT_TRUE(summary.notes.empty()) << summary.notes.front();
      for (int k = 0; k < 5; ++k) {
        EXPECT_NEAR(sink.samples.back().bodies[k].velocity.x(), k >= 5 - moving ? 1.0 : 0.0, 1e-9) << gap << " " << k;
      }
      EXPECT_NEAR(summary.energy[Energy::damping], 0.0, 1e-12);
      EXPECT_LE(std::abs(summary.worst_residual), 1e-12);
    }
  }
}

// Whatever the step and the direction of gravity: e times the speed of approach.
TEST(LcpImpact, SlowBallsReboundAcrossGravity) {
  SceneSpec scene = make_lcp(0.01, 1.3);
  scene.body = {make_ball("cue", 1.0, 0.03, Vec3(-0.1, 0, 0.03), Vec3(0.15, 0, 0)),
                make_ball("object", 1.0, 0.03, Vec3(0, 0, 0.03)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.95)};
  MemorySink sink;
  simulate(compile(scene), sink);
  EXPECT_NEAR(sink.samples.back().bodies[1].velocity.x(), 0.975 * 0.15, 1e-6);
  EXPECT_NEAR(sink.samples.back().bodies[0].velocity.x(), 0.025 * 0.15, 1e-6);
}

// The height of the first bounce, e^2 of the fall, for steps of one and of ten milliseconds and all forms of friction:
// each form's solver leaves the contact that a step reaches without an impulse.
TEST(LcpImpact, ABallReboundsWithItsRestitution) {
  using Form = LcpSpec::Friction;
  const std::pair<double, Form> cases[] = {{1e-3, Form::regularised}, {1e-2, Form::regularised}, {1e-2, Form::box},
                                           {1e-2, Form::polygon},     {1e-2, Form::cone},        {1.8e-3, Form::cone}};
  for (const auto& [step, form] : cases) {
    SceneSpec scene = make_lcp(step, 1.0);
    scene.lcp.friction = form;
    scene.run.record_interval = step;
    scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 1.1)), make_floor()};
    scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.8)};
    MemorySink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    double highest = 0.0;
    for (const Sample& s : sink.samples) {
      if (s.time > 0.5) highest = std::max(highest, s.bodies[0].position.z() - 0.1);
    }
    // The fall is found half a step of g h late or early at either end.
    EXPECT_NEAR(highest, 0.64, 6.0 * step);
    EXPECT_NEAR(summary.energy[Energy::damping], (1.0 - 0.64) * kGravity, 8.0 * step * kGravity);
    EXPECT_LE(std::abs(summary.worst_residual), 1e-11);
  }
}

// A damper that is given: the restitution that an impact on it would have.
TEST(LcpImpact, AGivenDamperReboundsAsItsLawSays) {
  SceneSpec scene = make_lcp(1e-3, 0.6);
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 1.1)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::hunt_crossley, 1e7, 0.5)};
  scene.contact[0].normal->restitution.reset();
  scene.contact[0].normal->damping = 1e5;
  MemorySink sink;
  simulate(compile(scene), sink);
  // 0.5 / (1 + ...): adaptive steps give 0.97; at 0.6 s it rises with 0.97 v0 - g (0.6 s - 0.4515 s).
  const double v0 = std::sqrt(2.0 * kGravity);
  EXPECT_NEAR(sink.samples.back().bodies[0].velocity.z(), 0.97 * v0 - kGravity * (0.6 - 0.4515), 0.05);
}

// A box that falls flat rebounds flat, also where it is a little askew.
TEST(LcpImpact, ABoxThatFallsFlatReboundsFlat) {
  for (const double tilt : {0.0, 1e-6}) {
    SceneSpec scene = make_lcp(1e-3, 0.4);
    scene.body = {make_box("box", 2.0, Vec3(0.4, 0.3, 0.2), Vec3(0, 0, 0.6)), make_floor()};
    scene.body[0].orientation = Quat(Eigen::AngleAxisd(tilt, Vec3(1, 1, 0).normalized()));
    scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.5)};
    MemorySink sink;
    simulate(compile(scene), sink);
    const double fall = std::sqrt(2.0 * 0.5 / kGravity);
    EXPECT_NEAR(sink.samples.back().bodies[0].velocity.z(), 0.5 * kGravity * fall - kGravity * (0.4 - fall), 0.03);
    EXPECT_LE(sink.samples.back().bodies[0].angular_velocity.norm(), 1e-2) << tilt;
  }
}

// A corner that falls onto a plane is stopped there, whichever of its solid's faces the plane would miss, and whichever
// of the two bodies is named first.
TEST(LcpImpact, ALeaningPolyhedronStopsAtThePlane) {
  PolyhedronSpec cube;
  for (int k = 0; k < 8; ++k)
    cube.vertices.emplace_back((k & 1) != 0 ? 0.05 : -0.05, (k & 2) != 0 ? 0.05 : -0.05, (k & 4) != 0 ? 0.05 : -0.05);
  for (const bool is_floor_first : {false, true}) {
    for (const double tilt : {0.0, 1e-3, 0.05, 0.5}) {
      SceneSpec scene = make_lcp(1e-3, 0.5);
      BodySpec body = make_ball("cube", 1.0, 1.0, Vec3(0, 0, 0.5));
      body.shape = {make_shape_spec(cube)};
      body.orientation = Quat(Eigen::AngleAxisd(tilt, Vec3(1, 0.6, 0).normalized()));
      scene.body = {body, make_floor()};
      if (is_floor_first) std::swap(scene.body[0], scene.body[1]);
      scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.3)};
      MemorySink sink;
      simulate(compile(scene), sink);
      double lowest = 1.0;
      for (const Sample& sample : sink.samples) {
        const BodySample& moved = sample.bodies[is_floor_first ? 1 : 0];
        for (const Vec3& corner : cube.vertices)
          lowest = std::min(lowest, (moved.position + moved.orientation * corner).z());
      }
      EXPECT_GT(lowest, -1e-5) << tilt << (is_floor_first ? ", floor first" : "");
    }
  }
}

// Both walls of a groove turn back the slip of the other: friction gives nothing all the same, whatever the step.
TEST(LcpImpact, FrictionOfTwoBlowsAtOnceGivesNothing) {
  for (const double step : {1e-3, 1e-4}) {
    SceneSpec scene = make_lcp(step, 0.2);  // it is back at 0.23 s
    scene.body = {make_ball("ball", 1.0, 0.08, Vec3(0, 0, 0.25)), make_floor(Vec3(1, 0, 1).normalized()),
                  make_floor(Vec3(-1, 0, 1).normalized())};
    scene.body[2].name = "other";
    scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.2)};
    add_coulomb(scene.contact[0], 0.3);
    MemorySink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    EXPECT_TRUE(summary.notes.empty()) << summary.notes.front();
    const double lost = summary.energy[Energy::damping] + summary.energy[Energy::friction];
    EXPECT_GE(summary.energy[Energy::friction], 0.0);
    // It fell by 0.25 - 0.08 sqrt(2) and left with a fifth of its speed.
    EXPECT_NEAR(lost, 0.96 * kGravity * (0.25 - 0.08 * std::sqrt(2.0)), 20.0 * step * kGravity);
    EXPECT_LE(std::abs(summary.worst_residual), 1e-11);
  }
}

// Contacts that are struck and part within the step leave their losses in the books all the same.
TEST(LcpImpact, TheLedgerOfAPileCloses) {
  SceneSpec scene = make_lcp(2e-3, 0.3);
  for (int k = 0; k < 64; ++k) {
    const int layer = k % 4;
    scene.body.push_back(
        make_ball(fmt::format("b{}", k), 0.05, 0.02,
                  Vec3(0.045 * (k / 16) + 0.001 * layer, 0.045 * (k / 4 % 4) + 0.0013 * layer, 0.03 + 0.045 * layer)));
  }
  scene.body.push_back(make_floor());
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e5, 0.3)};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_LE(std::abs(summary.worst_residual), 1e-12);
}

// What flies past with two millimetres to spare is not touched, though a step takes it far past the nearest point.
TEST(LcpImpact, ANearMissIsAMiss) {
  SceneSpec scene = make_lcp(0.01, 0.2);
  scene.gravity = Vec3::Zero();
  scene.body = {make_ball("flyer", 1.0, 0.02, Vec3(-1, 0.042, 0), Vec3(10, 0, 0)),
                make_ball("other", 1.0, 0.02, Vec3::Zero())};
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e9, 1.0)};
  for (const double offset : {0.042, 0.0401, 0.2}) {
    scene.body[0].position.y() = offset;
    MemorySink sink;
    simulate(compile(scene), sink);
    EXPECT_NEAR((sink.samples.back().bodies[0].velocity - Vec3(10, 0, 0)).norm(), 0.0, 1e-12) << offset;
  }
  // A touch at half the sum of the radii sends both at 30 degrees, as the sine of the angle says.
  scene.body[0].position.y() = 0.02;
  MemorySink sink;
  simulate(compile(scene), sink);
  const Vec3 struck = sink.samples.back().bodies[1].velocity;
  EXPECT_NEAR(struck.y() / struck.x(), -std::tan(M_PI / 6.0), 1e-3);
  EXPECT_NEAR(struck.norm(), 10.0 * std::cos(M_PI / 6.0), 1e-2);
}

// A box that falls beside a post, nearer to it than a step takes it, falls straight on.
TEST(LcpImpact, AFlatNearMissIsAMiss) {
  for (const double clearance : {1e-4, 1e-3}) {
    for (const double step : {1e-3, 5e-3}) {
      SceneSpec scene = make_lcp(step, 0.4);
      BodySpec post = make_box("post", 1.0, Vec3(0.1, 0.1, 0.2), Vec3::Zero());
      post.mass.reset();
      post.fixed = true;
      scene.body = {make_box("box", 1.0, Vec3(0.1, 0.1, 0.1), Vec3(0.1 + clearance, 0, 0.3)), post};
      scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.5)};
      MemorySink sink;
      simulate(compile(scene), sink);
      EXPECT_NEAR(sink.samples.back().bodies[0].position.x(), 0.1 + clearance, 1e-12) << clearance << ' ' << step;
    }
  }
}

// Overlaps are left without speed: a ball that begins half sunk comes to lie on the floor, and the run says so.
TEST(LcpImpact, AnOverlapIsLeftGently) {
  SceneSpec scene = make_lcp(1e-3, 0.5);
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 0.05)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e7, 1.0)};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  for (const Sample& s : sink.samples) {
    EXPECT_LE(s.bodies[0].position.z(), 0.1 + 1e-6);
    EXPECT_LE(s.bodies[0].velocity.norm(), 1e-9);
  }
  EXPECT_NEAR(sink.samples.back().bodies[0].position.z(), 0.1, 1e-6);
  ASSERT_FALSE(summary.notes.empty());
  EXPECT_NE(summary.notes[0].find("'ball' and 'floor' overlap by 50 mm at the start"), std::string::npos)
      << summary.notes[0];
}

// Two walls that nothing stops close on a ball.
TEST(LcpImpact, ACaughtBodyEndsTheRun) {
  SceneSpec scene = make_lcp(1e-3, 1.0);
  scene.gravity = Vec3::Zero();
  BodySpec ram = make_floor(Vec3(-1, 0, 0));
  ram.name = "ram";
  ram.fixed = false;
  ram.mass = 5.0;
  ram.inertia.emplace();
  ram.inertia->numbers = {1, 1, 1};
  BodySpec wall = make_floor(Vec3(1, 0, 0));
  wall.name = "wall";
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0.1, 0, 0)), wall, ram};
  JointSpec press;
  press.name = "press";
  press.type = JointSpec::Type::prismatic;
  press.parent = "world";
  press.child = "ram";
  press.axis = Vec3::UnitX();
  press.parent_position = Vec3(0.25, 0, 0);
  RateMotionSpec motion;
  motion.rate = -0.1;
  press.motion.emplace().kind = motion;
  scene.joint = {press};
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e7, 1.0)};
  scene.contact[0].between = {"ball", "*"};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NEAR(summary.time_reached, 0.5, 2e-3);
  EXPECT_NE(summary.message.find("body 'ball' is caught between 'ram' and 'wall'"), std::string::npos)
      << summary.message;
}

// An undamped law takes nothing; what implicit steps lose of its impact is theirs, and the run says what is left.
TEST(LcpImpact, CompliantLossesAreTheSteps) {
  SceneSpec scene = make_lcp(1e-3, 0.6);
  scene.lcp.normal = LcpSpec::Normal::compliant;
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 1.1)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e7, 1.0)};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_NEAR(summary.energy[Energy::damping], 0.0, 1e-12);
  EXPECT_GT(summary.energy[Energy::time_stepping], 5.0);
  EXPECT_LE(std::abs(summary.worst_residual), 1e-9);
  std::string notes;
  for (const std::string& note : summary.notes) notes += note + "\n";
  EXPECT_NE(notes.find("where its law says 1: the step does not resolve it"), std::string::npos) << notes;
  EXPECT_NE(notes.find("time stepping took"), std::string::npos) << notes;
}

// mu_s holds what mu_c would not, under every form of friction.
TEST(LcpImpact, StictionHoldsUnderEveryForm) {
  using Friction = LcpSpec::Friction;
  for (const Friction friction : {Friction::regularised, Friction::box, Friction::polygon, Friction::cone}) {
    SceneSpec scene = make_lcp(1e-3, 0.5);
    scene.lcp.friction = friction;
    const double slope = 0.336674819387;  // tan = 0.35
    scene.body = {make_box("crate", 2.0, Vec3(0.4, 0.2, 0.2), Vec3(std::sin(slope), 0, std::cos(slope)) * 0.1),
                  make_floor(Vec3(std::sin(slope), 0, std::cos(slope)))};
    scene.body[0].orientation = Quat(Eigen::AngleAxisd(slope, Vec3::UnitY()));
    scene.contact = {make_contact(NormalSpec::Law::hertz, 1e7, 1.0)};
    CoulombSpec law;
    law.mu_s = 0.45;
    law.mu_c = 0.3;
    scene.contact[0].friction.emplace().law = law;
    MemorySink sink;
    simulate(compile(scene), sink);
    const Vec3 moved = sink.samples.back().bodies[0].position - sink.samples.front().bodies[0].position;
    EXPECT_LE(moved.norm(), 1e-6) << enum_name(friction);
  }
}

// A body on four feet lets go at mu N in every direction: 1 % below it holds, 1 % above it slides.
TEST(LcpImpact, SeveralContactsLetGoAtTheirLimit) {
  for (const double angle : {0.0, 0.4, M_PI / 4.0, 1.1}) {
    for (const double load : {0.99, 1.01}) {
      SceneSpec scene = make_lcp(1e-3, 0.3);
      scene.body = {make_box("box", 2.0, Vec3(0.4, 0.3, 0.2), Vec3(0, 0, 0.1)), make_floor()};
      scene.contact = {make_contact(NormalSpec::Law::hertz, 1e7, 1.0)};
      CoulombSpec law;
      law.mu = 0.3;
      scene.contact[0].friction.emplace().law = law;
      ForceSpec push;
      push.name = "push";
      push.body = "box";
      push.point = Vec3(0, 0, -0.1);
      push.force = load * 0.3 * 2.0 * kGravity * Vec3(std::cos(angle), std::sin(angle), 0);
      scene.force = {push};
      MemorySink sink;
      simulate(compile(scene), sink);
      const double moved = (sink.samples.back().bodies[0].position - Vec3(0, 0, 0.1)).norm();
      const double expected = 0.5 * (load - 1.0) * 0.3 * kGravity * 0.09;
      if (load > 1.0) {
        EXPECT_GE(moved, 0.5 * expected) << angle;
      } else {
        EXPECT_LE(moved, 1e-6) << angle;
      }
    }
  }
}

}  // namespace
}  // namespace abut
