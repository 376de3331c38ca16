// A foot on a vertical slide is pressed on a table: every millisecond a controller reads the contact force and sets the
// motor, until it is 20 N. docs/library.md tells how to build it.
#include <cmath>
#include <cstdio>

#include <abut/abut.hpp>

const char* const kScene = R"(
run = { duration = 1.0 }                              # s; adaptive steps
[[body]]
name = "foot"
mass = 0.5                                            # kg
shape = { type = "sphere", radius = 0.05 }            # m
[[body]]
name = "table"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1] }
[[joint]]
name = "slide"
type = "prismatic"
child = "foot"
axis = [0, 0, 1]
parent_position = [0, 0, 0.06]                        # 10 mm above the table at the start
damping = 50                                          # N s/m
motor = { mode = "torque", value = 0 }                # N: what it is told
[[contact]]
between = ["foot", "table"]
normal = { law = "gonthier", stiffness = 1e6, restitution = 0.3 }
)";

int main() try {
  abut::World world(abut::Scene::read_text(kScene));
  double push = 0.0, force = 0.0;  // N
  for (int k = 1; k <= 1000; ++k) {
    if (!world.advance(1e-3 * k).is_ok()) return std::puts(world.report().message.c_str()), 2;
    force = 0.0;
    for (const abut::Contact& contact : world.contacts()) force += contact.normal_force;
    push -= 20.0 * (20.0 - force) * 1e-3;  // 1/s
    world.set_command("slide", push);
  }
  std::printf("force %.4f N, motor %.4f N, foot %.5f m deep, balance closes to %.1e J\n", force, push,
              0.05 - world.body("foot").position[2], std::abs(world.energy().residual));
  return std::abs(force - 20.0) < 0.02 && std::abs(world.energy().residual) < 1e-5 ? 0 : 1;
} catch (const std::exception& error) {
  return std::puts(error.what()), 1;
}
