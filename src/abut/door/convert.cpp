#include "abut/door/convert.hpp"

#include <array>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "abut/base/error.hpp"

namespace abut {

namespace {

std::string name_body(const SceneSpec& scene, int body) { return scene.body.at(static_cast<std::size_t>(body)).name; }

}  // namespace

Quat to_quat(const v0::Quaternion& q) {
  const Quat quat(q[0], q[1], q[2], q[3]);
  constexpr double kTolerance = 1e-6;
  if (!(std::abs(quat.norm() - 1.0) <= kTolerance))
    throw InputError(fmt::format("({}, {}, {}, {}) is no orientation: its length is not 1", q[0], q[1], q[2], q[3]));
  return quat.normalized();
}

KeyValue to_key_value(const v0::Value& value) {
  return std::visit(
      [](const auto& held) -> KeyValue {
        if constexpr (std::is_same_v<decltype(held), const v0::Vector3&> ||
                      std::is_same_v<decltype(held), const v0::Quaternion&>)
          return std::vector<double>(held.begin(), held.end());
        else
          return held;
      },
      value);
}

v0::Motion to_motion(const BodySample& sample) {
  return {to_array(sample.position), to_array(sample.orientation), to_array(sample.velocity),
          to_array(sample.angular_velocity)};
}

v0::Contact to_contact(const ContactSample& sample, const SceneSpec& scene) {
  v0::Contact contact;
  contact.body_a = name_body(scene, sample.body_a);
  contact.body_b = name_body(scene, sample.body_b);
  contact.patch = sample.patch;
  contact.depth = sample.depth;
  contact.depth_rate = sample.depth_rate;
  contact.point = to_array(sample.point);
  contact.normal = to_array(sample.normal);
  contact.force = to_array(sample.force);
  contact.torque = to_array(sample.torque);
  contact.normal_force = sample.normal_force;
  contact.slip_velocity = to_array(sample.slip_velocity);
  contact.is_sticking = sample.sticking;
  return contact;
}

v0::ContactEvent to_event(const ContactEvent& event, const SceneSpec& scene) {
  static_assert(static_cast<int>(v0::ContactEventKind::slip) == static_cast<int>(ContactEventKind::slip));
  return {event.time,
          static_cast<v0::ContactEventKind>(event.kind),
          name_body(scene, event.body_a),
          name_body(scene, event.body_b),
          event.patch,
          event.normal_speed};
}

v0::Energy to_energy(const EnergyBalance& balance, double residual) {
  using E = v0::Energy;
  constexpr std::array<double E::*, kNumEnergies> kMembers = {
      &E::kinetic,        &E::gravitational,     &E::elastic,           &E::bristle,
      &E::spring,         &E::damping,           &E::friction,          &E::viscous_friction,
      &E::spring_damping, &E::joint_friction,    &E::volume_hysteresis, &E::time_stepping,
      &E::motor,          &E::prescribed_motion, &E::applied_force,     &E::relaxation,
      &E::geometry};
  v0::Energy energy;
  for (std::size_t i = 0; i < kMembers.size(); ++i) energy.*kMembers[i] = balance.values[i];
  energy.residual = residual;
  return energy;
}

}  // namespace abut
