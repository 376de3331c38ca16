#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "abut/contact_pair.hpp"

namespace {

using abut::v0::ContactPair;
using abut::v0::Motion;
using abut::v0::PairForce;
using abut::v0::PairJacobian;
using abut::v0::PairState;
using abut::v0::Scene;

ContactPair make_pair(const std::string& shape, const std::string& contact) {
  return {Scene::read_text(R"(run = { duration = 1.0 }
[[body]]
name = "a"
mass = 2.0
shape = )" + shape + R"(
[[body]]
name = "b"
fixed = true
shape = { type = "box", size = [2, 2, 0.2] }
[[contact]]
between = ["a", "b"]
)" + contact),
          "a", "b"};
}

const char* const kBall = R"({ type = "sphere", radius = 0.1 })";
/// The slab's upper face is at height 0.
const Motion kSlab{.position = {0, 0, -0.1}};

std::array<double, 12> to_rows(const PairForce& f) {
  std::array<double, 12> rows;
  for (std::size_t i = 0; i < 3; ++i)
    rows[i] = f.on_a.force[i], rows[3 + i] = f.on_a.torque[i], rows[6 + i] = f.on_b.force[i],
    rows[9 + i] = f.on_b.torque[i];
  return rows;
}

TEST(PairJacobian, IsTheClosedFormOfHertz) {
  ContactPair pair = make_pair(kBall, R"(normal = { law = "hertz", stiffness = 1e6 })");
  const double depth = 3e-4;
  const Motion ball{.position = {0.01, 0.02, 0.1 - depth}};
  PairState state = pair.start();
  pair.begin_step(state, 0.0, 1e-3, ball, kSlab);
  // What a fixed step finds late is let out over relaxation_time: the law sees less at first.
  const PairForce force = pair.evaluate(state, 0.0, ball, kSlab);
  const double seen = std::pow(force.on_a.force[2] / 1e6, 2.0 / 3);
  ASSERT_GT(seen, 1e-4);
  const PairJacobian jacobian = pair.jacobian(state, 0.0, ball, kSlab);
  const double slope = -1.5 * 1e6 * std::sqrt(seen);
  EXPECT_NEAR(jacobian.by_a[2][2], slope, 1e-6 * -slope);
  EXPECT_LT(std::abs(jacobian.by_a[2][2] - slope), jacobian.error_by_a[2][2]);
  EXPECT_LT(jacobian.error_by_a[2][2], 1e-6 * -slope);
  EXPECT_NEAR(jacobian.by_b[2][2], -slope, 1e-6 * -slope);
  EXPECT_NEAR(jacobian.by_a[8][2], -slope, 1e-6 * -slope) << "action is reaction";
  // The force acts at the ball's place: about b's origin its torque is (y f, -x f, 0).
  EXPECT_NEAR(jacobian.by_a[9][2], -0.02 * slope, 1e-6 * -slope);
  EXPECT_NEAR(jacobian.by_a[9][1], -force.on_a.force[2], 1e-6 * force.on_a.force[2]);
  for (const std::size_t column : {0u, 1u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u})
    EXPECT_LE(std::abs(jacobian.by_a[2][column]), jacobian.error_by_a[2][column] + 1e-9) << column;
}

/// Against plain differences at displacements of their own, for laws with damping and friction, where everything moves.
TEST(PairJacobian, AgreesWithPlainDifferences) {
  for (const char* contact : {R"(normal = { law = "gonthier", stiffness = 1e6, restitution = 0.5 }
friction = { law = "bristle", mu_c = 0.4, mu_s = 0.45 })",
                              R"(normal = { law = "kelvin-voigt", stiffness = 1e5, damping = 200 }
friction = { law = "coulomb", mu = 0.3 })"}) {
    ContactPair pair = make_pair(kBall, contact);
    const Motion ball{
        .position = {0.01, 0.02, 0.0997}, .velocity = {0.05, -0.03, -0.02}, .angular_velocity = {0.1, 0.4, -0.3}};
    PairState state = pair.start();
    pair.begin_step(state, 0.0, 1e-4, ball, kSlab);
    const PairJacobian jacobian = pair.jacobian(state, 0.0, ball, kSlab);
    for (const std::size_t axis : {0u, 1u, 2u}) {
      for (const std::size_t start : {0u, 6u, 9u}) {
        const double h = start == 0 ? 1e-8 : 1e-6;
        const auto moved = [&](double by) {
          Motion motion = ball;
          (start == 0 ? motion.position : start == 6 ? motion.velocity : motion.angular_velocity)[axis] += by;
          return to_rows(pair.evaluate(state, 0.0, motion, kSlab));
        };
        const auto above = moved(h), below = moved(-h);
        for (std::size_t row = 0; row < 12; ++row) {
          const double plain = (above[row] - below[row]) / (2 * h);
          // Rounding of forces of some 10 N at displacements of 1e-8: 1e-7 N/m; of positions, 1e-9 of the slope.
          EXPECT_NEAR(jacobian.by_a[row][start + axis], plain, 1e-5 * (1 + std::abs(jacobian.by_a[2][2])))
              << row << " " << start + axis;
        }
      }
    }
    // Moving both moves nothing between them.
    for (std::size_t row = 0; row < 3; ++row)
      for (const std::size_t column : {0u, 1u, 2u, 6u, 7u, 8u})
        EXPECT_NEAR(jacobian.by_a[row][column], -jacobian.by_b[row][column],
                    2 * (jacobian.error_by_a[row][column] + jacobian.error_by_b[row][column]) + 1e-6);
  }
}

