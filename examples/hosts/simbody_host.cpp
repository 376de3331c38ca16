// Three scenes in Simbody with contact of abut: its bodies, its gravity, its integrator. The same in abut's own core,
// and how far the two are apart.   simbody_host FOLDER_OF_THE_SCENES
#include "host_check.hpp"
#include "simbody_contact.hpp"

namespace {

HostRun run(const HostCase& test, const abut::Scene& scene) {
  using namespace SimTK;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity gravity(forces, matter, SimTK::Vec3(0, 0, -9.81));
  const Body::Rigid properties(MassProperties(test.mass, SimTK::Vec3(0), Inertia(to_simtk(test.inertia))));
  MobilizedBody::Free mover(matter.updGround(), properties);
  SimbodyContact contact(forces, scene, "mover", mover, "ground", matter.updGround());
  contact.add_steps_to(system, test.step);

  State state = system.realizeTopology();
  const abut::Motion start = abut::World(scene).body("mover");
  mover.setQToFitTransform(state, Transform(to_simtk(start.position)));
  mover.setUToFitVelocity(state, SpatialVec(to_simtk(start.angular_velocity), to_simtk(start.velocity)));
  RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(1e-8);
  TimeStepper stepper(system, integrator);
  stepper.initialize(state);

  HostRun out;
  double total = 0.0;
  for (int k = 0; k <= test.samples; ++k) {
    stepper.stepTo(scene.duration() * k / test.samples);
    const State& now = integrator.getState();
    system.realize(now, Stage::Dynamics);
    const abut::Energy energy = contact.energy(now);
    // Simbody's energy has what contacts store; the rest of the ledger is ours.
    const double sum = system.calcEnergy(now) + energy.dissipated() - energy.supplied();
    // The first step finds what overlaps from the start.
    if (k == 0) continue;
    if (out.motions.empty()) total = sum;
    out.worst_balance = std::max(out.worst_balance, std::abs(sum - total));
    out.motions.push_back(to_motion(mover, now));
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
      {"insertion.toml", 0.5, {0.00046667, 0.00046667, 0.0001}, 1e-4, 50, 0.05, 2e-4, 2e-1, 1e-3},
  };
  bool is_good = true;
  for (HostCase test : cases) {
    if (argc > 3) test.step = std::atof(argv[3]);
    if (argc > 2 && test.scene.find(argv[2]) == std::string::npos) continue;
    const abut::Scene scene = abut::Scene::read_file(folder + "/" + test.scene);
    is_good = compare_with_core("Simbody", test, scene, run(test, scene), host_turnover(test, scene)) && is_good;
  }
  return is_good ? 0 : 1;
} catch (const std::exception& error) {
  return std::puts(error.what()), 2;
}
