#include "abut/io/scene_reader.hpp"

#include <filesystem>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/io/text_file.hpp"

namespace abut {
namespace {

const std::string kScene = R"(title = "Ball"
gravity = [0, 0, -9.81]

[run]
duration = 3.0

[[body]]
name = "ball"
mass = 2
shape = { type = "sphere", radius = 0.1 }
position = [0, 0, 2]

[[body]]
name = "floor"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1] }

[[contact]]
between = ["ball", "floor"]
normal = { law = "gonthier", stiffness = 1e6, restitution = 0.5 }
friction = { law = "bristle", mu_s = 0.45, mu_c = 0.4 }
)";

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = kScene;
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    read_scene_text(text, "scene.toml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The report of one changed line: first line of it, without the excerpt.
std::string first_line(const std::string& from, const std::string& to) {
  const std::string report = error_of(replaced(from, to));
  return report.substr(0, report.find('\n'));
}

TEST(SceneReader, ReadsAScene) {
  const SceneSpec scene = read_scene_text(kScene, "scene.toml");
  EXPECT_EQ(scene.title, "Ball");
  EXPECT_EQ(scene.run.duration, 3.0);
  EXPECT_EQ(scene.run.method, RunSpec::Method::adaptive);
  ASSERT_EQ(scene.body.size(), 2u);
  EXPECT_EQ(scene.body[0].mass, 2.0);
  EXPECT_EQ(std::get<SphereSpec>(scene.body[0].shape.at(0).type).radius, 0.1);
  EXPECT_TRUE(scene.body[1].fixed);
  EXPECT_EQ(scene.contact.at(0).normal->law, NormalSpec::Law::gonthier);
  EXPECT_EQ(std::get<BristleSpec>(scene.contact[0].friction->law).mu_s, 0.45);
  EXPECT_FALSE(std::get<BristleSpec>(scene.contact[0].friction->law).sigma_0.has_value());
  EXPECT_EQ(scene.body[0].location_of("mass").line, 9);
  EXPECT_EQ(scene.body[0].location_of("mass").column, 8);
  EXPECT_EQ(scene.body[0].location_of("density").line, 7);
}

TEST(SceneReader, ReportsAMistakeInFull) {
  EXPECT_EQ(error_of(replaced("stiffness = 1e6", "stifness = 1e6")),
            "scene.toml:20:30: unknown key 'stifness' in [[contact]] normal. Did you mean 'stiffness'?\n"
            "   20 | normal = { law = \"gonthier\", stifness = 1e6, restitution = 0.5 }\n"
            "      |                              ^^^^^^^^\n"
            "gonthier takes: stiffness or (young, poisson), exponent, restitution (or restitution_slope, "
            "restitution_table), v_small, damper. See `abut models gonthier`.\n"
            "Nothing was run.");
}

TEST(SceneReader, ReportsAllMistakesInOrder) {
  std::string text = replaced("duration = 3.0", "duration = \"3\"");
  text = text.replace(text.find("mass = 2"), 8, "mass = -2");
  text = text.replace(text.find("\"sphere\""), 8, "\"spere\"");
  text = text.replace(text.find("\"floor\"]"), 8, "\"flor\"]");
  EXPECT_EQ(
      error_of(text),
      "scene.toml:5:12: duration must be a number [s], found the string \"3\" in [run]\n"
      "    5 | duration = \"3\"\n"
      "      |            ^^^\n"
      "scene.toml:9:8: mass must be > 0 kg, found -2 in [[body]] 'ball'\n"
      "    9 | mass = -2\n"
      "      |        ^^\n"
      "scene.toml:10:18: unknown type 'spere' in [[body]] 'ball' shape. Did you mean 'sphere'?\n"
      "   10 | shape = { type = \"spere\", radius = 0.1 }\n"
      "      |                  ^^^^^^^\n"
      "type takes: sphere, half-space, box, cylinder, bore, cone, capsule, ellipsoid, wedge, polyhedron, mesh, cell, "
      "superquadric, intersection, torus, cavity, bowl.\n"
      "scene.toml:19:11: there is no body 'flor' for between in [[contact]]. Did you mean 'floor'?\n"
      "   19 | between = [\"ball\", \"flor\"]\n"
      "      |           ^^^^^^^^^^^^^^^^\n"
      "Bodies: ball, floor.\n"
      "Nothing was run.");
}

TEST(SceneReader, SaysWhatWasFoundAndWhatIsExpected) {
  EXPECT_EQ(first_line("mass = 2", "mass = true"),
            "scene.toml:9:8: mass must be a number [kg], found true in [[body]] 'ball'");
  EXPECT_EQ(first_line("position = [0, 0, 2]", "position = [0, 2]"),
            "scene.toml:11:12: position must be three numbers [m], found an array of 2 in [[body]] 'ball'");
  EXPECT_EQ(first_line("position = [0, 0, 2]", "orientation = 1.5"),
            "scene.toml:11:15: orientation must be four numbers (w, x, y, z), found the number 1.5 in [[body]] 'ball'");
  EXPECT_EQ(first_line("fixed = true", "fixed = 1"),
            "scene.toml:15:9: fixed must be true or false, found the integer 1 in [[body]] 'floor'");
  EXPECT_EQ(first_line("duration = 3.0", "duration = 3.0\nthreads = 1.5"),
            "scene.toml:6:11: threads must be an integer, found the number 1.5 in [run]");
  EXPECT_EQ(first_line("between = [\"ball\", \"floor\"]", "between = \"ball\""),
            "scene.toml:19:11: between must be two names, found the string \"ball\" in [[contact]]");
  EXPECT_EQ(first_line("duration = 3.0", "duration = 1979-05-27"),
            "scene.toml:5:12: duration must be a number [s], found a date or time in [run]");
  EXPECT_EQ(first_line("[[contact]]", "[contact]"),
            "scene.toml:18:1: contact must be an array of tables, written [[contact]], found a table in the scene");
  EXPECT_EQ(first_line("shape = { type = \"sphere\", radius = 0.1 }", "shape = \"sphere\""),
            "scene.toml:10:9: shape must be an array of tables, written [[shape]], found the string \"sphere\" in "
            "[[body]] 'ball'");
  EXPECT_EQ(first_line("mass = 2", "inertia = [1, 2]"),
            "scene.toml:9:11: inertia must be 3 or 6 numbers or 3 rows of 3 [kg m^2], found an array of 2 in [[body]] "
            "'ball'");
}

TEST(SceneReader, CutsLongStringsBetweenCharacters) {
  std::string text(39, 'x');
  for (int i = 0; i < 30; ++i) text += "\xC3\xA9";
  EXPECT_EQ(first_line("mass = 2", "mass = \"" + text + "\""),
            "scene.toml:9:8: mass must be a number [kg], found the string \"" + std::string(39, 'x') +
                "...\" in [[body]] 'ball'");
}

TEST(SceneReader, NamesMissingKeysOnce) {
  EXPECT_EQ(error_of(replaced(", radius = 0.1", "")),
            "scene.toml:10:9: missing key 'radius' in [[body]] 'ball' shape\n"
            "   10 | shape = { type = \"sphere\" }\n"
            "      |         ^^^^^^^^^^^^^^^^^^^\n"
            "sphere takes: type, radius, name, position, orientation, rotation.\n"
            "Nothing was run.");
  // A misspelt key is one mistake, not also a missing one.
  EXPECT_EQ(error_of(replaced("radius = 0.1", "raduis = 0.1")),
            "scene.toml:10:28: unknown key 'raduis' in [[body]] 'ball' shape. Did you mean 'radius'?\n"
            "   10 | shape = { type = \"sphere\", raduis = 0.1 }\n"
            "      |                            ^^^^^^\n"
            "sphere takes: type, radius, name, position, orientation, rotation.\n"
            "Nothing was run.");
  EXPECT_EQ(first_line("law = \"bristle\", ", ""), "scene.toml:21:12: missing key 'law' in [[contact]] friction");
  EXPECT_EQ(error_of("title = \"x\"\n"),
            "scene.toml: missing key 'run' in the scene\n"
            "A scene takes: title, gravity, run, lcp, ncp, micro, body, joint, robot, coupling, spring, bushing, "
            "force, controller, "
            "contact, contact_default, sensor, fmu.\n"
            "scene.toml: missing key 'body' in the scene\n"
            "A scene takes: title, gravity, run, lcp, ncp, micro, body, joint, robot, coupling, spring, bushing, "
            "force, controller, "
            "contact, contact_default, sensor, fmu.\n"
            "Nothing was run.");
}

TEST(SceneReader, KnowsTheKeysOfPerimeterContact) {
  EXPECT_EQ(first_line("[[contact]]", "[[contact]]\nregion = \"perimetre\""),
            "scene.toml:19:10: unknown region 'perimetre' in [[contact]]. Did you mean 'perimeter'?");
  EXPECT_EQ(first_line("[[contact]]", "[[contact]]\nmemory = \"faithfull\""),
            "scene.toml:19:10: unknown memory 'faithfull' in [[contact]]. Did you mean 'faithful'?");
  EXPECT_EQ(first_line("[[contact]]", "[[contact]]\nenergy_gard = true"),
            "scene.toml:19:1: unknown key 'energy_gard' in [[contact]]. Did you mean 'energy_guard'?");
}

TEST(SceneReader, RefusesUnknownWords) {
  EXPECT_EQ(first_line("\"gonthier\"", "\"gontier\""),
            "scene.toml:20:18: unknown law 'gontier' in [[contact]] normal. Did you mean 'gonthier'?");
  EXPECT_EQ(first_line("duration = 3.0", "duration = 3.0\nintegrator = \"semi_implicit_euler\""),
            "scene.toml:6:14: unknown integrator 'semi_implicit_euler' in [run]. Did you mean 'semi-implicit-euler'?");
  EXPECT_EQ(first_line("title", "zzzzzzzz"), "scene.toml:1:1: unknown key 'zzzzzzzz' in the scene.");
}

TEST(SceneReader, SyntaxErrorsCarryTheirPlace) {
  const std::string report = error_of("title = \"x\"\n[run\nduration = 1\n");
  EXPECT_TRUE(report.starts_with("scene.toml:2:5: this is not valid TOML: ")) << report;
  EXPECT_TRUE(report.ends_with("    2 | [run\n      |     ^\nNothing was run.")) << report;
  EXPECT_TRUE(error_of("a = 1\na = 2\n").starts_with("scene.toml:2:")) << error_of("a = 1\na = 2\n");
}

TEST(SceneReader, NonFiniteNumbersAreRefused) {
  EXPECT_EQ(first_line("mass = 2", "mass = nan"),
            "scene.toml:9:8: mass must be a finite number, found nan in [[body]] 'ball'");
  EXPECT_EQ(first_line("position = [0, 0, 2]", "position = [0, -inf, 2]"),
            "scene.toml:11:12: position must be a finite number, found -inf in [[body]] 'ball'");
}

TEST(SceneReader, ReadsEveryFormOfInertiaAndShape) {
  const auto inertia_of = [](const std::string& form) {
    return read_scene_text(replaced("mass = 2", "mass = 2\ninertia = " + form), "s").body[0].inertia->calc_matrix();
  };
  Mat3 expected;
  expected << 2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4;
  EXPECT_EQ(inertia_of("[2, 3, 4, 0.1, 0.2, 0.3]"), expected);
  EXPECT_EQ(inertia_of("[[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]]"), expected);
  EXPECT_EQ(inertia_of("[2, 3, 4]"), Mat3(Vec3(2, 3, 4).asDiagonal()));
  const SceneSpec scene = read_scene_text(
      replaced("shape = { type = \"sphere\", radius = 0.1 }\nposition = [0, 0, 2]",
               "[[body.shape]]\ntype = \"cone\"\nangle_degrees = 60\nheight = 2\n[[body.shape]]\ntype = \"box\"\n"
               "size = [1, 2, 3]\nrotation = { axis = [0, 0, 2], degrees = 90 }"),
      "s");
  ASSERT_EQ(scene.body[0].shape.size(), 2u);
  EXPECT_DOUBLE_EQ(std::get<ConeSpec>(scene.body[0].shape[0].type).calc_angle(), std::numbers::pi / 3);
  const Vec3 turned = scene.body[0].shape[1].calc_orientation() * Vec3::UnitX();
  EXPECT_LT((turned - Vec3::UnitY()).norm(), 1e-15);  // one rounding in the half angle
}

TEST(SceneReader, AcceptsBothSpellingsOfTheDefaultContact) {
  for (const char* title : {"contact_default", "contact-default"}) {
    const std::string text = kScene + "\n[" + title + "]\nnormal = { law = \"hertz\", stiffness = 5 }\n";
    EXPECT_EQ(read_scene_text(text, "s").contact_default->normal->stiffness, 5.0);
  }
}

TEST(SceneOverride, ReplacesAndAddsValues) {
  const SceneSpec scene = read_scene_text(
      kScene, "scene.toml",
      {"run.duration=4", "run.integrator=bdf", "body.ball.mass = 3", "body[0].velocity=[1, 2, 3]", "gravity[2]=-1.62",
       "contact.ball-floor.normal.restitution=0.7", "contact[0].friction.mu_c=0.3", "title=a b",
       "contact_default.normal={law=\"hertz\", stiffness=2}", "body.ball.shape.radius=0.2"});
  EXPECT_EQ(scene.run.duration, 4.0);
  EXPECT_EQ(scene.run.integrator, RunSpec::Integrator::bdf);
  EXPECT_EQ(scene.body[0].mass, 3.0);
  EXPECT_EQ(scene.body[0].velocity, Vec3(1, 2, 3));
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -1.62));
  EXPECT_EQ(scene.contact[0].normal->restitution, 0.7);
  EXPECT_EQ(std::get<BristleSpec>(scene.contact[0].friction->law).mu_c, 0.3);
  EXPECT_EQ(scene.title, "a b");
  EXPECT_EQ(scene.contact_default->normal->stiffness, 2.0);
  EXPECT_EQ(std::get<SphereSpec>(scene.body[0].shape[0].type).radius, 0.2);
}

