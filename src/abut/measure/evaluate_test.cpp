#include "abut/measure/evaluate.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// A made-up record of a ball over a floor: z(t) = t^3 - t in [0, 2] s, two contacts, the second not ended.
RunRecord make_record() {
  RunRecord record;
  RecordLayout layout;
  layout.body_names = {"ball", "floor"};
  layout.joint_names = {"hinge", "tip"};
  layout.joint_q_start = {0, 1};
  layout.joint_num_q = {1, 4};
  layout.joint_v_start = {0, 1};
  layout.joint_num_v = {1, 3};
  record.begin(layout);
  for (int i = 0; i <= 20; ++i) {
    const double t = 0.1 * i;
    Sample sample;
    sample.time = t;
    sample.bodies.resize(2);
    sample.bodies[0].position = Vec3(0, 0, t * t * t - t);
    sample.bodies[0].velocity = Vec3(0, 0, 3 * t * t - 1);
    sample.q = {t * t * t, 1, 0, 0, 0};
    sample.v = {3 * t * t, 0, 0, 0};
    sample.joint_force = {2 * t, 0, 0, 0};
    sample.energy.assign(15, 0.0);
    sample.energy[0] = 5 * t;
    if (i >= 15) {
      ContactSample contact;
      contact.body_a = 1;  // as written in the scene: floor first
      contact.body_b = 0;
      contact.depth = 0.01 * t;
      contact.normal = Vec3(0, 0, -1);
      contact.force = Vec3(3, 4, -10);
      contact.normal_force = 10;
      contact.slip_velocity = Vec3(0, -2, 0);
      contact.point = Vec3(0.1 * t, 2, 3);
      sample.contacts = {contact};
    }
    record.sample(sample);
  }
  record.event({0.5, ContactEventKind::touch, 1, 0, 0, -2.0});
  record.event({0.6, ContactEventKind::lift, 1, 0, 0, 1.5});
  record.event({1.5, ContactEventKind::touch, 1, 0, 0, -1.5});
  RunSummary summary;
  summary.worst_residual = -3e-9;
  summary.work.accepted = 42;
  PairSummary pair;
  pair.body_a = "floor";
  pair.body_b = "ball";
  pair.peak_force = 77;
  pair.friction = 2;
  pair.viscous = 0.5;
  summary.pairs = {pair};
  record.set_summary(summary);
  return record;
}

double calc(const std::string& text) {
  static const RunRecord record = make_record();
  static const MeasureNames names{{"ball", "floor"}, {"hinge", "tip"}};
  return evaluate_measure(parse_expression(text, &names), &record);
}

std::string find_refusal(const std::string& text) {
  try {
    calc(text);
  } catch (const MeasureError& error) {
    return error.what();
  }
  return "";
}

// Cubic interpolation reproduces a cubic; what is left is rounding.
constexpr double kRounding = 1e-14;

TEST(Evaluate, PositionsAndJointCoordinatesAreCubicBetweenSamples) {
  EXPECT_NEAR(calc("at(0.537, position(ball, z))"), std::pow(0.537, 3) - 0.537, kRounding);
  EXPECT_NEAR(calc("at(1.234, joint(hinge, 0))"), std::pow(1.234, 3), kRounding);
}

TEST(Evaluate, VelocitiesForcesAndEnergiesAreStraightBetweenSamples) {
  const double low = 3 * 0.5 * 0.5 - 1, high = 3 * 0.6 * 0.6 - 1;
  EXPECT_NEAR(calc("at(0.55, velocity(ball, z))"), 0.5 * (low + high), kRounding);
  EXPECT_NEAR(calc("at(0.55, energy(kinetic))"), 2.75, kRounding);
  EXPECT_NEAR(calc("at(0.55, joint_force(hinge, 0))"), 1.1, kRounding);
}

TEST(Evaluate, TimeIsTheEndOfTheRunUnlessSaidOtherwise) {
  EXPECT_NEAR(calc("position(ball, z)"), 6.0, kRounding);
  EXPECT_NEAR(calc("t"), 2.0, kRounding);
  EXPECT_NEAR(calc("at(1, t + at(0.5, t))"), 1.5, kRounding);
}

TEST(Evaluate, ExtremaOfSignals) {
  const double t_min = 1.0 / std::sqrt(3.0);
  EXPECT_NEAR(calc("min_over(0, 2, position(ball, z))"), std::pow(t_min, 3) - t_min, kRounding);
  EXPECT_NEAR(calc("time_of_max(0, 1, -position(ball, z))"), t_min, 1e-7);  // flat: square root of rounding
  EXPECT_NEAR(calc("peak(1, 3 - position(ball, z))"), 3 - std::pow(t_min, 3) + t_min, kRounding);
  EXPECT_NEAR(calc("first_time(position(ball, z))"), 1.0, 1e-14);
}

