/* A whole world: a ball falls, bounces and is caught. What theory says is checked: when it touches, how fast it leaves,
 * that no energy is lost from sight, and that a saved instant leads to the same bits again. docs/c.md tells how to
 * build it. */
#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char* const scene_text =
    "run = { duration = 1.0, tolerance = 1e-9 }\n"
    "[[body]]\n"
    "name = \"ball\"\n"
    "mass = 2.0\n"
    "shape = { type = \"sphere\", radius = 0.1 }\n"
    "position = [0, 0, 0.6]\n"
    "[[body]]\n"
    "name = \"floor\"\n"
    "fixed = true\n"
    "shape = { type = \"half-space\", normal = [0, 0, 1] }\n"
    "[[contact]]\n"
    "between = [\"ball\", \"floor\"]\n"
    "normal = { law = \"gonthier\", stiffness = 1e7, restitution = 0.5 }\n";

/* Ends the program where a call has failed: the message has the place of each mistake. */
static void need(abut_status status) {
  if (status == ABUT_OK) return;
  fprintf(stderr, "%s: %s\n", abut_status_name((int)status), abut_error_message(NULL));
  exit(1);
}

int main(void) {
  abut_scene* scene;
  abut_model* model;
  abut_world* world;
  need(abut_scene_read_text(scene_text, "ball.toml", NULL, 0, &scene));
  need(abut_model_make(scene, &model));
  need(abut_world_make(model, 0, &world));

  abut_state *before, *first, *again;
  need(abut_world_advance(world, 0.3, NULL)); /* it touches at 0.319 s */
  need(abut_world_save(world, &before));
  need(abut_world_advance(world, 0.5, NULL));
  need(abut_world_save(world, &first));

  size_t num_events;
  abut_event event = {.size = sizeof event};
  double speed[2] = {0, 0}, touch = 0; /* of the ball, at the touch and after it [m/s] */
  need(abut_world_take_events(world, &num_events));
  for (size_t i = 0; i < num_events; ++i) {
    need(abut_world_event(world, i, &event));
    if (event.kind == ABUT_TOUCH) touch = event.time, speed[0] = -event.normal_speed;
    if (event.kind == ABUT_LIFT) speed[1] = event.normal_speed;
  }
  abut_energy energy = {.size = sizeof energy};
  need(abut_world_energy(world, &energy));

  need(abut_world_load(world, before));
  need(abut_world_advance(world, 0.5, NULL));
  need(abut_world_save(world, &again));
  int is_equal;
  need(abut_state_equal(first, again, &is_equal));

  const double asked = sqrt(2 * 0.5 / 9.81), rebound = speed[1] / speed[0];
  /* Weight counts, too, in a blow of 4 ms: without gravity the law gives 0.5 to all digits. */
  printf("touches at %.6f s (%.6f by Galilei), leaves with %.4f of its speed (0.5 asked), balance closes to %.1e J%s\n",
         touch, asked, rebound, fabs(energy.residual), is_equal ? ", the same bits again" : "");
  abut_state_free(before), abut_state_free(first), abut_state_free(again);
  abut_world_free(world), abut_model_free(model), abut_scene_free(scene);
  return fabs(touch - asked) < 1e-8 && fabs(rebound - 0.5) < 0.01 && fabs(energy.residual) < 1e-7 && is_equal ? 0 : 1;
}
