#pragma once

#include <string>

namespace abut::c {

/// What the tests of the C interface run.
inline const char* const kBall = R"(title = "drop"
[run]
duration = 0.3
record_interval = 0.01
[[body]]
name = "ball"
mass = 2.0
shape = { type = "sphere", radius = 0.1 }
position = [0, 0, 0.2]
[[body]]
name = "floor"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1] }
[[contact]]
between = ["ball", "floor"]
normal = { law = "gonthier", stiffness = 1e6, restitution = 0.5 }
friction = { law = "bristle", mu_s = 0.45, mu_c = 0.4 }
)";

/// A motor and a prescribed motion.
inline const char* const kMachine = R"([run]
duration = 1.0
[[body]]
name = "cart"
mass = 2.0
shape = { type = "sphere", radius = 0.1 }
[[body]]
name = "arm"
mass = 1.0
shape = { type = "sphere", radius = 0.1 }
[[joint]]
name = "slide"
type = "prismatic"
child = "cart"
axis = [1, 0, 0]
motor = { mode = "torque", value = 0 }
[[joint]]
name = "turn"
type = "revolute"
child = "arm"
axis = [0, 0, 1]
parent_position = [5, 0, 0]
motion = { kind = "rate", rate = 0 }
)";

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace abut::c
