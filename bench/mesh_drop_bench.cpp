// A sphere of 270 triangles, a box and a ring of 968 dropped into a container, at steps of 1.5 ms, by abut, Bullet, ODE
// and MuJoCo: time of a step, and what the poses say about it, judged by the same geometry for all.

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_interference.hpp"
#include "mesh_drop.hpp"

namespace {

using namespace abut;

MeshDrop make_drop() {
  MeshDrop drop;
  const double density = 500.0;  // [kg/m^3]
  const auto add = [&](const char* name, const MeshData& mesh, const Vec3& p, const Quat& q) {
    drop.bodies.push_back({name, mesh, calc_mass_properties(make_closed_mesh(mesh), density), p, q.normalized()});
  };
  add("sphere", make_uv_sphere_mesh(0.12, 15, 10), Vec3(0.05, 0.02, 0.40), Quat(0.9, 0.2, 0.3, 0.1));
  add("box", make_box_mesh(Vec3(0.12, 0.08, 0.1)), Vec3(-0.06, -0.03, 0.75), Quat(0.8, -0.3, 0.2, 0.4));
  add("ring", make_torus_mesh(0.13, 0.05, 22, 22), Vec3(0.02, 0.05, 1.10), Quat(0.7, 0.5, 0.1, -0.2));
  const double half = drop.inner_half, t = 0.1, height = 0.4;
  drop.slabs.push_back({Vec3(0, 0, -t), Vec3(half + 2 * t, half + 2 * t, t)});
  for (const double s : {-1.0, 1.0}) {
    drop.slabs.push_back({Vec3(s * (half + t), 0, height), Vec3(t, half + 2 * t, height)});
    drop.slabs.push_back({Vec3(0, s * (half + t), height), Vec3(half, t, height)});
  }
  return drop;
}

double calc_energy(const MeshDrop& drop, const std::vector<DropState>& states) {
  double energy = 0.0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const MassProperties& mass = drop.bodies[i].mass;
    const Vec3 w = states[i].orientation.inverse() * states[i].angular_velocity;
    energy += mass.mass * (0.5 * states[i].velocity.squaredNorm() + drop.gravity * states[i].position.z()) +
              0.5 * w.dot(mass.inertia * w);
  }
  return energy;
}

/// How far any vertex is in the floor or in a wall [m].
double calc_depth(const MeshDrop& drop, const std::vector<DropState>& states) {
  double depth = 0.0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Pose X(states[i].orientation, states[i].position);
    for (const Vec3& v : drop.bodies[i].mesh.vertices) {
      const Vec3 p = X * v;
      depth = std::max({depth, -p.z(), std::abs(p.x()) - drop.inner_half, std::abs(p.y()) - drop.inner_half});
    }
  }
  return depth;
}

/// Height of the lowest vertex of all [m].
double calc_height(const MeshDrop& drop, const std::vector<DropState>& states) {
  double height = 1e9;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Pose X(states[i].orientation, states[i].position);
    for (const Vec3& v : drop.bodies[i].mesh.vertices) height = std::min(height, (X * v).z());
  }
  return height;
}

struct Judgement {
  double worst_depth = 0.0, rest_depth = 0.0;      // in the container [m]
  double hover = 1e9;                              // least height of anything above the floor at rest [m]
  double worst_overlap = 0.0, rest_overlap = 0.0;  // volume shared by bodies [m^3]
  double energy_rise = 0.0;                        // of its peaks over windows of 0.25 s [J]
  double drift = 0.0;                              // fastest body's mean speed over the last 2 s [m/s]
  double rest_speed = 0.0;                         // largest speed in the last 2 s [m/s]
  std::string drifter;                             // that body
  bool is_lost = false;
};