TEST(SceneOverride, LaterOnesWin) {
  EXPECT_EQ(read_scene_text(kScene, "s", {"run.duration=4", "run.duration=5"}).run.duration, 5.0);
}

TEST(SceneOverride, WrongPathsListWhatThereIs) {
  EXPECT_EQ(error_of(kScene, {"body.bal.mass=3"}),
            "--set body.bal.mass=3: there is no 'bal' in 'body'\nThere are 2: ball, floor.\nNothing was run.");
  EXPECT_EQ(error_of(kScene, {"contact[1].enabled=false"}),
            "--set contact[1].enabled=false: there is no '1' in 'contact'\nThere are 1: ball-floor.\nNothing was run.");
  EXPECT_EQ(error_of(kScene, {"run.duration.x=3"}),
            "--set run.duration.x=3: 'run.duration' is the number 3 and has no parts\nNothing was run.");
  EXPECT_EQ(error_of(kScene, {"run.duraton=3"}),
            "--set run.duraton=3: unknown key 'duraton' in [run]. Did you mean 'duration'?\n"
            "[run] takes: duration, method, integrator, start, tolerance, step, max_step, record_interval, threads, "
            "max_steps.\nNothing was run.");
  EXPECT_EQ(error_of(kScene, {"body.ball.velocity[2]=1"}),
            "--set body.ball.velocity[2]=1: 'velocity' is not in the file, so that it has no entry 2\n"
            "Set the whole of it.\nNothing was run.");
  EXPECT_EQ(error_of(kScene, {"run.duration"}),
            "--set run.duration: an override is written path=value\nFor example --set run.duration=2.\n"
            "Nothing was run.");
  EXPECT_EQ(error_of(kScene, {"run..duration=1"}),
            "--set run..duration=1: this is not a path\nFor example body.ball.mass or contact[0].normal.stiffness.\n"
            "Nothing was run.");
  EXPECT_EQ(error_of(kScene, {"run.duration=.5"}),
            "--set run.duration=.5: the value is not valid TOML\nFor example 2.5, true, [0, 0, 1] or \"a string\".\n"
            "Nothing was run.");
  EXPECT_EQ(error_of(kScene, {"body.ball.mass=heavy"}),
            "--set body.ball.mass=heavy: mass must be a number [kg], found the string \"heavy\" in [[body]] 'ball'\n"
            "Nothing was run.");
  EXPECT_EQ(error_of(kScene, {"run.duration=-1"}),
            "--set run.duration=-1: duration must be > 0 and <= 1e+09 s, found -1 in [run]\nNothing was run.");
}

