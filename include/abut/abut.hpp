#pragma once

/// abut for programs: docs/library.md tells how, with examples.
///
///   scene, model     what is simulated
///   world, state     step it, look at it, push it, save it, go back
///   controller       your own controllers: sampled, held, saved with the world
///   record           write a record while stepping; read one
///   measure          run to the end, and ask for numbers: times of touches, peaks, means
///   contact_pair     contact forces alone, for programs with an integrator of their own
///   errors           everything that is thrown
///
/// SI units throughout. What is thrown is an InputError, a SystemError or an InvariantError; nothing aborts.

#include "abut/contact.hpp"
#include "abut/contact_pair.hpp"
#include "abut/controller.hpp"
#include "abut/errors.hpp"
#include "abut/geometry.hpp"
#include "abut/measure.hpp"
#include "abut/model.hpp"
#include "abut/record.hpp"
#include "abut/scene.hpp"
#include "abut/state.hpp"
#include "abut/version.hpp"
#include "abut/world.hpp"
