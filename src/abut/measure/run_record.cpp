#include "abut/measure/run_record.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace abut {

namespace {

template <class Value>
Value blend(const Value& a, const Value& b, double fraction) {
  return a * (1.0 - fraction) + b * fraction;
}

/// Cubic through two values with their rates, at `s` in [0, 1] of an interval of length h.
template <class Value>
Value blend_hermite(const Value& a, const Value& rate_a, const Value& b, const Value& rate_b, double h, double s) {
  const double u = 1.0 - s;
  return a * (u * u * (1.0 + 2.0 * s)) + b * (s * s * (1.0 + 2.0 * u)) + rate_a * (h * s * u * u) -
         rate_b * (h * s * s * u);
}

double calc_misalignment(const ContactSample& contact) {
  const Vec3 friction = tangential(contact.force, contact.normal), against = -contact.slip_velocity;
  return std::atan2(friction.cross(against).norm(), friction.dot(against));
}

PairState collect_pair(const Sample& sample, int a, int b) {
  PairState state;
  double largest_force = 0.0;
  for (const ContactSample& contact : sample.contacts) {
    const bool is_same = contact.body_a == a && contact.body_b == b;
    const bool is_swapped = contact.body_a == b && contact.body_b == a;
    if (!is_same && !is_swapped) continue;
    const double sign = is_swapped ? -1.0 : 1.0;
    if (contact.depth >= state.depth) {
      state.normal = sign * contact.normal;
      state.point = contact.point;
      state.gyration_radius = contact.gyration_radius;
    }
    if (contact.normal_force > largest_force) {
      largest_force = contact.normal_force;
      state.misalignment = calc_misalignment(contact);
    }
    state.depth = std::max(state.depth, contact.depth);
    state.normal_force += contact.normal_force;
    state.force += sign * contact.force;
    state.tangential_force += sign * tangential(contact.force, contact.normal);
    state.slip_speed = std::max(state.slip_speed, contact.slip_velocity.norm());
    state.dwell = std::max(state.dwell, contact.dwell);
    state.torque += sign * contact.torque;
    state.volume += contact.volume;
    state.area += contact.area;
  }
  return state;
}

}  // namespace

void RunRecord::sample(const Sample& sample) {
  // The last sample of a run may fall on a regular one.
  if (!samples_.empty() && sample.time <= samples_.back().time) {
    samples_.back() = sample;
  } else {
    samples_.push_back(sample);
  }
}

std::vector<double> RunRecord::times_between(double t0, double t1) const {
  std::vector<double> times;
  times.push_back(t0);
  for (const Sample& sample : samples_) {
    if (sample.time > t0 && sample.time < t1) times.push_back(sample.time);
  }
  times.push_back(t1);
  return times;
}

RunRecord::Place RunRecord::find_place(double t) const {
  // Times written as decimals may miss the last sample by rounding.
  const double slack = 1e-9 * duration();
  if (samples_.empty() || !(t >= -slack && t <= duration() + slack)) {
    throw MeasureError(fmt::format("the run covers 0 to {:.6g} s, not {:.6g} s", duration(), t));
  }
  const auto after =
      std::upper_bound(samples_.begin(), samples_.end(), t, [](double time, const Sample& s) { return time < s.time; });
  const Sample& high = after == samples_.end() ? samples_.back() : *after;
  const Sample& low = after == samples_.begin() ? *after : *(after - 1);
  const double interval = high.time - low.time;
  return {&low, &high, interval > 0.0 ? std::clamp((t - low.time) / interval, 0.0, 1.0) : 0.0, interval};
}

Vec3 RunRecord::calc_position(int body, double t) const {
  const Place p = find_place(t);
  const BodySample &a = p.before->bodies[body], &b = p.after->bodies[body];
  return blend_hermite(a.position, a.velocity, b.position, b.velocity, p.interval, p.fraction);
}

Vec3 RunRecord::calc_velocity(int body, double t) const {
  const Place p = find_place(t);
  return blend(p.before->bodies[body].velocity, p.after->bodies[body].velocity, p.fraction);
}

Vec3 RunRecord::calc_angular_velocity(int body, double t) const {
  const Place p = find_place(t);
  return blend(p.before->bodies[body].angular_velocity, p.after->bodies[body].angular_velocity, p.fraction);
}

Vec3 RunRecord::calc_direction(int body, int axis, double t) const {
  const Place p = find_place(t);
  const Quat turn = p.before->bodies[body].orientation.slerp(p.fraction, p.after->bodies[body].orientation);
  return turn * Vec3::Unit(axis);
}

double RunRecord::calc_joint(int joint, int index, double t) const {
  if (index < 0 || index >= layout_.joint_num_q[joint]) {
    throw MeasureError(fmt::format("joint '{}' has {} coordinates, counted from 0", layout_.joint_names[joint],
                                   layout_.joint_num_q[joint]));
  }
  const Place p = find_place(t);
  const int q = layout_.joint_q_start[joint] + index, v = layout_.joint_v_start[joint] + index;
  const bool has_rates = layout_.joint_num_q[joint] == layout_.joint_num_v[joint];
  if (!has_rates) return blend(p.before->q[q], p.after->q[q], p.fraction);
  return blend_hermite(p.before->q[q], p.before->v[v], p.after->q[q], p.after->v[v], p.interval, p.fraction);
}

