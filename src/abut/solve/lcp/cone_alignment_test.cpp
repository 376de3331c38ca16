#include "abut/solve/lcp/cone_alignment.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/solve/lcp/contact_sweeps.hpp"

namespace abut {
namespace {

/// A tower of plates, each on feet around its edge on the one below, the last one pushed sideways and turned.
ConstraintSystem make_tower(int plates, int feet, const Vec3& push, double spin,
                            std::vector<FrictionContact>& contacts) {
  const double h = 1e-3, mass = 2.0, half = 0.2, height = 0.1;
  ConstraintSystem system;
  for (int k = 0; k < plates; ++k) {
    Mat6 M = Mat6::Zero(), inverse = Mat6::Zero();
    M.diagonal() << mass, mass, mass, 0.03, 0.03, 0.05;
    inverse.diagonal() = M.diagonal().cwiseInverse();
    Vec6 p = Vec6::Zero();
    p[2] = -mass * 9.81 * h;
    if (k == plates - 1) {
      p.head<3>() += mass * push;
      p[5] = 0.05 * spin;
    }
    system.add_body(M, inverse, p);
  }
  Mat3 axes;
  axes << 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0;
  const auto jacobian = [&axes](const Vec3& arm, double sign) {
    MatX J(3, 6);
    J << sign * axes, -sign * axes * skew(arm);
    return J;
  };
  for (int k = 0; k < plates; ++k) {
    for (int foot = 0; foot < feet; ++foot) {
      const double angle = 2.0 * M_PI * foot / feet + 0.3, x = half * std::cos(angle), y = half * std::sin(angle);
      const MatX below = k == 0 ? MatX() : jacobian(Vec3(x, y, 0.5 * height), -1.0);
      const int row = system.add_rows(3, k, jacobian(Vec3(x, y, -0.5 * height), 1.0), k - 1, below);
      system.lower[row] = 0.0;
      contacts.push_back({row, 0.4, FrictionCone::circle, 4, 0.0});
    }
  }
  return system;
}

TEST(ConeAlignment, TurnsRowsWithoutChangingTheProblem) {
  std::vector<FrictionContact> contacts;
  const ConstraintSystem system = make_tower(2, 4, Vec3(0.3, 0.1, 0), 0.5, contacts);
  ConstraintSystem turned = system;
  const Vec2 turn(0.6, 0.8);
  turned.rotate_rows(4, turn);
  std::vector<double> v(system.num_velocities()), u(system.num_rows()), w(system.num_rows());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.1 * static_cast<double>(i) - 0.3;
  system.calc_row_velocities(v.data(), u.data());
  turned.calc_row_velocities(v.data(), w.data());
  EXPECT_NEAR(w[4], 0.6 * u[4] + 0.8 * u[5], 1e-15);
  EXPECT_NEAR(w[5], 0.6 * u[5] - 0.8 * u[4], 1e-15);
  EXPECT_EQ(w[3], u[3]);
  EXPECT_EQ(w[7], u[7]);
}

TEST(ConeAlignment, MeetsCoulombsLawInTowersThatStickSlideAndTurn) {
  for (const int plates : {1, 5, 30}) {
    for (const Vec3& push : {Vec3(0, 0, 0), Vec3(0.002, 0.001, 0), Vec3(0.7, -0.4, 0)}) {
      for (const double spin : {0.0, 1.0}) {
        std::vector<FrictionContact> contacts;
        const ConstraintSystem system = make_tower(plates, 4, push, spin, contacts);
        SystemSolver solver;
        std::vector<double> x, v;
        const SystemResult result = solve_by_cone_alignment(system, contacts, {}, solver, x, v);
        EXPECT_TRUE(result.is_solved()) << plates << " " << push.transpose() << " " << spin << " " << result.message;
        // Judged by the law itself, not by what was iterated.
        EXPECT_LE(calc_friction_residual(system, contacts, x), 1e-10);
        double weight = 0.0;
        for (int foot = 0; foot < 4; ++foot) weight += x[3 * foot];
        EXPECT_NEAR(weight, plates * 2.0 * 9.81e-3, 1e-8);
      }
    }
  }
}

// On three feet each load is unique, and so is the motion; on four, a plate that turns may carry its weight in many
// ways.
TEST(ConeAlignment, FindsTheVelocitiesThatSweepsFind) {
  std::vector<FrictionContact> contacts;
  const ConstraintSystem system = make_tower(3, 3, Vec3(0.5, 0.2, 0), 2.0, contacts);
  SystemSolver solver;
  std::vector<double> x, v, y, u;
  ASSERT_TRUE(solve_by_cone_alignment(system, contacts, {}, solver, x, v).is_solved());
  SweepOptions sweeps;
  sweeps.max_sweeps = 20000;
  ASSERT_TRUE(solve_contact_sweeps(system, contacts, sweeps, y, u).is_solved());
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], u[i], 1e-8);
}

}  // namespace
}  // namespace abut