Judgement judge(const MeshDrop& drop, const DropRecord& record) {
  std::vector<ClosedMesh> solids;
  for (const MeshDrop::Body& body : drop.bodies) solids.push_back(make_closed_mesh(body.mesh, body.name));
  MeshInterference interference;
  Judgement judgement;
  const double interval = drop.step * drop.steps_a_sample;
  const std::size_t tail = record.samples.size() - static_cast<std::size_t>(2.0 / interval);
  const std::size_t window = static_cast<std::size_t>(0.25 / interval);
  double least = HUGE_VAL, peak = -HUGE_VAL;
  for (std::size_t k = 0; k < record.samples.size(); ++k) {
    const std::vector<DropState>& s = record.samples[k];
    const double energy = calc_energy(drop, s), depth = calc_depth(drop, s);
    judgement.is_lost |= !std::isfinite(energy) || depth > 0.1;
    if (judgement.is_lost) return judgement;
    // Peaks, because a soft contact stores energy for a while and gives it back.
    peak = std::max(peak, energy);
    if ((k + 1) % window == 0) {
      judgement.energy_rise = std::max(judgement.energy_rise, peak - least);
      least = std::min(least, peak);
      peak = -HUGE_VAL;
    }
    double overlap = 0.0;
    for (std::size_t i = 0; i < s.size(); ++i) {
      for (std::size_t j = i + 1; j < s.size(); ++j) {
        for (const VolumeMetrics& piece : interference.calc(solids[i], Pose(s[i].orientation, s[i].position), solids[j],
                                                            Pose(s[j].orientation, s[j].position))) {
          overlap += piece.volume;
        }
      }
    }
    judgement.worst_depth = std::max(judgement.worst_depth, depth);
    judgement.worst_overlap = std::max(judgement.worst_overlap, overlap);
    if (k < tail) continue;
    judgement.rest_depth = std::max(judgement.rest_depth, depth);
    judgement.hover = std::min(judgement.hover, calc_height(drop, s));
    judgement.rest_overlap = std::max(judgement.rest_overlap, overlap);
    for (const DropState& state : s) judgement.rest_speed = std::max(judgement.rest_speed, state.velocity.norm());
  }
  for (std::size_t i = 0; i < drop.bodies.size(); ++i) {
    const Vec3 way = record.samples.back()[i].position - record.samples[tail][i].position;
    if (way.norm() / 2.0 <= judgement.drift) continue;
    judgement.drift = way.norm() / 2.0;
    judgement.drifter = drop.bodies[i].name;
  }
  return judgement;
}

void print(const MeshDrop& drop, const DropRecord& record) {
  if (!record.is_available) {
    fmt::print("{:<12} {}\n", record.engine, record.note);
    return;
  }
  const Judgement x = judge(drop, record);
  fmt::print("{:<12} {:>8.1f} {:>8.0f} ", record.engine, 1e6 * record.time / drop.num_steps(),
             drop.duration / record.time);
  if (x.is_lost) {
    fmt::print("   lost: a body left the container or is not finite\n");
    return;
  }
  fmt::print("{:>9.3f} {:>9.3f} {:>9.3f} {:>11.1f} {:>11.1f} {:>9.4f} {:>10.4f} {:>10.4f} {:<7} {}\n",
             1e3 * x.worst_depth, 1e3 * x.rest_depth, 1e3 * std::max(0.0, x.hover), 1e9 * x.worst_overlap,
             1e9 * x.rest_overlap, x.energy_rise, 1e3 * x.rest_speed, 1e3 * x.drift, x.drifter, record.note);
}

}  // namespace

int main() {
  const MeshDrop drop = make_drop();
  fmt::print("{} s at steps of {} ms; rest: the last 2 s; rise: of the peaks of mechanical energy\n", drop.duration,
             1e3 * drop.step);
  fmt::print("{:<12} {:>8} {:>8} {:>9} {:>9} {:>9} {:>11} {:>11} {:>9} {:>10} {:>10}\n", "", "us/step", "x real",
             "deep mm", "at rest", "hover mm", "overlap mm3", "at rest", "rise J", "rest mm/s", "drift mm/s");
  print(drop, run_abut(drop));
  print(drop, run_bullet(drop));
  print(drop, run_ode(drop));
  print(drop, run_mujoco(drop));
  return 0;
}
