// Loops that stay closed, and the springs of mechanisms.

#include <algorithm>
#include <cmath>

#include "abut/sim/dynamics.hpp"
#include "abut/sim/velocity_parts.hpp"

namespace abut {

namespace {

double& power_of(double* powers, GlobalWork work) { return powers[static_cast<int>(work)]; }

}  // namespace

void Dynamics::close_loops(double t, double* y, bool closes_speeds) {
  constexpr int kMost = 8;
  enforce_prescribed(t, y);
  const std::span<double> q(y, num_q()), v(y + num_q(), num_v());
  normalize_quaternions(model_.tree, q);
  loop_kinematics_.resize(model_.tree);
  const auto look = [&] {
    calc_articulated_kinematics(model_.tree, q, v, loop_kinematics_);
    loops_->look(loop_kinematics_, q, v);
  };
  look();
  if (loops_->is_gap_closed() && (!closes_speeds || loops_->is_speed_closed(loop_kinematics_))) return;
  // Factors of one place do for all changes, which are no larger than the error of a step.
  const IndexRange all{0, static_cast<int>(loop_bodies_.size())};
  set_rigid_bodies(model_.tree, loop_kinematics_, all, loop_bodies_);
  reduce_bodies(model_.tree, loop_kinematics_, all, {{}, {}, false}, loop_bodies_);
  loops_->factor(loop_kinematics_, loop_bodies_);
  const auto close = [&](LoopSolver::Close what) {
    loop_change_.assign(num_v(), 0.0);
    loops_->add_closing(what, loop_kinematics_, loop_bodies_, loop_change_);
  };
  double last = HUGE_VAL;
  for (int k = 0; k < kMost && !loops_->is_gap_closed(); ++k) {
    const double gap = loops_->calc_worst_gap();
    if (!(gap < 0.5 * last)) break;  // rounding, or a place where nothing helps
    last = gap;
    close(LoopSolver::Close::gap);
    move_coordinates(model_.tree, loop_change_, 1.0, q);
    look();
  }
  worst_gap_ = std::max(worst_gap_, loops_->calc_worst_gap());
  for (int k = 0; k < 2 && closes_speeds && !loops_->is_speed_closed(loop_kinematics_); ++k) {
    close(LoopSolver::Close::speed);
    for (int i = 0; i < num_v(); ++i) v[i] += loop_change_[i];
    look();
  }
}

bool Dynamics::is_in_island(int link) const {
  if (!loops_ || model_.tree.is_static(link) || model_.tree.link(link).group < 0) return false;
  const int place = model_.tree.link(link).articulated_index;
  const auto holds = [&](const IndexRange& range) { return range.begin <= place && place < range.end; };
  const std::vector<LoopIsland>& islands = model_.loops.islands();
  return std::any_of(islands.begin(), islands.end(), [&](const LoopIsland& island) {
    return std::any_of(island.groups.begin(), island.groups.end(), holds);
  });
}

/// Of a contact on what loops hold together: with the speeds that they leave free.
double Dynamics::calc_inverse_mass_in_loops(int link_a, int link_b, const Vec3& point, const Vec3& normal) const {
  VelocityParts parts(model_.tree, &model_.loops);
  ConstraintSystem system;
  const std::vector<double> rest(num_v(), 0.0);
  parts.begin(kinematics_, rest, system);
  const int part_a = parts.part_of(link_a), part_b = parts.part_of(link_b);
  if (part_a < 0 && part_b < 0) return 0.0;
  const MatX J_a = part_a < 0 ? MatX() : parts.calc_jacobian(link_a, point, std::span(&normal, 1), 1.0);
  const MatX J_b = part_b < 0 ? MatX() : parts.calc_jacobian(link_b, point, std::span(&normal, 1), -1.0);
  if (part_a == part_b) {
    system.add_rows(1, part_a, J_a + J_b, -1, MatX());
  } else {
    system.add_rows(1, part_a, J_a, part_b, J_b);
  }
  double inverse = 0.0;
  system.calc_diagonal(&inverse);
  return inverse;
}

void Dynamics::add_gearboxes(double* powers) {
  for (const CompliantCoupling& gearbox : model_.gearboxes) {
    const double behind = q_now_[gearbox.q] - gearbox.ratio * q_now_[gearbox.q_of] - gearbox.offset;
    const double rate = v_now_[gearbox.v] - gearbox.ratio * v_now_[gearbox.v_of];
    const double force = -gearbox.stiffness * behind - gearbox.damping * rate;
    tau_[gearbox.v] += force;
    tau_[gearbox.v_of] -= gearbox.ratio * force;
    power_of(powers, GlobalWork::spring_damping) += gearbox.damping * rate * rate;
  }
}

void Dynamics::add_bushings(double* powers) {
  for (const Bushing& bushing : model_.bushings) {
    const BushingResponse now = calc_bushing(bushing, kinematics_);
    for (const double sign : {1.0, -1.0}) {
      const int link = sign > 0.0 ? bushing.link_b : bushing.link_a;
      if (link == kWorld) continue;
      wrenches_[link].add_force(sign * now.force, now.point - kinematics_.p_WCm[link]);
      wrenches_[link].torque += sign * now.torque;
    }
    power_of(powers, GlobalWork::spring_damping) += now.damping_power;
  }
}

}  // namespace abut