TEST(SceneOverride, ValueCannotSmuggleOtherKeys) {
  EXPECT_EQ(error_of(kScene, {"run.duration=1\n[body]"}),
            "--set run.duration=1\n[body]: the value is not valid TOML\n"
            "For example 2.5, true, [0, 0, 1] or \"a string\".\nNothing was run.");
}

/// Damaged files must give InputError or a scene, never anything else.
TEST(SceneReader, SurvivesRandomDamage) {
  std::mt19937 random(7);
  const std::string pieces = "[]{}=\".,\n#'0-x\\";
  int num_refused = 0;
  for (int round = 0; round < 400; ++round) {
    std::string text = kScene;
    for (int k = 0; k < 3; ++k) {
      const std::size_t place = random() % text.size();
      if (random() % 2 == 0) {
        text[place] = pieces[random() % pieces.size()];
      } else {
        text.erase(place, random() % 6);
      }
    }
    num_refused += error_of(text) != "no error" ? 1 : 0;
  }
  EXPECT_GT(num_refused, 200);
}

TEST(SceneReader, KeysAndMessagesHaveALength) {
  std::string key = "a";
  for (int i = 0; i < 50000; ++i) key += ".a";
  EXPECT_NE(error_of(key + " = 1\n" + std::string(kScene)).find("a key of more than 256 parts"), std::string::npos);
  EXPECT_LT(error_of(replaced("mass = 2", std::string(100000, 'x') + " = 2")).size(), 3000u);
}

TEST(SceneReader, ReadsFromAFileAndNamesIt) {
  const std::string path = testing::TempDir() + "abut_reader_scene.toml";
  write_text_file_atomically(path, replaced("mass = 2", "mass = 0"));
  try {
    read_scene_file(path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(path + ":9:8: mass must be > 0 kg, found 0")) << error.what();
  }
  std::filesystem::remove(path);
  EXPECT_THROW(read_scene_file(path), SystemError);
}

}  // namespace
}  // namespace abut
