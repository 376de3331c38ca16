#include "ordinary_scenes.hpp"

#include <cmath>
#include <fstream>
#include <numbers>
#include <random>

#include <fmt/format.h>

namespace abut {

namespace {

constexpr double kPi = std::numbers::pi;

std::string make_run(double duration) { return fmt::format("[run]\nduration = {}\n", duration); }

/// A round peg over a blind hole with a chamfer of 2 mm; `wrist` stands between the peg and what holds it.
std::string make_insertion(double duration, const std::string& peg_and_wrist) {
  return make_run(duration) + peg_and_wrist + R"(
[[body]]
name = "block"
fixed = true
[[body.shape]]
type = "cell"
part = [
  { type = "box", size = [0.12, 0.12, 0.08], position = [0, 0, -0.04] },
  { type = "cylinder", radius = 0.0202, length = 0.12, complement = true },
  { type = "cone", angle_degrees = 90, height = 0.1, position = [0, 0, -0.0222], rotation = { axis = [1, 0, 0], degrees = 180 }, complement = true },
]
[[contact]]
between = ["peg", "block"]
region = "volume"
normal = { law = "gonthier", stiffness = 1e10, restitution = 0.3 }
friction = { law = "bristle", mu_s = 0.2, mu_c = 0.2 }
)";
}

std::string make_peg_on_chamfer() {
  return make_insertion(0.3, R"(
[[body]]
name = "peg"
mass = 0.5
shape = { type = "cylinder", radius = 0.02, length = 0.1 }
position = [0.001, 0, 0.0505]
)");
}

std::string make_peg_with_wrist() {
  return make_insertion(1.5, R"(
[[body]]
name = "hand"
mass = 2.0
inertia = [0.01, 0.01, 0.01]
[[joint]]
name = "feed"
type = "prismatic"
child = "hand"
axis = [0, 0, -1]
motion = { kind = "table", time = [0, 1.25, 1.5], value = [-0.005, 0.03, 0.03] }
[[body]]
name = "peg"
mass = 0.5
shape = { type = "cylinder", radius = 0.02, length = 0.1 }
[[joint]]
name = "wrist"
type = "planar"
parent = "hand"
child = "peg"
parent_position = [0.0005, 0, 0.1]
child_position = [0, 0, 0.05]
axis = [0, 1, 0]
stiffness = 2e4
damping = 50
)");
}

/// A spur gear of `teeth` trapezoidal teeth about z, `layers` along its width, written as OBJ.
void write_gear(const std::string& path, int teeth, double radius, double width, int layers) {
  const double addendum = 2.0 * radius / teeth, dedendum = 1.15 * addendum;
  std::vector<std::pair<double, double>> outline;  // radius, angle
  for (int i = 0; i < teeth; ++i) {
    const double pitch = 2.0 * kPi / teeth, at = i * pitch;
    constexpr int kFlank = 4;
    outline.emplace_back(radius - dedendum, at - 0.36 * pitch);
    for (int k = 0; k <= kFlank; ++k) {
      const double s = static_cast<double>(k) / kFlank;
      outline.emplace_back(radius - dedendum + s * (addendum + dedendum), at - (0.36 - 0.24 * s) * pitch);
    }
    for (int k = kFlank; k >= 0; --k) {
      const double s = static_cast<double>(k) / kFlank;
      outline.emplace_back(radius - dedendum + s * (addendum + dedendum), at + (0.36 - 0.24 * s) * pitch);
    }
    outline.emplace_back(radius - dedendum, at + 0.5 * pitch);
  }
  // Points that coincide at the foot of a flank are one.
  std::erase_if(outline, [previous = std::pair(-1.0, -1.0)](const auto& point) mutable {
    const bool is_same = point == previous;
    previous = point;
    return is_same;
  });
  std::ofstream file(path);
  const int count = static_cast<int>(outline.size());
  for (int layer = 0; layer <= layers; ++layer) {
    for (const auto& [r, angle] : outline) {
      file << fmt::format("v {:.17g} {:.17g} {:.17g}\n", r * std::cos(angle), r * std::sin(angle),
                          width * (static_cast<double>(layer) / layers - 0.5));
    }
  }
  file << fmt::format("v 0 0 {:.17g}\nv 0 0 {:.17g}\n", -0.5 * width, 0.5 * width);
  const int bottom = count * (layers + 1) + 1, top = bottom + 1;
  for (int i = 0; i < count; ++i) {
    const int next = (i + 1) % count;
    for (int layer = 0; layer < layers; ++layer) {
      const int a = layer * count + i + 1, b = layer * count + next + 1;
      file << fmt::format("f {} {} {}\nf {} {} {}\n", a, b, b + count, a, b + count, a + count);
    }
    file << fmt::format("f {} {} {}\n", bottom, next + 1, i + 1);
    file << fmt::format("f {} {} {}\n", top, layers * count + i + 1, layers * count + next + 1);
  }
}

std::string make_gears(const std::string& folder) {
  constexpr int kTeeth = 20;
  const double radius = 0.05;
  write_gear(folder + "/gear.obj", kTeeth, radius, 0.02, 4);
  std::string text = make_run(1.0);
  for (int i = 0; i < 2; ++i) {
    text += fmt::format(
        "[[body]]\nname = \"gear{0}\"\nmass = 1.0\nshape = {{ type = \"mesh\", file = \"{1}/gear.obj\" }}\n"
        "[[joint]]\nname = \"axle{0}\"\ntype = \"revolute\"\nchild = \"gear{0}\"\naxis = [0, 0, 1]\n"
        "parent_position = [{2}, 0, 0]\ncoordinates = [{3}]\n",
        i, folder, 2.02 * radius * i, i == 1 ? kPi + kPi / kTeeth : 0.0);
    text += i == 0 ? "motor = { mode = \"velocity\", value = 5.0, gain = 1.0 }\n" : "damping = 0.02\n";
  }
  return text + R"([[contact]]
between = ["gear0", "gear1"]
region = "volume"
normal = { law = "gonthier", stiffness = 1e10, restitution = 0.5 }
friction = { law = "bristle", mu_s = 0.1, mu_c = 0.1 }
)";
}

