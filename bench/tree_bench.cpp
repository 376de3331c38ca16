// Cost of the forward dynamics of chains (articulated body algorithm) and of free bodies, against their number: linear
// means a constant time for each link. Below, the same chains with both ends held, and a flat four-bar, against their
// open trees: what loops cost.

#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "abut/multibody/dynamics.hpp"
#include "abut/multibody/loop_assembly.hpp"
#include "abut/multibody/loop_solver.hpp"
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

struct LoopCost {
  double open = 0.0, closed = 0.0;  ///< [ns]
};

/// Of one evaluation, kinematics included.
LoopCost measure_loop(const Tree& tree, const VecX& q, LoopSet& set) {
  std::vector<double> start(q.data(), q.data() + q.size());
  for (LoopIsland& island : set.islands()) find_rank(tree, set, island, start);
  const VecX v = VecX::Constant(tree.num_v(), 0.3);
  VecX vdot = VecX::Zero(tree.num_v());
  Kinematics kinematics;
  kinematics.resize(tree);
  DynamicsWorkspace workspace;
  AppliedLoads loads;
  loads.gravity = Vec3(0, 0, -9.81);
  LoopSolver solver(tree, set);
  const int repetitions = 100000 / tree.num_links() + 1;
  const auto time = [&](bool is_closed) {
    return 1e9 / repetitions * calc_best_time(5, [&] {
             for (int r = 0; r < repetitions; ++r) {
               calc_kinematics(tree, as_span(q), as_span(v), kinematics);
               calc_forward_dynamics(tree, kinematics, loads, {}, workspace, as_span(vdot));
               if (!is_closed) continue;
               solver.look(kinematics, as_span(q), as_span(v));
               solver.factor(kinematics, workspace.bodies);
               solver.add_accelerations(kinematics, workspace.bodies, as_span(vdot), {});
             }
           });
  };
  const double open = time(false);
  return {open, time(true)};
}

/// A chain whose last link is held by a ball joint where it is.
LoopCost measure_ring(int num_links) {
  const Tree tree = make_system(num_links, true);
  VecX q = make_neutral_q(tree);
  for (int i = 0; i < q.size(); ++i) q[i] = 0.4 * std::sin(1.0 + i);
  Kinematics kinematics;
  calc_kinematics(tree, as_span(q), as_span(VecX(VecX::Zero(tree.num_v()))), kinematics);
  const Pose end(Mat3::Identity(), Vec3(0, 0, -1));
  const Loop loop = make_loop("end", JointType::spherical, kWorld, num_links - 1, kinematics.X_WB.back() * end, end,
                              Vec3::UnitZ(), Vec3::UnitX());
  LoopSet set(tree, {loop}, {});
  return measure_loop(tree, q, set);
}

LoopCost measure_four_bar() {
  const std::array<double, 3> lengths = {0.3, 0.8, 0.6};
  std::vector<LinkSpec> specs(3);
  for (std::size_t i = 0; i < 3; ++i) {
    specs[i].joint = JointType::revolute;
    specs[i].parent = static_cast<int>(i) - 1;
    specs[i].mass.mass = 1.0;
    specs[i].mass.inertia = Mat3::Identity() * 0.01;
    if (i > 0) specs[i].X_PF.p = Vec3(lengths[i - 1], 0, 0);
  }
  const Tree tree(specs);
  const Loop loop = make_loop("end", JointType::revolute, kWorld, 2, Pose(Mat3::Identity(), Vec3(0.9, 0, 0)),
                              Pose(Mat3::Identity(), Vec3(0.6, 0, 0)), Vec3::UnitZ(), Vec3::UnitX());
  LoopSet set(tree, {loop}, {});
  std::vector<double> q = {1.0, -0.8, -1.2}, v(3, 0.0);
  LoopAssembly assembly;
  assemble_loops(tree, set, std::vector<int>(3, 0), std::vector<int>(3, 0), q, v, assembly);
  return measure_loop(tree, Eigen::Map<VecX>(q.data(), 3), set);
}

void print_loop(const char* name, const LoopCost& cost) {
  fmt::print("{:>16} {:>14.0f} {:>14.0f} {:>8.2f}\n", name, cost.open, cost.closed, cost.closed / cost.open);
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
  fmt::print("\n{:>16} {:>14} {:>14} {:>8}\n", "loop", "open [ns]", "closed [ns]", "ratio");
  print_loop("four-bar", measure_four_bar());
  for (const int num_links : {6, 10, 30, 100, 300})
    print_loop(fmt::format("ring of {}", num_links).c_str(), measure_ring(num_links));
  return 0;
}
