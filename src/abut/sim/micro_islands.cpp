// Islands of a step of method micro: their contact space, the motion that follows, and its place in geometry.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "abut/sim/micro_stepper.hpp"

namespace abut {

bool MicroStepper::solve_islands(double h) {
  sets_.reset(static_cast<int>(blocks_.size()));
  for (Block& block : blocks_) block.is_struck = false;
  for (int i = 0; i < num_sites_; ++i) {
    if (sites_[i].block[0] >= 0 && sites_[i].block[1] >= 0) sets_.join(sites_[i].block[0], sites_[i].block[1]);
  }
  islands_.resize(blocks_.size());
  for (std::vector<int>& island : islands_) island.clear();
  for (int i = 0; i < num_sites_; ++i) {
    const int block = sites_[i].block[0] >= 0 ? sites_[i].block[0] : sites_[i].block[1];
    islands_[sets_.find(block)].push_back(i);
  }
  change_.assign(v_start_.size(), 0.0);
  shift_ = frozen_.way;
  taken_ = 0.0;
  for (const std::vector<int>& island : islands_) {
    if (!island.empty() && !solve_island(island, h)) return false;
  }
  return true;
}

bool MicroStepper::solve_island(const std::vector<int>& sites, double h) {
  space_.clear();
  for (const int i : sites) sites_[i].row.first = space_.add(sites_[i].row);
  space_.make_room();
  for (const int i : sites) {
    Site& site = sites_[i];
    for (int q = 0; q < site.row.count; ++q) {
      space_.w[site.row.first + q] = site.w[q];
      space_.b[site.row.first + q] = site.b[q];
    }
    for (int side = 0; side < 2; ++side) {
      if (site.block[side] < 0) continue;
      for (const auto& [other, other_side] : blocks_[site.block[side]].sites) {
        const Site& o = sites_[other];
        for (int s = 0; s < site.row.count; ++s) {
          for (int q = 0; q < o.row.count; ++q)
            space_.A(o.row.first + q, site.row.first + s) += o.J[other_side].row(q).dot(site.W[side].col(s));
        }
      }
    }
  }
  const bool is_done = space_.integrate(state_.time, h, contacts_, joints_, events_);
  totals_.counts += space_.counts();
  if (!is_done) {
    if (space_.culprit() >= 0) culprit_ = sites_[sites[space_.culprit()]].point;
    return false;
  }
  take_results(sites);
  return true;
}

void MicroStepper::take_results(const std::vector<int>& sites) {
  const std::vector<double>&impulse = space_.impulse(), &moment = space_.moment();
  state_.works[static_cast<std::size_t>(GlobalWork::time_stepping)] += space_.numerical();
  totals_.numerical += space_.numerical();
  taken_ += space_.damping() + space_.friction();
  for (const int i : sites) {
    Site& site = sites_[i];
    site.impulse.setZero();
    for (int q = 0; q < site.row.count; ++q) site.impulse[q] = impulse[site.row.first + q];
    for (int side = 0; side < 2; ++side) {
      if (site.block[side] < 0) continue;
      Block& block = blocks_[site.block[side]];
      block.is_struck = block.is_struck || !space_.was_quiet();
      for (std::size_t k = 0; k < block.columns.size(); ++k) {
        for (int q = 0; q < site.row.count; ++q) {
          const double w = site.W[side](static_cast<Eigen::Index>(k), q);
          change_[block.columns[k]] -= w * impulse[site.row.first + q];
          shift_[block.columns[k]] -= w * moment[site.row.first + q];
        }
      }
    }
    if (site.row.kind == MicroRow::Kind::stop)
      joint_impulses_[site.v_index] -= contacts_[site.row.index].side * site.impulse[0];
    if (site.row.kind != MicroRow::Kind::contact) continue;
    MicroContact& c = contacts_[site.row.index];
    const Vec3 end(space_.w[site.row.first], site.row.count == 3 ? space_.w[site.row.first + 1] : 0.0,
                   site.row.count == 3 ? space_.w[site.row.first + 2] : 0.0);
    c.normal_W = -site.axes_end.row(0).transpose();
    c.z_W = site.axes_end.bottomRows<2>().transpose() * c.z;
    c.friction_W = -site.axes_end.bottomRows<2>().transpose() * c.force.tail<2>();
    c.slip_W = site.axes_end.bottomRows<2>().transpose() * end.tail<2>();
    c.depth_rate = end[0];
  }
}

void MicroStepper::move(double h) {
  const Tree& tree = dynamics_.model().tree;
  const int num_q = dynamics_.num_q(), num_v = dynamics_.num_v();
  if (dynamics_.has_sensors()) note_link_forces(h);
  book_prescribed(h);
  book_loads(h);
  move_coordinates(tree, shift_, 1.0, std::span(state_.y).first(num_q));
  for (int i = 0; i < num_v; ++i) state_.y[num_q + i] = v_start_[i] + h * frozen_.free[i] + change_[i];
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    is_smooth_[b] = blocks_[b].is_struck ? 0 : 1;
    for (const int k : blocks_[b].columns) mean_acceleration_[k] = frozen_.free[k] + change_[k] / h;
  }
  int bristle = dynamics_.joint_bristle_start();
  for (const MicroJoint& joint : joints_) {
    if (joint.load->coulomb > 0.0 && dynamics_.num_joint_bristles() > 0) state_.y[bristle++] = joint.z;
  }
  state_.time += h;
  dynamics_.enforce_prescribed(state_.time, state_.y.data());
  normalize_quaternions(tree, std::span(state_.y).first(num_q));
}