double RunRecord::calc_joint_rate(int joint, int index, double t) const {
  if (index < 0 || index >= layout_.joint_num_v[joint]) {
    throw MeasureError(fmt::format("joint '{}' has {} velocities, counted from 0", layout_.joint_names[joint],
                                   layout_.joint_num_v[joint]));
  }
  const Place p = find_place(t);
  const int v = layout_.joint_v_start[joint] + index;
  return blend(p.before->v[v], p.after->v[v], p.fraction);
}

double RunRecord::calc_joint_force(int joint, int index, double t) const {
  if (index < 0 || index >= layout_.joint_num_v[joint]) {
    throw MeasureError(fmt::format("joint '{}' has {} forces, counted from 0", layout_.joint_names[joint],
                                   layout_.joint_num_v[joint]));
  }
  const Place p = find_place(t);
  const int v = layout_.joint_v_start[joint] + index;
  return blend(p.before->joint_force[v], p.after->joint_force[v], p.fraction);
}

double RunRecord::calc_sensor(int sensor, int index, double t) const {
  const auto count_channels = [](const RecordedSensor& one) {
    return static_cast<int>(list_channels(one.quantities).size());
  };
  const RecordedSensor& meant = layout_.sensors[static_cast<std::size_t>(sensor)];
  if (index < 0 || index >= count_channels(meant)) {
    throw MeasureError(fmt::format("sensor '{}' shows {} numbers, counted from 0", meant.name, count_channels(meant)));
  }
  int first = 0;
  for (int i = 0; i < sensor; ++i) first += count_channels(layout_.sensors[static_cast<std::size_t>(i)]);
  const Place p = find_place(t);
  // Times written as decimals may miss a recorded one by rounding.
  constexpr double kAlmost = 1.0 - 1e-9;
  const Sample& shown = p.fraction < kAlmost ? *p.before : *p.after;
  return shown.sensors[static_cast<std::size_t>(first + index)];
}

double RunRecord::calc_energy(int column, double t) const {
  const Place p = find_place(t);
  return blend(p.before->energy[column], p.after->energy[column], p.fraction);
}

PairState RunRecord::calc_pair(int a, int b, double t) const {
  const Place p = find_place(t);
  const PairState low = collect_pair(*p.before, a, b), high = collect_pair(*p.after, a, b);
  PairState state;
  state.depth = blend(low.depth, high.depth, p.fraction);
  state.normal_force = blend(low.normal_force, high.normal_force, p.fraction);
  state.force = blend(low.force, high.force, p.fraction);
  state.tangential_force = blend(low.tangential_force, high.tangential_force, p.fraction);
  state.normal = blend(low.normal, high.normal, p.fraction);
  state.point = blend(low.point, high.point, p.fraction);
  state.slip_speed = blend(low.slip_speed, high.slip_speed, p.fraction);
  state.misalignment = blend(low.misalignment, high.misalignment, p.fraction);
  state.dwell = blend(low.dwell, high.dwell, p.fraction);
  state.torque = blend(low.torque, high.torque, p.fraction);
  state.volume = blend(low.volume, high.volume, p.fraction);
  state.area = blend(low.area, high.area, p.fraction);
  state.gyration_radius = blend(low.gyration_radius, high.gyration_radius, p.fraction);
  return state;
}

std::vector<ContactSpan> RunRecord::calc_spans(int a, int b) const {
  std::vector<ContactSpan> spans;
  std::vector<int> patches;
  for (const ContactEvent& event : events_) {
    const bool is_pair = (event.body_a == a && event.body_b == b) || (event.body_a == b && event.body_b == a);
    if (!is_pair) continue;
    if (event.kind == ContactEventKind::touch) {
      spans.push_back({event.time, -event.normal_speed, false, 0.0, 0.0});
      patches.push_back(event.patch);
    } else if (event.kind == ContactEventKind::lift) {
      for (std::size_t i = 0; i < spans.size(); ++i) {
        if (spans[i].has_lifted || patches[i] != event.patch) continue;
        spans[i].has_lifted = true;
        spans[i].lift_time = event.time;
        spans[i].lift_speed = event.normal_speed;
        break;
      }
    }
  }
  return spans;
}

const PairSummary* RunRecord::find_pair(int a, int b) const {
  const std::string &name_a = layout_.body_names[a], &name_b = layout_.body_names[b];
  for (const PairSummary& pair : summary_.pairs) {
    if ((pair.body_a == name_a && pair.body_b == name_b) || (pair.body_a == name_b && pair.body_b == name_a))
      return &pair;
  }
  return nullptr;
}

}  // namespace abut
