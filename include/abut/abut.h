#pragma once

/* abut for programs in C, and for whatever speaks to C (docs/c.md tells how, with examples). C99 and later; C++.
 *
 *   c_base.h     versions, status, errors; how handles, texts and structs are kept
 *   c_values.h   vectors, motions, wrenches, contacts, events, energies
 *   c_scene.h    scenes and models: what is simulated
 *   c_world.h    a whole world: step it, look at it, push it, save it, record it; a run and numbers of it
 *   c_pair.h     contact forces alone, for programs with an integrator of their own
 *
 * SI units, world axes, quaternions with w first, angles in radians. */
#include "abut/c_base.h"
#include "abut/c_pair.h"
#include "abut/c_scene.h"
#include "abut/c_values.h"
#include "abut/c_world.h"
#include "abut/version.h"
