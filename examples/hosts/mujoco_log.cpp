// Contact as MuJoCo makes it itself, with its own settings, written down for `abut audit`:   mujoco_log SCENE FOLDER
//   drop     the ball of drop.toml
//   slope    the box of ../box-on-slope.toml
// FOLDER gets SCENE.csv with poses and velocities, and SCENE-forces.csv with contact forces, every millisecond.
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include <mujoco/mujoco.h>

namespace {

// Steps, softness and solver are MuJoCo's defaults; masses, shapes, friction and start those of the scene.
const char* const kDrop = R"(
<mujoco><option timestep='0.001' gravity='0 0 -9.81'/><default><geom friction='0.3 0 0'/></default>
<worldbody><geom type='plane' size='0 0 1'/>
<body name='mover' pos='0 0 0.25'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='0.004 0.004 0.004'/>
<geom type='sphere' size='0.1'/></body></worldbody></mujoco>)";
const double kDropSpeed[6] = {1, 0, 0, 0, -20, 0};

const char* const kSlope = R"(
<mujoco><option timestep='0.001' gravity='0 0 -9.81'/><default><geom friction='0.5 0 0'/></default>
<worldbody><geom type='plane' size='0 0 1' euler='0 15 0'/>
<body name='box' pos='0.0318 0 0.1185' euler='0 15 0'><freejoint/>
<inertial pos='0 0 0' mass='2' diaginertia='0.0083 0.0217 0.0267'/>
<geom type='sphere' size='0.02' pos='0.15 0.08 -0.1'/><geom type='sphere' size='0.02' pos='0.15 -0.08 -0.1'/>
<geom type='sphere' size='0.02' pos='-0.15 0.08 -0.1'/><geom type='sphere' size='0.02' pos='-0.15 -0.08 -0.1'/>
</body></worldbody></mujoco>)";
const double kAtRest[6] = {};

struct Log {
  const char *name, *xml;
  const double* speed;
  const char *body, *ground;  ///< as the scene calls them
  double duration;            ///< [s]
};
const Log kLogs[] = {{"drop", kDrop, kDropSpeed, "mover", "ground", 1.0},
                     {"slope", kSlope, kAtRest, "box", "slope", 2.0}};

mjModel* load(const char* xml) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "log.xml", static_cast<int>(std::strlen(xml)));
  std::memcpy(files->filedata[0], xml, std::strlen(xml));
  char error[1000] = "";
  mjModel* const model = mj_loadXML("log.xml", files.get(), error, sizeof(error));
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error);
  return model;
}

std::FILE* open(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) throw std::runtime_error(path + ": cannot be written");
  return file;
}

/// In the world's axes, on the body; every contact here is between the ground, which has no body, and the one body.
void write_forces(const mjModel* model, const mjData* data, const Log& log, std::FILE* file) {
  for (int i = 0; i < data->ncon; ++i) {
    const mjContact& contact = data->contact[i];
    mjtNum local[6], force[3];
    mj_contactForce(model, data, i, local);
    // The frame's rows are its axes; the force is that on the body of geom2.
    mju_rotVecMatT(force, local, contact.frame);
    const double sign = model->geom_bodyid[contact.geom2] == 0 ? -1.0 : 1.0;
    std::fprintf(file, "%.9g,%s,%s", data->time, log.body, log.ground);
    for (const mjtNum part : force) std::fprintf(file, ",%.17g", sign * part);
    for (const mjtNum part : contact.pos) std::fprintf(file, ",%.17g", part);
    std::fputc('\n', file);
  }
}

void run(const Log& log, const std::string& folder) {
  const std::unique_ptr<mjModel, void (*)(mjModel*)> model(load(log.xml), mj_deleteModel);
  const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
  mju_copy(data->qvel, log.speed, 6);
  std::FILE* const poses = open(folder + "/" + log.name + ".csv");
  std::FILE* const forces = open(folder + "/" + log.name + "-forces.csv");
  // Headings BODY.COLUMN, in the order of qpos and qvel of a free joint.
  std::fputs("t", poses);
  for (const char* column : {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"})
    std::fprintf(poses, ",%s.%s", log.body, column);
  std::fputs("\n", poses);
  std::fputs("t,body_a,body_b,force_x,force_y,force_z,point_x,point_y,point_z\n", forces);
  while (data->time < log.duration) {
    mj_forward(model.get(), data.get());  // contacts and forces of this instant
    std::fprintf(poses, "%.9g", data->time);
    for (int i = 0; i < 7; ++i) std::fprintf(poses, ",%.17g", data->qpos[i]);
    for (int i = 0; i < 6; ++i) std::fprintf(poses, ",%.17g", data->qvel[i]);
    std::fputc('\n', poses);
    write_forces(model.get(), data.get(), log, forces);
    mj_step(model.get(), data.get());
  }
  std::fclose(poses);
  std::fclose(forces);
}

}  // namespace

int main(int argc, char** argv) try {
  for (const Log& log : kLogs) {
    if (argc == 3 && std::string(argv[1]) == log.name) return run(log, argv[2]), 0;
  }
  return std::puts("usage: mujoco_log drop|slope FOLDER"), 1;
} catch (const std::exception& error) {
  return std::puts(error.what()), 2;
}
