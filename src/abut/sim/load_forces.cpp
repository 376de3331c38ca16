#include "abut/sim/dynamics.hpp"

namespace abut {

namespace {

double& power_of(double* powers, GlobalWork work) { return powers[static_cast<int>(work)]; }

Vec3 sample(const Dynamics& dynamics, const std::array<TimeTable, 3>& table, double t) {
  return {dynamics.sample(table[0], t), dynamics.sample(table[1], t), dynamics.sample(table[2], t)};
}

/// Line of action of a spring: unit direction from b to a, length and its rate.
struct SpringLine {
  Vec3 p_a, p_b, direction = Vec3::UnitZ();
  double length = 0.0, rate = 0.0;
};

SpringLine calc_spring_line(const PointSpring& spring, const Kinematics& kinematics) {
  const auto place = [&](int link, const Vec3& point) {
    return link == kWorld ? point : Vec3(kinematics.X_WB[link] * point);
  };
  SpringLine line;
  line.p_a = place(spring.link_a, spring.point_a);
  line.p_b = place(spring.link_b, spring.point_b);
  const Vec3 span = line.p_a - line.p_b;
  line.length = span.norm();
  // At zero length a spring has no direction; with a rest length of zero it also has no force there.
  if (line.length > 0.0) line.direction = span / line.length;
  line.rate = line.direction.dot(kinematics.calc_point_velocity(spring.link_a, line.p_a) -
                                 kinematics.calc_point_velocity(spring.link_b, line.p_b));
  return line;
}

/// What an applied force is at time t, in world axes.
struct AppliedWrench {
  Vec3 force, torque;
  Vec3 point;  ///< [m]
};

AppliedWrench calc_applied_wrench(const Dynamics& dynamics, const AppliedForce& applied, double t) {
  const Pose& X_WB = dynamics.kinematics().X_WB[applied.link];
  AppliedWrench now{sample(dynamics, applied.force, t), sample(dynamics, applied.torque, t), X_WB * applied.point};
  if (applied.in_body_axes) {
    now.force = X_WB.R * now.force;
    now.torque = X_WB.R * now.torque;
  }
  return now;
}

}  // namespace

void Dynamics::add_springs(double* powers) {
  for (const PointSpring& spring : model_.springs) {
    const SpringLine line = calc_spring_line(spring, kinematics_);
    const double tension = spring.stiffness * (line.length - spring.rest_length) + spring.damping * line.rate;
    const Vec3 force = -tension * line.direction;  // on a
    if (spring.link_a != kWorld) wrenches_[spring.link_a].add_force(force, line.p_a - kinematics_.p_WCm[spring.link_a]);
    if (spring.link_b != kWorld)
      wrenches_[spring.link_b].add_force(-force, line.p_b - kinematics_.p_WCm[spring.link_b]);
    power_of(powers, GlobalWork::spring_damping) += spring.damping * line.rate * line.rate;
  }
}

void Dynamics::add_applied_forces(double t, double* powers) {
  for (const AppliedForce& applied : model_.forces) add_applied_force(applied, t, powers);
  for (const AppliedForce& applied : inputs_.forces) add_applied_force(applied, t, powers);
}

void Dynamics::add_applied_force(const AppliedForce& applied, double t, double* powers) {
  const AppliedWrench now = calc_applied_wrench(*this, applied, t);
  wrenches_[applied.link].add_force(now.force, now.point - kinematics_.p_WCm[applied.link]);
  wrenches_[applied.link].torque += now.torque;
  power_of(powers, GlobalWork::applied_force) +=
      now.force.dot(kinematics_.calc_point_velocity(applied.link, now.point)) +
      now.torque.dot(kinematics_.w_WB[applied.link]);
}

void Dynamics::calc_joint_loads(double t, double* powers) {
  std::fill(tau_.begin(), tau_.end(), 0.0);
  for (std::size_t i = 0; i < model_.joint_loads.size(); ++i) {
    const JointLoadEntry& entry = model_.joint_loads[i];
    const double q = entry.q_index >= 0 ? q_now_[entry.q_index] : 0.0;
    const TimeTable& command = this->command(i);
    JointLoad load = entry.load;
    if (!joint_bristles_.empty()) load.coulomb = 0.0;
    const JointLoadResult result =
        calc_joint_load(load, q, v_now_[entry.v_index], {sample(command, t), sample_rate(command, t)});
    tau_[entry.v_index] += result.force;
    power_of(powers, GlobalWork::spring_damping) += result.damping_power;
    power_of(powers, GlobalWork::joint_friction) += result.friction_power;
    power_of(powers, GlobalWork::motor) += result.motor_power;
  }
}

void Dynamics::add_load_works(double t, double h, const Kinematics& end, double* works) const {
  for (const PointSpring& spring : model_.springs) {
    const SpringLine line = calc_spring_line(spring, kinematics_);
    const double mean = 0.5 * (line.rate + calc_spring_line(spring, end).rate);
    power_of(works, GlobalWork::spring_damping) += h * spring.damping * line.rate * mean;
    power_of(works, GlobalWork::time_stepping) += h * spring.stiffness * (line.length - spring.rest_length) * mean;
  }
  for (const Bushing& bushing : model_.bushings) {
    // As points: both wrenches act at one, with the mean of the velocities there.
    const BushingResponse now = calc_bushing(bushing, kinematics_);
    const auto work = [&](const Vec3& force, const Vec3& torque) {
      double sum = 0.0;
      for (const Kinematics* k : {&kinematics_, &end}) {
        const auto turning = [&](int link) { return link == kWorld ? Vec3(Vec3::Zero()) : k->w_WB[link]; };
        sum += force.dot(k->calc_point_velocity(bushing.link_b, now.point) -
                         k->calc_point_velocity(bushing.link_a, now.point)) +
               torque.dot(turning(bushing.link_b) - turning(bushing.link_a));
      }
      return 0.5 * h * sum;
    };
    const double elastic = work(now.elastic_force, now.elastic_torque);
    power_of(works, GlobalWork::spring_damping) -= work(now.force, now.torque) - elastic;
    power_of(works, GlobalWork::time_stepping) -= elastic;
  }
  for (const AppliedForce& applied : model_.forces) add_applied_work(applied, t, h, end, works);
  for (const AppliedForce& applied : inputs_.forces) add_applied_work(applied, t, h, end, works);
}

void Dynamics::add_applied_work(const AppliedForce& applied, double t, double h, const Kinematics& end,
                                double* works) const {
  const AppliedWrench now = calc_applied_wrench(*this, applied, t);
  const Vec3 v =
      kinematics_.calc_point_velocity(applied.link, now.point) + end.calc_point_velocity(applied.link, now.point);
  const Vec3 w = kinematics_.w_WB[applied.link] + end.w_WB[applied.link];
  power_of(works, GlobalWork::applied_force) += 0.5 * h * (now.force.dot(v) + now.torque.dot(w));
}

double Dynamics::calc_spring_energy() const {
  double energy = 0.0;
  for (const PointSpring& spring : model_.springs) {
    const double stretch = calc_spring_line(spring, kinematics_).length - spring.rest_length;
    energy += 0.5 * spring.stiffness * stretch * stretch;
  }
  for (const Bushing& bushing : model_.bushings) energy += calc_bushing(bushing, kinematics_).stored;
  for (const CompliantCoupling& gearbox : model_.gearboxes) {
    const double behind = q_now_[gearbox.q] - gearbox.ratio * q_now_[gearbox.q_of] - gearbox.offset;
    energy += 0.5 * gearbox.stiffness * behind * behind;
  }
  for (const JointLoadEntry& entry : model_.joint_loads) {
    const double q = entry.q_index >= 0 ? q_now_[entry.q_index] : 0.0;
    energy += calc_joint_load(entry.load, q, 0.0).stored;
  }
  for (const JointBristle& bristle : joint_bristles_) {
    const bool has_stiction = model_.joint_loads[bristle.entry].load.has_stiction;
    const double stiffness = has_stiction ? bristle.stiction.sigma_0 : bristle.friction.stiffness;
    const double z = z_now_[bristle.state];
    energy += 0.5 * stiffness * z * z;
  }
  return energy;
}

double Dynamics::calc_stored_energy() const {
  return calc_potential_energy(model_.tree, kinematics_, model_.scene.gravity) + calc_spring_energy();
}

EnergyBalance Dynamics::calc_energy(double t, const double* y, const double* works) {
  EnergyBalance energy;
  calc_responses(t, y);
  energy[Energy::kinetic] = calc_kinetic_energy(model_.tree, kinematics_);
  energy[Energy::gravitational] = calc_potential_energy(model_.tree, kinematics_, model_.scene.gravity);
  energy[Energy::spring] = calc_spring_energy();

  PatchWork contact_work = state_->ended;
  for (std::size_t i = 0; i < responses_.size(); ++i) {
    const int place = state_->pool.active[i];
    const Patch& patch = state_->pool.patches[place];
    const PatchResponse& response = responses_[i];
    const PatchWork work = PatchWork::read(works + kNumGlobalWorks + kNumPatchWorks * place);
    if (!given_contacts_) {
      energy[Energy::elastic] += contacts_.with_region(patch.region, [&](const auto& region) {
        return region.calc_elastic_energy(place, response, work, t, state_->pool);
      });
    }
    energy[Energy::bristle] += calc_bristle_storage(place, response, y);
    contact_work += work;
  }
  if (given_contacts_) {
    energy[Energy::elastic] = given_contacts_->elastic;
    energy[Energy::bristle] = given_contacts_->bristle;
  }
  energy[Energy::damping] = contact_work.damping;
  energy[Energy::friction] = contact_work.friction - contact_work.viscous - energy[Energy::bristle];
  energy[Energy::viscous_friction] = contact_work.viscous;
  energy[Energy::spring_damping] = works[static_cast<int>(GlobalWork::spring_damping)];
  energy[Energy::joint_friction] = works[static_cast<int>(GlobalWork::joint_friction)];
  energy[Energy::time_stepping] = works[static_cast<int>(GlobalWork::time_stepping)];
  energy[Energy::motor] = works[static_cast<int>(GlobalWork::motor)];
  if (num_work_states() > 0) energy[Energy::prescribed_motion] = y[num_q() + num_v()];
  energy[Energy::applied_force] = works[static_cast<int>(GlobalWork::applied_force)];
  energy[Energy::volume_hysteresis] = state_->ended.elastic;
  energy[Energy::relaxation] = contact_work.relaxation;
  energy[Energy::geometry] = works[static_cast<int>(GlobalWork::geometry)];
  return energy;
}

double Dynamics::calc_bristle_storage(int place, const PatchResponse& response, const double* y) const {
  if (given_contacts_) return 0.0;  // only their sum is known
  const double* states = y + friction_start() + stride_ * place;
  return contacts_.with_region(state_->pool.patches[place].region, [&](const auto& region) {
    return region.calc_bristle_energy(place, response, state_->pool, states, stride_);
  });
}

}  // namespace abut