std::string make_floor(const std::string& law) {
  return R"(
[[body]]
name = "floor"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1] }
[contact_default]
region = "volume"
)" + law;
}

std::string make_dominoes() {
  std::string text = make_run(1.0);
  for (int i = 0; i < 12; ++i) {
    text += fmt::format(
        "[[body]]\nname = \"domino{}\"\nmass = 0.3\nshape = {{ type = \"box\", size = [0.02, 0.1, 0.2] }}\n"
        "position = [{}, 0, 0.1]\n",
        i, 0.06 * i);
    if (i == 0) text += "velocity = [0.5, 0, 0]\nangular_velocity = [0, 5, 0]\n";
  }
  return text + make_floor(
                    "normal = { law = \"gonthier\", stiffness = 1e9, restitution = 0.3 }\n"
                    "friction = { law = \"bristle\", mu_s = 0.4, mu_c = 0.4 }\n");
}

std::string make_stack() {
  std::string text = make_run(2.0);
  for (int i = 0; i < 5; ++i) {
    text += fmt::format(
        "[[body]]\nname = \"box{}\"\nmass = 1.0\nshape = {{ type = \"box\", size = [0.1, 0.1, 0.1] }}\n"
        "position = [{}, 0, {}]\n",
        i, 0.005 * (i % 2), 0.05 + 0.101 * i);
  }
  return text + make_floor(
                    "normal = { law = \"gonthier\", stiffness = 1e9, restitution = 0.3 }\n"
                    "friction = { law = \"bristle\", mu_s = 0.5, mu_c = 0.5 }\n");
}

