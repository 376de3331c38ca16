#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "abut/abut.h"
#include "abut/door/c/scenes_test.hpp"

namespace {

using abut::c::kBall;

constexpr const char* kSphere = "mass = 2.0\nshape = { type = \"sphere\", radius = 0.1 }";
constexpr const char* kFloor = "fixed = true\nshape = { type = \"half-space\", normal = [0, 0, 1] }";
constexpr const char* kLaws = R"(normal = { law = "gonthier", stiffness = 1e6, restitution = 0.5 }
friction = { law = "bristle", mu_s = 0.45, mu_c = 0.4 })";

abut_motion at_height(double height, double rate) {
  abut_motion motion = ABUT_MOTION_REST;
  motion.position[2] = height;
  motion.velocity[2] = rate;
  return motion;
}

/// What stands in both: the same pair.
TEST(CPair, OfTextsIsThatOfAScene) {
  abut_scene* scene = nullptr;
  abut_pair *pairs[2] = {}, *none = nullptr;
  ASSERT_EQ(abut_scene_read_text(kBall, nullptr, nullptr, 0, &scene), ABUT_OK);
  ASSERT_EQ(abut_pair_make(scene, "ball", "floor", &pairs[0]), ABUT_OK);
  ASSERT_EQ(abut_pair_read_texts(kSphere, kFloor, kLaws, &pairs[1]), ABUT_OK) << abut_error_message(nullptr);
  EXPECT_EQ(abut_pair_make(scene, "ball", "flor", &none), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_pair_make(scene, nullptr, "floor", &none), ABUT_ERROR_ARGUMENT);
  abut_scene_free(scene);
  const abut_motion ball = at_height(0.0999, -0.1), floor = ABUT_MOTION_REST;
  abut_pair_force forces[2];
  for (int i = 0; i < 2; ++i) {
    abut_pair_state* state = nullptr;
    ASSERT_EQ(abut_pair_start(pairs[i], &state), ABUT_OK);
    size_t events = 0, count = 0;
    ASSERT_EQ(abut_pair_begin_step(pairs[i], state, 0, 1e-4, &ball, &floor, &events), ABUT_OK);
    ASSERT_EQ(events, 1u);
    abut_event event;
    event.size = sizeof event;
    EXPECT_EQ(abut_pair_event(pairs[i], 0, &event), ABUT_OK);
    EXPECT_EQ(event.kind, ABUT_TOUCH);
    EXPECT_EQ(abut_pair_event(pairs[i], 1, &event), ABUT_ERROR_ARGUMENT);
    ASSERT_EQ(abut_pair_state_numbers(state, nullptr, 0, &count), ABUT_OK);
    std::vector<double> numbers(count), rates(count);
    ASSERT_EQ(abut_pair_state_numbers(state, numbers.data(), count, &count), ABUT_OK);
    forces[i].size = sizeof forces[i];
    ASSERT_EQ(abut_pair_evaluate(pairs[i], state, 0, &ball, &floor, numbers.data(), rates.data(), count, &forces[i]),
              ABUT_OK);
    ASSERT_EQ(forces[i].num_contacts, 1u);
    abut_contact contact;
    contact.size = sizeof contact;
    ASSERT_EQ(abut_pair_contact(pairs[i], 0, &contact), ABUT_OK);
    EXPECT_EQ(contact.force[2], forces[i].on_a.force[2]);
    EXPECT_EQ(forces[i].on_b.force[2], -forces[i].on_a.force[2]);
    EXPECT_TRUE(std::any_of(rates.begin(), rates.end(), [](double rate) { return rate != 0.0; })) << "work is done";
    abut_pair_state_free(state);
  }
  EXPECT_GT(forces[0].on_a.force[2], 0.1);
  EXPECT_EQ(forces[0].on_a.force[2], forces[1].on_a.force[2]);
  abut_pair_free(pairs[0]), abut_pair_free(pairs[1]);
}

