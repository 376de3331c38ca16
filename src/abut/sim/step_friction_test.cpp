#include "abut/sim/step_friction.hpp"

#include <gtest/gtest.h>

#include "abut/solve/lcp/solve_lcp.hpp"

namespace abut {
namespace {

constexpr double kStep = 1e-3;

RegularisedFrictionInput make_input() {
  RegularisedFrictionInput input;
  input.normal = Vec3(0.0, 0.0, 1.0);
  input.static_limit = 3.0;
  input.kinetic_limit = 3.0;
  input.step = kStep;
  input.v_threshold = 0.01;
  input.stiffness = 1e4;
  return input;
}

/// The tangential impulse at which w = 0 for a given end velocity: what the rows say while no bound is met.
double solve_row(const FrictionRows& rows, int k, const Vec3& v_end) {
  return -(rows.axes[k].dot(v_end) + rows.offset[k]) / rows.compliance[k];
}

// [Peiret et al. 2016]: (25) with (26) is the bristle law (11).
TEST(StepFriction, StaticRowsAreTheBristleLaw) {
  RegularisedFrictionInput input = make_input();
  input.slip = Vec3(1e-3, -2e-3, 0.0);
  input.friction_force = Vec3(-1.0, 0.5, 0.0);
  const FrictionRows rows = make_regularised_rows(input);
  ASSERT_TRUE(rows.is_static);
  const Vec3 v_end(0.002, 0.003, 0.0);
  const Vec3 expected = input.friction_force - kStep * 1e4 * v_end;
  const Vec3 force = (solve_row(rows, 0, v_end) * rows.axes[0] + solve_row(rows, 1, v_end) * rows.axes[1]) / kStep;
  EXPECT_LE((force - expected).norm(), 1e-12);
  // (13), (15): the axis lies along the old force, so that its bound is the circle's, met in one component only.
  EXPECT_NEAR(rows.axes[0].dot(input.friction_force.normalized()), 1.0, 1e-15);
  EXPECT_NEAR(rows.axes[1].dot(input.friction_force), 0.0, 1e-15);
  EXPECT_DOUBLE_EQ(rows.bound, kStep * 3.0);
}

// [Peiret et al. 2016]: (25) with (27) is (18) along the slip and (19), (20) across it.
TEST(StepFriction, KineticRowsAreDryAlongAndViscousAcrossTheSlip) {
  RegularisedFrictionInput input = make_input();
  input.slip = Vec3(0.3, 0.4, 0.0);
  const FrictionRows rows = make_regularised_rows(input);
  ASSERT_FALSE(rows.is_static);
  EXPECT_LE((rows.axes[0] - Vec3(0.6, 0.8, 0.0)).norm(), 1e-15);
  const Vec3 v_end(0.1, -0.2, 0.0);
  const double along = rows.axes[0].dot(v_end), across = rows.axes[1].dot(v_end);
  EXPECT_NEAR(solve_row(rows, 0, v_end) / kStep, -3.0 - kStep * 1e4 * along, 1e-12);
  const double b_mu = 3.0 / 0.5;
  EXPECT_NEAR(solve_row(rows, 1, v_end) / kStep, -b_mu * across, 1e-12);
  // Fig. 2: with the speed along unchanged, the force (-mu N, -b v_2) is exactly opposite to the new slip.
  const Vec3 turned = 0.5 * rows.axes[0] + 0.07 * rows.axes[1];
  const Vec3 force = -3.0 * rows.axes[0] + solve_row(rows, 1, turned) / kStep * rows.axes[1];
  EXPECT_LE(force.cross(turned).norm(), 1e-14);
}

// [Peiret et al. 2016 (29)]: with infinite stiffness the rows are those of exact complementarity, and finite ones tend
// to them.
TEST(StepFriction, InfiniteStiffnessIsTheLimit) {
  RegularisedFrictionInput input = make_input();
  input.friction_force = Vec3(1.0, 0.0, 0.0);
  input.stiffness.reset();
  const FrictionRows rigid = make_regularised_rows(input);
  EXPECT_EQ(rigid.compliance[0], 0.0);
  EXPECT_EQ(rigid.offset[0], 0.0);
  double last = 1.0;
  for (const double stiffness : {1e8, 1e10, 1e12}) {
    input.stiffness = stiffness;
    const FrictionRows rows = make_regularised_rows(input);
    // One body of 2 kg pushed at 0.5 mm/s: stick leaves a speed that vanishes with the compliance.
    BoundedLcp problem = make_lcp(MatX::Identity(2, 2) * 0.5, Vec2(5e-4 + rows.offset[0], rows.offset[1]));
    for (int k = 0; k < 2; ++k) problem.A(k, k) += rows.compliance[k];
    problem.lower.setConstant(-rows.bound);
    problem.upper.setConstant(rows.bound);
    const LcpResult result = solve_lcp(problem);
    ASSERT_TRUE(result.is_solved());
    const double speed = std::abs(5e-4 + 0.5 * result.x[0]);
    EXPECT_LT(speed, 0.02 * last);
    last = speed;
  }
}

TEST(StepFriction, AxesArePerpendicularWhateverTheNormal) {
  RegularisedFrictionInput input = make_input();
  for (const Vec3& n : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, -1), Vec3(0.6, 0.0, 0.8)}) {
    input.normal = n;
    input.friction_force = Vec3(0.3, 0.2, 0.1);
    for (const FrictionRows& rows : {make_regularised_rows(input), make_box_rows(n, 1.0, kStep)}) {
      EXPECT_NEAR(rows.axes[0].dot(n), 0.0, 1e-15);
      EXPECT_NEAR(rows.axes[0].norm(), 1.0, 1e-15);
      EXPECT_LE((rows.axes[0].cross(rows.axes[1]) - n).norm(), 1e-15);
    }
  }
  EXPECT_LE((make_box_rows(Vec3::UnitZ(), 1.0, kStep).axes[0] - Vec3::UnitX()).norm(), 1e-15);
}

}  // namespace
}  // namespace abut