/// Where the contact would open within every displacement: one-sided derivatives differ, and the error says by how
/// much.
TEST(PairJacobian, SaysWhereTheForceHasAKink) {
  ContactPair pair = make_pair(kBall, R"(normal = { law = "kelvin-voigt", stiffness = 1e5, damping = 0 })");
  Motion ball{.position = {0, 0, 0.1 - 1e-6}};
  PairState state = pair.start();
  pair.begin_step(state, 0.0, 1e-3, ball, kSlab);
  for (int k = 1; k < 20; ++k) pair.end_step(state, 1e-3 * k), pair.begin_step(state, 1e-3 * k, 1e-3, ball, kSlab);
  double shut = 0.0, open = 1e-5;  // where the law begins to push, by bisection
  for (int i = 0; i < 60; ++i) {
    const double middle = (shut + open) / 2;
    ball.position[2] = 0.1 - 1e-6 + middle;
    (pair.evaluate(state, 0.02, ball, kSlab).on_a.force[2] > 0 ? shut : open) = middle;
  }
  const PairJacobian jacobian = pair.jacobian(state, 0.02, ball, kSlab);
  EXPECT_NEAR(jacobian.by_a[2][2], -0.5e5, 1e-3 * 1e5);
  EXPECT_GT(jacobian.error_by_a[2][2], 0.499e5);
  EXPECT_LT(jacobian.error_by_a[2][2], 0.6e5);
}

TEST(PairJacobian, IsZeroWithoutContact) {
  ContactPair pair = make_pair(kBall, R"(normal = { law = "hertz", stiffness = 1e6 })");
  const Motion ball{.position = {0, 0, 0.2}};
  PairState state = pair.start();
  pair.begin_step(state, 0.0, 1e-3, ball, kSlab);
  EXPECT_EQ(pair.jacobian(state, 0.0, ball, kSlab).by_a, PairJacobian::Matrix{});
}

/// Flat on flat, by the volume between them: pressing and tilting are closed forms.
TEST(PairJacobian, OfAVolume) {
  ContactPair pair =
      make_pair(R"({ type = "box", size = [0.2, 0.1, 0.1] })",
                "region = \"volume\"\nnormal = { law = \"gonthier\", stiffness = 1e9, restitution = 0.5 }");
  const Motion box{.position = {0, 0, 0.05 - 1e-4}};
  PairState state = pair.start();
  pair.begin_step(state, 0.0, 1e-3, box, kSlab);
  const PairJacobian jacobian = pair.jacobian(state, 0.0, box, kSlab);
  const double slope = -1e9 * 0.2 * 0.1;
  EXPECT_NEAR(jacobian.by_a[2][2], slope, 1e-5 * -slope);
  // Tilted about y the resultant wanders: stiffness times the second moment of the face, less what the force at its
  // arm below the origin and the shifted volume give.
  EXPECT_LT(jacobian.by_a[4][4], 0.0);
  EXPECT_LT(jacobian.error_by_a[4][4], 1e-4 * -jacobian.by_a[4][4]);
}

}  // namespace
