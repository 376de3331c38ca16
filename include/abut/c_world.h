#pragma once

#include "abut/c_scene.h"
#include "abut/c_values.h"

ABUT_C_BEGIN

/* A model on its way through time. Steps are those that `abut run` takes; looking changes nothing, not a bit. Names are
 * those of the scene; an unknown one is answered with the nearest that there is. */
typedef struct abut_world abut_world;
/* One instant of a world: everything that the steps to come depend on. It never changes. */
typedef struct abut_state abut_state;
/* A whole run in memory. It never changes. */
typedef struct abut_run abut_run;

/* At time zero. `threads`: 0 for as many as the scene asks for; results do not depend on them. */
ABUT_API abut_status abut_world_make(const abut_model* model, int threads, abut_world** world);
/* The same instant of the same model, going on by itself. */
ABUT_API abut_status abut_world_copy(abut_world* world, abut_world** copy);
ABUT_API abut_status abut_world_free(abut_world* world);
ABUT_API abut_status abut_world_model(abut_world* world, abut_model** model);

/* One step of the method; steps until `time` [s], the last one ending there. ABUT_STOPPED where the world cannot go on.
 * `report` may be NULL; abut_world_report() is of the last call. */
ABUT_API abut_status abut_world_step(abut_world* world, abut_step_report* report);
ABUT_API abut_status abut_world_advance(abut_world* world, double time, abut_step_report* report);
ABUT_API abut_status abut_world_report(abut_world* world, abut_step_report* report);

/* Looks at the present instant. */
ABUT_API abut_status abut_world_time(abut_world* world, double* time);
ABUT_API abut_status abut_world_body(abut_world* world, const char* body, abut_motion* motion);
ABUT_API abut_status abut_world_energy(abut_world* world, abut_energy* energy);
ABUT_API abut_status abut_world_joint_position(abut_world* world, const char* joint, double* position); /* [m, rad] */
ABUT_API abut_status abut_world_joint_velocity(abut_world* world, const char* joint, double* velocity);
/* Generalised coordinates [m, rad] and velocities, in the order of records. `count` says how many there are; at most
 * `capacity` are written, so that NULL and 0 ask for the number alone. */
ABUT_API abut_status abut_world_coordinates(abut_world* world, double* values, size_t capacity, size_t* count);
ABUT_API abut_status abut_world_velocities(abut_world* world, double* values, size_t capacity, size_t* count);
/* Patches in contact now: counted and kept, to be read one by one until they are looked for again. */
ABUT_API abut_status abut_world_find_contacts(abut_world* world, size_t* count);
ABUT_API abut_status abut_world_contact(abut_world* world, size_t index, abut_contact* contact);
/* Touches, lifts, sticks and slips since they were taken last: counted and kept, likewise. */
ABUT_API abut_status abut_world_take_events(abut_world* world, size_t* count);
ABUT_API abut_status abut_world_event(abut_world* world, size_t index, abut_event* event);

/* Acts, held until changed. `wrench`: in world axes, at a place fixed in the body, `point` in its frame [m] (NULL: its
 * origin). */
ABUT_API abut_status abut_world_set_force(abut_world* world, const char* body, const abut_wrench* wrench,
                                          const double point[3]);
/* Of the joint's motor, in the unit of its mode. */
ABUT_API abut_status abut_world_set_command(abut_world* world, const char* joint, double value);
/* Of a joint whose motion the scene prescribes: on the cubic from where it is to `position` [m, rad] with `rate` [m/s,
 * rad/s] at `time` [s], and on at that rate. */
ABUT_API abut_status abut_world_set_motion(abut_world* world, const char* joint, double time, double position,
                                           double rate);
/* As the scene has them. Refused once a prescribed motion was set, which cannot jump back. */
ABUT_API abut_status abut_world_clear_inputs(abut_world* world);

/* This instant, and back to one: from there on the same bits, in this process or another. Refused where the world has
 * failed, is being recorded (load), or where the state is one of another model. */
ABUT_API abut_status abut_world_save(abut_world* world, abut_state** state);
ABUT_API abut_status abut_world_load(abut_world* world, const abut_state* state);
ABUT_API abut_status abut_state_from_bytes(const void* bytes, size_t size, abut_state** state);
/* The bytes live as long as the state. */
ABUT_API abut_status abut_state_bytes(const abut_state* state, const void** bytes, size_t* size);
ABUT_API abut_status abut_state_time(const abut_state* state, double* time);
ABUT_API abut_status abut_state_equal(const abut_state* a, const abut_state* b, int* is_equal);
ABUT_API abut_status abut_state_free(abut_state* state);

/* A record (docs/records.md) from now on, into a folder that is made and gets a result.h5, or into a file *.h5; it can
 * be read while it grows. Ends with the world, but what goes wrong then is lost. */
ABUT_API abut_status abut_world_start_record(abut_world* world, const char* path);
ABUT_API abut_status abut_world_stop_record(abut_world* world);

/* From time zero to run.duration, as `abut run` would. ABUT_STOPPED where it could not go on: the run is made, and what
 * was recorded until then can be measured. */
ABUT_API abut_status abut_run_make(const abut_model* model, abut_run** run);
ABUT_API abut_status abut_run_free(abut_run* run);
/* A number of it, in the language of docs/validation.md: "touch_time(ball, floor, 2)". `reference`: the run that
 * `reference(signal)` reads; may be NULL. */
ABUT_API abut_status abut_run_measure(const abut_run* run, const char* expression, const abut_run* reference,
                                      double* value);
ABUT_API abut_status abut_run_time(const abut_run* run, double* time); /* reached [s] */

ABUT_C_END