TEST(CPair, MistakesInTextsHaveTheirPlaces) {
  abut_pair* pair = nullptr;
  abut_mistake mistake;
  mistake.size = sizeof mistake;
  const std::string laws =
      "normal = { law = \"gonthier\", stiffness = 1e6, restitution = 0.5 }\n"
      "friction = { law = \"bristel\" }";
  EXPECT_EQ(abut_pair_read_texts(kSphere, kFloor, laws.c_str(), &pair), ABUT_ERROR_INPUT);
  ASSERT_GE(abut_error_count(nullptr), 1u);
  ASSERT_EQ(abut_error_mistake(nullptr, 0, &mistake), ABUT_OK);
  EXPECT_STREQ(mistake.file, "contact");
  EXPECT_EQ(mistake.line, 2) << abut_error_message(nullptr);
  const std::string report = abut_error_message(nullptr);
  EXPECT_NE(report.find("contact:2:"), std::string::npos) << report;
  EXPECT_NE(report.find("    2 | friction = { law = \"bristel\" }"), std::string::npos) << report;
  EXPECT_NE(report.find("bristle"), std::string::npos) << report;

  EXPECT_EQ(abut_pair_read_texts("mass = -1\nshape = { type = \"sphere\", radius = 0.1 }", kFloor, kLaws, &pair),
            ABUT_ERROR_INPUT);
  ASSERT_EQ(abut_error_mistake(nullptr, 0, &mistake), ABUT_OK);
  EXPECT_STREQ(mistake.file, "body_a");
  EXPECT_EQ(mistake.line, 1);
  EXPECT_EQ(abut_pair_read_texts(kSphere, "fixed = true\nshape = { type = ", kLaws, &pair), ABUT_ERROR_INPUT);
  ASSERT_EQ(abut_error_mistake(nullptr, 0, &mistake), ABUT_OK);
  EXPECT_STREQ(mistake.file, "body_b") << abut_error_message(nullptr);
  EXPECT_EQ(abut_pair_read_texts(kSphere, kFloor, "", &pair), ABUT_ERROR_INPUT) << "a contact says how it acts";
  EXPECT_EQ(abut_pair_read_texts(kSphere, nullptr, kLaws, &pair), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_pair_read_texts(kFloor, kFloor, kLaws, &pair), ABUT_ERROR_INPUT) << "both fixed";
  EXPECT_EQ(pair, nullptr);
}

