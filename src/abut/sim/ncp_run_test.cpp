#include <cmath>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

constexpr double kGravity = 9.81;

void set_ncp(SceneSpec& scene, double step) {
  scene.run.method = RunSpec::Method::ncp;
  scene.run.step = step;
  scene.ncp.stiffness = Vec3::Constant(1e5);
  scene.ncp.damping = Vec3::Constant(300.0);
  scene.ncp.max_deflection = 1e-3;
}

/// An arm of 1 kg, its centre half a metre from the hinge, with a ball at its end a metre away that lies on the floor.
SceneSpec make_arm() {
  SceneSpec scene;
  BodySpec arm = make_ball("arm", 1.0, 0.1, Vec3::Zero());
  arm.shape[0].position = Vec3(1.0, 0, 0);
  arm.center_of_mass = Vec3(0.5, 0, 0);
  arm.inertia.emplace();
  arm.inertia->numbers = {0.01, 0.1, 0.1};
  scene.body = {arm, make_floor()};
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.type = JointSpec::Type::revolute;
  hinge.parent = "world";
  hinge.child = "arm";
  hinge.axis = Vec3::UnitY();
  hinge.parent_position = Vec3(0, 0, 0.1);
  hinge.coordinates = {0.0};
  scene.joint = {hinge};
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e6, 1.0)};
  scene.run.duration = 1.0;
  set_ncp(scene, 1e-3);
  return scene;
}

RunSummary run(const SceneSpec& scene, MemorySink& sink) {
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::done) << summary.message;
  EXPECT_TRUE(summary.notes.empty()) << summary.notes.front();
  return summary;
}

// Half of the weight, by the lever.
TEST(NcpRun, AHingedArmRestsOnItsBall) {
  MemorySink sink;
  const RunSummary summary = run(make_arm(), sink);
  const Sample& last = sink.samples.back();
  ASSERT_EQ(last.contacts.size(), 1u);
  EXPECT_NEAR(last.contacts[0].normal_force, 0.5 * kGravity, 1e-6);
  EXPECT_NEAR(last.q[0], 0.5 * kGravity / 1e5, 1e-8);  // the angle of that deflection over a metre
  // The layer has taken up work; what turns and what presses is all booked.
  EXPECT_LE(std::abs(summary.worst_residual), 1e-9);
}

// Swung down from half a radian: the layer's core stops it, and the ledger closes. Two steps of a millisecond see the
// whole layer of a millimetre, and take their part of the blow.
TEST(NcpRun, AHingedArmFallsOnItsBall) {
  SceneSpec scene = make_arm();
  scene.joint[0].coordinates = {-0.5};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  ASSERT_EQ(sink.samples.back().contacts.size(), 1u);
  EXPECT_NEAR(sink.samples.back().contacts[0].normal_force, 0.5 * kGravity, 1e-3);
  const double fallen = kGravity * 0.5 * std::sin(0.5);
  EXPECT_LE(std::abs(summary.worst_residual), 1e-8 * fallen);
}

// Without contacts the same steps as method lcp takes.
TEST(NcpRun, AMechanismInTheAirMovesAsUnderLcp) {
  SceneSpec scene = make_arm();
  scene.joint[0].coordinates = {-0.5};
  scene.run.duration = 0.2;
  MemorySink ncp, lcp;
  run(scene, ncp);
  scene.run.method = RunSpec::Method::lcp;
  run(scene, lcp);
  EXPECT_NEAR(ncp.samples.back().q[0], lcp.samples.back().q[0], 1e-12);
}

TEST(NcpRun, ASuperquadricAndALensLieStill) {
  SceneSpec scene;
  BodySpec pillow = make_ball("pillow", 1.0, 0.1, Vec3(0, 0, 0.05));
  pillow.shape = {make_shape_spec(SuperquadricSpec{Vec3(0.1, 0.08, 0.05), 4.0, {}})};
  BodySpec lens = make_ball("lens", 1.0, 0.1, Vec3(1, 0, 0.04));
  IntersectionSpec parts;
  for (const double side : {0.06, -0.06}) {
    IntersectionPartSpec part;
    part.type = SphereSpec{0.1};
    part.position = Vec3(0, 0, side);
    parts.part.push_back(part);
  }
  lens.shape = {make_shape_spec(parts)};
  scene.body = {pillow, lens, make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e6, 1.0)};
  scene.run.duration = 0.5;
  set_ncp(scene, 1e-3);
  MemorySink sink;
  run(scene, sink);
  const Sample& last = sink.samples.back();
  EXPECT_NEAR(last.bodies[0].position.z(), 0.05 - kGravity / 1e5, 1e-8);
  EXPECT_NEAR(last.bodies[1].position.z(), 0.04 - kGravity / 1e5, 1e-8);
}

// Shapes in one place share the layer of that place; two of them a little apart nearly do; far apart each has its own.
TEST(NcpRun, ShapesInOnePlaceShareALayer) {
  for (const double apart : {0.0, 1e-3, 0.5}) {
    SceneSpec scene;
    BodySpec twin = make_ball("twin", 1.0, 0.1, Vec3(0, 0, 0.1));
    twin.shape[0].position = Vec3(-0.5 * apart, 0, 0);
    twin.shape.push_back(make_shape_spec(SphereSpec{0.1}, Vec3(0.5 * apart, 0, 0)));
    twin.inertia.emplace();
    twin.inertia->numbers = {0.004, 0.004, 0.004};
    scene.body = {twin, make_floor()};
    scene.contact = {make_contact(NormalSpec::Law::hertz, 1e6, 1.0)};
    scene.run.duration = 0.5;
    set_ncp(scene, 1e-3);
    MemorySink sink;
    run(scene, sink);
    const double springs = apart > 0.1 ? 2.0 : 1.0;
    const double depth = 0.1 - sink.samples.back().bodies[0].position.z();
    EXPECT_NEAR(depth, kGravity / (springs * 1e5), 0.02 * depth) << apart;
  }
}

