#include "abut/solve/lcp/friction_contact.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/solve/lcp/random_problem_test.hpp"

namespace abut {
namespace {

TEST(FrictionContact, DirectionsAreUnitAndOppositeInPairs) {
  for (const int facets : {4, 6, 8, 16}) {
    const FrictionContact contact{0, 0.3, FrictionCone::polygon, facets, 0.0};
    for (int k = 0; k < facets; ++k) {
      const Vec2 d = calc_facet_direction(contact, k), opposite = calc_facet_direction(contact, k + facets / 2);
      EXPECT_NEAR(d.norm(), 1.0, 1e-15);
      EXPECT_LE((d + opposite).norm(), 4e-15);  // rounding of angles up to two turns
    }
    EXPECT_EQ(calc_facet_direction(contact, 0), Vec2(1.0, 0.0));
  }
}

TEST(FrictionContact, EveryLawIsMetForRandomContacts) {
  TestRandom random(21);
  int stuck = 0, slid = 0, lifted = 0;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const MatX G = random.matrix(3, 3);
    const Mat3 W = G * G.transpose() + 0.3 * Mat3::Identity();
    Vec3 b = random.matrix(3, 1);
    b.tail<2>() *= 0.25;
    for (const FrictionCone cone : {FrictionCone::box, FrictionCone::polygon, FrictionCone::circle}) {
      const FrictionContact contact{0, 0.4, cone, 8, 0.1};
      const Vec3 x = solve_single_contact(contact, W, b), w = W * x + b;
      EXPECT_LE(calc_contact_residual(contact, x, w, W.trace() / 3.0), 1e-11)
          << repeat << " " << static_cast<int>(cone);
      if (cone != FrictionCone::circle) continue;
      if (x[0] == 0.0)
        ++lifted;
      else if (w.tail<2>().norm() < 1e-12)
        ++stuck;
      else {
        ++slid;
        // Coulomb: opposite to the slip, of size mu times the normal impulse.
        EXPECT_NEAR(x.tail<2>().norm(), 0.4 * x[0], 1e-15);
        EXPECT_NEAR(x.tail<2>().dot(w.tail<2>()), -0.4 * x[0] * w.tail<2>().norm(), 1e-12);
      }
    }
  }
  EXPECT_GT(stuck, 20);
  EXPECT_GT(slid, 100);
  EXPECT_GT(lifted, 100);
}

TEST(FrictionContact, ResidualSeesEachViolation) {
  const FrictionContact circle{0, 0.5, FrictionCone::circle, 4, 0.0};
  EXPECT_EQ(calc_contact_residual(circle, Vec3(1.0, 0.3, 0.0), Vec3::Zero(), 1.0), 0.0);
  EXPECT_NEAR(calc_contact_residual(circle, Vec3(1.0, 0.7, 0.0), Vec3::Zero(), 1.0), 0.2, 1e-15);
  EXPECT_NEAR(calc_contact_residual(circle, Vec3(1.0, -0.5, 0.0), Vec3(0.0, 2.0, 0.0), 1.0), 0.0, 1e-15);
  EXPECT_GT(calc_contact_residual(circle, Vec3(1.0, -0.4, 0.0), Vec3(0.0, 2.0, 0.0), 1.0), 0.09);
  EXPECT_NEAR(calc_contact_residual(circle, Vec3(-0.1, 0.0, 0.0), Vec3(1.0, 0.0, 0.0), 1.0), 0.1, 1e-15);
  const FrictionContact polygon{0, 0.5, FrictionCone::polygon, 4, 0.0};
  EXPECT_NEAR(calc_contact_residual(polygon, Vec3(1.0, -0.5, 0.0), Vec3(0.0, 2.0, 1.0), 1.0), 0.0, 1e-15);
  EXPECT_NEAR(calc_contact_residual(polygon, Vec3(1.0, -0.25, -0.25), Vec3(0.0, 2.0, 1.0), 1.0), 0.5, 1e-15);
  EXPECT_GT(calc_contact_residual(polygon, Vec3(1.0, 0.4, 0.4), Vec3::Zero(), 1.0), 0.1);
}

// A joint blocks a tangent, along an axis or askew: the other directions are solved as if it were not there.
// A body on a guide moves along one line, so that its slip follows from its normal speed. Friction opposes that slip;
// it took any direction, out of the rounding of a mobility that is zero.
TEST(FrictionContact, FrictionOpposesASlipThatAGuideTies) {
  TestRandom random(5);
  int solved = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const Vec3 along = Vec3(random.matrix(3, 1)).normalized();
    const Mat3 W = 0.7 * along * along.transpose();
    if (!(std::abs(along[0]) > 0.1)) continue;
    const double start = -std::copysign(2.0, along[0]), target = 0.3;  // speed along the guide; normal speed wanted
    Vec3 b = start * along;
    b[0] -= target;
    for (const double mu : {0.1, 0.5}) {
      const Vec2 t = along.tail<2>() / along[0];  // slip over normal speed
      if (mu * t.norm() > 0.9) continue;          // jams
      ++solved;
      const FrictionContact contact{0, mu, FrictionCone::circle, 4, 0.0};
      const Vec3 x = solve_single_contact(contact, W, b);
      const Vec3 w = W * x + b;
      EXPECT_NEAR(w[0], 0.0, 1e-12) << repeat;
      const Vec2 wanted = -mu * x[0] * t.normalized();
      EXPECT_LE((x.tail<2>() - wanted).norm(), 1e-9 * x[0]) << repeat << " " << mu;
      // Along the one line: W_nn (1 - mu |t|) x_n = -b_n.
      EXPECT_NEAR(x[0] * 0.7 * along[0] * along[0] * (1.0 - mu * t.norm()), -b[0], 1e-9) << repeat;
    }
  }
  EXPECT_GT(solved, 100);
}

TEST(FrictionContact, BlockedTangentsTakeNoImpulse) {
  for (const double angle : {0.0, 0.3, 0.785398}) {
    const Vec2 movable(std::cos(angle), std::sin(angle));
    Mat3 W = Mat3::Zero();
    W(0, 0) = 1.2;
    W.block<2, 1>(1, 0) = 0.3 * movable;
    W.block<1, 2>(0, 1) = 0.3 * movable.transpose();
    W.block<2, 2>(1, 1) = 0.8 * movable * movable.transpose();
    for (const double slip : {0.05, 3.0}) {
      const Vec3 b(-1.0, slip * movable.x(), slip * movable.y());
      FrictionContact contact;
      contact.mu = 0.4;
      const Vec3 x = solve_single_contact(contact, W, b), w = W * x + b;
      ASSERT_TRUE(x.allFinite());
      EXPECT_NEAR(w[0], 0.0, 1e-12);
      EXPECT_NEAR(x.tail<2>().dot(Vec2(-movable.y(), movable.x())), 0.0, 1e-9);
      EXPECT_LE(calc_contact_residual(contact, x, w, 1.0), 1e-9) << angle << " " << slip;
    }
  }
}

}  // namespace
}  // namespace abut
