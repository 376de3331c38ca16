// Contact forces alone: the ball is integrated here, by a Runge-Kutta rule of order four, and abut is asked for the
// force and for the rates of what the contact remembers. The ball falls, bounces, comes to rest; no energy is lost from
// sight.
#include <cmath>
#include <cstdio>
#include <vector>

#include <abut/abut.hpp>

const char* const kScene = R"(
run = { duration = 1.0 }                              # not used: time is ours
[[body]]
name = "ball"
mass = 1.0
shape = { type = "sphere", radius = 0.1 }
[[body]]
name = "floor"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1] }
[[contact]]
between = ["ball", "floor"]
normal = { law = "gonthier", stiffness = 1e5, restitution = 0.5 }
)";

using Numbers = std::vector<double>;  // height [m], its rate [m/s], then those of the contact

int main() try {
  const double mass = 1.0, gravity = 9.81, h = 1e-4;
  abut::ContactPair pair(abut::Scene::read_text(kScene), "ball", "floor");
  abut::PairState state = pair.start();
  const abut::Motion floor;
  const auto ball = [](const Numbers& y) { return abut::Motion{.position = {0, 0, y[0]}, .velocity = {0, 0, y[1]}}; };
  const auto rates = [&](double t, const Numbers& y) {
    const abut::PairForce f = pair.evaluate(state, t, ball(y), floor, std::span(y).subspan(2));
    Numbers out = {y[1], f.on_a.force[2] / mass - gravity};
    out.insert(out.end(), f.rates.begin(), f.rates.end());
    return out;
  };
  const auto moved = [](Numbers y, double by, const Numbers& rate) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += by * rate[i];
    return y;
  };
  double z = 0.3, v = 0.0, worst = 0.0;
  const double total = mass * gravity * z;
  for (int k = 0; k < 30000; ++k) {
    const double t = k * h;
    for (const auto& event : pair.begin_step(state, t, h, ball({z, v}), floor))
      if (k < 10000 && event.kind == abut::ContactEventKind::touch)
        std::printf("touches at %.4f s with %.3f m/s\n", event.time, -event.normal_speed);
    Numbers y = {z, v};
    y.insert(y.end(), state.numbers.begin(), state.numbers.end());
    const Numbers a = rates(t, y), b = rates(t + h / 2, moved(y, h / 2, a)), c = rates(t + h / 2, moved(y, h / 2, b));
    const Numbers d = rates(t + h, moved(y, h, c));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    z = y[0], v = y[1];
    state.numbers.assign(y.begin() + 2, y.end());
    pair.end_step(state, t + h);
    const abut::Energy e = pair.energy(state, t + h, ball(y), floor);
    const double now = mass * (v * v / 2 + gravity * z) + e.stored() + e.dissipated() - e.supplied();
    worst = std::max(worst, std::abs(now - total));
  }
  std::printf("at rest %.6f m above the floor, %.1e m/s; energy closes to %.1e of %.3f J\n", z, v, worst, total);
  return std::abs(v) < 1e-4 && worst < 1e-5 * total ? 0 : 1;
} catch (const std::exception& error) {
  return std::puts(error.what()), 1;
}
