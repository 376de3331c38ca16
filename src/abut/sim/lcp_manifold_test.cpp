// Flat bodies under hard contact: what statics says of boxes, bricks, cards and voussoirs.

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

constexpr double kRad = std::numbers::pi / 180.0;
constexpr double kGravity = 9.81;

SceneSpec make_scene(double mu, double duration, double restitution = 0.1) {
  SceneSpec scene;
  scene.run.method = RunSpec::Method::lcp;
  scene.run.step = 1e-3;
  scene.run.duration = duration;
  scene.contact_default = make_contact(NormalSpec::Law::gonthier, 1e6, restitution);
  CoulombSpec law;
  law.mu = mu;
  scene.contact_default->friction.emplace().law = law;
  return scene;
}

void turn(BodySpec& body, const Vec3& axis, double degrees) {
  body.orientation = Quat(Eigen::AngleAxisd(degrees * kRad, axis.normalized()));
}

/// A block of 1 x 1 x 0.2 m with its top at z = 0, turned about y by `degrees`.
BodySpec make_table(double degrees = 0.0) {
  BodySpec table = make_box("table", 1.0, Vec3(4, 1, 0.2), Vec3(0, 0, -0.1));
  const double a = degrees * kRad;
  table.position = -0.1 * Vec3(std::sin(a), 0, std::cos(a));
  table.fixed = true;
  turn(table, Vec3::UnitY(), degrees);
  return table;
}

/// A body whose frame was given over the table, moved to where the turned table has it.
void lay(BodySpec& body, double degrees) {
  const Mat3 R(Eigen::AngleAxisd(degrees * kRad, Vec3::UnitY()).toRotationMatrix());
  body.position = R * body.position;
  turn(body, Vec3::UnitY(), degrees);
}

struct Outcome {
  RunSummary summary;
  MemorySink sink;
  const BodySample& last(int body) const { return sink.samples.back().bodies[body]; }
};

Outcome run(const SceneSpec& scene) {
  Outcome outcome;
  outcome.summary = simulate(compile(scene), outcome.sink);
  EXPECT_EQ(outcome.summary.status, RunStatus::done);
  return outcome;
}

ShapeSpec make_named(const std::string& name) {
  CylinderSpec cylinder;
  cylinder.radius = 0.05;
  cylinder.length = 0.1;
  ConeSpec cone;
  cone.angle = 60.0 * kRad;
  cone.height = 0.1;
  CapsuleSpec capsule;
  capsule.radius = 0.03;
  capsule.length = 0.1;
  if (name == "cylinder") return make_shape_spec(cylinder);
  if (name == "cone") return make_shape_spec(cone, Vec3(0, 0, 0.05));
  if (name == "lying capsule") {
    ShapeSpec shape = make_shape_spec(capsule);
    shape.orientation = Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitY()));
    return shape;
  }
  return make_shape_spec(BoxSpec{Vec3(0.1, 0.08, 0.1)});
}

/// Laid flush, leaning, and dropped: it comes to rest on the surface, to 1e-4 of its size.
TEST(LcpManifold, FlatBodiesComeToRestOnTheSurface) {
  for (const std::string name : {"box", "cylinder", "cone", "lying capsule"}) {
    const double height = name == "lying capsule" ? 0.03 : 0.05;
    for (const double tilt : {0.0, 1e-6, 0.1, 5.0}) {
      SceneSpec scene = make_scene(0.5, 1.0);
      BodySpec body = make_ball("body", 1.0, 1.0, Vec3(0.1, 0.05, height + 0.06 * std::sin(tilt * kRad) + 1e-3));
      body.shape = {make_named(name)};
      turn(body, Vec3(1.0, 0.6, 0.0), tilt);
      scene.body = {body, make_table()};
      const Outcome end = run(scene);
      EXPECT_NEAR(end.last(0).position.z(), height, 1e-5) << name << " " << tilt;
      EXPECT_LE(end.last(0).velocity.norm(), name == "lying capsule" ? 0.05 : 1e-6) << name << " " << tilt;
      // Bodies that rock to rest lose most of their energy in steps that stop a corner; the run may say so, and no
      // more.
      for (const std::string& note : end.summary.notes)
        EXPECT_TRUE(note.starts_with("time stepping took")) << name << " " << tilt << ": " << note;
    }
  }
}

