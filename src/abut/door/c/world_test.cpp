#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "abut/abut.h"
#include "abut/door/c/scenes_test.hpp"
#include "abut/record.hpp"

namespace {

using abut::c::kBall;
using abut::c::kMachine;
using abut::c::replaced;

abut_world* make_world(const std::string& text, abut_model** model_out = nullptr) {
  abut_scene* scene = nullptr;
  abut_model* model = nullptr;
  abut_world* world = nullptr;
  EXPECT_EQ(abut_scene_read_text(text.c_str(), nullptr, nullptr, 0, &scene), ABUT_OK) << abut_error_message(nullptr);
  EXPECT_EQ(abut_model_make(scene, &model), ABUT_OK) << abut_error_message(nullptr);
  EXPECT_EQ(abut_world_make(model, 0, &world), ABUT_OK) << abut_error_message(nullptr);
  abut_scene_free(scene);
  if (model_out != nullptr) {
    *model_out = model;
  } else {
    abut_model_free(model);  // the world does not need the handle
  }
  return world;
}

double time_of(abut_world* world) {
  double time = -1.0;
  EXPECT_EQ(abut_world_time(world, &time), ABUT_OK);
  return time;
}

TEST(CWorld, FallsAsGalileiSays) {
  abut_world* world = make_world(kBall);
  abut_step_report report;
  report.size = sizeof report;
  EXPECT_EQ(abut_world_step(world, &report), ABUT_OK);
  EXPECT_GT(report.time, 0.0);
  EXPECT_STREQ(report.message, "");
  ASSERT_EQ(abut_world_advance(world, 0.1, nullptr), ABUT_OK);
  EXPECT_EQ(time_of(world), 0.1);
  abut_motion ball;
  ASSERT_EQ(abut_world_body(world, "ball", &ball), ABUT_OK);
  EXPECT_NEAR(ball.position[2], 0.2 - 0.5 * 9.81 * 0.01, 1e-9);
  EXPECT_NEAR(ball.velocity[2], -0.981, 1e-9);
  EXPECT_EQ(ball.orientation[0], 1.0);
  abut_energy energy;
  energy.size = sizeof energy;
  ASSERT_EQ(abut_world_energy(world, &energy), ABUT_OK);
  EXPECT_NEAR(energy.kinetic, 0.5 * 2 * 0.981 * 0.981, 1e-8);
  EXPECT_EQ(energy.stored, energy.kinetic + energy.gravitational);
  EXPECT_LT(std::abs(energy.residual), 1e-9);
  double values[7] = {}, few[2] = {5, 5};
  size_t count = 0;
  EXPECT_EQ(abut_world_coordinates(world, nullptr, 0, &count), ABUT_OK);
  EXPECT_EQ(count, 7u);
  EXPECT_EQ(abut_world_coordinates(world, values, 7, &count), ABUT_OK);
  EXPECT_EQ(values[2], ball.position[2]);
  EXPECT_EQ(abut_world_velocities(world, few, 1, &count), ABUT_OK);
  EXPECT_EQ(count, 6u);
  EXPECT_EQ(few[1], 5) << "no more than there is room for";
  EXPECT_EQ(abut_world_free(world), ABUT_OK);
}

TEST(CWorld, ShowsContactsAndEvents) {
  abut_world* world = make_world(kBall);
  ASSERT_EQ(abut_world_advance(world, 0.145, nullptr), ABUT_OK);
  size_t count = 0;
  ASSERT_EQ(abut_world_find_contacts(world, &count), ABUT_OK);
  ASSERT_EQ(count, 1u);
  abut_contact contact;
  contact.size = sizeof contact;
  ASSERT_EQ(abut_world_contact(world, 0, &contact), ABUT_OK);
  EXPECT_STREQ(contact.body_a, "ball");
  EXPECT_STREQ(contact.body_b, "floor");
  EXPECT_GT(contact.depth, 0.0);
  EXPECT_EQ(contact.normal[2], 1.0);
  EXPECT_NEAR(contact.force[2], contact.normal_force, 1e-9 * contact.normal_force);
  EXPECT_EQ(abut_world_contact(world, 1, &contact), ABUT_ERROR_ARGUMENT);
  ASSERT_EQ(abut_world_advance(world, 0.2, nullptr), ABUT_OK);
  ASSERT_EQ(abut_world_take_events(world, &count), ABUT_OK);
  ASSERT_GE(count, 2u);
  abut_event event;
  event.size = sizeof event;
  ASSERT_EQ(abut_world_event(world, 0, &event), ABUT_OK);
  EXPECT_EQ(event.kind, ABUT_TOUCH);
  EXPECT_NEAR(event.time, std::sqrt(2 * 0.1 / 9.81), 1e-6);
  EXPECT_NEAR(event.normal_speed, -std::sqrt(2 * 0.1 * 9.81), 1e-6);
  EXPECT_EQ(abut_world_event(world, count, &event), ABUT_ERROR_ARGUMENT);
  ASSERT_EQ(abut_world_take_events(world, &count), ABUT_OK);
  EXPECT_EQ(count, 0u) << "taken once";
  abut_world_free(world);
}

TEST(CWorld, IsPushedAndCommanded) {
  abut_world* world = make_world(replaced(kMachine, "duration = 1.0", "duration = 1.0\ntolerance = 1e-9"));
  EXPECT_EQ(abut_world_set_command(world, "slide", 4.0), ABUT_OK) << abut_error_message(world);
  EXPECT_EQ(abut_world_set_motion(world, "turn", 0.5, 0.25, 0.0), ABUT_OK) << abut_error_message(world);
  ASSERT_EQ(abut_world_advance(world, 0.5, nullptr), ABUT_OK);
  double position = 0.0, rate = 0.0;
  EXPECT_EQ(abut_world_joint_position(world, "slide", &position), ABUT_OK);
  EXPECT_EQ(abut_world_joint_velocity(world, "slide", &rate), ABUT_OK);
  EXPECT_NEAR(position, 0.5 * 2.0 * 0.25, 1e-8);  // 4 N on 2 kg
  EXPECT_NEAR(rate, 1.0, 1e-8);
  EXPECT_EQ(abut_world_joint_position(world, "turn", &position), ABUT_OK);
  EXPECT_NEAR(position, 0.25, 1e-12);
  abut_wrench wrench = {{-4.0, 0, 0}, {0, 0, 0}};
  const double point[3] = {0, 0, 0.05};
  EXPECT_EQ(abut_world_set_force(world, "cart", &wrench, point), ABUT_OK);
  ASSERT_EQ(abut_world_advance(world, 1.0, nullptr), ABUT_OK);
  EXPECT_EQ(abut_world_joint_velocity(world, "slide", &rate), ABUT_OK);
  EXPECT_NEAR(rate, 1.0, 1e-8) << "the force balances the motor";
  abut_energy energy;
  energy.size = sizeof energy;
  ASSERT_EQ(abut_world_energy(world, &energy), ABUT_OK);
  EXPECT_NEAR(energy.motor, 4.0 * 0.75, 1e-7);
  EXPECT_NEAR(energy.applied_force, -4.0 * 0.5, 1e-7);
  EXPECT_EQ(abut_world_clear_inputs(world), ABUT_ERROR_INPUT) << "a prescribed motion cannot jump back";
  EXPECT_EQ(abut_world_set_command(world, "turn", 1.0), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_world_set_motion(world, "slide", 2.0, 1.0, 0.0), ABUT_ERROR_INPUT);
  abut_world_free(world);
}

TEST(CWorld, ClearsWhatWasPushed) {
  abut_world* world = make_world(kMachine);
  const abut_wrench wrench = {{3, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(abut_world_set_force(world, "cart", &wrench, nullptr), ABUT_OK);
  EXPECT_EQ(abut_world_clear_inputs(world), ABUT_OK);
  ASSERT_EQ(abut_world_advance(world, 0.1, nullptr), ABUT_OK);
  double rate = 1.0;
  EXPECT_EQ(abut_world_joint_velocity(world, "slide", &rate), ABUT_OK);
  EXPECT_EQ(rate, 0.0);
  abut_world_free(world);
}

TEST(CWorld, GoesBackToTheSameBits) {
  abut_model* model = nullptr;
  abut_world *world = make_world(kBall, &model), *other = nullptr, *copy = nullptr;
  ASSERT_EQ(abut_world_make(model, 1, &other), ABUT_OK);
  ASSERT_EQ(abut_world_advance(world, 0.145, nullptr), ABUT_OK);
  abut_state *saved = nullptr, *read = nullptr, *first = nullptr, *second = nullptr, *third = nullptr;
  ASSERT_EQ(abut_world_save(world, &saved), ABUT_OK);
  double time = 0.0;
  EXPECT_EQ(abut_state_time(saved, &time), ABUT_OK);
  EXPECT_EQ(time, time_of(world));
  const void* bytes = nullptr;
  size_t size = 0;
  ASSERT_EQ(abut_state_bytes(saved, &bytes, &size), ABUT_OK);
  ASSERT_EQ(abut_state_from_bytes(bytes, size, &read), ABUT_OK);
  ASSERT_EQ(abut_world_load(other, read), ABUT_OK);
  ASSERT_EQ(abut_world_copy(world, &copy), ABUT_OK);
  for (abut_world* each : {world, other, copy}) ASSERT_EQ(abut_world_advance(each, 0.3, nullptr), ABUT_OK);
  ASSERT_EQ(abut_world_save(world, &first), ABUT_OK);
  ASSERT_EQ(abut_world_save(other, &second), ABUT_OK);
  ASSERT_EQ(abut_world_save(copy, &third), ABUT_OK);
  int is_equal = 0;
  EXPECT_EQ(abut_state_equal(first, second, &is_equal), ABUT_OK);
  EXPECT_EQ(is_equal, 1);
  EXPECT_EQ(abut_state_equal(first, third, &is_equal), ABUT_OK);
  EXPECT_EQ(is_equal, 1);
  EXPECT_EQ(abut_state_equal(first, saved, &is_equal), ABUT_OK);
  EXPECT_EQ(is_equal, 0);

  abut_state* none = saved;
  EXPECT_EQ(abut_state_from_bytes("abut?", 5, &none), ABUT_ERROR_INPUT);
  EXPECT_EQ(none, nullptr);
  abut_world* foreign = make_world(replaced(kBall, "mass = 2.0", "mass = 3.0"));
  EXPECT_EQ(abut_world_load(foreign, saved), ABUT_ERROR_INPUT);
  EXPECT_NE(std::string(abut_error_message(foreign)).find("another model"), std::string::npos);
  EXPECT_EQ(time_of(foreign), 0.0);
  abut_model* of_world = nullptr;
  EXPECT_EQ(abut_world_model(world, &of_world), ABUT_OK);
  uint64_t one = 0, two = 1;
  abut_model_fingerprint(of_world, &one), abut_model_fingerprint(model, &two);
  EXPECT_EQ(one, two);
  abut_model_free(model), abut_model_free(of_world);
  for (abut_world* each : {world, other, copy, foreign}) abut_world_free(each);
  for (abut_state* each : {saved, read, first, second, third}) abut_state_free(each);
}

TEST(CWorld, IsRecorded) {
  const std::string folder = testing::TempDir() + "abut_c_record";
  abut_world* world = make_world(kBall);
  EXPECT_EQ(abut_world_stop_record(world), ABUT_ERROR_ARGUMENT);
  ASSERT_EQ(abut_world_start_record(world, folder.c_str()), ABUT_OK);
  EXPECT_EQ(abut_world_start_record(world, folder.c_str()), ABUT_ERROR_INPUT);
  abut_state* start = nullptr;
  ASSERT_EQ(abut_world_save(world, &start), ABUT_OK);
  EXPECT_EQ(abut_world_load(world, start), ABUT_ERROR_INPUT) << "while it is recorded";
  ASSERT_EQ(abut_world_advance(world, 0.3, nullptr), ABUT_OK);
  ASSERT_EQ(abut_world_stop_record(world), ABUT_OK);
  EXPECT_EQ(abut_world_load(world, start), ABUT_OK);
  const auto record = abut::v0::Record::read(folder);
  EXPECT_EQ(record.column("time").num_rows(), 31u);
  EXPECT_TRUE(record.is_complete);
  EXPECT_EQ(abut_world_start_record(world, "/proc/nowhere/x"), ABUT_ERROR_SYSTEM);
  // Freed while it is recorded: the record ends.
  ASSERT_EQ(abut_world_start_record(world, folder.c_str()), ABUT_OK);
  ASSERT_EQ(abut_world_advance(world, 0.05, nullptr), ABUT_OK);
  EXPECT_EQ(abut_world_free(world), ABUT_OK);
  EXPECT_TRUE(abut::v0::Record::read(folder).is_complete);
  abut_state_free(start);
}

/// A world that cannot go on: no error, but nothing that a program could overlook either.
TEST(CWorld, StopsWithAStatus) {
  abut_world* world = make_world(replaced(kBall, "duration = 0.3", "duration = 0.3\nmax_steps = 5"));
  abut_step_report report;
  report.size = sizeof report;
  ASSERT_EQ(abut_world_advance(world, 1.0, &report), ABUT_STOPPED) << report.time;
  EXPECT_STRNE(report.message, "");
  EXPECT_STREQ(abut_error_message(world), report.message);
  EXPECT_EQ(abut_error_status(world), ABUT_STOPPED);
  EXPECT_EQ(abut_error_status(nullptr), ABUT_STOPPED);
  EXPECT_EQ(abut_world_report(world, &report), ABUT_OK);
  EXPECT_EQ(report.time, time_of(world));
  abut_state* state = nullptr;
  EXPECT_EQ(abut_world_save(world, &state), ABUT_ERROR_INPUT);
  EXPECT_EQ(state, nullptr);
  abut_world_free(world);
}

TEST(CWorld, RefusesWhatIsNotThere) {
  abut_world* world = make_world(kBall);
  abut_motion motion = ABUT_MOTION_REST;
  const abut_wrench wrench = {{0, 0, 1}, {0, 0, 0}};
  double number = 0.0;
  EXPECT_EQ(abut_world_body(world, "bell", &motion), ABUT_ERROR_INPUT);
  EXPECT_NE(std::string(abut_error_message(world)).find("did you mean 'ball'"), std::string::npos);
  EXPECT_EQ(abut_world_body(world, nullptr, &motion), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_world_body(world, "ball", nullptr), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_world_advance(world, -1.0, nullptr), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_world_advance(world, std::nan(""), nullptr), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_world_joint_position(world, "none", &number), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_world_joint_velocity(world, nullptr, &number), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_world_set_command(world, "none", 1), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_world_set_force(world, "flor", &wrench, nullptr), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_world_set_force(world, "ball", nullptr, nullptr), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_world_time(world, nullptr), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_world_coordinates(world, nullptr, 3, nullptr), ABUT_ERROR_ARGUMENT);
  size_t count = 0;
  EXPECT_EQ(abut_world_coordinates(world, nullptr, 3, &count), ABUT_ERROR_ARGUMENT);
  abut_energy energy;
  energy.size = 8;
  EXPECT_EQ(abut_world_energy(world, &energy), ABUT_ERROR_ARGUMENT);
  EXPECT_NE(std::string(abut_error_message(world)).find("sizeof"), std::string::npos);
  abut_step_report report;
  report.size = 0;
  EXPECT_EQ(abut_world_step(world, &report), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(time_of(world), 0.0) << "refused before anything moved";
  abut_world_free(world);
}

TEST(CRun, IsMeasured) {
  abut_model* model = nullptr;
  abut_world_free(make_world(kBall, &model));
  abut_run* run = nullptr;
  ASSERT_EQ(abut_run_make(model, &run), ABUT_OK);
  double value = 0.0, reference = 0.0;
  ASSERT_EQ(abut_run_measure(run, "touch_time(ball, floor, 1)", nullptr, &value), ABUT_OK);
  EXPECT_NEAR(value, std::sqrt(2 * 0.1 / 9.81), 1e-6);
  ASSERT_EQ(abut_run_measure(run, "max_over(0, duration, reference(position(ball, z)))", run, &reference), ABUT_OK)
      << abut_error_message(run);
  EXPECT_NEAR(reference, 0.2, 1e-12);
  EXPECT_EQ(abut_run_measure(run, "touch_tim(ball, floor, 1)", nullptr, &value), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_run_measure(run, "touch_time(ball, floor, 9)", nullptr, &value), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_run_measure(run, nullptr, nullptr, &value), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_run_time(run, &value), ABUT_OK);
  EXPECT_EQ(value, 0.3);
  abut_run_free(run), abut_model_free(model);
}

/// It is made all the same, and what was recorded until then can be measured.
TEST(CRun, ThatStopsSaysSo) {
  abut_model *model = nullptr, *short_one = nullptr;
  abut_world_free(make_world(kBall, &model));
  const abut_change change = abut_change_whole("run.max_steps", 3);
  ASSERT_EQ(abut_model_with(model, &change, 1, &short_one), ABUT_OK) << abut_error_message(model);
  abut_run* run = nullptr;
  ASSERT_EQ(abut_run_make(short_one, &run), ABUT_STOPPED);
  ASSERT_NE(run, nullptr);
  EXPECT_NE(std::string(abut_error_message(nullptr)).find("max_steps"), std::string::npos);
  double time = 0.0, height = 0.0;
  EXPECT_EQ(abut_run_time(run, &time), ABUT_OK);
  EXPECT_GT(time, 0.0);
  EXPECT_LT(time, 0.3);
  EXPECT_EQ(abut_run_measure(run, "max_over(0, 0.001, position(ball, z))", nullptr, &height), ABUT_OK)
      << abut_error_message(run);
  EXPECT_NEAR(height, 0.2, 1e-12);
  abut_world* world = nullptr;
  EXPECT_EQ(abut_world_make(model, -1, &world), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(world, nullptr);
  abut_run_free(run), abut_model_free(model), abut_model_free(short_one);
}

}  // namespace
