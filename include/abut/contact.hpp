#pragma once

#include <string>

#include "abut/geometry.hpp"

ABUT_DOOR_BEGIN

/// One patch in contact at one instant, in world axes.
struct Contact {
  std::string body_a, body_b;  ///< the force acts on a, the opposite on b
  int patch = 0;               ///< tells apart several patches of one pair, such as corners of a box
  double depth = 0.0;          ///< how far the surfaces are pressed into each other [m]
  double depth_rate = 0.0;     ///< [m/s]
  Vector3 point{};             ///< of action [m]
  Vector3 normal{};            ///< from b into a
  Vector3 force{};             ///< normal and tangential [N]
  Vector3 torque{};            ///< beyond that of the force at its point [N m]
  double normal_force = 0.0;   ///< [N]
  Vector3 slip_velocity{};     ///< of a over b [m/s]
  bool is_sticking = false;
};

enum class ContactEventKind { touch, lift, stick, slip };

struct ContactEvent {
  double time = 0.0;  ///< [s]
  ContactEventKind kind = ContactEventKind::touch;
  std::string body_a, body_b;
  int patch = 0;
  double normal_speed = 0.0;  ///< rate of the gap at that instant [m/s], < 0 approaching
};

/// What is stored, and what was dissipated and put in since the start [J]. `residual` is what the ledger misses:
/// stored + dissipated - supplied - (stored at the start).
struct Energy {
  // stored
  double kinetic = 0.0;
  double gravitational = 0.0;
  double elastic = 0.0;  ///< in the normal springs of contacts
  double bristle = 0.0;  ///< in deflected bristles of contacts
  double spring = 0.0;   ///< in springs and limits of the scene
  // dissipated
  double damping = 0.0;           ///< by normal forces of contacts
  double friction = 0.0;          ///< by sliding in contacts
  double viscous_friction = 0.0;  ///< by the viscous part of friction in contacts
  double spring_damping = 0.0;    ///< by dampers of the scene
  double joint_friction = 0.0;
  double volume_hysteresis = 0.0;  ///< kept, or given where negative, by volumetric springs without a potential
  double time_stepping = 0.0;      ///< by steps of velocities themselves
  // supplied
  double motor = 0.0;
  double prescribed_motion = 0.0;
  double applied_force = 0.0;
  double relaxation = 0.0;  ///< by touches that fixed steps find late
  double geometry = 0.0;    ///< by geometry frozen over steps (method micro), or taken where negative

  double residual = 0.0;

  double stored() const { return kinetic + gravitational + elastic + bristle + spring; }
  double dissipated() const {
    return damping + friction + viscous_friction + spring_damping + joint_friction + volume_hysteresis + time_stepping;
  }
  double supplied() const { return motor + prescribed_motion + applied_force + relaxation + geometry; }
};

ABUT_DOOR_END
