// A step of method micro as a whole: memory of contacts in and out, halving, books.

#include "abut/sim/micro_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "abut/contact/law/friction_law.hpp"
#include "abut/sim/step_energy_notes.hpp"

namespace abut {

MicroStepper::MicroStepper(Dynamics& dynamics, State& state)
    : dynamics_(dynamics),
      state_(state),
      spec_(dynamics.model().scene.micro),
      parts_(dynamics.model().tree),
      space_(spec_) {
  const Tree& tree = dynamics.model().tree;
  block_of_speed_.assign(tree.num_v(), -1);
  for (const FreeLeaf& leaf : tree.free_leaf_data()) {
    Block block;
    for (int k = 0; k < 6; ++k) block.columns.push_back(leaf.v_start + k);
    blocks_.push_back(std::move(block));
  }
  for (const IndexRange& range : tree.groups()) {
    Block block;
    for (int k = range.begin; k < range.end; ++k) {
      const Link& link = tree.link(tree.articulated_links()[k]);
      if (link.prescribed) continue;
      for (int c = 0; c < link.num_v; ++c) block.columns.push_back(link.v_start + c);
    }
    blocks_.push_back(std::move(block));
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    for (const int column : blocks_[i].columns) block_of_speed_[column] = static_cast<int>(i);
  }
  for (const JointLoadEntry& entry : dynamics.model().joint_loads) {
    if (block_of_speed_[entry.v_index] >= 0) blocks_[block_of_speed_[entry.v_index]].is_loaded = true;
  }
  for (auto* kinematics :
       {&frozen_.start, &frozen_.start_mean, &frozen_.middle, &frozen_.end, &frozen_.acceleration, &scratch_})
    kinematics->resize(tree);
  mean_acceleration_.assign(tree.num_v(), 0.0);
  is_smooth_.assign(blocks_.size(), 0);
  joint_force_.assign(dynamics.model().joint_loads.size(), 0.0);
  moved_ = calc_least_energy(dynamics.model());
  link_impulses_.resize(tree.num_links());
}

int MicroStepper::block_of(int link) const {
  const Tree& tree = dynamics_.model().tree;
  if (tree.is_immovable(link)) return -1;
  const int leaf = tree.free_leaf_index(link);
  return leaf >= 0 ? leaf : tree.num_free_leaves() + tree.link(link).group;
}

bool MicroStepper::step(double h) {
  culprit_ = -1;
  load_contacts();
  events_.clear();
  joint_forces_.assign(dynamics_.num_v(), 0.0);
  joint_impulses_.assign(dynamics_.num_v(), 0.0);
  link_forces_ = {};
  saved_.resize(static_cast<std::size_t>(spec_.max_halvings) + 1);
  dynamics_.calc_motion(state_.time, state_.y.data());
  energy_ = calc_stored();
  if (!advance(h, 0)) return false;
  for (int i = 0; i < dynamics_.num_v(); ++i) joint_forces_[i] = joint_impulses_[i] / h;
  if (dynamics_.has_sensors()) average_link_forces(h);
  for (std::size_t i = 0; i < joints_.size(); ++i) joint_force_[i] = joints_[i].force;
  return true;
}

/// From the pool, and what the state has of bristles.
void MicroStepper::load_contacts() {
  const ContactSet& set = dynamics_.contacts();
  contacts_.clear();
  contact_of_point_.assign(static_cast<std::size_t>(set.num_points()), -1);
  for (std::size_t i = 0; i < state_.pool.active.size(); ++i) {
    const int place = state_.pool.active[i], point = set.active_point(static_cast<int>(i));
    const Patch& patch = state_.pool.patches[place];
    const StepContactMemory& memory = state_.step_contacts[place];
    MicroContact c;
    c.point = point;
    c.depth = -set.point_geometry(point).gap;
    c.touches = true;
    c.normal = patch.normal;
    c.blow = patch.blow;
    c.effective_mass = patch.effective_mass;
    c.touch_time = patch.touch_time;
    c.touch_speed = patch.touch_speed;
    c.peak_force = patch.peak_force;
    c.peak_time = patch.peak_time;
    c.peak_depth = patch.peak_depth;
    const double* states = state_.y.data() + dynamics_.friction_start() + dynamics_.stride() * place;
    const int count = num_friction_states(dynamics_.model().rules[patch.rule].friction);
    if (count >= 3) c.z_W = Vec3(states[0], states[1], states[2]);
    if (count >= 4) c.dwell = states[3];
    c.force = Vec3(memory.normal_force, 0.0, 0.0);
    c.friction_W = memory.friction_force;
    c.sticks = memory.is_sticking;
    contact_of_point_[point] = static_cast<int>(contacts_.size());
    contacts_.push_back(c);
  }
  // Stops remember nothing but that they are reached.
  joints_.clear();
  const Model& model = dynamics_.model();
  for (std::size_t i = 0; i < model.joint_loads.size(); ++i) {
    const JointLoadEntry& entry = model.joint_loads[i];
    MicroJoint joint;
    joint.entry = static_cast<int>(i);
    joint.load = &entry.load;
    joint.command = &dynamics_.command(i);
    joint.force = joint_force_[i];
    if (entry.load.coulomb > 0.0)
      joint.friction = make_joint_friction(entry.load.coulomb, entry.load.v_eps, HUGE_VAL, HUGE_VAL);
    joints_.push_back(joint);
  }
  int bristle = dynamics_.joint_bristle_start();
  for (MicroJoint& joint : joints_) {
    if (joint.load->coulomb > 0.0 && dynamics_.num_joint_bristles() > 0) joint.z = state_.y[bristle++];
  }
}

void MicroStepper::save(Saved& saved) const {
  saved.y = state_.y;
  saved.works.assign(state_.works.begin(), state_.works.begin() + kNumGlobalWorks);
  saved.mean_acceleration = mean_acceleration_;
  saved.is_smooth = is_smooth_;
  saved.contacts = contacts_;
  saved.joints = joints_;
  saved.contact_of_point = contact_of_point_;
  saved.joint_impulses = joint_impulses_;
  saved.link_forces = link_forces_;
  saved.num_events = events_.size();
  saved.time = state_.time;
  saved.energy = energy_;
  saved.totals = totals_;
}

void MicroStepper::restore(const Saved& saved) {
  state_.y = saved.y;
  std::copy(saved.works.begin(), saved.works.end(), state_.works.begin());
  mean_acceleration_ = saved.mean_acceleration;
  is_smooth_ = saved.is_smooth;
  contacts_ = saved.contacts;
  joints_ = saved.joints;
  contact_of_point_ = saved.contact_of_point;
  joint_impulses_ = saved.joint_impulses;
  link_forces_ = saved.link_forces;
  events_.resize(saved.num_events);
  state_.time = saved.time;
  energy_ = saved.energy;
  const MicroCounts counts = totals_.counts;
  totals_ = saved.totals;
  totals_.counts = counts;  // what it cost was paid
}

/// A step, or where its frozen geometry was not good enough, two of half its length.
bool MicroStepper::advance(double h, int level) {
  const bool may_halve = level < spec_.max_halvings;
  if (may_halve) save(saved_[level]);
  const bool is_taken = take(h);
  if (is_taken && !is_wrong(level)) {
    moved_ = std::max(moved_, energy_ - potential_);
    return true;
  }
  if (!may_halve) {
    if (!is_taken) return false;
    ++totals_.not_mended;
    const double share = std::abs(geometry_) / std::max(moved_, 1e-300);
    if (share > totals_.worst_share) {
      totals_.worst_share = share;
      totals_.worst_time = state_.time;
    }
    return true;
  }
  restore(saved_[level]);
  ++totals_.halvings;
  return advance(0.5 * h, level + 1) && advance(0.5 * h, level + 1);
}

/// Halves may make half as much each. What rounds off in sums of potential energy is no fault.
bool MicroStepper::is_wrong(int level) const {
  const double rounding = 1e-13 * (std::abs(potential_) + moved_);
  const double allowed =
      std::ldexp(spec_.geometry_tolerance * std::max(moved_, energy_ - potential_), -level) + rounding;
  return !(std::abs(geometry_) <= allowed) || overlap_ > allowed;
}

bool MicroStepper::take(double h) {
  booked_ = calc_booked();
  freeze(h);
  find_rows(h);
  if (!solve_islands(h)) return false;
  move(h);
  project();
  close();
  return true;
}

/// Kinetic and potential energy, that of springs, and of contacts, at the motion computed last [J].
double MicroStepper::calc_stored() const {
  const Model& model = dynamics_.model();
  double energy = calc_kinetic_energy(model.tree, dynamics_.kinematics()) + dynamics_.calc_stored_energy();
  for (const MicroContact& c : contacts_) {
    if (c.point >= 0 && c.touches) energy += calc_elastic_energy(c.normal, c.depth);
  }
  return energy;
}

/// What was put in from outside less what was taken, but for contacts [J].
double MicroStepper::calc_booked() const {
  const auto work = [this](GlobalWork which) { return state_.works[static_cast<std::size_t>(which)]; };
  const int prescribed = dynamics_.num_q() + dynamics_.num_v();
  const double drive = dynamics_.num_work_states() > 0 ? state_.y[prescribed] : 0.0;
  return work(GlobalWork::motor) + work(GlobalWork::applied_force) + drive - work(GlobalWork::spring_damping) -
         work(GlobalWork::joint_friction) - work(GlobalWork::time_stepping);
}

/// All that is known has an entry; what is left is what frozen geometry made.
void MicroStepper::close() {
  const Model& model = dynamics_.model();
  const double energy = calc_stored();
  potential_ = calc_potential_energy(model.tree, dynamics_.kinematics(), model.scene.gravity);
  geometry_ = energy - energy_ - (calc_booked() - booked_) + taken_;
  state_.works[static_cast<std::size_t>(GlobalWork::geometry)] += geometry_;
  energy_ = energy;
}

}  // namespace abut