constexpr LcpSpec::Friction kForms[] = {LcpSpec::Friction::regularised, LcpSpec::Friction::polygon,
                                        LcpSpec::Friction::box, LcpSpec::Friction::cone};

// The slope falls along an axis of boxes and polygons, where they reach the circle.
TEST(LcpManifold, ABoxSlidesDownABlockAtTheRateOfItsFriction) {
  for (const LcpSpec::Friction form : kForms) {
    for (const double degrees : {20.0, 26.0, 27.5, 40.0}) {  // atan 0.5 = 26.57 degrees
      SceneSpec scene = make_scene(0.5, 0.4);
      scene.lcp.friction = form;
      BodySpec box = make_box("box", 2.0, Vec3(0.3, 0.2, 0.1), Vec3(-1.0, 0, 0.05));
      lay(box, degrees);
      scene.body = {box, make_table(degrees)};
      const Outcome end = run(scene);
      const double a = degrees * kRad, pull = kGravity * (std::sin(a) - 0.5 * std::cos(a));
      // A body set down has no load in its first step, and slips for one or two of them.
      EXPECT_NEAR(end.last(0).velocity.norm(), std::max(0.0, pull) * 0.4, 2.1e-3 * kGravity)
          << enum_name(form) << " " << degrees;
    }
  }
}

// At 1e-3 m/s^2 and 6 ms all speeds are below 1e-5 m/s, and the bounds of friction were taken for narrower than
// rounding: the millimetre slid by a hundredth of itself, under a friction of 1.5 times what holds it.
TEST(LcpManifold, ASmallBoxHoldsUnderLowGravity) {
  for (const LcpSpec::Friction form : kForms) {
    SceneSpec scene = make_scene(std::tan(30.0 * kRad), 0.6);
    scene.lcp.friction = form;
    scene.run.step = 6e-3;
    scene.gravity = Vec3(0, 0, -1e-3);
    BodySpec box = make_box("box", 1e-6, Vec3(1e-3, 1e-3, 5e-4), Vec3(0, 0, 2.5e-4));
    lay(box, 20.8);
    BodySpec table = make_table(20.8);
    scene.body = {box, table};
    const Outcome end = run(scene);
    EXPECT_LE((end.last(0).position - box.position).norm(), 1e-9) << enum_name(form);
  }
}

TEST(LcpManifold, ABoxAtRestIsHeldByItsStaticFriction) {
  for (const LcpSpec::Friction form : kForms) {
    for (const double degrees : {34.0, 36.0}) {  // atan 0.7 = 34.99 degrees
      SceneSpec scene = make_scene(0.5, 0.4);
      scene.lcp.friction = form;
      CoulombSpec law;
      law.mu_c = 0.5;
      law.mu_s = 0.7;
      scene.contact_default->friction->law = law;
      BodySpec box = make_box("box", 2.0, Vec3(0.3, 0.2, 0.1), Vec3(-1.0, 0, 0.05));
      lay(box, degrees);
      scene.body = {box, make_table(degrees)};
      const Outcome end = run(scene);
      const double speed = end.last(0).velocity.norm();
      // Beyond it the kinetic coefficient acts once the slip has passed v_threshold: most of the time at 0.17 g.
      if (degrees < 35.0) {
        EXPECT_LE(speed, 1e-6) << enum_name(form);
      } else {
        EXPECT_GE(speed, 0.2) << enum_name(form);
      }
    }
  }
}

TEST(LcpManifold, ATallBoxTipsWhereItsWeightLeavesItsBase) {
  for (const double degrees : {18.3, 18.6}) {  // atan(0.1 / 0.3) = 18.43 degrees
    SceneSpec scene = make_scene(1.0, 2.0);
    BodySpec box = make_box("box", 2.0, Vec3(0.1, 0.1, 0.3), Vec3(0, 0, 0.15));
    lay(box, degrees);
    scene.body = {box, make_table(degrees)};
    const Outcome end = run(scene);
    const double moved = (end.last(0).position - scene.body[0].position).norm();
    EXPECT_EQ(degrees > 18.43, moved > 0.05) << moved;
    EXPECT_TRUE(degrees > 18.43 || moved < 1e-4) << moved;
  }
}

