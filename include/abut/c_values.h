#pragma once

#include "abut/c_base.h"

ABUT_C_BEGIN

/* Where a body is and how it moves, in world axes. The place of a body is that of the origin of its frame, which need
 * not be its centre of mass. */
typedef struct abut_motion {
  double position[3];         /* of the frame's origin [m] */
  double orientation[4];      /* of the frame: unit quaternion w, x, y, z */
  double velocity[3];         /* of the frame's origin [m/s] */
  double angular_velocity[3]; /* [rad/s] */
} abut_motion;

/* At the origin, at rest, along the axes of the world: `abut_motion floor = ABUT_MOTION_REST;` */
/* clang-format off */
#define ABUT_MOTION_REST { {0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0} }
/* clang-format on */

/* Force and torque on a body, in world axes; the torque is about the origin of the body's frame. */
typedef struct abut_wrench {
  double force[3];  /* [N] */
  double torque[3]; /* [N m] */
} abut_wrench;

/* How a step ended. */
typedef struct abut_step_report {
  size_t size;
  double time;         /* reached [s] */
  const char* message; /* why it cannot go on; empty while it can */
  const char* advice;  /* what to try then */
} abut_step_report;

/* One patch in contact at one instant, in world axes. */
typedef struct abut_contact {
  size_t size;
  const char* body_a; /* the force acts on a, the opposite on b */
  const char* body_b;
  int32_t patch; /* tells apart several patches of one pair, such as corners of a box */
  int32_t is_sticking;
  double depth;            /* how far the surfaces are pressed into each other [m] */
  double depth_rate;       /* [m/s] */
  double point[3];         /* of action [m] */
  double normal[3];        /* from b into a */
  double force[3];         /* normal and tangential [N] */
  double torque[3];        /* beyond that of the force at its point [N m] */
  double normal_force;     /* [N] */
  double slip_velocity[3]; /* of a over b [m/s] */
} abut_contact;

typedef enum abut_event_kind { ABUT_TOUCH = 0, ABUT_LIFT = 1, ABUT_STICK = 2, ABUT_SLIP = 3 } abut_event_kind;

typedef struct abut_event {
  size_t size;
  double time;         /* [s] */
  double normal_speed; /* rate of the gap at that instant [m/s], < 0 approaching */
  const char* body_a;
  const char* body_b;
  int32_t patch;
  int32_t kind; /* abut_event_kind */
} abut_event;

/* What is stored, and what was dissipated and put in since the start [J]. */
typedef struct abut_energy {
  size_t size;
  double stored, dissipated, supplied; /* sums of the rows below */
  double residual; /* what the ledger misses: stored + dissipated - supplied - (stored at the start) */
  /* stored */
  double kinetic;
  double gravitational;
  double elastic; /* in the normal springs of contacts */
  double bristle; /* in deflected bristles of contacts */
  double spring;  /* in springs and limits of the scene */
  /* dissipated */
  double damping;          /* by normal forces of contacts */
  double friction;         /* by sliding in contacts */
  double viscous_friction; /* by the viscous part of friction in contacts */
  double spring_damping;   /* by dampers of the scene */
  double joint_friction;
  double volume_hysteresis; /* kept, or given where negative, by volumetric springs without a potential */
  double time_stepping;     /* by steps of velocities themselves */
  /* supplied */
  double motor;
  double prescribed_motion;
  double applied_force;
  double relaxation; /* by touches that fixed steps find late */
  double geometry;   /* by geometry and inertia frozen over steps of method micro */
} abut_energy;

ABUT_C_END
