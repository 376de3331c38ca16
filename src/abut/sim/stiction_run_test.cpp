// Friction that holds: bodies set down on slopes, joints under load.

#include <algorithm>
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

/// A crate of 2 kg on four balls, on a floor in whose frame gravity has the slope `tangent`; its balls begin `gap`
/// above the floor [m].
SceneSpec make_slope(double tangent, double gap, double stiffness, double mass = 2.0) {
  SceneSpec scene;
  scene.gravity = 9.81 / std::hypot(1.0, tangent) * Vec3(tangent, 0, -1);
  BodySpec crate = make_ball("crate", mass, 0.02, Vec3(0, 0, 0.1 + gap));
  crate.shape.clear();
  for (const double x : {-0.2, 0.2}) {
    for (const double y : {-0.1, 0.1}) crate.shape.push_back(make_shape_spec(SphereSpec{0.02}, Vec3(x, y, -0.08)));
  }
  crate.inertia.emplace().numbers = {0.01 * mass, 0.01 * mass, 0.01 * mass};
  scene.body = {crate, make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, stiffness, 0.3)};
  scene.run.duration = 0.5;
  return scene;
}

/// Travel along the slope of a body that falls `gap` along its normal and bounces with e, each bounce costing Coulomb's
/// impulse mu (1 + e) v_n, until it is at rest, or bounces no more and slides on to the time given [m].
double calc_coulomb_slide(double tangent, double gap, double e, double mu, double duration) {
  const double g = 9.81 / std::hypot(1.0, tangent), along = g * tangent;
  double t = std::sqrt(2.0 * gap / g), x = 0.5 * along * t * t, v = along * t, v_n = g * t;
  while (v_n > 1e-4) {
    v = std::max(0.0, v - mu * (1.0 + e) * v_n);
    v_n *= e;
    const double flight = 2.0 * v_n / g;
    x += flight * (v + 0.5 * along * flight);
    v += along * flight;
    t += flight;
  }
  const double braking = mu * g - along, left = duration - t;
  const double until = braking > 0.0 ? std::min(left, v / braking) : left;
  return x + until * (v - 0.5 * braking * until);
}

template <class Law>
FrictionSpec make_friction() {
  FrictionSpec friction;
  Law law;
  law.mu_s = 0.45;
  if constexpr (requires { law.mu_c; }) law.mu_c = 0.3;
  if constexpr (requires { law.mu_d; }) law.mu_d = 0.3;
  friction.law = law;
  return friction;
}

double calc_slide(const SceneSpec& scene) {
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::done) << summary.message;
  return std::abs(sink.samples.back().bodies[0].position.x() - sink.samples.front().bodies[0].position.x());
}

TEST(StictionRun, CrateStaysOnASlopeBelowItsStaticCoefficient) {
  // Between mu_c = 0.3, where it would slide on for ever, and mu_s = 0.45.
  for (const FrictionSpec& friction :
       {make_friction<BristleSpec>(), make_friction<LugreSpec>(), make_friction<CoulombSpec>()}) {
    for (const double gap : {-1e-5, 0.0, 1e-3}) {
      for (const double stiffness : {1e6, 1e7, 1e9}) {
        SceneSpec scene = make_slope(0.35, gap, stiffness);
        scene.contact[0].friction = friction;
        // The 1 mm fall ends with 46 mm/s along the slope, which takes a millimetre to stop.
        EXPECT_LT(calc_slide(scene), 3e-3) << friction.law.index() << " " << gap << " " << stiffness;
      }
    }
  }
}

TEST(StictionRun, BouncesCostCoulombsImpulse) {
  // Dropped from 1 cm: below mu_c it stops, beyond it what the bounces have left slides on. Bristles that are made for
  // the weight alone went 10 mm instead of 2.8, and 130 mm instead of 69.
  for (const FrictionSpec& friction :
       {make_friction<BristleSpec>(), make_friction<LugreSpec>(), make_friction<CoulombSpec>()}) {
    for (const double tangent : {0.2, 0.35}) {
      for (const double mass : {1e-3, 2.0, 1e3}) {
        SceneSpec scene = make_slope(tangent, 1e-2, 5e6 * mass, mass);
        scene.contact[0].friction = friction;
        const double expected = calc_coulomb_slide(tangent, 1e-2, 0.3, 0.3, scene.run.duration);
        // Impacts last 2 ms of 58 in which bodies do not fall freely, and the last millimetres per second are slower
        // than v_stribeck, where friction is larger.
        EXPECT_NEAR(calc_slide(scene), expected, 0.06 * expected)
            << friction.law.index() << " " << tangent << " " << mass;
      }
    }
  }
}

