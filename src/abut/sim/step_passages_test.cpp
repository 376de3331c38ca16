#include <cmath>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

using Method = RunSpec::Method;

BodySpec make_fixed(BodySpec body) {
  body.mass.reset();
  body.fixed = true;
  return body;
}

/// A thin arm about z, with its tip 1 m from the hinge, and a post that the tip meets after a quarter of a turn.
SceneSpec make_turning_arm(Method method, double step, double speed, const BodySpec& post) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.run.method = method;
  scene.run.step = step;
  scene.run.duration = 0.02;
  BodySpec arm = make_ball("arm", 1.0, 0.01, Vec3::Zero());
  arm.shape[0].position = Vec3(0.99, 0, 0);
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.type = JointSpec::Type::revolute;
  hinge.child = "arm";
  hinge.axis = Vec3::UnitZ();
  hinge.velocities = {speed};
  scene.body = {arm, post};
  scene.joint = {hinge};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  return scene;
}

// The tip goes 2 m in a step, once or several times around; a post or a wall that it reaches into by 0.1 m lies between
// two steps. An arm that passes below either touches nothing.
TEST(StepPassages, WhatTurnsThroughAnotherStopsTheRun) {
  const BodySpec post = make_fixed(make_ball("post", 1.0, 0.02, Vec3(0, 0.99, 0)));
  const BodySpec wall = make_floor(-Vec3::UnitY(), -0.9);
  for (const BodySpec& target : {post, wall}) {
    for (const Method method : {Method::lcp, Method::explicit_}) {
      for (const double turn : {2.0, 2.0 + 2.0 * M_PI}) {
        SceneSpec scene = make_turning_arm(method, 5e-3, turn / 5e-3, target);
        MemorySink sink;
        RunSummary summary = simulate(compile(scene), sink);
        // Hard contact with a wall is one with its plane, which stops the tip where the step begins.
        if (method == Method::lcp && target.name == "floor") {
          EXPECT_FALSE(sink.events.empty());
        } else {
          EXPECT_EQ(summary.status, RunStatus::failed) << target.name << " " << turn;
          EXPECT_NE(summary.message.find("arm-" + target.name), std::string::npos) << summary.message;
        }
        // Above the post, and short of the wall.
        if (target.name == "post") {
          scene.body[1].position.z() = 0.0305;
        } else {
          scene.body[0].shape[0].position.x() = 0.889;
        }
        summary = simulate(compile(scene), sink);
        EXPECT_EQ(summary.status, RunStatus::done) << summary.message;
      }
    }
  }
}

// Ncp looks as well: a disc of glass at 300 m/s.
TEST(StepPassages, WhatFliesThroughALayerStopsTheRun) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.run.method = Method::ncp;
  scene.run.step = 1e-3;
  scene.run.duration = 0.02;
  scene.body = {make_ball("bullet", 0.01, 0.005, Vec3(-1.07, 0, 0), Vec3(300, 0, 0)),
                make_fixed(make_ball("glass", 1.0, 0.02, Vec3::Zero()))};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  const bool is_beyond = sink.samples.back().bodies[0].position.x() > 0.0;
  EXPECT_TRUE(summary.status == RunStatus::failed || !is_beyond);
}

