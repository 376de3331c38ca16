#pragma once

/// Marks what a shared library shows; its other names stay inside. A static library needs no marks, and they do no
/// harm.
#if defined(__GNUC__)
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif

/// What users call `abut::World` has the full name `abut::v0::World`: a program that was linked with one version never
/// takes the functions of another. Inside the library the same word may name something else, so that there the
/// namespace is not looked through.
#if defined(ABUT_INSIDE)
#define ABUT_DOOR_BEGIN \
  namespace abut {      \
  namespace v0 {
#else
#define ABUT_DOOR_BEGIN \
  namespace abut {      \
  inline namespace v0 {
#endif
#define ABUT_DOOR_END \
  }                   \
  }