/// A beam across two blocks presses on each as the lever says.
TEST(LcpManifold, ABeamSharesItsWeightAsLeversDo) {
  SceneSpec scene = make_scene(0.5, 0.2);
  BodySpec left = make_box("left", 1.0, Vec3(0.02, 0.2, 0.2), Vec3(-0.4, 0, 0.1));
  BodySpec right = make_box("right", 1.0, Vec3(0.02, 0.2, 0.2), Vec3(0.2, 0, 0.1));
  left.fixed = right.fixed = true;
  scene.body = {make_box("beam", 3.0, Vec3(1.2, 0.1, 0.05), Vec3(0, 0, 0.225)), left, right};
  const Outcome end = run(scene);
  std::vector<double> force(3, 0.0);
  for (const ContactSample& contact : end.sink.samples.back().contacts)
    force[contact.body_a == 0 ? contact.body_b : contact.body_a] += contact.normal_force;
  // About the middles of the blocks: m g 0.4 = F_right 0.6; each may carry anywhere on its 0.02 m.
  EXPECT_NEAR(force[1] + force[2], 3.0 * kGravity, 1e-6);
  EXPECT_NEAR(force[2], 3.0 * kGravity * 0.4 / 0.6, 3.0 * kGravity * 0.02 / 0.6);
}

TEST(LcpManifold, AStackOfTenBoxesStands) {
  SceneSpec scene = make_scene(0.5, 1.0);
  for (int k = 0; k < 10; ++k) {
    BodySpec box = make_box("b" + std::to_string(k), 1.0, Vec3(0.1, 0.1, 0.1),
                            Vec3(0.004 * (k % 3), 0.003 * (k % 2), 0.05 + 0.1 * k));
    turn(box, Vec3::UnitZ(), 7.0 * k);
    scene.body.push_back(box);
  }
  scene.body.push_back(make_table());
  const Outcome end = run(scene);
  EXPECT_TRUE(end.summary.notes.empty()) << end.summary.notes.front();
  for (int k = 0; k < 10; ++k) {
    EXPECT_LE((end.last(k).position - scene.body[k].position).norm(), 1e-7) << k;
    EXPECT_LE(end.last(k).velocity.norm(), 1e-8) << k;
  }
}

/// Two cards lean on each other: they stand where friction on the floor holds them, tan(lean) / 2 < mu.
TEST(LcpManifold, CardsStandWhereFrictionHoldsThem) {
  for (const double mu : {0.12, 0.25}) {  // 20 degrees: 0.182
    SceneSpec scene = make_scene(mu, 0.5);
    const double a = 20.0 * kRad, length = 0.1, thick = 0.001;
    const double across = 0.5 * (length * std::sin(a) + thick * std::cos(a));
    const double up = 0.5 * (length * std::cos(a) + thick * std::sin(a));
    for (const double side : {-1.0, 1.0}) {
      BodySpec card =
          make_box(side < 0 ? "left" : "right", 0.002, Vec3(thick, 0.06, length), Vec3(side * across, 0, up));
      turn(card, Vec3::UnitY(), -side * 20.0);
      scene.body.push_back(card);
    }
    scene.body.push_back(make_table());
    const Outcome end = run(scene);
    const double sunk = up - end.last(0).position.z();
    EXPECT_EQ(mu<0.182, sunk> 0.01) << mu << ": " << sunk;
    EXPECT_TRUE(mu < 0.182 || sunk < 1e-4) << mu << ": " << sunk;
  }
}

/// Eleven voussoirs of a round arch as thick as 0.3 of its inner radius; 0.107 of the middle one is what it needs.
TEST(LcpManifold, AnArchOfPolyhedraStands) {
  SceneSpec scene = make_scene(0.7, 1.0);
  constexpr int kStones = 11;
  for (int k = 0; k < kStones; ++k) {
    const double middle = (k + 0.5) * std::numbers::pi / kStones, half = 0.5 * std::numbers::pi / kStones;
    const Vec3 center(1.15 * std::cos(middle), 0, 1.15 * std::sin(middle));
    PolyhedronSpec stone;
    for (const double angle : {middle - half, middle + half}) {
      for (const double radius : {1.0, 1.3}) {
        for (const double y : {-0.15, 0.15})
          stone.vertices.push_back(Vec3(radius * std::cos(angle), y, radius * std::sin(angle)) - center);
      }
    }
    BodySpec body = make_ball("stone" + std::to_string(k), 20.0, 1.0, center);
    body.shape = {make_shape_spec(stone)};
    scene.body.push_back(body);
  }
  scene.body.push_back(make_floor());
  const Outcome end = run(scene);
  for (int k = 0; k < kStones; ++k) EXPECT_LE((end.last(k).position - scene.body[k].position).norm(), 1e-4) << k;
}