TEST(Evaluate, ContactsCountFromOneInEitherOrderOfNames) {
  EXPECT_EQ(calc("touches(ball, floor)"), 2.0);
  EXPECT_EQ(calc("touches(floor, ball)"), 2.0);
  EXPECT_EQ(calc("touch_speed(ball, floor, 1)"), 2.0);
  EXPECT_EQ(calc("restitution(ball, floor, 1)"), 0.75);
  EXPECT_NEAR(calc("contact_time(ball, floor, 1)"), 0.1, kRounding);
  EXPECT_EQ(calc("touches_between(ball, floor, 0.5, 2)"), 1.0);
  EXPECT_EQ(calc("first_contact(ball, floor, lift_speed(ball, floor, n) - 1)"), 1.0);
}

TEST(Evaluate, ForcesActOnTheBodyNamedFirst) {
  EXPECT_EQ(calc("force(floor, ball, z)"), -10.0);
  EXPECT_EQ(calc("force(ball, floor, z)"), 10.0);
  EXPECT_EQ(calc("normal(ball, floor, z)"), 1.0);
  EXPECT_EQ(calc("friction_force(ball, floor)"), 5.0);
  EXPECT_EQ(calc("point(ball, floor, y)"), 2.0);
  EXPECT_EQ(calc("point(floor, ball, z)"), 3.0);
  EXPECT_EQ(calc("at(1, normal_force(ball, floor))"), 0.0);
}

TEST(Evaluate, MisalignmentIsTheAngleBetweenFrictionAndAgainstTheSlip) {
  // Force (3, 4), slip (0, -2): the same seen from either body.
  EXPECT_NEAR(calc("misalignment(ball, floor)"), std::acos(0.8), kRounding);
  EXPECT_NEAR(calc("misalignment(floor, ball)"), std::acos(0.8), kRounding);
  EXPECT_EQ(calc("at(1, misalignment(ball, floor))"), 0.0);
}

TEST(Evaluate, MeansAndWhatIsPositive) {
  EXPECT_NEAR(calc("mean_over(0, 2, t)"), 1.0, kRounding);
  EXPECT_NEAR(calc("mean_over(0.5, 1, at(0.5, t) + t)"), 1.25, kRounding);
  EXPECT_EQ(calc("positive(0)"), 0.0);
  EXPECT_EQ(calc("positive(1e-300) - positive(-1)"), 1.0);
}

TEST(Evaluate, ReadsTheReferenceAtTheSameTime) {
  RunRecord other;
  RecordLayout layout;
  layout.body_names = {"ball", "floor"};
  other.begin(layout);
  for (const double t : {0.0, 2.0}) {
    Sample sample;
    sample.time = t;
    sample.bodies.resize(2);
    sample.bodies[0].position = Vec3(7 * t, 0, 0);
    sample.bodies[0].velocity = Vec3(7, 0, 0);
    other.sample(sample);
  }
  const RunRecord record = make_record();
  const MeasureNames names{{"ball", "floor"}, {}};
  const auto compare = [&](const char* text) {
    return evaluate_measure(parse_expression(text, &names), &record, &other);
  };
  EXPECT_NEAR(compare("at(1.5, reference(position(ball, x)) + t)"), 12.0, kRounding);
  EXPECT_NEAR(compare("max_over(0, 1, reference(position(ball, x)) - position(ball, x))"), 7.0, kRounding);
}

TEST(Evaluate, SummaryOfTheRun) {
  EXPECT_EQ(calc("worst_residual"), 3e-9);
  EXPECT_EQ(calc("steps_accepted"), 42.0);
  EXPECT_EQ(calc("peak_force(ball, floor)"), 77.0);
  EXPECT_EQ(calc("friction_work(ball, floor)"), 2.5);
}

TEST(Evaluate, SaysWhyARunCannotAnswer) {
  EXPECT_EQ(find_refusal("touch_time(ball, floor, 3)"), "ball and floor touched 2 times; there is no contact 3");
  EXPECT_EQ(find_refusal("lift_time(ball, floor, 2)"), "contact 2 of ball and floor has not ended");
  EXPECT_EQ(find_refusal("touch_time(ball, floor, 1.5)"), "1.5 is not a count");
  EXPECT_EQ(find_refusal("at(3, position(ball, x))"), "the run covers 0 to 2 s, not 3 s");
  EXPECT_EQ(find_refusal("joint(tip, 4)"), "joint 'tip' has 4 coordinates, counted from 0");
  EXPECT_EQ(find_refusal("max_over(1, 1, t)"), "the range from 1 s to 1 s is empty");
  EXPECT_EQ(find_refusal("peak(9, position(ball, z))"), "the signal has fewer than 9 local maxima");
  EXPECT_EQ(find_refusal("first_contact(ball, floor, -1)"), "no contact of ball and floor meets the condition");
}

TEST(Evaluate, KnowsWhetherAMeasureAsksForTheOutcome) {
  const MeasureNames names{{"ball"}, {}};
  EXPECT_TRUE(asks_for(Function::is_done, parse_expression("1 - is_done", &names)));
  EXPECT_FALSE(asks_for(Function::is_done, parse_expression("speed(ball)", &names)));
}

}  // namespace
}  // namespace abut
