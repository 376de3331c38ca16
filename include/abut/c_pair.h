#pragma once

#include "abut/c_scene.h"
#include "abut/c_values.h"

ABUT_C_BEGIN

/* Contact forces alone, for programs with an integrator of their own: motions in, wrenches and rates of states out.
 * Joints, loads and gravity have no part.
 *
 *   each step of length h, from time t:
 *     abut_pair_begin_step(pair, memory, t, h, &a, &b, NULL);         touches and lifts
 *     abut_pair_state_numbers(memory, numbers, CAPACITY, &count);     as many as there are now
 *     ... any integrator, as often as it asks:
 *       abut_pair_evaluate(pair, memory, time, &a, &b, numbers, rates, count, &force);
 *     abut_pair_end_step(pair, memory, t + h, numbers, count, &is_done);
 *     where not is_done: take the numbers again, go back to time t and take the step once more
 *
 * See docs/library.md, "Contact forces alone", for what holds within a step and what the ledger counts. */
typedef struct abut_pair abut_pair;
/* What a contact remembers. The program keeps it: copied to go back, one for each course that things may take. Good for
 * the pair that made it. */
typedef struct abut_pair_state abut_pair_state;

/* Of two bodies of a scene and the [[contact]] that covers them. */
ABUT_API abut_status abut_pair_make(const abut_scene* scene, const char* body_a, const char* body_b, abut_pair** pair);
/* Of short texts: what stands below [[body]] for each of two bodies, named "a" and "b", and below [[contact]]:
 *   "mass = 1.0\nshape = { type = \"sphere\", radius = 0.1 }"
 *   "fixed = true\nshape = { type = \"half-space\", normal = [0, 0, 1] }"
 *   "normal = { law = \"gonthier\", stiffness = 1e6, restitution = 0.5 }"
 * Mistakes have "body_a", "body_b" or "contact" as file, and the line in that text. */
ABUT_API abut_status abut_pair_read_texts(const char* body_a, const char* body_b, const char* contact,
                                          abut_pair** pair);
ABUT_API abut_status abut_pair_free(abut_pair* pair);

/* Of bodies that have never met. */
ABUT_API abut_status abut_pair_start(const abut_pair* pair, abut_pair_state** state);
ABUT_API abut_status abut_pair_state_copy(const abut_pair_state* state, abut_pair_state** copy);
/* Makes `state` what `other` is: goes back without another handle. */
ABUT_API abut_status abut_pair_state_assign(abut_pair_state* state, const abut_pair_state* other);
ABUT_API abut_status abut_pair_state_free(abut_pair_state* state);
/* The continuous states: deflections of bristles, dwell, and the works done in each patch [J]. To be integrated with
 * their rates, like the program's own; their number changes in abut_pair_begin_step(). `count` says how many there are;
 * at most `capacity` are written, so that NULL and 0 ask for the number alone. */
ABUT_API abut_status abut_pair_state_numbers(const abut_pair_state* state, double* values, size_t capacity,
                                             size_t* count);

/* Which patches exist from `time` to `time` + `step` [s]. `num_events` (may be NULL): what began and ended, to be read
 * until the next step begins. */
ABUT_API abut_status abut_pair_begin_step(abut_pair* pair, abut_pair_state* state, double time, double step,
                                          const abut_motion* a, const abut_motion* b, size_t* num_events);
ABUT_API abut_status abut_pair_event(abut_pair* pair, size_t index, abut_event* event);

/* What acts between the two. */
typedef struct abut_pair_force {
  size_t size;
  size_t num_contacts;    /* patches, to be read by abut_pair_contact() until the next evaluation */
  abut_wrench on_a, on_b; /* about the origins of their frames */
} abut_pair_force;

/* At these motions and continuous states, `count` of them (NULL and 0: those of the last step's beginning or end).
 * `rates`: as many as there are numbers, or NULL. */
ABUT_API abut_status abut_pair_evaluate(abut_pair* pair, abut_pair_state* state, double time, const abut_motion* a,
                                        const abut_motion* b, const double* numbers, double* rates, size_t count,
                                        abut_pair_force* force);
ABUT_API abut_status abut_pair_contact(abut_pair* pair, size_t index, abut_contact* contact);
/* With the continuous states at the end of the step. `is_done` 0: contacts would have given back more than they hold,
 * which only perimeter contact can; the step is to be taken again from its beginning, whose numbers `state` has. */
ABUT_API abut_status abut_pair_end_step(abut_pair* pair, abut_pair_state* state, double time, const double* numbers,
                                        size_t count, int* is_done);
/* Of the contact alone; kinetic and gravitational energy are the program's. */
ABUT_API abut_status abut_pair_energy(abut_pair* pair, abut_pair_state* state, double time, const abut_motion* a,
                                      const abut_motion* b, abut_energy* energy);

/* Derivatives of the twelve components of the wrenches: row 0 to 2 force on a, 3 to 5 torque on a, 6 to 11 the same of
 * b; by the motion of one body: column 0 to 2 position [m], 3 to 5 rotation about the axes of the world [rad], 6 to 8
 * velocity [m/s], 9 to 11 angular velocity [rad/s]. */
typedef struct abut_jacobian {
  size_t size;
  double by_a[12][12];
  double by_b[12][12];
  /* What each entry may be wrong by: the difference of the two best of its approximations, and rounding. Large where
   * the force has a kink, such as a contact that opens within the smallest displacement. */
  double error_by_a[12][12];
  double error_by_b[12][12];
} abut_jacobian;

/* By central differences that are extrapolated to displacement zero, with the patches and the continuous states held:
 * some 100 to 500 evaluations. See docs/c.md for the displacements. */
ABUT_API abut_status abut_pair_jacobian(abut_pair* pair, abut_pair_state* state, double time, const abut_motion* a,
                                        const abut_motion* b, const double* numbers, size_t count,
                                        abut_jacobian* jacobian);

ABUT_C_END