// A coin that spins on its face rests on the floor all the time, however far its rim goes in a step.
TEST(StepPassages, WhatRestsHasNotMet) {
  SceneSpec scene;
  scene.run.method = Method::lcp;
  scene.run.step = 5e-3;
  scene.run.duration = 0.5;
  BodySpec coin = make_box("coin", 0.01, Vec3(0.02, 0.02, 0.002), Vec3(0, 0, 0.001));
  coin.angular_velocity = Vec3(0, 0, 400);
  scene.body = {coin, make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  MemorySink sink;
  const RunSummary summary = simulate(compile(scene), sink);
  EXPECT_EQ(summary.status, RunStatus::done) << summary.message;
}

/// Two triangles, 1 m square, through the origin; outside is up.
MeshData make_square(double bend) {
  return {{Vec3(-0.5, -0.5, 0), Vec3(0.5, -0.5, bend), Vec3(0.5, 0.5, 0), Vec3(-0.5, 0.5, bend)},
          {{{0, 1, 2}}, {{0, 2, 3}}}};
}

// Steps of 0.3 m past a sheet that has no inside, at all places within a step; and beside it.
TEST(StepPassages, WhatFliesThroughASheetStopsTheRun) {
  for (int shift = 0; shift < 8; ++shift) {
    BodySpec sheet = make_mesh_body("sheet", 1.0, make_square(0.01), Vec3::Zero());
    std::get<MeshSpec>(sheet.shape[0].type).surface = true;
    SceneSpec scene;
    scene.gravity = Vec3::Zero();
    scene.run.method = Method::explicit_;
    scene.run.step = 1e-3;
    scene.run.duration = 0.01;
    scene.body = {
        make_box("bullet", 1.0, Vec3(0.05, 0.05, 0.05), Vec3(0.1, 0.05, 1.0 + 0.04 * shift), Vec3(0, 0, -300)),
        make_fixed(sheet)};
    scene.contact = {make_perimeter_contact(NormalSpec::Law::flores, 1e7, 0.5)};
    MemorySink sink;
    RunSummary summary = simulate(compile(scene), sink);
    const bool is_below = sink.samples.back().bodies[0].position.z() < -0.1;
    EXPECT_TRUE(summary.status == RunStatus::failed || !is_below) << shift;
    scene.body[0].position.x() = 0.6;
    summary = simulate(compile(scene), sink);
    EXPECT_EQ(summary.status, RunStatus::done) << summary.message;
  }
}

// One whose middle flies beside the sheet, and whose rim does not: convex, and of triangles without an inside.
TEST(StepPassages, ARimThatMeetsASheetStopsTheRun) {
  for (const bool is_sheet_too : {false, true}) {
    for (const double x : {0.515, 0.53}) {
      BodySpec sheet = make_mesh_body("sheet", 1.0, make_square(0.01), Vec3::Zero());
      std::get<MeshSpec>(sheet.shape[0].type).surface = true;
      BodySpec bullet = make_box("bullet", 1.0, Vec3(0.05, 0.05, 0.05), Vec3(x, 0.05, 1.07), Vec3(0, 0, -300));
      if (is_sheet_too) {
        MeshData flat = make_square(0.001);
        for (Vec3& vertex : flat.vertices) vertex *= 0.05;
        bullet.shape = make_mesh_body("bullet", 1.0, flat, Vec3::Zero()).shape;
        std::get<MeshSpec>(bullet.shape[0].type).surface = true;
        bullet.inertia = InertiaSpec{{1e-3, 1e-3, 2e-3}};
        bullet.center_of_mass = Vec3::Zero();
      }
      SceneSpec scene;
      scene.gravity = Vec3::Zero();
      scene.run.method = Method::explicit_;
      scene.run.step = 1e-3;
      scene.run.duration = 0.01;
      scene.body = {bullet, make_fixed(sheet)};
      scene.contact = {make_perimeter_contact(NormalSpec::Law::flores, 1e7, 0.5)};
      MemorySink sink;
      const RunSummary summary = simulate(compile(scene), sink);
      const bool meets = x < 0.525;
      EXPECT_EQ(summary.status, meets ? RunStatus::failed : RunStatus::done) << is_sheet_too << x << summary.message;
      if (meets) {
        EXPECT_NE(summary.message.find("bullet-sheet"), std::string::npos) << summary.message;
      }
    }
  }
}

// Thin ones that tumble through a plate and end some steps in it, where hard contact may take them out on either side.
TEST(StepPassages, WhatTumblesThroughAPlateStopsTheRun) {
  int num_through = 0, num_kept = 0;
  for (const Vec3& turning : {Vec3(0, 0, 0), Vec3(20, 5, 0), Vec3(100, 0, 0), Vec3(300, 30, 0), Vec3(0, 0, 50)}) {
    for (const double height : {0.11, 0.17, 0.23, 0.3, 0.37, 0.44}) {
      for (const double step : {5e-3, 2e-3}) {
        SceneSpec scene;
        scene.run.method = Method::lcp;
        scene.run.step = step;
        scene.run.duration = 0.45;
        BodySpec disc = make_ball("disc", 0.1, 0.02, Vec3(0.01, 0, height));
        disc.shape = {make_shape_spec(EllipsoidSpec{Vec3(0.02, 0.02, 0.001)})};
        disc.angular_velocity = turning;
        disc.rotation.emplace();
        disc.rotation->axis = Vec3(1, 0.3, 0);
        disc.rotation->degrees = 100.0 * height;
        scene.body = {disc, make_fixed(make_box("plate", 1.0, Vec3(0.5, 0.5, 0.002), Vec3::Zero()))};
        scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.05)};
        MemorySink sink;
        const RunSummary summary = simulate(compile(scene), sink);
        const Vec3 last = sink.samples.back().bodies[0].position;
        const bool is_below = last.z() < -0.001 && last.head<2>().cwiseAbs().maxCoeff() < 0.22;
        if (summary.status == RunStatus::done) {
          EXPECT_FALSE(is_below) << turning.transpose() << ' ' << height << ' ' << step;
          ++num_kept;
        } else {
          EXPECT_NE(summary.message.find("disc-plate went through"), std::string::npos) << summary.message;
          ++num_through;
        }
      }
    }
  }
  EXPECT_GT(num_kept, 5);
  EXPECT_GT(num_through, 0);
}

}  // namespace
}  // namespace abut
