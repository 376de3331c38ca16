// Whether perimeter contact ever makes energy: bodies of triangles that bounce, rub, rock and rest in a closed box, a
// million steps in all, every step looked at. Mechanical energy is kinetic + gravitational + elastic + bristles.
//   perimeter_energy_bench [steps of each scene]

#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/sim/closed_room_test.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "bench_tools.hpp"

namespace {

using namespace abut;

struct Setting {
  std::string name;
  RoomSetting room;
};

std::vector<Setting> make_settings() {
  const MeshData ball = make_uv_sphere_mesh(0.12, 15, 10), ring = make_torus_mesh(0.13, 0.05, 22, 22),
                 box = make_box_mesh(Vec3(0.12, 0.08, 0.1));
  const Vec3 low(0.05, 0.02, 0.3), middle(-0.1, -0.05, 0.6), high(0.1, 0.1, 0.9);
  // One sheet without an inside, and two boxes that pass through each other.
  const BodySpec bowl =
      make_thrown_surface("bowl", make_revolved_mesh({Vec2(0.0, 0.0), Vec2(0.08, 0.03), Vec2(0.12, 0.08)}, 24), middle,
                          Vec3(4e-3, 4e-3, 6e-3));
  const BodySpec cross = make_thrown_surface(
      "cross", make_union(make_box_mesh(Vec3(0.15, 0.04, 0.05)), make_box_mesh(Vec3(0.04, 0.15, 0.05))), middle,
      Vec3(6e-3, 6e-3, 8e-3));
  const std::vector<BodySpec> three = {make_thrown("ball", ball, low), make_thrown("box", box, middle),
                                       make_thrown("ring", ring, high)};
  return {{"ball, elastic", {{make_thrown("ball", ball, middle)}, 1.0, 0.0, 2.1e5, 1e-3}},
          {"ball, elastic, hard", {{make_thrown("ball", ball, middle)}, 1.0, 0.0, 2.1e6, 1.5e-3}},
          {"box, elastic, hard", {{make_thrown("box", box, middle)}, 1.0, 0.0, 2.1e6, 1.5e-3}},
          {"ring, elastic, friction", {{make_thrown("ring", ring, middle)}, 1.0, 0.4, 2.1e6, 1e-3}},
          {"box, e = 0.5, friction", {{make_thrown("box", box, middle)}, 0.5, 0.4, 2.1e6, 1.5e-3}},
          {"bowl of one sheet, e = 0.8", {{bowl}, 0.8, 0.3, 2.1e6, 1e-3}},
          {"crossed boxes, elastic", {{cross}, 1.0, 0.2, 2.1e6, 1e-3}},
          {"three, elastic", {three, 1.0, 0.0, 2.1e6, 1e-3}},
          {"three, e = 0.5, friction", {three, 0.5, 0.5, 2.1e6, 1.5e-3}}};
}

}  // namespace

int main(int argc, char** argv) {
  const double num_steps = argc > 1 ? std::atof(argv[1]) : 115e3;
  fmt::print("{:<28} {:>8} {:>8} {:>9} {:>9} {:>11} {:>8} {:>11} {:>11} {:>11} {:>11}\n", "", "steps", "us/step",
             "first J", "last J", "rise J", "at s", "in a step", "motion + J", "bristles J", "least el. J");
  for (const Setting& setting : make_settings()) {
    EnergySink sink;
    RoomSetting room = setting.room;
    room.num_steps = num_steps;
    const Model model = compile(make_room_scene(room));
    RunSummary summary;
    const double time = calc_cpu_time([&] { summary = simulate(model, sink); });
    fmt::print(
        "{:<28} {:>8} {:>8.1f} {:>9.4f} {:>9.4f} {:>11.2e} {:>8.2f} {:>11.2e} {:>11.2e} {:>11.2e} {:>11.2e} {}\n",
        setting.name, sink.num_samples - 1, 1e6 * time / static_cast<double>(sink.num_samples), sink.first, sink.last,
        sink.rise, sink.rise_time, sink.step_rise, sink.most_motion - sink.first, sink.bristle, sink.least_elastic,
        summary.status == RunStatus::done ? "" : summary.message);
  }
  return 0;
}
