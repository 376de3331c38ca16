// Cost of changing one number of a scene: set() and Model::with() beside reading and compiling the changed text.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "abut/io/scene_reader.hpp"
#include "abut/io/text_file.hpp"
#include "abut/sim/compile.hpp"
#include "bench_tools.hpp"

namespace {

using namespace abut;

struct Row {
  std::string example, path;
  double value;
};

void measure(const Row& row) {
  const std::string file = std::string(ABUT_SOURCE_DIR) + "/examples/" + row.example + ".toml";
  const std::string text = read_text_file(file), override = fmt::format("{}={}", row.path, row.value);
  const Model model = compile(read_scene_text(text, file));
  const std::vector<SceneChange> changes = {{row.path, row.value}};
  constexpr int kMany = 100;
  SceneSpec scene = model.scene;
  const double setting = calc_best_time(5,
                                        [&] {
                                          for (int i = 0; i < kMany; ++i) set(scene, row.path, row.value);
                                        }) /
                         kMany;
  const double varying = calc_best_time(5,
                                        [&] {
                                          for (int i = 0; i < kMany; ++i) model.with(changes);
                                        }) /
                         kMany;
  const double reading = calc_best_time(3, [&] { compile(read_scene_text(text, file, {override})); });
  fmt::print("{:<18} {:<36} {:>9.2f} {:>11.1f} {:>14.1f} {:>8.0f} {:>8.1f}\n", row.example, row.path, 1e6 * setting,
             1e6 * varying, 1e6 * reading, reading / setting, reading / varying);
}

}  // namespace

int main() {
  fmt::print("{:<18} {:<36} {:>9} {:>11} {:>14} {:>8} {:>8}\n", "example", "key", "set [us]", "with [us]", "read [us]",
             "/ set", "/ with");
  for (const Row& row : std::vector<Row>{{"bouncing-ball", "body.ball.density", 1.5e3},
                                         {"bouncing-ball", "gravity[2]", -1.62},
                                         {"ball-on-incline", "contact[0].normal.restitution", 0.4},
                                         {"cushions", "contact[0].friction.mu", 0.3},
                                         {"mesh-drop", "run.duration", 1.0},
                                         {"peg-in-hole", "run.duration", 1.0},
                                         {"brick-wall", "run.duration", 1.0}})
    measure(row);
  return 0;
}