/// What keeps prescribed motion going, without contacts and because of them.
void MicroStepper::book_prescribed(double h) {
  const Model& model = dynamics_.model();
  if (dynamics_.num_work_states() == 0) return;
  prescribed_impulse_.assign(v_start_.size(), 0.0);
  add_link_impulses();
  parts_.add_prescribed_impulses(link_impulses_, {}, change_, prescribed_impulse_);
  for (const PrescribedJoint& joint : model.prescribed) {
    const int i = joint.v_index;
    const double impulse = h * frozen_.prescribed_force[i] + prescribed_impulse_[i];
    state_.y[dynamics_.num_q() + dynamics_.num_v()] += impulse * frozen_.way[i] / h;
    joint_impulses_[i] += impulse;
  }
}

/// Those of contacts in the part of the step in hand, about the centres of mass.
void MicroStepper::add_link_impulses() {
  std::fill(link_impulses_.begin(), link_impulses_.end(), Vec6::Zero());
  for (int i = 0; i < num_sites_; ++i) {
    const Site& site = sites_[i];
    if (site.row.kind != MicroRow::Kind::contact) continue;
    for (int side = 0; side < 2; ++side) {
      const Vec3 force = (side == 0 ? -1.0 : 1.0) * (site.axes.transpose() * site.impulse);
      link_impulses_[site.links[side]].head<3>() += force;
      link_impulses_[site.links[side]].tail<3>() +=
          Vec3(site.place[side] - frozen_.middle.p_WCm[site.links[side]]).cross(force);
    }
  }
}

/// At the middle of each part of the step, where its forces were found; a part is shorter where it was halved.
void MicroStepper::note_link_forces(double h) {
  const Model& model = dynamics_.model();
  add_link_impulses();
  LinkForces part;
  part.at = frozen_.middle;
  for (const Vec6& impulse : link_impulses_) part.contacts.push_back({impulse.head<3>() / h, impulse.tail<3>() / h});
  std::vector<double> vdot(frozen_.free);
  for (std::size_t i = 0; i < vdot.size(); ++i) vdot[i] += change_[i] / h;
  calc_link_forces(model.tree, model.scene.gravity, dynamics_.wrenches(), vdot, part);
  const auto add = [h](const Mat3& turn, const Vec3& earlier, auto&& now) { now = Vec3(h * now + turn * earlier); };
  for (std::size_t i = 0; i < part.contacts.size(); ++i) {
    if (!link_forces_.is_known()) {
      part.contacts[i].force *= h;
      part.contacts[i].torque *= h;
      part.joints.wrench[i] *= h;
      part.joints.acceleration[i] *= h;
      continue;
    }
    // Earlier parts turn with the body, so that what acts along a joint's ways goes on to do so.
    const Mat3 turn = part.at.X_WB[i].R * link_forces_.at.X_WB[i].R.transpose();
    add(turn, link_forces_.contacts[i].force, part.contacts[i].force);
    add(turn, link_forces_.contacts[i].torque, part.contacts[i].torque);
    const Vec6 &wrench = link_forces_.joints.wrench[i], &acceleration = link_forces_.joints.acceleration[i];
    add(turn, wrench.head<3>(), part.joints.wrench[i].head<3>());
    add(turn, wrench.tail<3>(), part.joints.wrench[i].tail<3>());
    add(turn, acceleration.head<3>(), part.joints.acceleration[i].head<3>());
    add(turn, acceleration.tail<3>(), part.joints.acceleration[i].tail<3>());
  }
  link_forces_ = std::move(part);
}