TEST(StictionRun, LugreSlidesWithoutFlickerOnSeveralPoints) {
  // Four points share the load by turns while the crate slides, turns and rings; sigma_0 by rule and given.
  for (const std::optional<double> sigma_0 : {std::optional<double>(), std::optional<double>(1e5)}) {
    SceneSpec scene = make_slope(0.0, -1e-5, 1e7);
    add_lugre(scene.contact[0], 0.3);
    std::get<LugreSpec>(scene.contact[0].friction->law).sigma_0 = sigma_0;
    scene.body[0].velocity = Vec3(1, 0.3, 0);
    scene.body[0].angular_velocity = Vec3(0, 0, 0.5);
    scene.run.duration = 0.2;
    MemorySink sink;
    EXPECT_EQ(simulate(compile(scene), sink).status, RunStatus::done);
    int count = 0;
    for (const Sample& sample : sink.samples) {
      if (sample.time < 2e-3) continue;  // the bristles are bent over the first 0.1 mm
      for (const ContactSample& contact : sample.contacts) {
        const double friction = tangential(contact.force, contact.normal).norm();
        EXPECT_NEAR(friction, 0.3 * contact.normal_force, 0.02 * 0.3 * contact.normal_force + 1e-6) << sample.time;
        ++count;
      }
    }
    EXPECT_GT(count, 1000);
  }
}

TEST(StictionRun, CrateSlidesOnASlopeBeyondIt) {
  for (const FrictionSpec& friction :
       {make_friction<BristleSpec>(), make_friction<LugreSpec>(), make_friction<CoulombSpec>()}) {
    SceneSpec scene = make_slope(0.5, 0.0, 1e7);
    scene.contact[0].friction = friction;
    // (sin - mu_c cos) g t^2 / 2; some of it is lost before it slides.
    const double expected = 0.5 * 9.81 * (0.5 - 0.3) / std::hypot(1.0, 0.5) * 0.25;
    EXPECT_NEAR(calc_slide(scene), expected, 0.15 * expected) << friction.law.index();
  }
}

TEST(StictionRun, LugreDoesNotDependOnOtherBodies) {
  SceneSpec scene = make_slope(0.2, 0.0, 1e8, 100.0);
  add_lugre(scene.contact[0], 0.5);
  for (int i = 0; i < 3; ++i) {
    scene.body.push_back(make_ball("pea" + std::to_string(i), 5e-4, 0.003, Vec3(-1.0 - i, 1, 2)));
  }
  EXPECT_LT(calc_slide(scene), 1e-3);
}

SceneSpec make_arm(double coulomb) {
  SceneSpec scene;
  BodySpec arm;
  arm.name = "arm";
  arm.mass = 1.0;
  arm.center_of_mass = Vec3(0.5, 0, 0);
  arm.inertia.emplace().numbers = {0.1, 0.1, 0.1};
  scene.body = {arm};
  JointSpec joint;
  joint.name = "shoulder";
  joint.type = JointSpec::Type::revolute;
  joint.child = "arm";
  joint.axis = Vec3(0, -1, 0);
  joint.friction.emplace().coulomb = coulomb;
  scene.joint = {joint};
  scene.run.duration = 1.0;
  return scene;
}

TEST(StictionRun, JointHoldsUnderAdaptiveAndExplicit) {
  for (const bool is_explicit : {false, true}) {
    SceneSpec scene = make_arm(10.0);  // the load is 4.9 N m
    if (is_explicit) {
      scene.run.method = RunSpec::Method::explicit_;
      scene.run.step = 1e-3;
    }
    MemorySink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    // The bristles' own travel is 1e-5 rad; a step of 1 ms allows for a stiffness of 0.35 kg m^2 / (16 h^2).
    EXPECT_LT(std::abs(sink.samples.back().q[0]), is_explicit ? 5e-4 : 2e-5);
    EXPECT_NEAR(sink.samples.back().v[0], 0.0, 1e-6);
    EXPECT_NEAR(summary.residual, 0.0, is_explicit ? 1e-3 : 1e-6);
  }
}

TEST(StictionRun, JointSlidesBeyondItAndBooksTheHeat) {
  SceneSpec scene = make_arm(2.0);
  scene.run.duration = 0.2;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  const double travel = std::abs(sink.samples.back().q[0]);
  EXPECT_GT(travel, 0.1);
  EXPECT_NEAR(summary.energy[Energy::joint_friction], 2.0 * travel, 1e-3);
  EXPECT_NEAR(summary.residual, 0.0, 1e-6);
}

}  // namespace
}  // namespace abut