/// A step that was taken and is taken again from a copied state has the same bits.
TEST(CPair, StatesAreCopiedToGoBack) {
  abut_pair *pair = nullptr, *other = nullptr;
  ASSERT_EQ(abut_pair_read_texts(kSphere, kFloor, kLaws, &pair), ABUT_OK);
  ASSERT_EQ(abut_pair_read_texts(kSphere, kFloor, kLaws, &other), ABUT_OK);
  abut_pair_state *state = nullptr, *before = nullptr, *foreign = nullptr;
  ASSERT_EQ(abut_pair_start(pair, &state), ABUT_OK);
  ASSERT_EQ(abut_pair_start(other, &foreign), ABUT_OK);
  const abut_motion floor = ABUT_MOTION_REST;
  abut_motion ball = at_height(0.0999, -0.1);
  ball.velocity[0] = 0.2;
  abut_pair_force force;
  force.size = sizeof force;
  double numbers[64], rates[64], ends[2][64];
  size_t count = 0;
  ASSERT_EQ(abut_pair_begin_step(pair, state, 0, 1e-4, &ball, &floor, nullptr), ABUT_OK);
  ASSERT_EQ(abut_pair_state_copy(state, &before), ABUT_OK);
  for (int k = 0; k < 2; ++k) {
    ASSERT_EQ(abut_pair_state_numbers(state, numbers, 64, &count), ABUT_OK);
    ASSERT_GT(count, 2u);
    ASSERT_LE(count, 64u);
    ASSERT_EQ(abut_pair_evaluate(pair, state, 0, &ball, &floor, nullptr, rates, count, &force), ABUT_OK);
    for (size_t i = 0; i < count; ++i) numbers[i] += 1e-4 * rates[i];
    int is_done = 0;
    ASSERT_EQ(abut_pair_end_step(pair, state, 1e-4, numbers, count, &is_done), ABUT_OK);
    EXPECT_EQ(is_done, 1);
    ASSERT_EQ(abut_pair_state_numbers(state, ends[k], 64, &count), ABUT_OK);
    abut_energy energy;
    energy.size = sizeof energy;
    ASSERT_EQ(abut_pair_energy(pair, state, 1e-4, &ball, &floor, &energy), ABUT_OK);
    EXPECT_GT(energy.elastic, 0.0);
    EXPECT_EQ(energy.kinetic, 0.0);
    ASSERT_EQ(abut_pair_state_assign(state, before), ABUT_OK);
    ASSERT_EQ(abut_pair_state_assign(state, state), ABUT_OK);
  }
  EXPECT_TRUE(std::equal(ends[0], ends[0] + count, ends[1]));
  EXPECT_FALSE(std::equal(ends[0], ends[0] + count, std::begin(rates)));

  int is_done = 0;
  EXPECT_EQ(abut_pair_evaluate(pair, foreign, 0, &ball, &floor, nullptr, nullptr, 0, &force), ABUT_ERROR_ARGUMENT)
      << "a state is good for its pair only";
  EXPECT_EQ(abut_pair_evaluate(pair, state, 0, &ball, &floor, numbers, nullptr, count - 1, &force),
            ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_pair_end_step(pair, state, 1e-4, numbers, count + 1, &is_done), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_pair_end_step(pair, state, 1e-4, nullptr, count, &is_done), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_pair_end_step(pair, foreign, 1e-4, numbers, count, &is_done), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_pair_begin_step(pair, state, 1, 0, &ball, &floor, nullptr), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_pair_begin_step(pair, state, 1, 1e-4, nullptr, &floor, nullptr), ABUT_ERROR_ARGUMENT);
  abut_motion crooked = ball;
  crooked.orientation[0] = 2;
  EXPECT_EQ(abut_pair_evaluate(pair, state, 0, &crooked, &floor, nullptr, nullptr, 0, &force), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_pair_evaluate(pair, state, 0, &ball, &floor, nullptr, nullptr, 0, nullptr), ABUT_ERROR_ARGUMENT);
  abut_contact contact;
  contact.size = sizeof contact;
  EXPECT_EQ(abut_pair_contact(pair, 9, &contact), ABUT_ERROR_ARGUMENT);
  // The pair may go first.
  EXPECT_EQ(abut_pair_free(pair), ABUT_OK);
  EXPECT_EQ(abut_pair_state_numbers(state, numbers, 64, &count), ABUT_OK);
  abut_pair_free(other);
  for (abut_pair_state* each : {state, before, foreign}) EXPECT_EQ(abut_pair_state_free(each), ABUT_OK);
}

TEST(CPair, JacobianIsThatOfTheDoor) {
  abut_pair* pair = nullptr;
  abut_pair_state* state = nullptr;
  ASSERT_EQ(abut_pair_read_texts(kSphere, kFloor, "normal = { law = \"hertz\", stiffness = 1e6 }", &pair), ABUT_OK);
  ASSERT_EQ(abut_pair_start(pair, &state), ABUT_OK);
  const abut_motion ball = at_height(0.0999, 0), floor = ABUT_MOTION_REST;
  ASSERT_EQ(abut_pair_begin_step(pair, state, 0, 1e-3, &ball, &floor, nullptr), ABUT_OK);
  abut_pair_force force;
  force.size = sizeof force;
  ASSERT_EQ(abut_pair_evaluate(pair, state, 0, &ball, &floor, nullptr, nullptr, 0, &force), ABUT_OK);
  abut_jacobian jacobian;
  jacobian.size = sizeof jacobian;
  ASSERT_EQ(abut_pair_jacobian(pair, state, 0, &ball, &floor, nullptr, 0, &jacobian), ABUT_OK);
  const double slope = -1.5 * 1e6 * std::cbrt(force.on_a.force[2] / 1e6);
  EXPECT_NEAR(jacobian.by_a[2][2], slope, 1e-6 * -slope);
  EXPECT_NEAR(jacobian.by_b[2][2], -slope, 1e-6 * -slope);
  EXPECT_GT(jacobian.error_by_a[2][2], 0.0);
  double numbers[1] = {};
  EXPECT_EQ(abut_pair_jacobian(pair, state, 0, &ball, &floor, numbers, 1, &jacobian), ABUT_ERROR_ARGUMENT);
  jacobian.size = 1;
  EXPECT_EQ(abut_pair_jacobian(pair, state, 0, &ball, &floor, nullptr, 0, &jacobian), ABUT_ERROR_ARGUMENT);
  abut_pair_state_free(state), abut_pair_free(pair);
}

}  // namespace
