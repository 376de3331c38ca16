// What is said of sensors that cannot be: place, what was found, what is allowed.

#include <string>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/scene/sensor_channel.hpp"

namespace abut {
namespace {

const std::string kScene = R"([run]
duration = 1.0
method = "explicit"
step = 0.001
[[body]]
name = "ball"
mass = 2
shape = { type = "sphere", radius = 0.1 }
[[body]]
name = "floor"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1] }
[[body]]
name = "bob"
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "pin"
type = "revolute"
axis = [0, 1, 0]
child = "bob"
[[joint]]
name = "weld"
type = "fixed"
child = "ball"
[[sensor]]
)";

/// First line of what is said against these lines of a sensor, which begin in line 27, or nothing.
std::string refusal_of(const std::string& lines) {
  try {
    read_scene_text(kScene + lines, "s.toml");
  } catch (const InputError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
  }
  return "";
}

TEST(SensorReader, SaysWhatIsNotThere) {
  EXPECT_EQ(refusal_of("name = \"a\"\nkind = { type = \"reaction\", joint = \"pni\" }"),
            "s.toml:28:37: there is no joint 'pni' for [[sensor]] 'a'. Did you mean 'pin'?");
  EXPECT_EQ(refusal_of("name = \"a\"\nkind = { type = \"contact_wrench\", on = \"bal\" }"),
            "s.toml:28:40: there is no body 'bal' for on in [[sensor]] 'a'. Did you mean 'ball'?");
  EXPECT_EQ(refusal_of("name = \"a\"\nkind = { type = \"contact_wrench\", on = \"x*\" }"),
            "s.toml:28:40: 'x*' matches no body in [[sensor]] 'a'");
  EXPECT_EQ(refusal_of("name = \"a\"\nkind = { type = \"motion\", body = \"ball\", relative_to = \"nobody\" }"),
            "s.toml:28:56: there is no body 'nobody' for relative_to in [[sensor]] 'a'.");
  EXPECT_EQ(refusal_of("name = \"a\"\nkind = { type = \"reactoin\" }"),
            "s.toml:28:17: unknown type 'reactoin' in [[sensor]] 'a' kind. Did you mean 'reaction'?");
  EXPECT_EQ(refusal_of("name = \"a\""), "s.toml:26:1: missing key 'kind' in [[sensor]] 'a'");
  EXPECT_EQ(refusal_of("name = \"a\"\nkind = { type = \"gap\", between = [\"ball\", \"bob\"] }"),
            "s.toml:28:34: body 'bob' of [[sensor]] 'a' has no shape to measure from");
  EXPECT_EQ(refusal_of("name = \"a\"\nkind = { type = \"joint\", joint = \"weld\" }"),
            "s.toml:28:34: joint 'weld' of [[sensor]] 'a' is fixed: it has no coordinates");
}

TEST(SensorReader, SaysWhichNumbersDoNotFit) {
  const std::string gap = "\nkind = { type = \"gap\", between = [\"ball\", \"floor\"] }";
  EXPECT_EQ(refusal_of("name = \"a\"\nrate = 2000" + gap),
            "s.toml:28:8: [[sensor]] 'a' samples 2000 times a second, but steps of 0.001 s end only 1000 times");
  EXPECT_EQ(refusal_of("name = \"a\"\ndelay = 0.1" + gap), "s.toml:28:9: [[sensor]] 'a' has delay but no rate");
  EXPECT_EQ(refusal_of("name = \"a\"\nnoise = 1" + gap), "s.toml:28:9: [[sensor]] 'a' has noise but no rate");
  EXPECT_EQ(refusal_of("name = \"a\"\nrate = 10\nlow_pass = 7" + gap),
            "s.toml:29:12: low_pass = 7 Hz of [[sensor]] 'a' is not below half of its rate, 5 Hz");
  EXPECT_EQ(refusal_of("name = \"a\"\nquantum = [1, 2]" + gap),
            "s.toml:28:11: quantum has 2 numbers in [[sensor]] 'a', which shows 1 in 1 quantity");
  EXPECT_EQ(refusal_of("name = \"a\"\noffset = 2\nkind = { type = \"motion\", body = \"ball\" }"),
            "s.toml:28:10: offset has no meaning for an orientation, which [[sensor]] 'a' shows");
  EXPECT_EQ(refusal_of("name = \"a\"\nrate = -1" + gap),
            "s.toml:28:8: rate must be > 0 Hz, found -1 in [[sensor]] 'a'");
  EXPECT_EQ(refusal_of("name = \"a\"" + gap + "\n[[sensor]]\nname = \"a\"" + gap),
            "s.toml:30:8: duplicate sensor name 'a'");
}

/// One number for all, one for each quantity or one for each channel; a list of one may be written as one.
TEST(SensorReader, SpreadsNumbersOverChannels) {
  const auto read = [](const std::string& noise) {
    return read_scene_text(
        kScene + "name = \"a\"\nrate = 10\nnoise = " + noise + "\nkind = { type = \"reaction\", joint = \"pin\" }",
        "s.toml");
  };
  using Numbers = std::vector<double>;
  for (const auto& [text, expected] :
       {std::pair("2", Numbers(6, 2.0)), std::pair("[2]", Numbers(6, 2.0)),
        std::pair("[2, 3]", Numbers{2, 2, 2, 3, 3, 3}), std::pair("[1, 2, 3, 4, 5, 6]", Numbers{1, 2, 3, 4, 5, 6})}) {
    const SceneSpec scene = read(text);
    EXPECT_EQ(spread_over_channels(scene.sensor[0].noise, list_quantities(scene, scene.sensor[0]), 0.0), expected);
    // What is written is what was read.
    const SceneSpec again = read_scene_text(scene_to_toml(scene), "again");
    EXPECT_EQ(again.sensor[0].noise, scene.sensor[0].noise);
    EXPECT_EQ(std::get<ReactionSensorSpec>(again.sensor[0].kind.type).joint, "pin");
  }
}

}  // namespace
}  // namespace abut