/// A box on a valley of two slopes, which is no convex body: it rests on both.
TEST(LcpManifold, ABoxRestsOnAMeshThatIsNotConvex) {
  MeshData valley;  // a trough along y: slopes of 45 degrees down to x = 0, z = 0
  for (const double y : {-1.0, 1.0}) {
    for (const Vec2& p : {Vec2(-1, 1), Vec2(0, 0), Vec2(1, 1), Vec2(1, -1), Vec2(-1, -1)})
      valley.vertices.emplace_back(p.x(), y, p.y());
  }
  valley.triangles = {{0, 1, 4}, {1, 3, 4}, {1, 2, 3}, {5, 9, 6}, {6, 9, 8}, {6, 8, 7}};
  for (int i = 0; i < 5; ++i) {
    const int j = (i + 1) % 5;
    valley.triangles.push_back({i, i + 5, j + 5});
    valley.triangles.push_back({i, j + 5, j});
  }
  SceneSpec scene = make_scene(0.3, 1.0);
  BodySpec ground = make_mesh_body("ground", 1.0, valley, Vec3::Zero());
  ground.fixed = true;
  // Standing on its edge in the valley, 0.2 m wide: its middle rests at 0.1 sqrt 2.
  BodySpec box = make_box("box", 1.0, Vec3(0.2, 0.3, 0.2), Vec3(0, 0.1, 0.1 * std::sqrt(2.0) + 0.02));
  turn(box, Vec3::UnitY(), 45.0);
  scene.body = {box, ground};
  const Outcome end = run(scene);
  EXPECT_NEAR(end.last(0).position.z(), 0.1 * std::sqrt(2.0), 2e-5);
  EXPECT_LE(end.last(0).velocity.norm(), 1e-6);
}

TEST(LcpManifold, WordsForWhatHasNoCorners) {
  SceneSpec scene = make_scene(0.5, 0.1);
  scene.body = {make_box("box", 1.0, Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 0.05)), make_table()};
  scene.lcp.normal = LcpSpec::Normal::compliant;
  const std::string message = message_of(scene);
  EXPECT_NE(message.find("'box' (box) and 'table' (box)"), std::string::npos) << message;
  EXPECT_NE(message.find("lcp.normal = \"hard\""), std::string::npos) << message;
}

// The next block of a floor is no step, as high as rounding has it.
TEST(LcpManifold, BodiesSlideOverTheSeamsOfAFloorOfBlocks) {
  for (const bool is_can : {false, true}) {
    for (const double step : {1e-3, 2.3e-4}) {
      SceneSpec scene = make_scene(0.0, 1.5, 0.3);
      scene.contact_default->friction.reset();
      scene.run.step = step;
      for (int i = 0; i < 7; ++i) {
        BodySpec tile = make_box("tile" + std::to_string(i), 1.0, Vec3(0.5, 2, 0.1), Vec3(-1.0 + 0.5 * i, 0, -0.05));
        tile.mass.reset();
        tile.fixed = true;
        scene.body.push_back(tile);
      }
      BodySpec slider = make_box("slider", 2.0, Vec3(0.2, 0.2, 0.1), Vec3(-0.8, 0.013, 0.05));
      if (is_can) slider.shape = {make_shape_spec(CylinderSpec{0.1, 0.1})};
      slider.velocity = Vec3(1, 0, 0);
      scene.body.push_back(slider);
      MemorySink sink;
      const RunSummary summary = simulate(compile(scene), sink);
      ASSERT_EQ(summary.status, RunStatus::done) << summary.message;
      const BodySample& last = sink.samples.back().bodies.back();
      EXPECT_NEAR(last.velocity.x(), 1.0, 1e-9) << is_can << ' ' << step;
      EXPECT_NEAR(last.position.z(), 0.05, 1e-9) << is_can << ' ' << step;
    }
  }
}

}  // namespace
}  // namespace abut