std::string make_stool() {
  std::string text = make_run(2.0) +
                     "[[body]]\nname = \"stool\"\nmass = 4.0\nposition = [0, 0, 0.43]\n"
                     "rotation = { axis = [1, 0.3, 0], degrees = 2 }\n"
                     "[[body.shape]]\ntype = \"cylinder\"\nradius = 0.18\nlength = 0.03\nposition = [0, 0, 0.015]\n";
  for (int i = 0; i < 4; ++i) {
    const double angle = kPi * (0.5 * i + 0.25);
    text += fmt::format("[[body.shape]]\ntype = \"cylinder\"\nradius = 0.02\nlength = 0.4\nposition = [{}, {}, -0.2]\n",
                        0.13 * std::cos(angle), 0.13 * std::sin(angle));
  }
  return text + make_floor(
                    "normal = { law = \"gonthier\", stiffness = 1e9, restitution = 0.3 }\n"
                    "friction = { law = \"bristle\", mu_s = 0.5, mu_c = 0.5 }\n");
}

std::string make_bearing() {
  std::string text = "gravity = [0, 0, 0]\n" + make_run(0.01) + R"(
[[body]]
name = "outer"
fixed = true
shape = { type = "bore", radius = 0.025 }
[[body]]
name = "shaft"
mass = 0.2
inertia = [1e-4, 1e-4, 2e-5]
shape = { type = "cylinder", radius = 0.015 }
[[joint]]
name = "guide"
type = "planar"
child = "shaft"
axis = [0, 0, 1]
velocities = [0, 0, 100]
[[force]]
body = "shaft"
force = [-100, 0, 0]
[[contact]]
between = ["ball*", "*"]
normal = { law = "hunt-crossley", young = 2.1e11, poisson = 0.3, restitution = 0.8 }
friction = { law = "coulomb", mu = 0.1 }
)";
  for (int i = 0; i < 8; ++i) {
    text += fmt::format(
        "[[body]]\nname = \"ball{}\"\ndensity = 7800\nshape = {{ type = \"sphere\", radius = 0.005 }}\n"
        "position = [{:.12g}, {:.12g}, 0]\n",
        i, 0.02 * std::cos(0.25 * kPi * i), 0.02 * std::sin(0.25 * kPi * i));
  }
  return text;
}

std::string make_hopper() {
  std::string text = make_run(0.3) + R"(
[[body]]
name = "hopper"
fixed = true
shape = [
  { type = "half-space", normal = [0, 0, 1] },
  { type = "half-space", normal = [1, 0, 0.5], offset = -0.15 },
  { type = "half-space", normal = [-1, 0, 0.5], offset = -0.15 },
  { type = "half-space", normal = [0, 1, 0.5], offset = -0.15 },
  { type = "half-space", normal = [0, -1, 0.5], offset = -0.15 } ]
[[contact]]
between = ["*", "*"]
normal = { law = "hunt-crossley", stiffness = 1e6, restitution = 0.5 }
friction = { law = "coulomb", mu = 0.4 }
)";
  std::mt19937 random(1);
  std::uniform_real_distribution<double> shift(-0.002, 0.002);
  for (int i = 0; i < 30; ++i) {
    text += fmt::format(
        "[[body]]\nname = \"ball{}\"\nmass = 0.3\nshape = {{ type = \"sphere\", radius = 0.04 }}\n"
        "position = [{:.6f}, {:.6f}, {:.6f}]\n",
        i, 0.085 * (i % 3 - 1) + shift(random), 0.085 * (i / 3 % 3 - 1) + shift(random), 0.06 + 0.09 * (i / 9));
  }
  return text;
}

}  // namespace

std::vector<OrdinaryScene> make_ordinary_scenes(const std::string& folder) {
  return {
      {"peg on a chamfer", make_peg_on_chamfer(), 1.0},    {"peg with a compliant wrist", make_peg_with_wrist(), 3.0},
      {"two gears of triangles", make_gears(folder), 2.0}, {"twelve dominoes", make_dominoes(), 2.0},
      {"stack of five boxes", make_stack(), 1.0},          {"stool on four round legs", make_stool(), 1.0},
      {"steel ball bearing", make_bearing(), 5.0},         {"thirty balls in a hopper", make_hopper(), 3.0}};
}

}  // namespace abut
