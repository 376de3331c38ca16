// Cost of the forward dynamics of chains (articulated body algorithm) and of free bodies, against their number: linear
// means a constant time for each link.

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "abut/multibody/dynamics.hpp"
#include "bench_tools.hpp"

namespace {

using namespace abut;

Tree make_system(int num_links, bool is_chain) {
  std::vector<LinkSpec> specs(static_cast<std::size_t>(num_links));
  for (int i = 0; i < num_links; ++i) {
    LinkSpec& link = specs[static_cast<std::size_t>(i)];
    link.mass.mass = 1.0;
    link.mass.inertia = Vec3(0.1, 0.2, 0.25).asDiagonal();
    if (!is_chain) continue;
    link.parent = i - 1;
    link.joint = JointType::revolute;
    link.axis = i % 2 == 0 ? Vec3::UnitX() : Vec3::UnitY();
    link.X_PF.p = Vec3(0, 0, -1);
    link.mass.center_of_mass = Vec3(0, 0, -0.5);
  }
  return Tree(specs);
}

double measure(int num_links, bool is_chain) {
  const Tree tree = make_system(num_links, is_chain);
  VecX q = make_neutral_q(tree);
  VecX v = VecX::Constant(tree.num_v(), 0.3);
  VecX vdot = VecX::Zero(tree.num_v());
  Kinematics kinematics;
  kinematics.resize(tree);
  DynamicsWorkspace workspace;
  AppliedLoads loads;
  loads.gravity = Vec3(0, 0, -9.81);
  const int repetitions = 200000 / num_links + 1;
  const double seconds = calc_best_time(5, [&] {
    for (int r = 0; r < repetitions; ++r) {
      calc_kinematics(tree, as_span(q), as_span(v), kinematics);
      calc_forward_dynamics(tree, kinematics, loads, {}, workspace, as_span(vdot));
    }
  });
  return 1e9 * seconds / repetitions / num_links;
}

}  // namespace

int main() {
  fmt::print("{:>8} {:>18} {:>8} {:>18} {:>8}\n", "links", "chain [ns/link]", "ratio", "free [ns/body]", "ratio");
  measure(10, false);  // wakes the processor up
  const double chain_10 = measure(10, true), free_10 = measure(10, false);
  for (const int num_links : {10, 30, 100, 300, 1000, 3000}) {
    const double chain = measure(num_links, true), free = measure(num_links, false);
    fmt::print("{:>8} {:>18.1f} {:>8.2f} {:>18.1f} {:>8.2f}\n", num_links, chain, chain / chain_10, free,
               free / free_10);
  }
  return 0;
}
