/* Every way to use the C interface wrongly that a program in C has: each is answered, nothing is leaked. Prints what is
 * not so; exit status 1 then. Also built with address and undefined-behaviour sanitizers. */
#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void require(int is_so, const char* what) {
  if (is_so) return;
  printf("not so: %s (%s)\n", what, abut_error_message(NULL));
  ++failures;
}

static const char* const drop =
    "[run]\nduration = 0.3\nmax_steps = 40\n"
    "[[body]]\nname = \"ball\"\nmass = 2.0\nshape = { type = \"sphere\", radius = 0.1 }\nposition = [0, 0, 0.2]\n"
    "[[body]]\nname = \"floor\"\nfixed = true\nshape = { type = \"half-space\", normal = [0, 0, 1] }\n"
    "[[contact]]\nbetween = [\"ball\", \"floor\"]\n"
    "normal = { law = \"gonthier\", stiffness = 1e6, restitution = 0.5 }\n";

static abut_world* make_world(const char* text) {
  abut_scene* scene = NULL;
  abut_model* model = NULL;
  abut_world* world = NULL;
  require(abut_scene_read_text(text, NULL, NULL, 0, &scene) == ABUT_OK, "the scene is read");
  require(abut_model_make(scene, &model) == ABUT_OK, "the model is made");
  require(abut_world_make(model, 0, &world) == ABUT_OK, "the world is made");
  abut_scene_free(scene);
  abut_model_free(model);
  return world;
}

static void check_texts(void) {
  /* Anything at all, cut off anywhere: a scene or an answer. */
  char* text = malloc(strlen(drop) + 1);
  if (text == NULL) return;
  for (size_t length = 0; length < strlen(drop); length += 7) {
    memcpy(text, drop, length);
    text[length] = '\0';
    abut_scene* scene = NULL;
    const abut_status status = abut_scene_read_text(text, "cut", NULL, 0, &scene);
    require((status == ABUT_OK) == (scene != NULL), "a scene or an answer");
    if (status != ABUT_OK) {
      abut_mistake mistake = {.size = sizeof mistake};
      require(abut_error_count(NULL) > 0 && abut_error_mistake(NULL, 0, &mistake) == ABUT_OK, "a mistake is described");
      require(mistake.message != NULL && mistake.hint != NULL && mistake.file != NULL, "its texts are there");
    }
    abut_scene_free(scene);
  }
  free(text);
  abut_scene* scene = NULL;
  require(abut_scene_read_text("\xff\xfe \x01", NULL, NULL, 0, &scene) == ABUT_ERROR_INPUT, "no UTF-8 is no scene");
  require(abut_scene_read_file("/nowhere", NULL, 0, &scene) == ABUT_ERROR_SYSTEM, "a file that is not there");
  require(abut_scene_read_file("/", NULL, 0, &scene) == ABUT_ERROR_SYSTEM, "a folder is no file");
}

static void check_handles(void) {
  abut_world* world = make_world(drop);
  abut_motion motion = ABUT_MOTION_REST;
  double time = -1;
  char bytes[64] = {0};
  require(abut_world_time((abut_world*)(void*)bytes, &time) == ABUT_ERROR_HANDLE && time < 0, "memory is no world");
  require(abut_pair_free((abut_pair*)(void*)world) == ABUT_ERROR_HANDLE, "a world is no pair");
  require(abut_world_body(world, "ball", NULL) == ABUT_ERROR_ARGUMENT, "nowhere to write to");
  require(abut_world_body(world, "bal", &motion) == ABUT_ERROR_INPUT, "a body that is not there");
  require(strstr(abut_error_message(world), "'ball'") != NULL, "the nearest name is told");
  require(abut_world_free(world) == ABUT_OK && abut_world_free(world) == ABUT_ERROR_HANDLE, "freed once");
  require(abut_world_step(world, NULL) == ABUT_ERROR_HANDLE, "used after it was freed");
  require(abut_error_status(world) == ABUT_OK, "what was freed has no failure");
}

