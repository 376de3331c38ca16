// An egg-shaped stone strikes a floor. In the middle of the impact the world is saved to the file that is named; where
// that file is there already, the world goes on from it. Both ways end with the same bits, which the hash shows.
#include <cstdio>
#include <fstream>
#include <iterator>

#include <abut/abut.hpp>

const char* const kScene = R"(
run = { duration = 0.5 }
[[body]]
name = "stone"
mass = 0.3
shape = { type = "ellipsoid", semi_axes = [0.06, 0.04, 0.09] }
position = [0, 0, 0.15]
angular_velocity = [3, -1, 0.5]
[[body]]
name = "floor"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1] }
[[contact]]
between = ["stone", "floor"]
normal = { law = "gonthier", stiffness = 1e6, restitution = 0.5 }
friction = { law = "bristle", mu_c = 0.4, mu_s = 0.45 }
)";

int main(int argc, char** argv) try {
  if (argc != 2) return std::puts("usage: checkpoint_in_impact FILE"), 1;
  abut::World world(abut::Scene::read_text(kScene));
  if (std::ifstream file(argv[1], std::ios::binary); file) {
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    world.set_state(abut::State::from_bytes(std::as_bytes(std::span(bytes))));
  } else {
    while (world.contacts().empty() && world.step().is_ok()) {
    }
    for (int k = 0; k < 5; ++k) world.step();  // of the impact's some twenty steps
    const abut::State saved = world.state();
    std::ofstream(argv[1], std::ios::binary)
        .write(reinterpret_cast<const char*>(saved.bytes().data()), static_cast<std::streamsize>(saved.bytes().size()));
  }
  std::fprintf(stderr, "at %.6f s, pressed with %.1f N\n", world.time(), world.contacts().at(0).normal_force);
  for (int k = 0; k < 200 && world.step().is_ok(); ++k) {
  }
  std::printf("after 200 steps, at %.17g s: hash %zx\n", world.time(), world.state().hash());
} catch (const std::exception& error) {
  return std::puts(error.what()), 1;
}
