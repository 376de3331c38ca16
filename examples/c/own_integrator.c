/* Contact forces alone: a ball that slides without turning on a floor is integrated here, by Heun's rule, and abut is
 * asked for the wrench and for the rates of what the contact remembers. It comes to rest where Coulomb says, and no
 * energy is lost from sight. */
#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 64 }; /* numbers of the contact: there are some ten in each patch */

static const double mass = 1.0, gravity = 9.81, mu = 0.3, h = 2e-5;

static void need(abut_status status) {
  if (status == ABUT_OK) return;
  fprintf(stderr, "%s: %s\n", abut_status_name((int)status), abut_error_message(NULL));
  exit(1);
}

/* It slides along x and may rise along z; it does not turn. y: x, z [m], their rates [m/s], then the contact's numbers.
 */
static abut_motion motion_of(const double* y) {
  abut_motion motion = ABUT_MOTION_REST;
  motion.position[0] = y[0], motion.position[2] = y[1];
  motion.velocity[0] = y[2], motion.velocity[2] = y[3];
  return motion;
}

int main(void) {
  abut_pair* pair;
  abut_pair_state* memory;
  need(abut_pair_read_texts("mass = 1.0\nshape = { type = \"sphere\", radius = 0.1 }",
                            "fixed = true\nshape = { type = \"half-space\", normal = [0, 0, 1] }",
                            "normal = { law = \"kelvin-voigt\", stiffness = 1e5, damping = 300 }\n"
                            "friction = { law = \"bristle\", mu_s = 0.3, mu_c = 0.3 }",
                            &pair));
  need(abut_pair_start(pair, &memory));
  const abut_motion floor_motion = ABUT_MOTION_REST;
  const double depth = mass * gravity / 1e5, start = 1.0; /* m/s */
  double y[4 + most] = {0, 0.1 - depth, start, 0}, worst = 0, total = 0;
  for (int k = 0; k < 25000; ++k) {
    const double t = k * h;
    const abut_motion now = motion_of(y);
    size_t count;
    need(abut_pair_begin_step(pair, memory, t, h, &now, &floor_motion, NULL));
    need(abut_pair_state_numbers(memory, y + 4, most, &count));
    double end[4 + most], rate[2][4 + most];
    for (size_t i = 0; i < 4 + count; ++i) end[i] = y[i];
    for (int stage = 0; stage < 2; ++stage) {
      const abut_motion at = motion_of(end);
      abut_pair_force force = {.size = sizeof force};
      double* r = rate[stage];
      need(abut_pair_evaluate(pair, memory, t + stage * h, &at, &floor_motion, end + 4, r + 4, count, &force));
      r[0] = end[2], r[1] = end[3];
      r[2] = force.on_a.force[0] / mass, r[3] = force.on_a.force[2] / mass - gravity;
      for (size_t i = 0; i < 4 + count; ++i) end[i] = y[i] + h * (stage == 0 ? r[i] : (rate[0][i] + r[i]) / 2);
    }
    for (size_t i = 0; i < 4 + count; ++i) y[i] = end[i];
    int is_done; /* always, at points */
    need(abut_pair_end_step(pair, memory, t + h, y + 4, count, &is_done));
    const abut_motion then = motion_of(y);
    abut_energy e = {.size = sizeof e};
    need(abut_pair_energy(pair, memory, t + h, &then, &floor_motion, &e));
    const double sum = mass * ((y[2] * y[2] + y[3] * y[3]) / 2 + gravity * y[1]) + e.stored + e.dissipated - e.supplied;
    if (k == 0) total = sum;
    worst = fmax(worst, fabs(sum - total));
  }
  const double way = start * start / (2 * mu * gravity);
  printf("slid %.4f m (%.4f by Coulomb), at rest to %.1e m/s; energy closes to %.1e of %.3f J\n", y[0], way, fabs(y[2]),
         worst, mass * start * start / 2);
  abut_pair_state_free(memory), abut_pair_free(pair);
  return fabs(y[0] - way) < 0.01 * way && fabs(y[2]) < 1e-3 && worst < 1e-5 ? 0 : 1;
}
