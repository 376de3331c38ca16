#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "abut/abut.h"
#include "abut/base/error.hpp"
#include "abut/door/c/call.hpp"
#include "abut/door/c/objects.hpp"
#include "abut/door/c/scenes_test.hpp"

namespace {

using abut::c::Call;
using abut::c::enter;
using abut::c::kBall;
using abut::c::SceneObject;

abut_scene* make_scene() {
  abut_scene* scene = nullptr;
  EXPECT_EQ(abut_scene_read_text(kBall, nullptr, nullptr, 0, &scene), ABUT_OK);
  return scene;
}

TEST(CHandle, WrongOnesAreAnswered) {
  const size_t before = abut_count_handles();
  abut_scene* scene = make_scene();
  EXPECT_EQ(abut_count_handles(), before + 1);
  int local = 0;
  abut_model* model = nullptr;
  // NULL, something of the program's own, another kind, nonsense.
  for (const void* wrong : {static_cast<const void*>(nullptr), static_cast<const void*>(&local),
                            reinterpret_cast<const void*>(~std::uintptr_t{0})}) {
    EXPECT_EQ(abut_model_make(static_cast<const abut_scene*>(wrong), &model), ABUT_ERROR_HANDLE);
    EXPECT_EQ(model, nullptr);
    EXPECT_EQ(abut_error_status(nullptr), ABUT_ERROR_HANDLE);
    if (wrong != nullptr) {
      EXPECT_EQ(abut_error_status(wrong), ABUT_OK) << "what is no handle has no failure";
    }
  }
  double time = 0.0;
  EXPECT_EQ(abut_world_time(reinterpret_cast<abut_world*>(scene), &time), ABUT_ERROR_HANDLE);
  EXPECT_NE(std::string(abut_error_message(nullptr)).find("abut_world_time: this is no abut_world"), std::string::npos);
  EXPECT_EQ(abut_world_free(reinterpret_cast<abut_world*>(scene)), ABUT_ERROR_HANDLE);
  EXPECT_EQ(abut_scene_free(scene), ABUT_OK);
  EXPECT_EQ(abut_scene_free(scene), ABUT_ERROR_HANDLE) << "freed twice";
  EXPECT_EQ(abut_scene_free(nullptr), ABUT_OK);
  const char* title = nullptr;
  EXPECT_EQ(abut_scene_title(scene, &title), ABUT_ERROR_HANDLE) << "used after it was freed";
  abut_scene* next = make_scene();
  EXPECT_NE(next, scene) << "no handle is given twice";
  abut_scene_free(next);
  EXPECT_EQ(abut_count_handles(), before);
}

/// Every function, with NULL for every pointer: an answer, and nothing left behind.
TEST(CHandle, NullIsAnsweredEverywhere) {
  const size_t before = abut_count_handles();
  EXPECT_EQ(abut_scene_read_file(nullptr, nullptr, 0, nullptr), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_scene_read_text(nullptr, nullptr, nullptr, 0, nullptr), ABUT_ERROR_ARGUMENT);
  abut_scene* scene = nullptr;
  EXPECT_EQ(abut_scene_read_text(nullptr, nullptr, nullptr, 0, &scene), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_scene_read_text(kBall, nullptr, nullptr, 1, &scene), ABUT_ERROR_ARGUMENT);
  const char* const settings[] = {nullptr};
  EXPECT_EQ(abut_scene_read_text(kBall, nullptr, settings, 1, &scene), ABUT_ERROR_ARGUMENT);
  for (const abut_status status :
       {abut_scene_copy(nullptr, nullptr),
        abut_scene_set(nullptr, nullptr, 0),
        abut_scene_to_toml(nullptr, nullptr),
        abut_scene_title(nullptr, nullptr),
        abut_scene_duration(nullptr, nullptr),
        abut_scene_count_bodies(nullptr, nullptr),
        abut_scene_count_joints(nullptr, nullptr),
        abut_scene_body_name(nullptr, 0, nullptr),
        abut_scene_joint_name(nullptr, 0, nullptr),
        abut_model_make(nullptr, nullptr),
        abut_model_with(nullptr, nullptr, 0, nullptr),
        abut_model_scene(nullptr, nullptr),
        abut_model_fingerprint(nullptr, nullptr),
        abut_world_make(nullptr, 0, nullptr),
        abut_world_copy(nullptr, nullptr),
        abut_world_model(nullptr, nullptr),
        abut_world_step(nullptr, nullptr),
        abut_world_advance(nullptr, 1, nullptr),
        abut_world_report(nullptr, nullptr),
        abut_world_time(nullptr, nullptr),
        abut_world_body(nullptr, nullptr, nullptr),
        abut_world_energy(nullptr, nullptr),
        abut_world_joint_position(nullptr, nullptr, nullptr),
        abut_world_joint_velocity(nullptr, nullptr, nullptr),
        abut_world_coordinates(nullptr, nullptr, 0, nullptr),
        abut_world_velocities(nullptr, nullptr, 0, nullptr),
        abut_world_find_contacts(nullptr, nullptr),
        abut_world_contact(nullptr, 0, nullptr),
        abut_world_take_events(nullptr, nullptr),
        abut_world_event(nullptr, 0, nullptr),
        abut_world_set_force(nullptr, nullptr, nullptr, nullptr),
        abut_world_set_command(nullptr, nullptr, 0),
        abut_world_set_motion(nullptr, nullptr, 0, 0, 0),
        abut_world_clear_inputs(nullptr),
        abut_world_save(nullptr, nullptr),
        abut_world_load(nullptr, nullptr),
        abut_state_from_bytes(nullptr, 0, nullptr),
        abut_state_bytes(nullptr, nullptr, nullptr),
        abut_state_time(nullptr, nullptr),
        abut_state_equal(nullptr, nullptr, nullptr),
        abut_world_start_record(nullptr, nullptr),
        abut_world_stop_record(nullptr),
        abut_run_make(nullptr, nullptr),
        abut_run_measure(nullptr, nullptr, nullptr, nullptr),
        abut_run_time(nullptr, nullptr),
        abut_pair_make(nullptr, nullptr, nullptr, nullptr),
        abut_pair_read_texts(nullptr, nullptr, nullptr, nullptr),
        abut_pair_start(nullptr, nullptr),
        abut_pair_state_copy(nullptr, nullptr),
        abut_pair_state_assign(nullptr, nullptr),
        abut_pair_state_numbers(nullptr, nullptr, 0, nullptr),
        abut_pair_begin_step(nullptr, nullptr, 0, 0, nullptr, nullptr, nullptr),
        abut_pair_event(nullptr, 0, nullptr),
        abut_pair_evaluate(nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr, 0, nullptr),
        abut_pair_contact(nullptr, 0, nullptr),
        abut_pair_end_step(nullptr, nullptr, 0, nullptr, 0, nullptr),
        abut_pair_energy(nullptr, nullptr, 0, nullptr, nullptr, nullptr),
        abut_pair_jacobian(nullptr, nullptr, 0, nullptr, nullptr, nullptr, 0, nullptr)}) {
    EXPECT_TRUE(status == ABUT_ERROR_ARGUMENT || status == ABUT_ERROR_HANDLE) << status;
  }
  for (const abut_status status :
       {abut_scene_free(nullptr), abut_model_free(nullptr), abut_world_free(nullptr), abut_state_free(nullptr),
        abut_run_free(nullptr), abut_pair_free(nullptr), abut_pair_state_free(nullptr)})
    EXPECT_EQ(status, ABUT_OK);
  EXPECT_EQ(abut_count_handles(), before);
}

/// What may be thrown on the way, by whomever.
TEST(CHandle, NothingIsThrownOut) {
  abut_scene* scene = make_scene();
  const auto thrown = [&](const auto& error) {
    return enter("test", [&](Call& call) -> abut_status {
      call.read<SceneObject>(scene);
      throw error;
    });
  };
  EXPECT_EQ(thrown(abut::InputError("wrong")), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_error_count(scene), 1u);
  EXPECT_EQ(thrown(abut::SystemError("disk")), ABUT_ERROR_SYSTEM);
  EXPECT_STREQ(abut_error_message(scene), "disk");
  EXPECT_EQ(thrown(std::bad_alloc()), ABUT_ERROR_SYSTEM);
  EXPECT_STREQ(abut_error_message(scene), "abut: not enough memory");
  EXPECT_EQ(thrown(std::runtime_error("third party")), ABUT_ERROR_SYSTEM);
  EXPECT_STREQ(abut_error_message(nullptr), "third party");
  EXPECT_EQ(thrown(17), ABUT_ERROR_SYSTEM);
  EXPECT_EQ(thrown(abut::InvariantError("x > 0", "file.cpp", 3, "a defect")), ABUT_ERROR_INVARIANT);
  double duration = 0.0;
  EXPECT_EQ(abut_scene_duration(scene, &duration), ABUT_OK) << "who only reads does not break";
  EXPECT_EQ(enter("test",
                  [&](Call& call) -> abut_status {
                    call.write<SceneObject>(scene);
                    ABUT_REQUIRE(1 + 1 == 3, "arithmetic");
                    return ABUT_OK;
                  }),
            ABUT_ERROR_INVARIANT);
  EXPECT_NE(std::string(abut_error_message(scene)).find("1 + 1 == 3"), std::string::npos);
  EXPECT_EQ(abut_scene_duration(scene, &duration), ABUT_ERROR_INVARIANT) << "broken";
  EXPECT_EQ(abut_scene_free(scene), ABUT_OK);
}

TEST(CHandle, ASecondThreadIsToldThatItIsBusy) {
  abut_scene* scene = make_scene();
  const abut_status outer = enter("test", [&](Call& call) {
    call.write<SceneObject>(scene);
    abut_status other = ABUT_OK, freed = ABUT_OK;
    std::thread([&] {
      double duration = 0.0;
      other = abut_scene_duration(scene, &duration);
      freed = abut_scene_free(scene);
    }).join();
    EXPECT_EQ(other, ABUT_ERROR_BUSY);
    EXPECT_EQ(freed, ABUT_ERROR_BUSY);
    return ABUT_OK;
  });
  EXPECT_EQ(outer, ABUT_OK);
  const abut_status reading = enter("test", [&](Call& call) {
    call.read<SceneObject>(scene);
    std::thread([&] {
      double duration = 0.0;
      EXPECT_EQ(abut_scene_duration(scene, &duration), ABUT_OK) << "many may read";
      EXPECT_EQ(abut_scene_set(scene, nullptr, 0), ABUT_ERROR_BUSY);
    }).join();
    return ABUT_OK;
  });
  EXPECT_EQ(reading, ABUT_OK);
  std::thread([] { EXPECT_EQ(abut_error_status(nullptr), ABUT_OK) << "each thread has a failure of its own"; }).join();
  EXPECT_EQ(abut_scene_free(scene), ABUT_OK);
}

/// One model, worlds and records of their own in several threads: the bits of one thread.
TEST(CThreads, WorldsGoOnSideBySide) {
  abut_scene* scene = make_scene();
  abut_model* model = nullptr;
  ASSERT_EQ(abut_model_make(scene, &model), ABUT_OK);
  constexpr int kThreads = 4;
  std::vector<abut_state*> ends(kThreads, nullptr);
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 5; ++k) {
        abut_world* world = nullptr;
        const std::string folder = testing::TempDir() + "abut_c_thread" + std::to_string(i);
        bool is_ok = abut_world_make(model, 1, &world) == ABUT_OK;
        is_ok = is_ok && abut_world_start_record(world, folder.c_str()) == ABUT_OK;
        is_ok = is_ok && abut_world_advance(world, 0.2, nullptr) == ABUT_OK;
        abut_motion motion;
        is_ok = is_ok && abut_world_body(world, "nobody", &motion) == ABUT_ERROR_INPUT;
        is_ok = is_ok && std::string(abut_error_message(nullptr)).find("nobody") != std::string::npos;
        is_ok = is_ok && abut_world_stop_record(world) == ABUT_OK;
        abut_state_free(ends[static_cast<std::size_t>(i)]);
        is_ok = is_ok && abut_world_save(world, &ends[static_cast<std::size_t>(i)]) == ABUT_OK;
        is_ok = is_ok && abut_world_free(world) == ABUT_OK;
        failures += is_ok ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  for (abut_state* end : ends) {
    int is_equal = 0;
    EXPECT_EQ(abut_state_equal(ends[0], end, &is_equal), ABUT_OK);
    EXPECT_EQ(is_equal, 1);
  }
  for (abut_state* end : ends) abut_state_free(end);
  abut_model_free(model), abut_scene_free(scene);
}

/// Many threads on one world: each call is whole or refused.
TEST(CThreads, OneWorldIsNeverInTwoHands) {
  abut_scene* scene = make_scene();
  abut_model* model = nullptr;
  abut_world* world = nullptr;
  ASSERT_EQ(abut_model_make(scene, &model), ABUT_OK);
  ASSERT_EQ(abut_world_make(model, 1, &world), ABUT_OK);
  std::atomic<int> wrong = 0, done = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 300; ++k) {
        const abut_status status = abut_world_step(world, nullptr);
        if (status == ABUT_OK) ++done;
        if (status != ABUT_OK && status != ABUT_ERROR_BUSY) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(done, 0);
  abut_world_free(world), abut_model_free(model), abut_scene_free(scene);
}

}  // namespace