/// From sums over the parts of a step of length h to means.
void MicroStepper::average_link_forces(double h) {
  for (std::size_t i = 0; i < link_forces_.contacts.size(); ++i) {
    link_forces_.contacts[i].force /= h;
    link_forces_.contacts[i].torque /= h;
    link_forces_.joints.wrench[i] /= h;
    link_forces_.joints.acceleration[i] /= h;
  }
}

/// Works of loads, which acted as at the middle, on the way that was gone.
void MicroStepper::book_loads(double h) {
  const Model& model = dynamics_.model();
  const auto work = [this](GlobalWork which) -> double& { return state_.works[static_cast<std::size_t>(which)]; };
  for (MicroJoint& joint : joints_) {
    work(GlobalWork::spring_damping) += joint.damping;
    work(GlobalWork::joint_friction) += joint.rubbing;
    work(GlobalWork::motor) += joint.motor;
    joint_impulses_[model.joint_loads[joint.entry].v_index] += joint.impulse;
    joint.damping = joint.rubbing = joint.motor = joint.impulse = 0.0;
  }
  // What a stop's damper takes is no contact's.
  for (MicroContact& c : contacts_) {
    if (c.stop < 0) continue;
    work(GlobalWork::spring_damping) += c.work.damping;
    c.work = {};
  }
  if (model.springs.empty() && !dynamics_.has_applied_forces()) return;
  dynamics_.calc_motion(state_.time + 0.5 * h, y_middle_.data());
  std::vector<double>& speeds = prescribed_acceleration_;  // of no more use in this step
  for (std::size_t i = 0; i < speeds.size(); ++i) speeds[i] = 2.0 * shift_[i] / h - mean_speeds_[i];
  calc_kinematics(model.tree, std::span<const double>(y_middle_).first(dynamics_.num_q()), speeds, scratch_);
  std::array<double, kNumGlobalWorks> works{};
  dynamics_.add_load_works(state_.time + 0.5 * h, h, scratch_, works.data());
  for (const GlobalWork which : {GlobalWork::spring_damping, GlobalWork::applied_force})
    work(which) += works[static_cast<std::size_t>(which)];
}

double MicroStepper::calc_coordinate(const Site& site) const {
  const int entry =
      site.row.kind == MicroRow::Kind::joint ? joints_[site.row.index].entry : contacts_[site.row.index].stop;
  const JointLoadEntry& load = dynamics_.model().joint_loads[entry];
  return load.q_index >= 0 ? state_.y[load.q_index] : 0.0;
}

/// How far contact space and geometry are apart; whether that is worth a projection.
bool MicroStepper::calc_residuals() {
  dynamics_.calc_motion(state_.time, state_.y.data());
  ContactSet& set = dynamics_.contacts();
  set.calc_geometry(dynamics_.motion(), state_.pool);
  bool is_worth = false;
  for (int i = 0; i < num_sites_; ++i) {
    Site& site = sites_[i];
    site.residual = 0.0;
    double size = 0.0;
    if (site.row.kind == MicroRow::Kind::joint) {
      const MicroJoint& joint = joints_[site.row.index];
      site.residual = joint.q - calc_coordinate(site);
      size = std::abs(joint.q);
    } else {
      const MicroContact& c = contacts_[site.row.index];
      if (!c.touches) continue;
      if (site.row.kind == MicroRow::Kind::contact) {
        site.residual = c.depth + set.point_geometry(site.point).gap;
      } else {
        const JointLoad& load = dynamics_.model().joint_loads[c.stop].load;
        const double q = calc_coordinate(site);
        site.residual = c.depth - (c.side > 0.0 ? q - load.upper : load.lower - q);
      }
      size = c.depth;
    }
    const double off = std::abs(site.residual) - 1e-9 * size;
    is_worth = is_worth || off > 1e-16;
    totals_.worst_projection = std::max(totals_.worst_projection, std::abs(site.residual));
  }
  return is_worth;
}

