/* A controller in a shared library: each joint on a spring and a damper, with an integral that removes what is left.
 * Parameters: stiffness, damping, integral gain, target of the first joint, of the second, ...
 *
 *   cc -shared -fPIC -I include examples/controllers/own_controller.c -o own_controller.so
 *
 * In a scene: [controller.kind] type = "library", file = "own_controller.so", joints = ["slide"],
 * parameters = [300, 20, 100, 0.1]. docs/controllers.md */
#include <abut/controller.h>

int abut_controller_version(void) { return ABUT_CONTROLLER_VERSION; }

long abut_controller_memory(const abut_controller_setup* setup) {
  if (setup->num_parameters != 3 + setup->num_joints) return -1;
  return (long)setup->num_joints; /* an integral each */
}

int abut_controller_act(const abut_controller_setup* setup, abut_controller_sample* sample) {
  const double *p = setup->parameters, *target = p + 3;
  for (size_t i = 0; i < setup->num_joints; ++i) {
    const double error = target[i] - sample->q[i];
    sample->memory[i] += p[2] * setup->period * error;
    sample->commands[i] = p[0] * error + sample->memory[i] - p[1] * sample->v[i];
    if (error > 10.0 || error < -10.0) {
      sample->message = "a joint is more than 10 m away";
      return 1;
    }
  }
  return 0;
}
