// Perimeter contact at rest: bodies that have fallen, turned and slid in contact come to rest at the depth of the law,
// with the guard of energy and without.   [docs/theory/perimeter.md, "Energy"]

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

SceneSpec make_scene(std::vector<BodySpec> bodies, double young, double restitution, double mu, double step,
                     double duration) {
  ContactSpec contact = make_perimeter_contact(NormalSpec::Law::gonthier, young, restitution);
  add_lugre(contact, mu);
  SceneSpec scene;
  scene.gravity = Vec3(0, 0, -9.81);
  scene.body = std::move(bodies);
  scene.contact = {contact};
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = step;
  scene.run.duration = duration;
  scene.run.record_interval = 0.02;
  return scene;
}

/// Hills of 12 mm, 42 by 42 squares over 1.2 m.
MeshData make_hills() {
  constexpr int kNum = 42;
  MeshData mesh;
  for (int i = 0; i <= kNum; ++i) {
    for (int k = 0; k <= kNum; ++k) {
      const double x = -0.6 + 1.2 * i / kNum, y = -0.6 + 1.2 * k / kNum;
      mesh.vertices.emplace_back(x, y, 0.012 * std::sin(9.0 * x + 0.4) * std::cos(11.0 * y));
    }
  }
  for (int i = 0; i < kNum; ++i) {
    for (int k = 0; k < kNum; ++k) {
      const int a = i * (kNum + 1) + k, b = a + kNum + 1;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return mesh;
}

double lowest_corner(const BodySample& body, const Vec3& size) {
  double lowest = HUGE_VAL;
  for (int k = 0; k < 8; ++k) {
    const Vec3 sign((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1);
    lowest = std::min(lowest, (body.position + body.orientation * Vec3(0.5 * sign.cwiseProduct(size))).z());
  }
  return lowest;
}

TEST(PerimeterRest, BoxOnHillsIsCarried) {
  BodySpec ground = make_mesh_body("ground", 1.0, make_hills(), Vec3::Zero());
  std::get<MeshSpec>(ground.shape[0].type).surface = true;
  ground.mass.reset();
  ground.fixed = true;
  for (const bool has_guard : {true, false}) {
    SCOPED_TRACE(has_guard);
    SceneSpec scene =
        make_scene({make_box("box", 1.0, Vec3(0.2, 0.2, 0.1), Vec3(0.1, 0.1, 0.16)), ground}, 1e7, 0.5, 0.5, 5e-4, 4.0);
    scene.contact[0].energy_guard = has_guard;
    MemorySink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    const Sample& last = sink.samples.back();
    ASSERT_EQ(last.contacts.size(), 1u);
    // Weight, whatever the slopes: springs and friction together.
    EXPECT_NEAR(std::abs(last.contacts[0].force.z()), 9.81, 0.01);
    EXPECT_LT(last.bodies[0].velocity.norm(), 1e-6);
    EXPECT_LT(std::abs(summary.worst_residual), 1e-8);
    // The law carries 9.81 N on a curve of some decimetres at some hundredths of a millimetre.
    EXPECT_LT(last.contacts[0].depth, 3e-4);
    EXPECT_GE(last.energy[static_cast<int>(Energy::elastic)], 0.0);
  }
}

TEST(PerimeterRestLong, DominoesLieOnTheFloor) {
  const Vec3 size(0.02, 0.1, 0.2);
  std::vector<BodySpec> bodies;
  for (int i = 0; i < 6; ++i) bodies.push_back(make_box(fmt::format("d{}", i), 0.3, size, Vec3(0.06 * i, 0, 0.1)));
  bodies[0].velocity = Vec3(0.5, 0, 0);
  bodies[0].angular_velocity = Vec3(0, 5, 0);
  bodies.push_back(make_floor());
  for (const bool has_guard : {true, false}) {
    SCOPED_TRACE(has_guard);
    SceneSpec scene = make_scene(bodies, 1e7, 0.5, 0.5, 5e-4, 6.0);
    scene.contact[0].energy_guard = has_guard;
    MemorySink sink;
    const RunSummary summary = simulate(compile(scene), sink);
    for (int i = 0; i < 6; ++i) {
      // Under its own weight and its neighbours' a domino on its edge, or on a corner of it, goes in by some 0.1 mm.
      EXPECT_GT(lowest_corner(sink.samples.back().bodies[i], size), -5e-4) << i;
      // They rock on each other until the fourth second, with the guard and without.
      EXPECT_LT(sink.samples.back().bodies[i].velocity.norm(), 1e-6) << i;
    }
    EXPECT_LT(std::abs(summary.worst_residual), 1e-5);  // Runge and Kutta's error of what turns in hard impacts
  }
}

TEST(PerimeterRest, DepthIsThatOfTheLawWithAndWithoutTheGuard) {
  // Dropped on an edge, so that it turns in contact before it lies: k' L x = m g with L = 2 (0.2 + 0.16).
  BodySpec box = make_box("box", 1.0, Vec3(0.2, 0.16, 0.1), Vec3(0, 0, 0.12));
  box.orientation = Quat(Eigen::AngleAxisd(0.3, Vec3(0.6, 0.8, 0)));
  const double stiffness = 1e6 / 1.82 * std::numbers::sqrt2 / (3.0 * std::numbers::pi);
  for (const bool has_guard : {true, false}) {
    SCOPED_TRACE(has_guard);
    SceneSpec scene = make_scene({box, make_floor()}, 1e6, 0.5, 0.4, 5e-4, 3.0);
    scene.contact[0].energy_guard = has_guard;
    MemorySink sink;
    simulate(compile(scene), sink);
    const double depth = 9.81 / (stiffness * 0.72);
    EXPECT_NEAR(0.05 - sink.samples.back().bodies[0].position.z(), depth, 0.01 * depth);
    EXPECT_LT(sink.samples.back().bodies[0].velocity.norm(), 1e-7);
  }
}

TEST(PerimeterRest, GroundHasNoEnd) {
  // The second slides over the border of a field at 2,875 m, where the frame of the ground moves on.
  for (const Vec3& place : {Vec3(3000, 0, 0.06), Vec3(2875.1, 0, 0.06), Vec3(-20000, 7000, 0.06)}) {
    SceneSpec scene =
        make_scene({make_box("box", 1.0, Vec3(0.1, 0.1, 0.1), place), make_floor()}, 1e7, 0.4, 0.4, 5e-4, 0.5);
    scene.body[0].velocity = Vec3(-1, 0.5, 0);
    MemorySink sink;
    simulate(compile(scene), sink);
    SceneSpec near = scene;
    near.body[0].position = Vec3(0, 0, 0.06);
    MemorySink other;
    simulate(compile(near), other);
    // It lands flat, so that rounding decides which corner comes first; the way it slides, 0.16 m, hardly depends on
    // it.
    EXPECT_LT((sink.samples.back().bodies[0].position - place - other.samples.back().bodies[0].position +
               near.body[0].position)
                  .norm(),
              1e-2);
    EXPECT_NEAR(sink.samples.back().bodies[0].position.z(), other.samples.back().bodies[0].position.z(), 1e-7);
  }
}

TEST(PerimeterRest, SpinningDiscIsBrakedOverItsFace) {
  BodySpec disc = make_box("disc", 1.0, Vec3::Ones(), Vec3(0, 0, 0.01));
  disc.shape = {make_shape_spec(CylinderSpec{0.1, 0.02})};
  disc.angular_velocity = Vec3(0, 0, 20);
  MemorySink sink;
  simulate(compile(make_scene({disc, make_floor()}, 1e7, 0.4, 0.3, 2e-4, 0.2)), sink);
  // Even pressure: 2/3 mu m g R against 1/2 m R^2. It bounces a little at first, which friction does not feel.
  EXPECT_NEAR(20.0 - sink.samples.back().bodies[0].angular_velocity.z(), 0.2 * 4.0 / 3.0 * 0.3 * 9.81 / 0.1, 0.25);
}

TEST(PerimeterRest, StepTooLongForAContactIsTold) {
  SceneSpec scene = make_scene({make_box("plate", 0.1, Vec3(0.2, 0.2, 0.002), Vec3(0, 0, 0.011)), make_floor()}, 1e7,
                               0.4, 0.4, 5e-4, 0.3);
  MemorySink sink;
  const RunSummary told = simulate(compile(scene), sink);
  const std::string notes = fmt::format("{}", fmt::join(told.notes, "\n"));
  EXPECT_NE(notes.find("plate-floor: the step of 0.0005 s is 1.3x the time constant"), std::string::npos) << notes;
  scene.run.step = 1e-4;
  const RunSummary fine = simulate(compile(scene), sink);
  EXPECT_EQ(fmt::format("{}", fmt::join(fine.notes, "\n")).find("time constant"), std::string::npos);
}

/// A damper that is stronger than the step can follow is weakened, and the body rebounds more than its law lets it.
TEST(PerimeterRest, BlowThatTheStepDoesNotFollowIsTold) {
  const double e = 0.3;
  int told = 0, resolved = 0;
  for (const ShapeVariant& shape : {ShapeVariant(SphereSpec{0.05}), ShapeVariant(BoxSpec{Vec3(0.1, 0.1, 0.02)}),
                                    ShapeVariant(TorusSpec{0.05, 0.01})}) {
    for (const double step : {2e-4, 1e-4, 5e-5, 1e-5}) {
      BodySpec body = make_box("body", 0.1, Vec3(0.1, 0.1, 0.02), Vec3(0, 0, 0.1));
      body.shape[0].type = shape;
      SceneSpec scene = make_scene({body, make_floor()}, 1e7, e, 0.0, step, 0.2);
      scene.contact[0].normal->young.reset();
      scene.contact[0].normal->poisson.reset();
      scene.contact[0].normal->stiffness = 1e6;
      scene.contact[0].friction.reset();
      scene.run.record_interval = 1e-3;
      MemorySink sink;
      const RunSummary summary = simulate(compile(scene), sink);
      const std::string notes = fmt::format("{}", fmt::join(summary.notes, "\n"));
      double down = 0.0, up = 0.0;
      for (const Sample& sample : sink.samples) {
        const double v = sample.bodies[0].velocity.z();
        if (up == 0.0) down = std::max(down, -v);
        up = std::max(up, v);
      }
      const bool is_told = notes.find("body-floor: an impact at") != std::string::npos;
      const double off = std::abs(up / down - e);
      EXPECT_TRUE(is_told || off < 0.1) << up / down << " at " << step << notes;
      EXPECT_FALSE(is_told && off < 0.02) << up / down << " at " << step << notes;
      ++(is_told ? told : resolved);
    }
  }
  EXPECT_GE(told, 3);
  EXPECT_GE(resolved, 3);
}

/// A heavy body on a light one: what the step can follow of the damping is made for the light one, and hardly damps the
/// heavy one, which swings on, and slips while it is light. Equal bodies come to rest.
TEST(PerimeterRest, HeavyOnLightThatRingsOnIsTold) {
  const auto run = [](double mass) {
    const Vec3 size(0.2, 0.2, 0.1);
    SceneSpec scene = make_scene(
        {make_box("light", 0.1, size, Vec3(0, 0, 0.05)), make_box("heavy", mass, size, Vec3(0, 0, 0.15)), make_floor()},
        1e7, 0.3, 0.5, 1e-4, 0.4);
    scene.contact[0].normal->young.reset();
    scene.contact[0].normal->poisson.reset();
    scene.contact[0].normal->stiffness = 1e6;
    MemorySink sink;
    return fmt::format("{}", fmt::join(simulate(compile(scene), sink).notes, "\n"));
  };
  const std::string rings = run(10.0), rests = run(0.1);
  EXPECT_NE(rings.find("light-floor: rings on"), std::string::npos) << rings;
  EXPECT_NE(rings.find("step <= 5e-06 damps it"), std::string::npos) << rings;
  EXPECT_EQ(rests.find("rings on"), std::string::npos) << rests;
}

}  // namespace
}  // namespace abut
