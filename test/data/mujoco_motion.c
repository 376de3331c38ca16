/* Coordinates of a model under gravity alone, by MuJoCo: mujoco_motion FILE DURATION STEP JOINT=ANGLE... prints one
   line "joint coordinate" for each joint. Contact and limits are switched off. */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  char error[1000] = "";
  mjModel* model = argc > 3 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  if (!model) return fprintf(stderr, "%s\n", error), 1;
  model->opt.integrator = mjINT_RK4;
  model->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT;
  model->opt.gravity[2] = -9.81;
  model->opt.timestep = atof(argv[3]);
  mjData* data = mj_makeData(model);
  for (int i = 4; i < argc; ++i) {
    char* equals = strchr(argv[i], '=');
    *equals = '\0';
    const int joint = mj_name2id(model, mjOBJ_JOINT, argv[i]);
    if (joint < 0) return fprintf(stderr, "no joint %s\n", argv[i]), 1;
    data->qpos[model->jnt_qposadr[joint]] = atof(equals + 1);
  }
  const long steps = (long)(atof(argv[2]) / model->opt.timestep + 0.5);
  for (long i = 0; i < steps; ++i) mj_step(model, data);
  for (int j = 0; j < model->njnt; ++j) {
    const char* name = mj_id2name(model, mjOBJ_JOINT, j);
    printf("%s %.17g\n", name ? name : "-", data->qpos[model->jnt_qposadr[j]]);
  }
  mj_deleteData(data);
  mj_deleteModel(model);
  return 0;
}