static void check_stops(void) {
  abut_world* world = make_world(drop);
  abut_step_report report = {.size = sizeof report};
  abut_status status = ABUT_OK;
  while (status == ABUT_OK && abut_world_time(world, &report.time) == ABUT_OK && report.time < 100)
    status = abut_world_advance(world, report.time + 1, &report);
  require(status == ABUT_STOPPED && strlen(report.message) > 0, "a world that cannot go on says so");
  abut_motion motion = ABUT_MOTION_REST;
  require(abut_world_body(world, "ball", &motion) == ABUT_OK, "it still shows its last instant");
  const abut_wrench wrench = {{NAN, 0, 0}, {0, 0, 0}};
  require(abut_world_set_force(world, "ball", &wrench, NULL) != ABUT_OK, "no number is no force");
  abut_world_free(world);
}

static void check_bytes(void) {
  abut_world *world = make_world(drop), *other = NULL;
  abut_state *state = NULL, *wrong = NULL;
  const void* bytes = NULL;
  size_t size = 0;
  require(abut_world_advance(world, 0.145, NULL) == ABUT_OK && abut_world_copy(world, &other) == ABUT_OK, "it moves");
  require(abut_world_save(world, &state) == ABUT_OK && abut_state_bytes(state, &bytes, &size) == ABUT_OK,
          "it is saved");
  unsigned char* copy = malloc(size);
  if (copy == NULL) return;
  /* Cut off, and with single bytes changed: refused, or a state that is refused, or one that a world takes and lives.
   */
  for (size_t length = 0; length < size; length += 1 + size / 50) {
    memcpy(copy, bytes, size);
    if (abut_state_from_bytes(copy, length, &wrong) == ABUT_OK) {
      require(abut_world_load(other, wrong) != ABUT_OK, "half a state is none");
      abut_state_free(wrong);
    }
  }
  require(abut_world_load(other, state) == ABUT_OK, "the whole state is taken");
  free(copy);
  abut_state_free(state);
  abut_world_free(world);
  abut_world_free(other);
}

static void check_pairs(void) {
  const char* ball = "mass = 2.0\nshape = { type = \"sphere\", radius = 0.1 }";
  const char* floor_text = "fixed = true\nshape = { type = \"half-space\", normal = [0, 0, 1] }";
  const char* law = "normal = { law = \"hertz\", stiffness = 1e6 }";
  abut_pair* pair = NULL;
  abut_pair_state* state = NULL;
  require(abut_pair_read_texts(ball, floor_text, "normal = { law = \"herz\" }", &pair) == ABUT_ERROR_INPUT, "a law");
  require(abut_pair_read_texts(ball, floor_text, law, &pair) == ABUT_OK, "a pair of texts");
  require(abut_pair_start(pair, &state) == ABUT_OK, "a state of it");
  abut_motion at = ABUT_MOTION_REST, rest = ABUT_MOTION_REST;
  abut_pair_force force = {.size = sizeof force};
  at.position[2] = 0.0999;
  size_t count = 0;
  require(abut_pair_begin_step(pair, state, 0, 1e-3, &at, &rest, NULL) == ABUT_OK, "a step");
  require(abut_pair_state_numbers(state, NULL, 0, &count) == ABUT_OK, "numbers of it");
  require(abut_pair_evaluate(pair, state, 0, &at, &rest, NULL, NULL, 0, &force) == ABUT_OK, "a force");
  at.position[2] = NAN;
  require(abut_pair_begin_step(pair, state, 1e-3, 1e-3, &at, &rest, NULL) != ABUT_OK, "no number is no place");
  at.position[2] = 0.0999;
  require(abut_pair_evaluate(pair, state, 0, &at, &rest, NULL, NULL, 0, &force) == ABUT_OK && force.on_a.force[2] > 0,
          "what was refused has changed nothing");
  abut_pair_state_free(state);
  abut_pair_free(pair);
}

int main(void) {
  require(abut_version_number() == ABUT_VERSION_NUMBER, "headers and library are of one version");
  check_texts();
  check_handles();
  check_stops();
  check_bytes();
  check_pairs();
  require(abut_count_handles() == 0, "no handle is left");
  printf("%s: %d not so\n", abut_version(), failures);
  return failures == 0 ? 0 : 1;
}
