#pragma once

#include <stddef.h>

/* A controller of one's own in a shared library: kind = { type = "library", file = "mine.so", ... } in a scene
 * (docs/controllers.md). The library exports the three functions at the end; abut calls them, and they call nothing of
 * abut.
 *
 * The same measurement, parameters and memory must give the same commands: what is to be remembered from sample to
 * sample belongs in `memory`, which abut saves and loads with the state. Each world calls from one thread at a time;
 * several worlds may call at once.
 */

#define ABUT_CONTROLLER_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* What stays the same for the whole run. Texts and arrays live as long. */
typedef struct abut_controller_setup {
  size_t size;   /* of this struct; later versions append members */
  double period; /* from sample to sample [s] */
  size_t num_joints;
  const char* const* joints; /* names, in the order of the scene */
  size_t num_sensors;
  const char* const* sensors;
  const size_t* sensor_channels; /* numbers that each sensor shows */
  size_t num_parameters;
  const double* parameters; /* of the scene */
} abut_controller_setup;

/* One sample. */
typedef struct abut_controller_sample {
  size_t size;
  double time;           /* [s] */
  const double* q;       /* coordinate of each joint [m, rad] */
  const double* v;       /* its rate [m/s, rad/s] */
  const double* sensors; /* channels of all sensors, one sensor behind the other */
  double* memory;        /* as many numbers as abut_controller_memory() said; zero at the first sample */
  double* commands;      /* to be written: one for each joint, in the unit of its motor's mode */
  const char* message;   /* may be set where the answer is not 0: why; a text that stays */
} abut_controller_sample;

/* ABUT_CONTROLLER_VERSION of the header that the library was compiled with. */
int abut_controller_version(void);
/* How many numbers it remembers; negative: it cannot work like this. */
long abut_controller_memory(const abut_controller_setup* setup);
/* 0, or anything else to end the run. Must not throw. */
int abut_controller_act(const abut_controller_setup* setup, abut_controller_sample* sample);

#ifdef __cplusplus
}
#endif
