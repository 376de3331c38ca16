// What the programs of both hosts share: the same scene in abut's own core, and how far the host is from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <abut/abut.hpp>

/// How a host moved the body of a scene, and what its energy balance missed.
struct HostRun {
  std::vector<abut::Motion> motions;  ///< at the times of the samples
  double worst_balance = 0.0;         ///< [J]
};

struct HostCase {
  std::string scene;       ///< file beside this one
  double mass;             ///< [kg], as in the scene
  abut::Vector3 inertia;   ///< principal, as in the scene [kg m^2]
  double step;             ///< in which patches begin and end [s]
  int samples;             ///< over the duration of the scene
  double reach;            ///< extent of the body: what turns its angular velocity into a speed [m]
  double position, speed;  ///< how far from the core the host may be at any sample [m], [m/s]
  double balance;          ///< of the energy, relative to host_turnover()
};

inline double distance(const abut::Vector3& a, const abut::Vector3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// What energies are judged by: kinetic at the start, and the fall of a metre's tenth [J].
inline double host_turnover(const HostCase& test, const abut::Scene& scene) {
  const abut::Energy energy = abut::World(scene).energy();
  return energy.kinetic + 0.1 * 9.81 * test.mass;
}

/// Runs the scene in abut and prints the comparison; whether the host is within the limits.
inline bool compare_with_core(const char* host, const HostCase& test, const abut::Scene& scene, const HostRun& run,
                              double turnover) {
  abut::World world(scene);
  double position = 0.0, speed = 0.0, spin = 0.0, end = 0.0;
  for (int k = 1; k <= test.samples; ++k) {
    world.advance(scene.duration() * k / test.samples);
    const abut::Motion core = world.body("mover"), &here = run.motions.at(static_cast<std::size_t>(k - 1));
    position = std::max(position, distance(core.position, here.position));
    speed = std::max(speed, distance(core.velocity, here.velocity));
    spin = std::max(spin, test.reach * distance(core.angular_velocity, here.angular_velocity));
    end = distance(core.position, here.position);
  }
  const double balance = run.worst_balance / turnover;
  const bool is_good = position < test.position && std::max(speed, spin) < test.speed && balance < test.balance;
  std::printf(
      "%-9s %-10s step %.0e s: position within %.1e m (%.1e m at the end), velocity %.1e m/s, spin %.1e m/s at the "
      "rim, energy closes to %.1e: %s\n",
      host, scene.title().c_str(), test.step, position, end, speed, spin, balance, is_good ? "agrees" : "DIFFERS");
  return is_good;
}
