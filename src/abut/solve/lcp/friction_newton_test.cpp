#include "abut/solve/lcp/friction_newton.hpp"

#include <gtest/gtest.h>

#include "abut/solve/lcp/contact_sweeps.hpp"
#include "abut/solve/lcp/friction_projection.hpp"
#include "abut/solve/lcp/polygon_friction.hpp"
#include "abut/solve/lcp/solve_lcp.hpp"
#include "abut/solve/lcp/wall_problem_test.hpp"

namespace abut {
namespace {

std::vector<FrictionContact> list_contacts(const ConstraintSystem& system, FrictionCone cone, double mu, int facets) {
  std::vector<FrictionContact> contacts;
  for (const RowGroup& group : system.groups()) contacts.push_back({group.row, mu, cone, facets, 0.0});
  return contacts;
}

// Against the nearest of many points of the set, and the slope against differences.
TEST(FrictionProjection, IsTheNearestPointAndHasItsSlope) {
  TestRandom random(4);
  for (const FrictionCone cone : {FrictionCone::box, FrictionCone::polygon, FrictionCone::circle}) {
    for (const int facets : {4, 6, 8}) {
      const FrictionContact contact{0, 0.7, cone, facets, 0.0};
      for (int k = 0; k < 200; ++k) {
        const Vec3 y = random.matrix(3, 1) * 2.0;
        const FrictionProjection at = project_on_friction(contact, y);
        EXPECT_EQ(at.x[0], std::max(0.0, y[0]));
        const double limit = contact.mu * at.x[0], distance = (at.x - y).tail<2>().norm();
        for (int i = 0; i < 64; ++i) {
          // Points of the set: corners of it, scaled, and for the circle any direction.
          const double angle = 2.0 * 3.14159265358979 * i / 64;
          Vec2 p = limit * Vec2(std::cos(angle), std::sin(angle));
          if (cone == FrictionCone::box) p = limit * Vec2(std::cos(angle) > 0 ? 1 : -1, i % 2 == 0 ? 1.0 : -0.3);
          if (cone == FrictionCone::polygon) {
            const Vec2 low = calc_facet_direction(contact, i % facets),
                       high = calc_facet_direction(contact, i % facets + 1);
            p = limit * (low + (high - low) * (i / 64.0));
          }
          EXPECT_GE((p - y.tail<2>()).norm(), distance - 1e-12);
        }
        for (int i = 0; i < 3; ++i) {
          const double h = 1e-7;
          const Vec3 above = project_on_friction(contact, y + h * Vec3::Unit(i)).x;
          const Vec3 below = project_on_friction(contact, y - h * Vec3::Unit(i)).x;
          // Where the two lie on different pieces the slope is that of neither; such points are rare.
          if (((above + below) / 2.0 - at.x).norm() > 1e-12) continue;
          EXPECT_LE(((above - below) / (2.0 * h) - at.slope.col(i)).norm(), 1e-5);
        }
      }
    }
  }
}

// 220 contacts, most of them redundant: more than Lemke's method would do in an hour.
TEST(FrictionNewton, SolvesAWallWithPolygonsAndCones) {
  for (const double push : {0.0, 0.02, 0.5}) {
    const ConstraintSystem wall = make_wall({.push = push});
    ASSERT_EQ(wall.groups().size(), 220u);
    for (const FrictionCone cone : {FrictionCone::polygon, FrictionCone::circle}) {
      const auto contacts = list_contacts(wall, cone, 0.4, 8);
      std::vector<double> x, v;
      const SystemResult result = solve_friction_newton(wall, contacts, {}, x, v);
      EXPECT_TRUE(result.is_solved()) << result.message;
      EXPECT_EQ(result.residual, calc_friction_residual(wall, contacts, x));
      double carried = 0.0;
      for (int k = 0; k < 20; ++k) carried += x[3 * k];  // the first course's feet carry all
      if (push == 0.0) {
        double weight = 0.0;
        for (int p = 0; p < wall.num_parts(); ++p) weight += wall.mass(p)[0] * 9.81e-3;
        EXPECT_NEAR(carried, weight, 1e-9 * weight);
      }
    }
  }
}

TEST(FrictionNewton, SolvesAShakenWall) {
  const ConstraintSystem wall = make_wall({.num_courses = 4, .shake = 0.01});
  const auto contacts = list_contacts(wall, FrictionCone::circle, 0.5, 8);
  std::vector<double> x, v;
  const SystemResult result = solve_friction_newton(wall, contacts, {}, x, v);
  EXPECT_TRUE(result.is_solved()) << result.message;
}

// A few bricks, where the pivots of Lemke's method are affordable: the same velocities.
TEST(FrictionNewton, AgreesWithLemke) {
  const ConstraintSystem wall = make_wall({.num_courses = 1, .num_bricks = 2, .push = 0.02, .shake = 0.005});
  const auto contacts = list_contacts(wall, FrictionCone::polygon, 0.3, 6);
  std::vector<double> x, v;
  const SystemResult result = solve_friction_newton(wall, contacts, {}, x, v);
  ASSERT_TRUE(result.is_solved()) << result.message;
  const PolygonProblem problem = make_polygon_problem(wall.make_dense(), contacts);
  LcpOptions options;
  options.method = LcpMethod::lemke;
  const LcpResult lemke = solve_lcp(problem.lcp, options);
  ASSERT_TRUE(lemke.is_solved()) << lemke.message;
  const VecX impulses = problem.to_rows * lemke.x;
  std::vector<double> expected(v.size());
  wall.calc_velocities(impulses.data(), expected.data());
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], expected[i], 1e-10);
}

}  // namespace
}  // namespace abut
