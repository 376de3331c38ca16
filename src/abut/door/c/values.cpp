#include "abut/door/c/values.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace abut::c {

namespace {

template <std::size_t kCount>
std::array<double, kCount> to_array(const double (&numbers)[kCount]) {
  std::array<double, kCount> array;
  std::copy(numbers, numbers + kCount, array.begin());
  return array;
}

template <std::size_t kCount>
void put(const std::array<double, kCount>& from, double (&to)[kCount]) {
  std::copy(from.begin(), from.end(), to);
}

v0::Value to_value(const Call& call, const abut_change& change) {
  switch (change.kind) {
    case ABUT_NUMBER:
      return change.number;
    case ABUT_WHOLE:
      return static_cast<int>(change.whole);
    case ABUT_TRUTH:
      return change.whole != 0;
    case ABUT_TEXT:
      return std::string(call.given(change.text, "the text of a change"));
    case ABUT_NUMBERS:
      if (change.count > 0) call.given(change.numbers, "the numbers of a change");
      return std::vector<double>(change.numbers, change.numbers + change.count);
    case ABUT_TEXTS:
      return to_texts(call, change.texts, change.count, "texts of a change");
    default:
      break;
  }
  throw Refusal{ABUT_ERROR_ARGUMENT, fmt::format("a change has no kind {}: see abut_change_kind", change.kind)};
}

}  // namespace

v0::Motion to_motion(const abut_motion& motion) {
  return {to_array(motion.position), to_array(motion.orientation), to_array(motion.velocity),
          to_array(motion.angular_velocity)};
}

abut_motion from_motion(const v0::Motion& motion) {
  abut_motion out;
  put(motion.position, out.position);
  put(motion.orientation, out.orientation);
  put(motion.velocity, out.velocity);
  put(motion.angular_velocity, out.angular_velocity);
  return out;
}

abut_wrench from_wrench(const v0::Wrench& wrench) {
  abut_wrench out;
  put(wrench.force, out.force);
  put(wrench.torque, out.torque);
  return out;
}

abut_contact from_contact(const v0::Contact& contact) {
  abut_contact out{};
  out.body_a = contact.body_a.c_str();
  out.body_b = contact.body_b.c_str();
  out.patch = contact.patch;
  out.is_sticking = contact.is_sticking ? 1 : 0;
  out.depth = contact.depth;
  out.depth_rate = contact.depth_rate;
  put(contact.point, out.point);
  put(contact.normal, out.normal);
  put(contact.force, out.force);
  put(contact.torque, out.torque);
  out.normal_force = contact.normal_force;
  put(contact.slip_velocity, out.slip_velocity);
  return out;
}

abut_event from_event(const v0::ContactEvent& event) {
  static_assert(static_cast<int>(v0::ContactEventKind::touch) == ABUT_TOUCH &&
                static_cast<int>(v0::ContactEventKind::lift) == ABUT_LIFT &&
                static_cast<int>(v0::ContactEventKind::stick) == ABUT_STICK &&
                static_cast<int>(v0::ContactEventKind::slip) == ABUT_SLIP);
  abut_event out{};
  out.time = event.time;
  out.normal_speed = event.normal_speed;
  out.body_a = event.body_a.c_str();
  out.body_b = event.body_b.c_str();
  out.patch = event.patch;
  out.kind = static_cast<int>(event.kind);
  return out;
}

abut_energy from_energy(const v0::Energy& energy) {
  abut_energy out{};
  out.stored = energy.stored();
  out.dissipated = energy.dissipated();
  out.supplied = energy.supplied();
  out.residual = energy.residual;
  out.kinetic = energy.kinetic;
  out.gravitational = energy.gravitational;
  out.elastic = energy.elastic;
  out.bristle = energy.bristle;
  out.spring = energy.spring;
  out.damping = energy.damping;
  out.friction = energy.friction;
  out.viscous_friction = energy.viscous_friction;
  out.spring_damping = energy.spring_damping;
  out.joint_friction = energy.joint_friction;
  out.volume_hysteresis = energy.volume_hysteresis;
  out.time_stepping = energy.time_stepping;
  out.motor = energy.motor;
  out.prescribed_motion = energy.prescribed_motion;
  out.applied_force = energy.applied_force;
  out.relaxation = energy.relaxation;
  out.geometry = energy.geometry;
  return out;
}

abut_step_report from_report(const v0::StepReport& report) {
  return {sizeof(abut_step_report), report.time, report.message.c_str(), report.advice.c_str()};
}

std::vector<v0::Change> to_changes(const Call& call, const abut_change* changes, std::size_t count) {
  std::vector<v0::Change> out;
  if (count > 0) call.given(changes, "changes");
  const auto* at = reinterpret_cast<const std::byte*>(changes);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& change = *reinterpret_cast<const abut_change*>(at);
    call.check_size(change.size, sizeof(abut_change));
    out.push_back({call.given(change.path, "the path of a change"), to_value(call, change)});
    at += change.size;
  }
  return out;
}

std::vector<std::string> to_texts(const Call& call, const char* const* texts, std::size_t count, const char* name) {
  std::vector<std::string> out;
  if (count > 0) call.given(texts, name);
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(call.given(texts[i], name));
  return out;
}

}  // namespace abut::c