// What an undamped layer's impact loses is the step's, and the run says so.
TEST(NcpRun, AnUndampedLayerTakesNothing) {
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 0.6)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  scene.run.duration = 0.6;
  set_ncp(scene, 1e-3);
  scene.ncp.damping.reset();
  scene.ncp.max_deflection = 0.05;
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.energy[Energy::damping], 0.0);
  EXPECT_GT(summary.energy[Energy::time_stepping], 1.0);
  EXPECT_LE(std::abs(summary.worst_residual), 1e-7);
  ASSERT_EQ(summary.notes.size(), 2u);
  EXPECT_NE(summary.notes[0].find("time stepping took"), std::string::npos) << summary.notes[0];
  EXPECT_NE(summary.notes[1].find("its restitution has no part in method ncp"), std::string::npos) << summary.notes[1];
}

// Two balls in one place have no direction to part in.
TEST(NcpRun, BodiesInOnePlaceEndTheRun) {
  SceneSpec scene;
  scene.body = {make_ball("a", 1.0, 0.1, Vec3(0, 0, 1)), make_ball("b", 1.0, 0.1, Vec3(0, 0, 1))};
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e6, 1.0)};
  scene.run.duration = 0.1;
  set_ncp(scene, 1e-3);
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.message.find("'a' and 'b'"), std::string::npos) << summary.message;
}

// The core throws off what begins deeper than the layer of its own yields, here 10 um: 0.4 mm in one step, at 0.4 m/s.
TEST(NcpRun, OverlapsThatThrowAreNamed) {
  for (const double depth : {4e-4, 1e-6}) {
    SceneSpec scene;
    scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 0.1 - depth)), make_floor()};
    scene.contact = {make_contact(NormalSpec::Law::hertz, 1e6, 1.0)};
    scene.run.duration = 0.01;
    scene.run.method = RunSpec::Method::ncp;
    scene.run.step = 1e-3;
    MemorySink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    bool is_named = false;
    for (const std::string& note : summary.notes)
      is_named = is_named || note.find("'ball' and 'floor' overlap by 0.4 mm") != std::string::npos;
    EXPECT_EQ(is_named, depth > 1e-4) << summary.notes.size();
  }
}

TEST(NcpRun, SaysWhatItCannot) {
  SceneSpec scene = make_arm();
  scene.body[0].shape = {make_shape_spec(BoxSpec{Vec3::Ones()})};
  EXPECT_NE(message_of(scene).find(
                "'arm' (box) with region = \"point\" and method = \"ncp\": a box is no smooth convex body"),
            std::string::npos)
      << message_of(scene);
  scene = make_arm();
  scene.joint[0].motion.emplace();
  EXPECT_NE(message_of(scene).find("prescribed motion, which joint 'hinge' has"), std::string::npos)
      << message_of(scene);
  // A half-space alone has no volume, wherever its parts are.
  scene = make_arm();
  scene.joint.clear();
  IntersectionSpec open;
  open.part.emplace_back().type = HalfSpaceSpec{Vec3::UnitZ(), 0.1};
  scene.body[0].shape = {make_shape_spec(open)};
  scene.body[0].inertia.reset();
  EXPECT_NE(message_of(scene).find("none of its shapes has a volume"), std::string::npos) << message_of(scene);
}

/// Balls of a gram and of a ton beside each other on the floor, with layers by contact.
double calc_depth_of_pea(double other_mass, double other_radius) {
  SceneSpec scene;
  scene.body = {make_ball("pea", 1e-3, 5e-3, Vec3(0, 0, 6e-3)),
                make_ball("truck", other_mass, other_radius, Vec3(3, 0, other_radius)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::hertz, 1e6, 0.0)};
  scene.contact[0].between = {"pea", "floor"};
  scene.contact.push_back(scene.contact[0]);
  scene.contact[1].between = {"truck", "floor"};
  scene.run.duration = 0.2;
  scene.run.method = RunSpec::Method::ncp;
  scene.run.step = 1e-3;
  MemorySink sink;
  EXPECT_EQ(simulate(compile(scene), sink).status, RunStatus::done);
  const Sample& last = sink.samples.back();
  // Each rests within a ten-thousandth of its own size.
  EXPECT_LE(other_radius - last.bodies[1].position.z(), 1e-4 * other_radius);
  EXPECT_GE(other_radius - last.bodies[1].position.z(), 0.0);
  return 5e-3 - last.bodies[0].position.z();
}

TEST(NcpRun, ALayerKnowsItsOwnBodiesAlone) {
  // A quarter of a layer of 1e-4 of half the diagonal of the box about it.
  const double beside_truck = calc_depth_of_pea(1000.0, 1.0);
  EXPECT_NEAR(beside_truck, 0.25e-4 * std::sqrt(3.0) * 5e-3, 1e-9);
  EXPECT_NEAR(calc_depth_of_pea(1e-3, 5e-3), beside_truck, 1e-12);
}

}  // namespace
}  // namespace abut
