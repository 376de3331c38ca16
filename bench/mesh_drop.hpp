#pragma once

#include <string>
#include <vector>

#include "abut/math/mass_properties.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Bodies given by triangles, centre of mass at their origin, dropped into a container. Lengths [m].
struct MeshDrop {
  struct Body {
    std::string name;
    MeshData mesh;
    MassProperties mass;
    Vec3 position = Vec3::Zero();
    Quat orientation = Quat::Identity();
  };
  struct Slab {
    Vec3 center, half;
  };
  std::vector<Body> bodies;
  std::vector<Slab> slabs;  ///< floor and walls of the container
  double inner_half = 0.5;  ///< inside of the container: |x|, |y| up to this, z from 0 up [m]
  double gravity = 9.81;    ///< [m/s^2]
  double friction = 0.5, restitution = 0.3;
  double step = 1.5e-3;     ///< [s]   [Moisio 2013, 6.5]
  double duration = 8.0;    ///< [s]
  int steps_a_sample = 10;  ///< poses are looked at this often

  int num_steps() const { return static_cast<int>(duration / step + 0.5); }
};

struct DropState {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();  ///< in the world
  Quat orientation = Quat::Identity();
};

/// What an engine made of it: states of all bodies at each sample.
struct DropRecord {
  std::string engine;
  std::string note;  ///< what it was given instead of the triangles, if anything
  std::vector<std::vector<DropState>> samples;
  double time = 0.0;  ///< of the processor, all steps [s]
  bool is_available = true;
};

DropRecord run_abut(const MeshDrop& drop);
/// `is_available` is false where the library was not found at build time.
DropRecord run_bullet(const MeshDrop& drop);
DropRecord run_ode(const MeshDrop& drop);
DropRecord run_mujoco(const MeshDrop& drop);

}  // namespace abut