/// Depths that were found in contact space are the truth: bodies are moved onto them, by the way of least inertia.
void MicroStepper::project() {
  if (calc_residuals()) {
    std::fill(shift_.begin(), shift_.end(), 0.0);
    for (const std::vector<int>& island : islands_) {
      if (!island.empty()) project_island(island);
    }
    move_coordinates(dynamics_.model().tree, shift_, 1.0, std::span(state_.y).first(dynamics_.num_q()));
    dynamics_.calc_motion(state_.time, state_.y.data());
    dynamics_.contacts().calc_geometry(dynamics_.motion(), state_.pool);
  }
  look_again();
}

void MicroStepper::project_island(const std::vector<int>& sites) {
  on_.clear();
  for (const int i : sites) {
    const Site& site = sites_[i];
    if (site.row.kind == MicroRow::Kind::joint || contacts_[site.row.index].touches) {
      sites_[i].place_in_projection = static_cast<int>(on_.size());
      on_.push_back(i);
    } else {
      sites_[i].place_in_projection = -1;
    }
  }
  const auto n = static_cast<Eigen::Index>(on_.size());
  if (n == 0) return;
  projection_.setZero(n, n);
  offset_.resize(n);
  for (Eigen::Index r = 0; r < n; ++r) {
    const Site& site = sites_[on_[r]];
    offset_[r] = site.residual;
    for (int side = 0; side < 2; ++side) {
      if (site.block[side] < 0) continue;
      for (const auto& [other, other_side] : blocks_[site.block[side]].sites) {
        const Site& o = sites_[other];
        if (o.place_in_projection < 0 || o.place_in_projection < r) continue;
        projection_(o.place_in_projection, r) += o.J[other_side].row(0).dot(site.W[side].col(0));
      }
    }
  }
  // Rows may depend on each other: a little is given up for that.
  for (Eigen::Index r = 0; r < n; ++r) projection_(r, r) *= 1.0 + 1e-9;
  offset_ = projection_.selfadjointView<Eigen::Lower>().ldlt().solve(offset_).eval();
  if (!offset_.allFinite()) return;
  for (Eigen::Index r = 0; r < n; ++r) {
    const Site& site = sites_[on_[r]];
    for (int side = 0; side < 2; ++side) {
      if (site.block[side] < 0) continue;
      const Block& block = blocks_[site.block[side]];
      for (std::size_t k = 0; k < block.columns.size(); ++k)
        shift_[block.columns[k]] += site.W[side](static_cast<Eigen::Index>(k), 0) * offset_[r];
    }
  }
}

/// What geometry says is what the next step starts from: a contact that it finds open is open, and overlaps of pairs
/// that count as apart are what nobody saw.
void MicroStepper::look_again() {
  ContactSet& set = dynamics_.contacts();
  for (int i = 0; i < num_sites_; ++i) {
    const Site& site = sites_[i];
    if (site.row.kind != MicroRow::Kind::contact) continue;
    MicroContact& c = contacts_[site.row.index];
    if (!c.touches) continue;
    c.depth = -set.point_geometry(site.point).gap;
    if (c.depth > 0.0) continue;
    events_.push_back({site.row.index, false, state_.time, -c.depth_rate, c});
    c.touches = false;
    c.work = {};
  }
  overlap_ = 0.0;
  for (int point = 0; point < set.num_points(); ++point) {
    const double gap = set.point_geometry(point).gap;
    if (!(gap < 0.0) || (contact_of_point_[point] >= 0 && contacts_[contact_of_point_[point]].touches)) continue;
    const Candidate& candidate = set.candidate_of_point(point);
    if (block_of(set.collider(candidate.collider_a).link) < 0 && block_of(set.collider(candidate.collider_b).link) < 0)
      continue;
    NormalCoefficients law;
    const ContactRule& rule = set.rule(candidate.rule);
    law.exponent = rule.normal.exponent;
    law.stiffness = rule.contact_modulus ? calc_stiffness(point, dynamics_.kinematics()) : *rule.normal.stiffness;
    overlap_ = std::max(overlap_, calc_elastic_energy(law, -gap));
  }
}

}  // namespace abut
