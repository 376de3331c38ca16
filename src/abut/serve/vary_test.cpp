#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/serve/scene_values.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/world.hpp"

namespace abut {
namespace {

const std::filesystem::path kExamples = std::filesystem::path(ABUT_SOURCE_DIR) / "examples";

/// Another value of the same kind, within its range; the same word for a word.
std::optional<KeyValue> other_value(const SceneValue& value) {
  if (value.numbers.size() == 3) {
    const std::vector<double>& n = value.numbers;
    return KeyValue(std::vector<double>{n[0], n[1] + 0.0078125, n[2]});
  }
  if (value.numbers.size() == 1 && value.is_integer) return KeyValue(static_cast<int>(value.numbers[0]) + 1);
  if (value.numbers.size() == 1) {
    const double now = value.numbers[0], more = now == 0.0 ? 0.0009765625 : now * 1.0078125;
    return KeyValue(more <= value.maximum ? more : now / 1.0078125);
  }
  if (value.text == "true" || value.text == "false") return KeyValue(value.text == "false");
  // Pairs, orientations, inertias and tables are written with commas.
  const bool is_word = value.text.find_first_of(",[ ") == std::string::npos && value.text != "given";
  return is_word ? std::optional(KeyValue(value.text)) : std::nullopt;
}

/// Everything that the first two steps depend on and make, as bytes.
Bytes run_shortly(const Model& model) {
  World world(std::make_shared<const Model>(model), 1);
  world.step();
  world.step();
  return world.save();
}

/// What came of a change: the scene as text and the bytes of its first steps, or that it is refused.
struct Outcome {
  bool is_refused = false;
  std::string text, message;
  Bytes bytes;
};

template <class Make>
Outcome find_outcome(const Make& make) {
  Outcome out;
  try {
    const Model model = make();
    out.text = scene_to_toml(model.scene);
    out.bytes = run_shortly(model);
  } catch (const InputError& error) {
    out.is_refused = true;
    out.message = error.what();
  }
  return out;
}

/// Bodies and joints of a wall or a pile have the same keys: a few of each are enough.
bool is_one_of_many(const SceneValue& value, std::map<std::string, std::set<std::string>>& seen) {
  constexpr std::size_t kFew = 3;
  const std::string kind = value.group.substr(0, value.group.find_first_of(" ["));
  std::set<std::string>& groups = seen[kind];
  if (groups.size() < kFew) groups.insert(value.group);
  return !groups.contains(value.group);
}

/// `stride`: of how many keys one is tried.
int check_example(const std::string& path, std::size_t stride = 1) {
  // As written by ourselves: a path leads to the same key, whether one shape was given as a table or as a list of one.
  const std::string text = scene_to_toml(read_scene_file(path));
  const Model base = compile(read_scene_text(text, path));
  std::map<std::string, std::set<std::string>> seen;
  std::size_t place = 0;
  int count = 0;
  for (const SceneValue& value : list_scene_values(base.scene)) {
    const std::optional<KeyValue> other = other_value(value);
    if (!other || is_one_of_many(value, seen) || place++ % stride != 0) continue;
    const std::string override = fmt::format("{}={}", value.path, describe_value(*other));
    SCOPED_TRACE(path + " --set " + override);
    const Outcome read = find_outcome([&] { return compile(read_scene_text(text, path, {override})); });
    const Outcome varied = find_outcome([&] {
      return base.with(std::vector<SceneChange>{{value.path, *other}},
                       [&](SceneSpec& scene) { read_missing_meshes(scene, path); });
    });
    EXPECT_EQ(varied.is_refused, read.is_refused) << varied.message << "\n-- read: " << read.message;
    EXPECT_EQ(varied.text, read.text);
    EXPECT_TRUE(varied.bytes == read.bytes);
    ++count;
  }
  return count;
}

TEST(VaryLong, EachKeyOfEachExampleAsReadingTheChangedText) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kExamples)) {
    // Half a second goes into the mass of its lens, at each reading.
    const std::size_t stride = entry.path().stem() == "cushions" ? 8 : 1;
    if (entry.path().extension() == ".toml") count += check_example(entry.path().string(), stride);
  }
  EXPECT_GT(count, 1000);
}

TEST(Vary, AsReadingTheChangedText) { EXPECT_GT(check_example((kExamples / "bouncing-ball.toml").string()), 20); }

}  // namespace
}  // namespace abut
