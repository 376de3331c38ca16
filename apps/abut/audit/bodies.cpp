#include "audit/bodies.hpp"

#include <algorithm>

#include "abut/door/convert.hpp"

namespace abut {

namespace {

Quat orientation_of(const v0::Motion& motion) {
  const v0::Quaternion& q = motion.orientation;
  return Quat(q[0], q[1], q[2], q[3]);
}

bool moves(const std::vector<v0::Motion>& motions) {
  return std::any_of(motions.begin(), motions.end(), [&](const v0::Motion& motion) {
    const double turn = orientation_of(motion).angularDistance(orientation_of(motions.front()));
    return (to_vec(motion.position) - to_vec(motions.front().position)).norm() > 1e-9 || turn > 1e-7;
  });
}

bool is_driven(const Model& model, int link) {
  if (model.tree.free_leaf_index(link) < 0) return true;
  for (const PointSpring& spring : model.springs) {
    if (spring.link_a == link || spring.link_b == link) return true;
  }
  return std::any_of(model.forces.begin(), model.forces.end(),
                     [link](const AppliedForce& force) { return force.link == link; });
}

}  // namespace

Bodies::Bodies(const Model& model, const Trajectory& trajectory) : model_(model), trajectory_(trajectory) {
  for (std::size_t body = 0; body < model.scene.body.size(); ++body) {
    const int link = model.link_of_body[body];
    if (model.scene.body[body].fixed) {
      kinds_.push_back(moves(trajectory.motions[body]) ? BodyKind::driven : BodyKind::still);
    } else {
      kinds_.push_back(is_driven(model, link) ? BodyKind::driven : BodyKind::free);
    }
  }
}

const MassProperties& Bodies::mass(int body) const {
  return model_.tree.link(model_.link_of_body[static_cast<std::size_t>(body)]).mass;
}

Vec3 Bodies::calc_center(int body, std::size_t k) const {
  const v0::Motion& m = motion(body, k);
  return to_vec(m.position) + orientation_of(m) * mass(body).center_of_mass;
}

Vec3 Bodies::calc_momentum(int body, std::size_t k) const {
  const v0::Motion& m = motion(body, k);
  const Vec3 arm = orientation_of(m) * mass(body).center_of_mass;
  return mass(body).mass * (to_vec(m.velocity) + to_vec(m.angular_velocity).cross(arm));
}

double Bodies::calc_kinetic_energy(int body, std::size_t k) const {
  const v0::Motion& m = motion(body, k);
  const Vec3 w = orientation_of(m).conjugate() * to_vec(m.angular_velocity);
  return 0.5 * calc_momentum(body, k).squaredNorm() / mass(body).mass + 0.5 * w.dot(mass(body).inertia * w);
}

double Bodies::calc_energy(int body, std::size_t k) const {
  if (model_.scene.body[static_cast<std::size_t>(body)].fixed) return 0.0;
  return calc_kinetic_energy(body, k) - mass(body).mass * model_.scene.gravity.dot(calc_center(body, k));
}

Vec3 Bodies::calc_impulse(int body, std::size_t k) const {
  const double h = trajectory_.times[k + 1] - trajectory_.times[k];
  return calc_momentum(body, k + 1) - calc_momentum(body, k) - mass(body).mass * h * model_.scene.gravity;
}

v0::Motion Bodies::fly(int body, std::size_t k, double time) const {
  const v0::Motion& m = motion(body, k);
  if (kind(body) == BodyKind::still) return m;
  const double dt = time - trajectory_.times[k];
  const Vec3 g = kind(body) == BodyKind::free ? model_.scene.gravity : Vec3(Vec3::Zero());
  const Vec3 w = to_vec(m.angular_velocity), center_of_mass = mass(body).center_of_mass;
  const Quat q = orientation_of(m);
  const double angle = w.norm() * dt;
  const Quat turned = angle == 0.0 ? q : (Quat(Eigen::AngleAxisd(angle, w.normalized())) * q).normalized();
  const Vec3 v = to_vec(m.velocity) + w.cross(q * center_of_mass);
  const Vec3 center = to_vec(m.position) + q * center_of_mass + dt * v + (0.5 * dt * dt) * g;
  const Vec3 arm = turned * center_of_mass;
  return {to_array(Vec3(center - arm)), to_array(turned), to_array(Vec3(v + dt * g - w.cross(arm))),
          m.angular_velocity};
}

}  // namespace abut
