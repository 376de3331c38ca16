#include "abut/sim/run_notes.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

RunSummary run(const SceneSpec& scene) {
  MemorySink sink;
  return simulate(compile(scene), sink);
}

std::string join(const std::vector<std::string>& notes) {
  std::string all;
  for (const std::string& note : notes) all += note + "\n";
  return all;
}

/// A stool on four feet, set down on a slope of 0.2 rad.
SceneSpec make_stool() {
  SceneSpec scene;
  BodySpec stool = make_ball("stool", 4.0, 0.02, Vec3(0.0993346654, 0, 0.490033289));
  stool.inertia = InertiaSpec{{0.2, 0.2, 0.2}};
  stool.rotation.emplace();
  stool.rotation->axis = Vec3::UnitY();
  stool.rotation->radians = 0.2;
  stool.shape.clear();
  for (const double x : {0.2, -0.2}) {
    for (const double y : {0.2, -0.2}) stool.shape.push_back(make_shape_spec(SphereSpec{0.02}, Vec3(x, y, -0.48)));
  }
  scene.body = {stool, make_floor(Vec3(0.198669331, 0, 0.980066578))};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e7, 0.3)};
  add_bristle(scene.contact[0], 0.5);
  scene.run.duration = 0.5;
  return scene;
}

/// The charge of the bristles is no energy that a step has made, and next to nothing turns over.
TEST(RunNotes, NothingIsSaidOfAStoolThatStands) { EXPECT_EQ(join(run(make_stool()).notes), ""); }

TEST(RunNotes, NothingIsSaidOfRoundingAtRest) {
  SceneSpec scene = make_stool();
  scene.run.method = RunSpec::Method::lcp;
  scene.run.step = 1e-3;
  CoulombSpec coulomb;
  coulomb.mu = 0.5;
  scene.contact[0].friction->law = coulomb;
  scene.lcp.friction = LcpSpec::Friction::polygon;
  EXPECT_EQ(join(run(scene).notes).find("gave"), std::string::npos);
}

/// A motor that its joint's friction holds, on a body without a shape, with and without gravity.
TEST(RunNotes, NothingIsSaidOfAMotorThatIsHeld) {
  for (const auto method : {RunSpec::Method::lcp, RunSpec::Method::ncp}) {
    for (const double gravity : {0.0, 9.81}) {
      SceneSpec scene;
      scene.gravity = Vec3(0, 0, -gravity);
      scene.run.method = method;
      scene.run.step = 1e-3;
      scene.run.duration = 1.0;
      scene.body = {make_ball("disc", 1.0, 0.1, Vec3::Zero())};
      scene.body[0].shape.clear();
      scene.body[0].inertia = InertiaSpec{{0.01, 0.01, 0.01}};
      JointSpec joint;
      joint.name = "axle";
      joint.type = JointSpec::Type::revolute;
      joint.child = "disc";
      joint.axis = Vec3::UnitZ();
      joint.friction.emplace().coulomb = 0.5;
      joint.motor.emplace().mode = MotorSpec::Mode::torque;
      joint.motor->value = 0.4;
      scene.joint = {joint};
      EXPECT_EQ(join(run(scene).notes), "") << gravity;
    }
  }
}

/// Corners of a face at rest slip by rounding, all in their own ways.
TEST(RunNotes, NothingIsSaidOfAFaceAtRest) {
  for (const auto form : {LcpSpec::Friction::box, LcpSpec::Friction::polygon}) {
    for (const double tilt : {5.0, 8.0, 12.0, 15.0}) {
      SceneSpec scene;
      const double a = tilt * M_PI / 180.0;
      scene.gravity = 9.81 * Vec3(std::sin(a), 0, -std::cos(a));
      scene.run.method = RunSpec::Method::lcp;
      scene.run.step = 1e-3;
      scene.run.duration = 0.5;
      scene.lcp.friction = form;
      scene.body = {make_box("box", 3.0, Vec3(0.2, 0.2, 0.04), Vec3(0, 0, 0.02)), make_floor()};
      scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.2)};
      add_coulomb(scene.contact[0], 0.5);
      EXPECT_EQ(join(run(scene).notes), "") << tilt;
    }
  }
}

