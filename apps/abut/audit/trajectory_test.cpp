#include "audit/trajectory.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/door/convert.hpp"
#include "abut/io/scene_reader.hpp"

namespace abut {
namespace {

const SceneSpec& scene() {
  static const SceneSpec spec = read_scene_text(R"(
run = { duration = 1.0 }
[[body]]
name = "ball"
mass = 1.0
shape = { type = "sphere", radius = 0.1 }
[[body]]
name = "floor"
fixed = true
position = [0, 0, -1]
shape = { type = "half-space", normal = [0, 0, 1] }
[[contact]]
between = ["ball", "floor"]
normal = { law = "gonthier", stiffness = 1e5, restitution = 0.5 }
)",
                                                "scene.toml");
  return spec;
}

std::string wide(const std::string& rows) { return "t,ball.x,ball.y,ball.z,ball.qw,ball.qx,ball.qy,ball.qz\n" + rows; }

/// What parse_trajectory says about a text.
std::string complaint(const std::string& text, const TrajectoryOptions& options = {}) {
  try {
    parse_trajectory(text, "log.csv", scene(), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A body on a smooth path, turning about a direction that turns itself.
v0::Motion smooth(double t) {
  const Vec3 spin(2.0 * std::cos(t), 1.0, 3.0 * std::sin(2.0 * t));
  return {
      {std::sin(t), std::cos(2 * t), t * t}, {1, 0, 0, 0}, {std::cos(t), -2 * std::sin(2 * t), 2 * t}, to_array(spin)};
}

Trajectory make_smooth(double h) {
  Trajectory out;
  out.motions.resize(1);
  Quat q = Quat::Identity();
  constexpr int kFine = 2000;
  for (int k = 0; k <= 4; ++k) {
    v0::Motion motion = smooth(k * h);
    motion.orientation = to_array(q);
    out.times.push_back(k * h);
    out.motions[0].push_back(motion);
    // Exact to 1e-9 by many small turns about the spin in the middle of each.
    for (int i = 0; i < kFine; ++i) {
      const Vec3 w = to_vec(smooth((k + (i + 0.5) / kFine) * h).angular_velocity);
      q = (Quat(Eigen::AngleAxisd(w.norm() * h / kFine, w.normalized())) * q).normalized();
    }
  }
  return out;
}

Quat orientation(const v0::Motion& motion) { return to_quat(motion.orientation); }

double interpolation_error(double h) {
  const Trajectory coarse = make_smooth(h), fine = make_smooth(0.5 * h);
  const v0::Motion here = interpolate(coarse, 0, 0, 0.5 * h), there = fine.motions[0][1];
  return (to_vec(here.position) - to_vec(there.position)).norm() +
         orientation(here).angularDistance(orientation(there)) +
         h * (to_vec(here.velocity) - to_vec(there.velocity)).norm() +
         h * (to_vec(here.angular_velocity) - to_vec(there.angular_velocity)).norm();
}

TEST(Interpolate, HasTheOrderOfCubics) {
  // The middle of a cubic misses h^4 / 384 of the fourth derivative, its slope h^3 of it: together of order 4.
  const double ratio = interpolation_error(0.1) / interpolation_error(0.05);
  EXPECT_GT(ratio, 14.0);
  EXPECT_LT(ratio, 18.5);
}

TEST(Interpolate, EndsAreTheSamples) {
  const Trajectory path = make_smooth(0.1);
  EXPECT_EQ(interpolate(path, 0, 1, path.times[1]).position, path.motions[0][1].position);
  EXPECT_EQ(interpolate(path, 0, 1, path.times[2]).angular_velocity, path.motions[0][2].angular_velocity);
}

TEST(FillVelocities, AreOfOrderTwoAndTellTheirError) {
  std::vector<double> errors, told;
  for (const double h : {0.02, 0.01}) {
    const Trajectory exact = make_smooth(h);
    Trajectory path = exact;
    path.has_velocity = path.has_angular_velocity = false;
    fill_velocities(path);
    errors.push_back((to_vec(path.motions[0][2].velocity) - to_vec(exact.motions[0][2].velocity)).norm());
    told.push_back(path.velocity_error);
    EXPECT_NEAR(path.velocity_error / errors.back(), 1.0,
                0.1);  // one sample has both differences, so that it is judged
    EXPECT_LT((to_vec(path.motions[0][2].angular_velocity) - to_vec(exact.motions[0][2].angular_velocity)).norm(),
              1.2 * path.angular_velocity_error);
  }
  // Looked at at 2 h, so that the third derivative is not the same.
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.7);
}

TEST(ReadTrajectory, TakesBothFormsAndOtherNames) {
  const std::string rows = "0,0,0,1,1,0,0,0\n0.1,0,0,0.9,1,0,0,0\n0.2,0,0,0.7,1,0,0,0\n";
  const Trajectory a = parse_trajectory(wide(rows), "log.csv", scene());
  ASSERT_EQ(a.num_samples(), 3u);
  EXPECT_FALSE(a.has_velocity);
  EXPECT_EQ(a.motions[0][2].position, (v0::Vector3{0, 0, 0.7}));
  EXPECT_EQ(a.motions[1][2].position, (v0::Vector3{0, 0, -1}));  // the fixed one, from the scene
  // The parabola through 1, 0.9 and 0.7 has the slopes -0.5, -1.5 and -2.5 m/s.
  EXPECT_NEAR(a.motions[0][1].velocity[2], -1.5, 1e-12);
  EXPECT_NEAR(a.motions[0][0].velocity[2], -0.5, 1e-12);
  EXPECT_NEAR(a.motions[0][2].velocity[2], -2.5, 1e-12);
  std::string rowwise = "time [s],body,px,position_y [m],position_z [m],qw,qx,qy,qz\n";
  for (const char* row : {"0,ball,0,0,1", "0.1,ball,0,0,0.9", "0.2,ball,0,0,0.7"})
    rowwise += std::string(row) + ",1,0,0,0\n";
  const Trajectory b = parse_trajectory(rowwise, "log.csv", scene());
  EXPECT_EQ(b.motions[0][2].velocity, a.motions[0][2].velocity);
  TrajectoryOptions options;
  options.columns = {{"position_z", "height"}};
  std::string renamed = wide(rows);
  renamed.replace(renamed.find("ball.z"), 6, "ball.height");
  EXPECT_EQ(parse_trajectory(renamed, "log.csv", scene(), options).motions[0][2].position, a.motions[0][2].position);
}

TEST(ReadTrajectory, SpinInBodyAxesIsTurned) {
  // A quarter turn about x: the body's z is the world's -y.
  const std::string half = "0.70710678118654752,0.70710678118654752,0,0";
  std::string text = "t,ball.x,ball.y,ball.z,ball.qw,ball.qx,ball.qy,ball.qz,ball.wx,ball.wy,ball.wz\n";
  for (const char* t : {"0", "1", "2"}) text += std::string(t) + ",0,0,1," + half + ",0,0,5\n";
  TrajectoryOptions options;
  options.is_spin_in_body_axes = true;
  const Trajectory path = parse_trajectory(text, "log.csv", scene(), options);
  EXPECT_NEAR(path.motions[0][1].angular_velocity[1], -5.0, 1e-12);
  EXPECT_NEAR(path.motions[0][1].angular_velocity[2], 0.0, 1e-12);
}

TEST(ReadTrajectory, SaysWhereItIsWrong) {
  const std::string good = "0,0,0,1,1,0,0,0\n0.1,0,0,1,1,0,0,0\n";
  EXPECT_NE(complaint(wide(good + "0.05,0,0,1,1,0,0,0\n")).find("log.csv:4:1: time 0.05 s comes after 0.1 s"),
            std::string::npos);
  EXPECT_NE(complaint(wide(good + "0.2,0,0,nan,1,0,0,0\n")).find("log.csv:4:9: nan is not a finite number"),
            std::string::npos);
  EXPECT_NE(complaint(wide(good + "0.2,0,0,1e,1,0,0,0\n")).find("log.csv:4:9: '1e' is not a number"),
            std::string::npos);
  EXPECT_NE(complaint(wide(good + "0.2,0,0,1,1,0.1,0,0\n")).find("log.csv:4:11: the quaternion has length 1.00499"),
            std::string::npos);
  EXPECT_NE(complaint(wide(good + "0.2,0,0,1,1,0\n")).find("log.csv:4:13: this row has 6 cells"), std::string::npos);
  EXPECT_NE(complaint(wide(good)).find("2 instants are no trajectory"), std::string::npos);
  EXPECT_NE(complaint("t,ball.x,ball.y,ball.z\n0,0,0,1\n").find("columns are missing for 'ball': orientation_w"),
            std::string::npos);
  EXPECT_NE(complaint("t,bal.x\n0,0\n").find("the scene has no body 'bal'\n"), std::string::npos);
  EXPECT_NE(complaint("t,bal.x\n0,0\n").find("Did you mean 'ball'?"), std::string::npos);
  EXPECT_NE(complaint("t,x\n0,0\n").find("there is no column body"), std::string::npos);
  std::string millimetres = wide(good);
  millimetres.replace(millimetres.find("ball.z"), 6, "ball.z [mm]");
  EXPECT_NE(complaint(millimetres).find("'ball.z [mm]' is in mm"), std::string::npos);
}

TEST(ReadForces, AreSummedAndFoundBySample) {
  Trajectory path =
      parse_trajectory(wide("0,0,0,1,1,0,0,0\n0.1,0,0,1,1,0,0,0\n0.2,0,0,1,1,0,0,0\n"), "log.csv", scene());
  const std::string head = "t,body_a,body_b,fx,fy,fz\n";
  parse_forces(head + "0.1,ball,floor,1,0,10\n0.1,floor,ball,0,0,-5\n", "forces.csv", scene(), {}, path);
  ASSERT_EQ(path.forces.size(), 1u);
  EXPECT_EQ(path.forces[0].samples[1].force, Vec3(1, 0, 15));
  EXPECT_FALSE(path.forces[0].samples[0].is_there);
  EXPECT_THROW(parse_forces(head + "0.15,ball,floor,1,0,10\n", "forces.csv", scene(), {}, path), InputError);
  EXPECT_THROW(parse_forces("t,body_a,body_b\n0.1,ball,floor\n", "forces.csv", scene(), {}, path), InputError);
}

}  // namespace
}  // namespace abut
