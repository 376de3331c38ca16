#include <cstring>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "abut/abut.h"
#include "abut/door/c/scenes_test.hpp"

namespace {

using abut::c::kBall;
using abut::c::replaced;

TEST(CBase, VersionsOfHeadersAndLibraryAgree) {
  EXPECT_STREQ(abut_version(), ABUT_VERSION);
  EXPECT_EQ(abut_version_number(), ABUT_VERSION_NUMBER);
  for (int status = ABUT_OK; status <= ABUT_STOPPED; ++status) EXPECT_STRNE(abut_status_name(status), "unknown");
  EXPECT_STREQ(abut_status_name(99), "unknown");
}

TEST(CScene, MistakesHaveTheirPlaces) {
  abut_scene* scene = reinterpret_cast<abut_scene*>(1);
  const std::string text = replaced(replaced(kBall, "radius", "radios"), "restitution = 0.5", "restitution = 5");
  EXPECT_EQ(abut_scene_read_text(text.c_str(), "drop.toml", nullptr, 0, &scene), ABUT_ERROR_INPUT);
  EXPECT_EQ(scene, nullptr);
  EXPECT_EQ(abut_error_status(nullptr), ABUT_ERROR_INPUT);
  EXPECT_NE(std::string(abut_error_message(nullptr)).find("drop.toml:8:"), std::string::npos);
  ASSERT_GE(abut_error_count(nullptr), 2u);
  abut_mistake mistake;
  mistake.size = sizeof mistake;
  ASSERT_EQ(abut_error_mistake(nullptr, 0, &mistake), ABUT_OK);
  EXPECT_STREQ(mistake.file, "drop.toml");
  EXPECT_EQ(mistake.line, 8);
  EXPECT_GT(mistake.column, 1);
  EXPECT_NE(std::strstr(mistake.allowed, "radius"), nullptr) << mistake.allowed;
  EXPECT_EQ(abut_error_mistake(nullptr, 99, &mistake), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_error_mistake(nullptr, 0, nullptr), ABUT_ERROR_ARGUMENT);
  mistake.size = 3;
  EXPECT_EQ(abut_error_mistake(nullptr, 0, &mistake), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_error_status(nullptr), ABUT_ERROR_INPUT) << "asking wrongly takes nothing away";
}

TEST(CScene, FilesThatAreNotThereAreNamed) {
  abut_scene* scene = nullptr;
  EXPECT_EQ(abut_scene_read_file("nowhere.toml", nullptr, 0, &scene), ABUT_ERROR_SYSTEM);
  EXPECT_NE(std::string(abut_error_message(nullptr)).find("nowhere.toml"), std::string::npos);
}

TEST(CScene, IsReadFromAFileWithSettings) {
  const std::string path = testing::TempDir() + "abut_c_scene.toml";
  std::ofstream(path) << kBall;
  const char* const settings[] = {"body.ball.mass=3", "run.duration=0.7"};
  abut_scene* scene = nullptr;
  ASSERT_EQ(abut_scene_read_file(path.c_str(), settings, 2, &scene), ABUT_OK);
  double duration = 0.0;
  EXPECT_EQ(abut_scene_duration(scene, &duration), ABUT_OK);
  EXPECT_EQ(duration, 0.7);
  const char* text = nullptr;
  EXPECT_EQ(abut_scene_title(scene, &text), ABUT_OK);
  EXPECT_STREQ(text, "drop");
  ASSERT_EQ(abut_scene_to_toml(scene, &text), ABUT_OK);
  EXPECT_NE(std::string(text).find("mass = 3"), std::string::npos);
  size_t count = 0;
  EXPECT_EQ(abut_scene_count_bodies(scene, &count), ABUT_OK);
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(abut_scene_body_name(scene, 1, &text), ABUT_OK);
  EXPECT_STREQ(text, "floor");
  EXPECT_EQ(abut_scene_body_name(scene, 2, &text), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_scene_count_joints(scene, &count), ABUT_OK);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(abut_scene_joint_name(scene, 0, &text), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_scene_free(scene), ABUT_OK);
}

std::string to_toml(abut_scene* scene) {
  const char* toml = nullptr;
  EXPECT_EQ(abut_scene_to_toml(scene, &toml), ABUT_OK);
  return toml == nullptr ? "" : toml;
}

TEST(CScene, IsSetAllOrNothing) {
  abut_scene *scene = nullptr, *copy = nullptr;
  ASSERT_EQ(abut_scene_read_text(kBall, nullptr, nullptr, 0, &scene), ABUT_OK);
  ASSERT_EQ(abut_scene_copy(scene, &copy), ABUT_OK);
  const std::string before = to_toml(scene);
  const double moon[] = {0, 0, -1.62};
  const abut_change changes[] = {abut_change_numbers("gravity", moon, 3),    abut_change_number("body.ball.mass", 3),
                                 abut_change_text("run.method", "explicit"), abut_change_number("run.step", 1e-4),
                                 abut_change_truth("body.ball.fixed", 0),    abut_change_whole("run.threads", 1)};
  EXPECT_EQ(abut_scene_set(scene, changes, 6), ABUT_OK) << abut_error_message(scene);
  const std::string after = to_toml(scene);
  EXPECT_NE(after.find("-1.62"), std::string::npos);
  EXPECT_NE(after.find("explicit"), std::string::npos);
  EXPECT_EQ(to_toml(copy), before);

  const abut_change wrong[] = {abut_change_number("body.ball.mass", 4), abut_change_number("body.bal.mass", 4)};
  EXPECT_EQ(abut_scene_set(scene, wrong, 2), ABUT_ERROR_INPUT);
  EXPECT_EQ(abut_error_status(scene), ABUT_ERROR_INPUT);
  EXPECT_NE(std::string(abut_error_message(scene)).find("'ball'"), std::string::npos);
  EXPECT_EQ(abut_error_status(copy), ABUT_OK) << "each handle has a failure of its own";
  EXPECT_STREQ(abut_error_message(copy), "");
  EXPECT_EQ(to_toml(scene), after);

  abut_change strange = abut_change_number("body.ball.mass", 4);
  strange.kind = 17;
  EXPECT_EQ(abut_scene_set(scene, &strange, 1), ABUT_ERROR_ARGUMENT);
  strange = abut_change_number("body.ball.mass", 4);
  strange.size = 0;
  EXPECT_EQ(abut_scene_set(scene, &strange, 1), ABUT_ERROR_ARGUMENT);
  strange = abut_change_number(nullptr, 4);
  EXPECT_EQ(abut_scene_set(scene, &strange, 1), ABUT_ERROR_ARGUMENT);
  strange = abut_change_text("run.method", nullptr);
  EXPECT_EQ(abut_scene_set(scene, &strange, 1), ABUT_ERROR_ARGUMENT);
  strange = abut_change_numbers("gravity", nullptr, 3);
  EXPECT_EQ(abut_scene_set(scene, &strange, 1), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_scene_set(scene, nullptr, 1), ABUT_ERROR_ARGUMENT);
  EXPECT_EQ(abut_scene_set(scene, nullptr, 0), ABUT_OK);
  EXPECT_EQ(to_toml(scene), after);
  abut_scene_free(scene), abut_scene_free(copy);
}

/// A program of a later version, whose changes are longer.
TEST(CScene, TakesLongerStructs) {
  struct Longer {
    abut_change change;
    double later;
  } changes[2] = {{abut_change_number("body.ball.mass", 3), 1}, {abut_change_number("gravity[2]", -5), 1}};
  for (Longer& longer : changes) longer.change.size = sizeof(Longer);
  abut_scene* scene = nullptr;
  ASSERT_EQ(abut_scene_read_text(kBall, nullptr, nullptr, 0, &scene), ABUT_OK);
  EXPECT_EQ(abut_scene_set(scene, &changes[0].change, 2), ABUT_OK);
  EXPECT_NE(to_toml(scene).find("-5"), std::string::npos);
  abut_scene_free(scene);
}

TEST(CModel, OfChangedValuesIsThatOfTheChangedScene) {
  abut_scene *scene = nullptr, *of_model = nullptr;
  abut_model *model = nullptr, *varied = nullptr, *anew = nullptr;
  ASSERT_EQ(abut_scene_read_text(kBall, nullptr, nullptr, 0, &scene), ABUT_OK);
  ASSERT_EQ(abut_model_make(scene, &model), ABUT_OK);
  const abut_change change = abut_change_number("contact.ball-floor.friction.mu_c", 0.3);
  ASSERT_EQ(abut_model_with(model, &change, 1, &varied), ABUT_OK);
  ASSERT_EQ(abut_scene_set(scene, &change, 1), ABUT_OK);
  ASSERT_EQ(abut_model_make(scene, &anew), ABUT_OK);
  uint64_t first = 0, second = 0, third = 0;
  EXPECT_EQ(abut_model_fingerprint(model, &first), ABUT_OK);
  EXPECT_EQ(abut_model_fingerprint(varied, &second), ABUT_OK);
  EXPECT_EQ(abut_model_fingerprint(anew, &third), ABUT_OK);
  EXPECT_NE(first, second);
  EXPECT_EQ(second, third);
  EXPECT_EQ(abut_model_scene(varied, &of_model), ABUT_OK);
  EXPECT_EQ(to_toml(of_model), to_toml(scene));
  // Judged together, when a model is made.
  const abut_change wrong = abut_change_number("contact.ball-floor.friction.mu_s", 0.1);
  abut_model* none = model;
  EXPECT_EQ(abut_model_with(model, &wrong, 1, &none), ABUT_ERROR_INPUT);
  EXPECT_EQ(none, nullptr);
  EXPECT_NE(std::string(abut_error_message(model)).find("mu_s"), std::string::npos);
  abut_model_free(model), abut_model_free(varied), abut_model_free(anew);
  abut_scene_free(scene), abut_scene_free(of_model);
}

}  // namespace