TEST(RunNotes, AStepThatIsTooLongIsBlamed) {
  SceneSpec scene = make_impact(NormalSpec::Law::gonthier, 0.7, 1.0);
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = 7e-4;
  const RunSummary summary = run(scene);
  ASSERT_GT(std::abs(summary.worst_residual), 0.01 * summary.energy_turnover);
  EXPECT_NE(join(summary.notes).find("the step is too long"), std::string::npos) << join(summary.notes);
}

/// What one touch makes another may lose: the sum is nothing, and a word is due all the same.
TEST(RunNotes, GainsAndLossesAreNotSetOff) {
  const Model model = compile(make_impact(NormalSpec::Law::gonthier, 0.7, 1.0));
  RunSummary summary;
  summary.energy_turnover = 1.0;
  EXPECT_TRUE(make_run_notes(model, summary).empty());
  summary.volume_made = 0.25;
  summary.energy[Energy::volume_hysteresis] = 0.0;
  EXPECT_NE(join(make_run_notes(model, summary)).find("gave back 0.25 J more than they took up"), std::string::npos);
}

/// Springs that keep what their laws would give back are an error under adaptive, which promises 2 parts in 1,000.
TEST(RunNotes, EnergyThatVolumetricSpringsKeptIsTold) {
  SceneSpec scene = make_impact(NormalSpec::Law::gonthier, 0.7, 1.0);
  RunSummary summary;
  summary.energy_turnover = 1.0;
  summary.energy[Energy::volume_hysteresis] = 0.05;
  EXPECT_NE(join(make_run_notes(compile(scene), summary)).find("volumetric springs kept 0.05 J, 5 %"),
            std::string::npos);
  summary.energy[Energy::volume_hysteresis] = 0.001;
  EXPECT_EQ(join(make_run_notes(compile(scene), summary)), "");
}

TEST(RunNotes, ThresholdsAreEnergiesOfTheScene) {
  SceneSpec scene = make_impact(NormalSpec::Law::gonthier, 0.7, 1.0);
  scene.gravity = Vec3(0, 0, -9.81);
  const Model model = compile(scene);
  RunSummary summary;
  summary.energy_turnover = 1e-12;
  summary.worst_residual = 1e-10;  // a hundred times the turnover, of a ball whose weight lifts 0.25 J by its size
  EXPECT_TRUE(make_run_notes(model, summary).empty());
  summary.worst_residual = 1e-5;
  EXPECT_EQ(make_run_notes(model, summary).size(), 1u);
}

TEST(RunNotes, RecordsHoldPatchAndPressureOfHertz) {
  SceneSpec scene = make_impact(NormalSpec::Law::hertz, 1.0, 1.0);
  MemorySink sink;
  scene.run.record_interval = scene.run.duration / 200.0;
  const RunSummary summary = simulate(compile(scene), sink);
  double largest = 0.0;
  for (const Sample& sample : sink.samples) {
    for (const ContactSample& contact : sample.contacts) {
      EXPECT_DOUBLE_EQ(contact.curvature[0], 20.0);
      EXPECT_NEAR(contact.half_axes[0], std::sqrt(0.05 * std::max(0.0, contact.depth)), 1e-12);
      largest = std::max(largest, contact.peak_pressure);
    }
  }
  ASSERT_EQ(summary.pairs.size(), 1u);
  // Samples miss the peak by the square of half their distance.
  EXPECT_NEAR(summary.pairs[0].patch.peak_pressure, largest, 1e-2 * largest);
  EXPECT_GT(largest, 0.0);
  EXPECT_GT(summary.pairs[0].peak_duration, 0.0);
}

}  // namespace
}  // namespace abut
