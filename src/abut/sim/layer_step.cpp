#include "abut/sim/layer_step.hpp"

#include <algorithm>
#include <cmath>

#include "abut/sim/layer_equations.hpp"

namespace abut {

namespace {

LayerOutcome make_outcome(const LayerEquations& equations, const LayerContact& contact, std::size_t c, const VecX& z,
                          const std::vector<LayerBody>& before, const std::vector<LayerBody>& after,
                          const std::vector<Vec6>& carried, double h) {
  const int at = equations.contact_start(c);
  const Vec3 a1 = equations.point_1(c, z), a2 = equations.point_2(c, z);
  const LayerFrame frame = equations.make_frame(contact, after, a2);
  LayerOutcome out;
  out.point = a1;
  out.normal = frame.n;
  // Of force and gap the smaller one, over its scale, is zero but for what the tolerance leaves.
  const double open = (a1 - a2).dot(frame.n) / equations.length_scale(c);
  out.normal_force = z[at + kPn] / equations.force_scale(c) > open ? std::max(0.0, z[at + kPn]) : 0.0;
  // Below the limit the core's force is zero but for what the tolerance leaves.
  const bool is_at_core = z[at + kDn] >= contact.layer.max_deflection * (1.0 - 1e-6);
  out.core_force = is_at_core ? std::max(0.0, z[at + kCore]) : 0.0;
  out.friction = z[at + kPt] * frame.t + z[at + kPo] * frame.o;
  out.torsion = z[at + kPr];
  out.deflection = z[at + kDn];
  const double d1 = contact.other ? z[at + kOneLayer + 1] : 0.0;
  if (contact.other) out.other_core_force = std::max(0.0, z[at + kOneLayer + 2]);
  out.gap = (a1 - a2).dot(frame.n) - out.deflection - d1;
  const Vec3 slip = equations.calc_slip(contact, frame, after, a1);
  out.slip = slip[0] * frame.t + slip[1] * frame.o;

  const Vec3 delta(z[at + kDn], z[at + kDt], z[at + kDo]);
  const Vec3 old(contact.memory.deflection, contact.memory.tangential.dot(frame.t),
                 contact.memory.tangential.dot(frame.o));
  Vec3 acting = slip;
  if (contact.is_tangent_acting) acting.head<2>() += (delta - old).tail<2>() / h;
  out.slip_speed = acting.cwiseProduct(contact.ellipsoid).norm();
  out.friction_work = -h * (z[at + kPt] * acting[0] + z[at + kPo] * acting[1] + z[at + kPr] * acting[2]);
  const Vec3 rate = (delta - old) / h;
  out.damping_work = h * rate.dot(contact.layer.damping * rate);
  const Vec3 stored = contact.is_tangent_acting ? delta : Vec3(delta[0], 0.0, 0.0);
  out.elastic = calc_layer_energy(contact.layer, stored);
  if (contact.other) out.elastic += 0.5 * contact.other->stiffness(0, 0) * d1 * d1;

  if (contact.other) {
    const double other_rate = (d1 - contact.memory.other_deflection) / h;
    out.damping_work += h * contact.other->damping(0, 0) * other_rate * other_rate;
  }

  const Vec3 force = out.normal_force * frame.n + out.friction, torque = out.torsion * frame.n;
  double closing = 0.0;  // mean speed of approach along the normal
  for (const auto& [index, sign] : {std::pair(contact.body_1, 1.0), std::pair(contact.body_2, -1.0)}) {
    const LayerBody &start = before[index], &end = after[index];
    // A mechanism's impulses act on it as it is at the start of the step.
    const Vec3 v_end = start.link < 0 ? end.v : Vec3(carried[start.link].head<3>());
    const Vec3 w_end = start.link < 0 ? end.w : Vec3(carried[start.link].tail<3>());
    const Vec3 arm = a1 - end.p, v = 0.5 * (start.v + v_end), w = 0.5 * (start.w + w_end);
    out.work += sign * h * (force.dot(v) + (arm.cross(force) + torque).dot(w));
    closing -= sign * frame.n.dot(v + w.cross(arm));
  }
  // A core gives nothing back of what it stops.
  out.damping_work += h * std::max(out.core_force, out.other_core_force) * std::max(0.0, closing);
  out.memory.deflection = delta[0];
  out.memory.tangential = delta[1] * frame.t + delta[2] * frame.o;
  out.memory.other_deflection = d1;
  out.memory.reference = frame.t;
  out.memory.normal = frame.n;
  out.memory.normal_force = out.normal_force;
  return out;
}

}  // namespace

Mat3 rotate_by(const Vec3& rotation, const Mat3& R) {
  const double angle = rotation.norm();
  if (angle == 0.0) return R;
  return Eigen::AngleAxisd(angle, rotation / angle).toRotationMatrix() * R;
}

double calc_layer_energy(const Layer& layer, const Vec3& deflection) {
  return 0.5 * deflection.dot(layer.stiffness * deflection);
}

LayerStepResult take_layer_step(const std::vector<LayerBody>& bodies, const std::vector<LayerContact>& contacts,
                                double h, double gravity, const NcpOptions& options, const LayerMechanism* mechanism) {
  LayerEquations equations(bodies, contacts, mechanism, h, gravity);
  LayerStepResult result;
  const VecX start = equations.make_start();
  const NonsmoothSystem system{[&equations](const VecX& z, VecX& r) { equations.calc(z, r); },
                               equations.unknown_scale(), equations.equation_scale()};
  result.ncp = solve_semismooth_newton(system, start, options);
  if (!result.ncp.is_solved()) {
    // A second path: from the motion held still, where every contact presses as it did before.
    VecX again = start;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      again[equations.contact_start(c) + kPn] = contacts[c].memory.normal_force;
    }
    NcpResult other = solve_semismooth_newton(system, again, options);
    other.iterations += result.ncp.iterations;
    if (other.residual < result.ncp.residual) result.ncp = other;
  }
  result.bodies = equations.move_all(result.ncp.z);
  std::vector<Vec6> carried;
  if (mechanism != nullptr) {
    result.speeds = result.ncp.z.head(mechanism->free_speeds.size());
    for (std::size_t k = 0; k < mechanism->loads.size(); ++k) {
      result.loads.push_back(equations.calc_joint_load(k, result.ncp.z));
    }
    for (const Mat6X& jacobian : mechanism->jacobians) carried.emplace_back(jacobian * result.speeds);
  }
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    result.contacts.push_back(make_outcome(equations, contacts[c], c, result.ncp.z, bodies, result.bodies, carried, h));
  }
  return result;
}

}  // namespace abut
