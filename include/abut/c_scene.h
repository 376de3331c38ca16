#pragma once

#include "abut/c_base.h"

ABUT_C_BEGIN

/* What a scene file says: bodies, joints, contacts, and how the motion is computed (docs/scene.md). */
typedef struct abut_scene abut_scene;
/* A scene made ready to run: masses, shapes, trees of meshes, every parameter of its contacts. It never changes. */
typedef struct abut_model abut_model;

/* A key of a scene and what it is to be, in SI units; made by the functions below. Texts and arrays stay the caller's
 * and are read during the call. */
typedef struct abut_change {
  size_t size;
  const char* path; /* "body.ball.mass", "contact[0].friction.mu_c", "gravity[2]"; a contact without a name as "a-b" */
  int32_t kind;     /* abut_change_kind: which of the members below is meant */
  int32_t whole;
  double number;
  const char* text;
  const double* numbers;
  const char* const* texts;
  size_t count; /* of numbers or texts */
} abut_change;

typedef enum abut_change_kind {
  ABUT_NUMBER = 0,
  ABUT_WHOLE = 1,   /* a whole number */
  ABUT_TRUTH = 2,   /* `whole`: 0 or 1 */
  ABUT_TEXT = 3,    /* text, or the word of a law or method */
  ABUT_NUMBERS = 4, /* vectors, quaternions, inertias of 3, 6 or 9 numbers */
  ABUT_TEXTS = 5
} abut_change_kind;

static inline abut_change abut_make_change(const char* path, int32_t kind) {
  abut_change change = {sizeof(abut_change), NULL, 0, 0, 0.0, NULL, NULL, NULL, 0};
  change.path = path;
  change.kind = kind;
  return change;
}
static inline abut_change abut_change_number(const char* path, double value) {
  abut_change change = abut_make_change(path, ABUT_NUMBER);
  change.number = value;
  return change;
}
static inline abut_change abut_change_whole(const char* path, int32_t value) {
  abut_change change = abut_make_change(path, ABUT_WHOLE);
  change.whole = value;
  return change;
}
static inline abut_change abut_change_truth(const char* path, int32_t is_so) {
  abut_change change = abut_make_change(path, ABUT_TRUTH);
  change.whole = is_so;
  return change;
}
static inline abut_change abut_change_text(const char* path, const char* value) {
  abut_change change = abut_make_change(path, ABUT_TEXT);
  change.text = value;
  return change;
}
static inline abut_change abut_change_numbers(const char* path, const double* values, size_t count) {
  abut_change change = abut_make_change(path, ABUT_NUMBERS);
  change.numbers = values;
  change.count = count;
  return change;
}
static inline abut_change abut_change_texts(const char* path, const char* const* values, size_t count) {
  abut_change change = abut_make_change(path, ABUT_TEXTS);
  change.texts = values;
  change.count = count;
  return change;
}

/* From a file, or from TOML in memory: `name` stands for the file in messages (NULL: "scene"); files of meshes are
 * looked for beside it. `settings`: `count` of "path=value", applied before the scene is read, as --set does; may be
 * NULL where count is 0. */
ABUT_API abut_status abut_scene_read_file(const char* path, const char* const* settings, size_t count,
                                          abut_scene** scene);
ABUT_API abut_status abut_scene_read_text(const char* toml, const char* name, const char* const* settings, size_t count,
                                          abut_scene** scene);
ABUT_API abut_status abut_scene_copy(const abut_scene* scene, abut_scene** copy);
ABUT_API abut_status abut_scene_free(abut_scene* scene);

/* Gives keys other values, all or none; microseconds. An unknown key, a value of another kind or out of range is
 * refused; what several keys say together is judged when a model is made. Entries cannot be added or taken away. */
ABUT_API abut_status abut_scene_set(abut_scene* scene, const abut_change* changes, size_t count);
/* TOML that reads back to the same numbers, bit for bit. */
ABUT_API abut_status abut_scene_to_toml(abut_scene* scene, const char** toml);
ABUT_API abut_status abut_scene_title(abut_scene* scene, const char** title);
ABUT_API abut_status abut_scene_duration(const abut_scene* scene, double* duration); /* run.duration [s] */
ABUT_API abut_status abut_scene_count_bodies(const abut_scene* scene, size_t* count);
ABUT_API abut_status abut_scene_count_joints(const abut_scene* scene, size_t* count);
/* In the order of records. */
ABUT_API abut_status abut_scene_body_name(abut_scene* scene, size_t index, const char** name);
ABUT_API abut_status abut_scene_joint_name(abut_scene* scene, size_t index, const char** name);

/* The expensive part, once: any number of worlds take it, also in several threads. */
ABUT_API abut_status abut_model_make(const abut_scene* scene, abut_model** model);
/* The same with other values; shapes that stay are shared with their meshes, trees and fields. */
ABUT_API abut_status abut_model_with(const abut_model* model, const abut_change* changes, size_t count,
                                     abut_model** changed);
ABUT_API abut_status abut_model_free(abut_model* model);
ABUT_API abut_status abut_model_scene(const abut_model* model, abut_scene** scene);
/* Of the whole scene with its meshes: states of one model are told from those of another by it. */
ABUT_API abut_status abut_model_fingerprint(const abut_model* model, uint64_t* fingerprint);

ABUT_C_END
