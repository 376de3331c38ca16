// Three scenes in MuJoCo with contact of abut: its bodies, its gravity, its integrator. The same in abut's own core,
// and how far the two are apart.   mujoco_host FOLDER_OF_THE_SCENES
#include <cstring>
#include <memory>

#include "host_check.hpp"
#include "mujoco_contact.hpp"

namespace {

mjModel* load(const std::string& xml) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "host.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char error[1000] = "";
  mjModel* const model = mj_loadXML("host.xml", files.get(), error, sizeof(error));
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error);
  return model;
}

std::string make_model(const HostCase& test) {
  char text[1000];
  std::snprintf(text, sizeof(text),
                "<mujoco><size nuserdata='0'/><option timestep='%.17g' gravity='0 0 -9.81' integrator='RK4'>"
                "<flag energy='enable'/></option><worldbody><body name='mover'><freejoint name='free'/>"
                "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/></body></worldbody><actuator>",
                test.step, test.mass, test.inertia[0], test.inertia[1], test.inertia[2]);
  return text + MujocoContact::make_states("free", 64) + "</actuator></mujoco>";
}

HostRun run(const HostCase& test, const abut::Scene& scene) {
  const std::unique_ptr<mjModel, void (*)(mjModel*)> model(load(make_model(test)), mj_deleteModel);
  const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
  MujocoContact contact(model.get(), data.get(), scene, "mover", "mover", "ground", "world");
  const abut::Motion start = abut::World(scene).body("mover");
  std::copy(start.position.begin(), start.position.end(), data->qpos);
  std::copy(start.orientation.begin(), start.orientation.end(), data->qpos + 3);
  std::copy(start.velocity.begin(), start.velocity.end(), data->qvel);
  // Of a free joint in the axes of the body: upright here, so that they are those of the world.
  std::copy(start.angular_velocity.begin(), start.angular_velocity.end(), data->qvel + 3);

  HostRun out;
  double total = 0.0;
  const long steps = std::lround(scene.duration() / test.step);
  for (long k = 0; k <= steps; ++k) {
    if (k > 0) contact.step();
    if (k * test.samples % steps != 0) continue;
    const abut::Energy energy = contact.energy();
    mj_energyPos(model.get(), data.get());
    mj_crb(model.get(), data.get());
    mj_energyVel(model.get(), data.get());
    const double sum = data->energy[0] + data->energy[1] + energy.stored() + energy.dissipated() - energy.supplied();
    // The first step finds what overlaps from the start.
    if (k == 0) continue;
    if (out.motions.empty()) total = sum;
    out.worst_balance = std::max(out.worst_balance, std::abs(sum - total));
    out.motions.push_back(contact.motion(0));
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string folder = argc > 1 ? argv[1] : ".";
  // Limits some dozens of times what was found (docs/hosts.md); the insertion has a dozen blows, each of which shifts
  // the next, and its velocities are compared at instants that lie within one in the core and before it here.
  const HostCase cases[] = {
      {"drop.toml", 1.0, {0.004, 0.004, 0.004}, 1e-4, 100, 0.1, 1e-7, 1e-5, 1e-6},
      {"spin_down.toml", 0.5, {0.00032917, 0.00032917, 0.000625}, 1e-4, 100, 0.05, 1e-12, 1e-7, 1e-10},
      {"insertion.toml", 0.5, {0.00046667, 0.00046667, 0.0001}, 5e-5, 50, 0.05, 2e-4, 2e-1, 1e-2},
  };
  bool is_good = true;
  for (HostCase test : cases) {
    if (argc > 3) test.step = std::atof(argv[3]);
    if (argc > 2 && test.scene.find(argv[2]) == std::string::npos) continue;
    const abut::Scene scene = abut::Scene::read_file(folder + "/" + test.scene);
    is_good = compare_with_core("MuJoCo", test, scene, run(test, scene), host_turnover(test, scene)) && is_good;
  }
  return is_good ? 0 : 1;
} catch (const std::exception& error) {
  return std::puts(error.what()), 2;
}
