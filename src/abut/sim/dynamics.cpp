#include "abut/sim/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "abut/contact/patch_response.hpp"

namespace abut {

namespace {

/// A parallel section costs some microseconds; chunks of free bodies, bristle states and long vectors smaller than
/// these are done sooner on the spot.
constexpr int kLeafGrain = 256;
constexpr int kBristleGrain = 1024;
constexpr int kVectorGrain = 8192;

int calc_stride(const std::vector<ContactRule>& rules) {
  int stride = 0;
  for (const ContactRule& rule : rules) stride = std::max(stride, num_friction_states(rule));
  return stride;
}

}  // namespace

Dynamics::Dynamics(const Model& model, ThreadPool& threads)
    : model_(model),
      threads_(threads),
      contacts_(
          model.colliders, model.rules, [&model](int a, int b) { return model.find_rule(a, b); }, &threads),
      stride_(calc_stride(model.rules)),
      thicknesses_(calc_thicknesses()) {
  kinematics_.resize(model.tree);
  wrenches_.resize(model.tree.num_links());
  tau_.assign(model.tree.num_v(), 0.0);
  prescribed_acceleration_.assign(model.tree.num_v(), 0.0);
  prescribed_force_.assign(model.tree.num_v(), 0.0);
  joint_forces_.assign(model.tree.num_v(), 0.0);
  make_joint_bristles();
  if (!model.loops.is_empty()) {
    loops_.emplace(model.tree, model.loops);
    loop_bodies_.resize(model.tree.articulated_links().size());
  }
  if (!model.prescribed.empty()) {
    q_.resize(model.tree.num_q());
    v_.resize(model.tree.num_v());
  }
}

State Dynamics::make_initial_state() const {
  State state;
  state.y = model_.q0;
  state.y.insert(state.y.end(), model_.v0.begin(), model_.v0.end());
  state.y.resize(friction_start(), 0.0);
  start_dwell(state.y.data());
  state.works.assign(kNumGlobalWorks, 0.0);
  normalize_quaternions(model_.tree, std::span(state.y).first(num_q()));
  enforce_prescribed(0.0, state.y.data());
  return state;
}

BodyMotion Dynamics::motion() const {
  return {kinematics_.X_WB.data(), kinematics_.p_WCm.data(), kinematics_.v_WCm.data(), kinematics_.w_WB.data()};
}

void Dynamics::enforce_prescribed(double t, double* y) const {
  for (std::size_t k = 0; k < model_.prescribed.size(); ++k) {
    const MotionSample motion = prescribed_motion(k, t);
    y[model_.prescribed[k].q_index] = motion.value;
    y[num_q() + model_.prescribed[k].v_index] = motion.rate;
  }
}

void Dynamics::calc_motion(double t, const double* y) {
  q_now_ = y;
  v_now_ = y + num_q();
  z_now_ = y + joint_bristle_start();
  if (!model_.prescribed.empty()) {
    std::copy(y, y + num_q(), q_.begin());
    std::copy(y + num_q(), y + num_q() + num_v(), v_.begin());
    for (std::size_t k = 0; k < model_.prescribed.size(); ++k) {
      const PrescribedJoint& joint = model_.prescribed[k];
      const MotionSample motion = prescribed_motion(k, t);
      q_[joint.q_index] = motion.value;
      v_[joint.v_index] = motion.rate;
      prescribed_acceleration_[joint.v_index] = motion.acceleration;
    }
    q_now_ = q_.data();
    v_now_ = v_.data();
  }
  const std::span<const double> q(q_now_, num_q()), v(v_now_, num_v());
  threads_.parallel_for(model_.tree.num_free_leaves(), kLeafGrain, [&](int begin, int end) {
    calc_free_leaf_kinematics(model_.tree, begin, end, q, v, kinematics_);
  });
  calc_articulated_kinematics(model_.tree, q, v, kinematics_);
}

ResponseInput Dynamics::make_response_input(double t, const double* y) const {
  return {motion(), t, state_->pool, y + friction_start(), stride_, max_rate_, followed_step_};
}

double Dynamics::calc_effective_mass(int link_a, int link_b, const Vec3& point, const Vec3& normal) const {
  const double inverse = is_in_island(link_a) || is_in_island(link_b)
                             ? calc_inverse_mass_in_loops(link_a, link_b, point, normal)
                             : calc_inverse_effective_mass(model_.tree, kinematics_, link_a, link_b, point, normal);
  // Between two links that no force can move any mass will do; nothing they feel changes their motion.
  return inverse > 0.0 ? 1.0 / inverse : 1.0;
}

bool Dynamics::calc_rates(double t, const double* y, double* ydot, double* quadrature_rates) {
  const bool geometry_is_current = is_current_;
  is_current_ = false;
  if (!geometry_is_current) {
    calc_motion(t, y);
  } else if (model_.prescribed.empty()) {
    // The motion is known, but patches that began since may have moved the vector it was read from.
    q_now_ = y;
    v_now_ = y + num_q();
  }
  z_now_ = y + joint_bristle_start();

  std::fill(wrenches_.begin(), wrenches_.end(), Wrench{});
  std::array<double, kNumGlobalWorks> powers{};
  add_springs(powers.data());
  add_bushings(powers.data());
  add_applied_forces(t, powers.data());
  calc_joint_loads(t, powers.data());
  add_gearboxes(powers.data());
  add_joint_bristles(ydot + joint_bristle_start(), powers.data());

  double* friction_rates = ydot + friction_start();
  double* patch_powers = quadrature_rates == nullptr ? nullptr : quadrature_rates + kNumGlobalWorks;
  for (const int place : state_->pool.free_places)
    write_patch_rates(place, PatchResponse{}, friction_rates, patch_powers);
  if (given_contacts_)
    responses_.clear();
  else
    contacts_.calc_responses(make_response_input(t, y), geometry_is_current, responses_,
                             [&](int place, const PatchResponse& response) {
                               write_patch_rates(place, response, friction_rates, patch_powers);
                               if (geometry_is_current) state_->pool.patches[place].note_peak(t, response);
                             });
  if (!is_only_looked_at_) contact_evaluations_ += static_cast<long>(responses_.size());
  if (!geometry_is_current && !is_only_looked_at_) note_grips();
  if (geometry_is_current && observe_) observe_(responses_);
  ContactSet::for_each_force(responses_, [this](int link, const Vec3& force, const Vec3& point, const Vec3& torque) {
    wrenches_[link].add_force(force, point - kinematics_.p_WCm[link]);
    wrenches_[link].torque += torque;
  });

  const AppliedLoads loads{model_.scene.gravity, wrenches_, tau_};
  const std::span<double> vdot(ydot + num_q(), num_v());
  threads_.parallel_for(model_.tree.num_free_leaves(), kLeafGrain, [&](int begin, int end) {
    calc_free_leaf_accelerations(model_.tree, begin, end, kinematics_, loads, vdot);
    calc_free_leaf_q_dot(model_.tree, begin, end, {q_now_, static_cast<std::size_t>(num_q())},
                         {v_now_, static_cast<std::size_t>(num_v())}, {ydot, static_cast<std::size_t>(num_q())});
  });
  calc_articulated_accelerations(model_.tree, kinematics_, loads, prescribed_acceleration_, workspace_, vdot,
                                 prescribed_force_);
  if (loops_) {
    loops_->look(kinematics_, {q_now_, static_cast<std::size_t>(num_q())}, {v_now_, static_cast<std::size_t>(num_v())});
    loops_->factor(kinematics_, workspace_.bodies);
    loops_->add_accelerations(kinematics_, workspace_.bodies, vdot, prescribed_force_);
  }
  calc_articulated_q_dot(model_.tree, {q_now_, static_cast<std::size_t>(num_q())},
                         {v_now_, static_cast<std::size_t>(num_v())}, {ydot, static_cast<std::size_t>(num_q())});
  if (num_work_states() > 0) {
    double power = 0.0;
    for (const PrescribedJoint& joint : model_.prescribed)
      power += prescribed_force_[joint.v_index] * v_now_[joint.v_index];
    ydot[num_q() + num_v()] = power;
  }
  for (int i = 0; i < num_v(); ++i) joint_forces_[i] = tau_[i] + prescribed_force_[i];
  if (given_contacts_ && !given_contacts_->joint_forces.empty()) joint_forces_ = given_contacts_->joint_forces;

  if (quadrature_rates != nullptr) std::copy(powers.begin(), powers.end(), quadrature_rates);
  return true;
}

void Dynamics::look_at_forces(double t, const double* y, std::span<double> rates, LinkForces& forces) {
  is_only_looked_at_ = true;
  calc_rates(t, y, rates.data(), nullptr);
  is_only_looked_at_ = false;
  if (given_contacts_) {
    responses_ = given_contacts_->responses;
    forces = given_contacts_->link_forces;
    return;
  }
  forces.at = kinematics_;
  forces.contacts.assign(wrenches_.size(), {});
  ContactSet::for_each_force(responses_, [&](int link, const Vec3& force, const Vec3& point, const Vec3& torque) {
    forces.contacts[link].add_force(force, point - kinematics_.p_WCm[link]);
    forces.contacts[link].torque += torque;
  });
  std::vector<Wrench> wrenches = wrenches_;
  if (loops_) {
    std::vector<Vec6> closing(wrenches.size(), Vec6::Zero());
    loops_->add_wrenches(kinematics_, closing);
    for (std::size_t i = 0; i < wrenches.size(); ++i) {
      wrenches[i].force += closing[i].head<3>();
      wrenches[i].torque += closing[i].tail<3>();
    }
  }
  calc_joint_wrenches(model_.tree, kinematics_, {model_.scene.gravity, wrenches, {}},
                      rates.subspan(static_cast<std::size_t>(num_q()), static_cast<std::size_t>(num_v())),
                      forces.joints);
}

void Dynamics::note_grips() {
  if (grips_.size() != responses_.size()) return;  // nobody looks for events
  for (std::size_t i = 0; i < responses_.size(); ++i) {
    const int point = contacts_.active_point(static_cast<int>(i));
    const Patch& patch = state_->pool.patches[state_->pool.active[i]];
    const bool presses = contacts_.with_region(
        patch.region, [&](const auto& region) { return region.presses(point, patch, responses_[i]); });
    (presses ? grips_[i].has_pressed : grips_[i].has_slackened) = true;
    grips_[i].least_depth = std::min(grips_[i].least_depth, -responses_[i].gap);
    grips_[i].most_depth = std::max(grips_[i].most_depth, -responses_[i].gap);
  }
}

void Dynamics::write_patch_rates(int place, const PatchResponse& response, double* friction_rates,
                                 double* patch_powers) const {
  double* rates = friction_rates + stride_ * place;
  if (stride_ >= 3) Eigen::Map<Vec3>{rates} = response.z_rate;
  if (stride_ >= 4) rates[3] = response.dwell_rate;
  if (stride_ >= 5) rates[4] = response.rim_rate;
  if (patch_powers != nullptr) response.power.write(patch_powers + kNumPatchWorks * place);
}

void Dynamics::calc_position_rates(const double* y, double* qdot) {
  const std::span<const double> q(y, num_q()), v(y + num_q(), num_v());
  const std::span<double> out(qdot, num_q());
  threads_.parallel_for(model_.tree.num_free_leaves(), kLeafGrain,
                        [&](int begin, int end) { calc_free_leaf_q_dot(model_.tree, begin, end, q, v, out); });
  calc_articulated_q_dot(model_.tree, q, v, out);
}

void Dynamics::parallel_for(int count, const FunctionView<void(int, int)>& body) {
  threads_.parallel_for(count, kVectorGrain, body);
}

const std::vector<PatchResponse>& Dynamics::calc_responses(double t, const double* y) {
  is_current_ = false;
  calc_motion(t, y);
  if (given_contacts_) return responses_ = given_contacts_->responses;
  contacts_.calc_responses(make_response_input(t, y), false, responses_);
  return responses_;
}

void Dynamics::project(double t, double* y) {
  if (loops_) close_loops(t, y);
  const std::span<double> q(y, num_q());
  // Contacts are looked at here: where quaternions need nothing, as the last stage of the step has just seen them.
  if (!projects_friction_ || !has_unit_quaternions(model_.tree, q)) normalize_quaternions(model_.tree, q);
  if (!projects_friction_) return;
  is_current_ = false;
  calc_kinematics(model_.tree, q, std::span<const double>(y + num_q(), num_v()), kinematics_);
  contacts_.calc_active_geometry(motion(), state_->pool);
  project_friction_states(y);
}

void Dynamics::project_inside(double t, double* y) {
  if (loops_) close_loops(t, y);
  normalize_quaternions(model_.tree, std::span<double>(y, num_q()));
}

void Dynamics::project_friction_states(double* y) const {
  if (stride_ < 3) return;
  threads_.parallel_for(static_cast<int>(state_->pool.active.size()), kBristleGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Eigen::Map<Vec3> z(y + friction_start() + stride_ * state_->pool.active[i]);
      const Vec3& n = contacts_.point_geometry(contacts_.active_point(i)).normal;
      z -= n * n.dot(z);
    }
  });
}

}  // namespace abut
