#include "audit/pair_probe.hpp"

#include <algorithm>
#include <cmath>

#include "abut/door/convert.hpp"

namespace abut {

namespace {

/// Steps of the law in an interval between two samples.
constexpr int kSteps = 8;
/// Of the interval: how closely a touch is found.
constexpr double kTouchAccuracy = 1e-6;
/// Of the length of the sum of normals: less is missing where all are one.
constexpr double kOneNormal = 1e-4;
/// Touches that are looked for within one step.
constexpr int kMostCuts = 20;

Vec3 velocity_at(const v0::Motion& motion, const Vec3& point) {
  return to_vec(motion.velocity) + to_vec(motion.angular_velocity).cross(point - to_vec(motion.position));
}

}  // namespace

PairProbe::PairProbe(const v0::Scene& scene, const Bodies& bodies, int body_a, int body_b)
    : book_(bodies),
      bodies_{body_a, body_b},
      pair_(scene, bodies.name(body_a), bodies.name(body_b)),
      blank_(pair_.start()) {}

PairLook PairProbe::look(const v0::Motion& a, const v0::Motion& b) {
  PairLook out;
  v0::PairState state = blank_;
  pair_.begin_step(state, 0.0, 1e-3, a, b);
  double weights = 0.0;
  for (const v0::Contact& contact : pair_.evaluate(state, 0.0, a, b).contacts) {
    // The force acts on body_a of the contact, which may be either of ours.
    const double sign = contact.body_a == book_.name(bodies_[0]) ? 1.0 : -1.0;
    const double weight = std::max(contact.depth, 1e-300);
    out.touches = true;
    out.depth = std::max(out.depth, contact.depth);
    out.point += weight * to_vec(contact.point);
    out.normal += sign * weight * to_vec(contact.normal);
    out.normal_force += contact.normal_force;
    weights += weight;
  }
  if (!out.touches) return out;
  out.point /= weights;
  out.has_one_normal = out.normal.norm() > (1.0 - kOneNormal) * weights;
  if (out.normal.norm() > 0.0) out.normal.normalize();
  const Vec3 velocity = velocity_at(a, out.point) - velocity_at(b, out.point);
  out.parting_speed = out.normal.dot(velocity);
  out.slip = velocity - out.parting_speed * out.normal;
  return out;
}

PairLook PairProbe::look(std::size_t k) { return look(book_.motion(bodies_[0], k), book_.motion(bodies_[1], k)); }

std::optional<PairProbe::Meeting> PairProbe::find_meeting(std::size_t k, double until) {
  const auto look_at = [&](double t) { return look(book_.fly(bodies_[0], k, t), book_.fly(bodies_[1], k, t)); };
  double apart = book_.trajectory().times[k], together = until;
  const double span = until - apart;
  if (look_at(apart).touches) return std::nullopt;
  Meeting found{until, look_at(until)};
  // Fast bodies may have passed through a thin one by then.
  for (int i = 1; i < 4 && !found.look.touches; ++i)
    found = {apart + 0.25 * i * span, look_at(apart + 0.25 * i * span)};
  if (!found.look.touches) return std::nullopt;
  together = found.time;
  while (std::abs(together - apart) > kTouchAccuracy * std::abs(span)) {
    const double middle = 0.5 * (apart + together);
    const PairLook there = look_at(middle);
    if (there.touches) found = {middle, there};
    (there.touches ? together : apart) = middle;
  }
  return found;
}

v0::PairForce PairProbe::evaluate(const v0::PairState& state, std::size_t k, double t,
                                  std::span<const double> numbers) {
  const Trajectory& trajectory = book_.trajectory();
  return pair_.evaluate(state, t, interpolate(trajectory, bodies_[0], k, t), interpolate(trajectory, bodies_[1], k, t),
                        numbers);
}

/// Runge and Kutta's rule of order four; the motion is given, so that only the pair's own numbers are integrated.
void PairProbe::advance(v0::PairState& state, std::size_t k, double from, double to, Vec3& impulse) {
  const double h = to - from;
  const std::vector<double> start = state.numbers;
  std::vector<double> sum(start.size(), 0.0), stage = start;
  constexpr std::array<double, 4> kNodes{0.0, 0.5, 0.5, 1.0}, kWeights{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (std::size_t s = 0; s < 4; ++s) {
    const v0::PairForce force = evaluate(state, k, from + kNodes[s] * h, stage);
    impulse += h * kWeights[s] * to_vec(force.on_a.force);
    for (std::size_t i = 0; i < start.size(); ++i) {
      sum[i] += h * kWeights[s] * force.rates[i];
      if (s < 3) stage[i] = start[i] + h * kNodes[s + 1] * force.rates[i];
    }
  }
  for (std::size_t i = 0; i < start.size(); ++i) state.numbers[i] = start[i] + sum[i];
}

bool PairProbe::begin(v0::PairState& state, std::size_t k, double t, double step) {
  const Trajectory& trajectory = book_.trajectory();
  const auto events = pair_.begin_step(state, t, step, interpolate(trajectory, bodies_[0], k, t),
                                       interpolate(trajectory, bodies_[1], k, t));
  return std::any_of(events.begin(), events.end(),
                     [](const v0::ContactEvent& event) { return event.kind == v0::ContactEventKind::touch; });
}

void PairProbe::go(v0::PairState& state, std::size_t k, double from, double to, Vec3& impulse) {
  Vec3 pushed = Vec3::Zero();
  do {
    pushed.setZero();
    advance(state, k, from, to, pushed);
  } while (!pair_.end_step(state, to));
  impulse += pushed;
}

std::optional<double> PairProbe::find_cut(const v0::PairState& state, std::size_t k, double from, double to) {
  double apart = from, together = to;
  while (together - apart > kTouchAccuracy * (to - from)) {
    const double middle = 0.5 * (apart + together);
    v0::PairState trial = state;
    Vec3 unused = Vec3::Zero();
    go(trial, k, from, middle, unused);
    (begin(trial, k, middle, to - from) ? together : apart) = middle;
  }
  if (together == to || together - from < kTouchAccuracy * (to - from)) return std::nullopt;
  return together;
}

LawStretch PairProbe::follow(std::size_t first, std::size_t last) {
  const Trajectory& trajectory = book_.trajectory();
  LawStretch out;
  v0::PairState state = blank_;
  const auto note = [&](std::size_t k, const Vec3& mean) {
    const v0::Motion &a = book_.motion(bodies_[0], k), &b = book_.motion(bodies_[1], k);
    const double t = trajectory.times[k];
    const v0::Energy energy = pair_.energy(state, t, a, b);
    LawStretch::Sample sample;
    const v0::PairForce force = pair_.evaluate(state, t, a, b);
    sample.force = to_vec(force.on_a.force);
    sample.mean = mean;
    sample.stored = energy.elastic + energy.bristle;
    sample.dissipated = energy.dissipated();
    double tangential = 0.0;
    for (const v0::Contact& contact : force.contacts)
      tangential += (to_vec(contact.force) - contact.normal_force * to_vec(contact.normal)).norm();
    if (tangential > 0.0) sample.deflection = 2.0 * energy.bristle / tangential;
    out.samples.push_back(sample);
  };
  const double h0 = (trajectory.times[first + 1] - trajectory.times[first]) / kSteps;
  begin(state, first, trajectory.times[first], h0);
  note(first, Vec3::Zero());
  for (std::size_t k = first; k < last; ++k) {
    const double start = trajectory.times[k], h = (trajectory.times[k + 1] - start) / kSteps;
    Vec3 impulse = Vec3::Zero();
    for (int step = 0; step < kSteps; ++step) {
      const double from = start + step * h, to = step + 1 == kSteps ? trajectory.times[k + 1] : start + (step + 1) * h;
      double at = from;
      // A touch is found late: the step is cut where the bodies meet, so that no depth is hidden from the law.
      for (int cuts = 0;; ++cuts) {
        v0::PairState next = state;
        Vec3 pushed = Vec3::Zero();
        go(next, k, at, to, pushed);
        v0::PairState begun = next;
        const std::optional<double> meeting =
            begin(begun, k, to, h) && cuts < kMostCuts ? find_cut(state, k, at, to) : std::nullopt;
        if (!meeting) {
          state = begun;
          impulse += pushed;
          break;
        }
        go(state, k, at, *meeting, impulse);
        begin(state, k, *meeting, to - *meeting);
        at = *meeting;
      }
    }
    note(k + 1, impulse / (trajectory.times[k + 1] - start));
  }
  return out;
}

std::optional<double> PairProbe::find_depth_under(double load, std::size_t k) {
  v0::Motion a = book_.motion(bodies_[0], k), b = book_.motion(bodies_[1], k);
  for (v0::Motion* motion : {&a, &b}) motion->velocity = motion->angular_velocity = {0.0, 0.0, 0.0};
  const PairLook here = look(a, b);
  if (!here.touches || !(load > 0.0)) return std::nullopt;
  const Vec3 origin = to_vec(a.position);
  const auto moved = [&](double in) {
    a.position = to_array(Vec3(origin - in * here.normal));
    return look(a, b);
  };
  // Between parted and pressed so far that the force is enough.
  double out = -here.depth, in = here.depth;
  for (int i = 0; i < 40 && moved(in).normal_force < load; ++i) in = 2.0 * in + here.depth;
  if (moved(in).normal_force < load) return std::nullopt;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (out + in);
    (moved(middle).normal_force < load ? out : in) = middle;
  }
  return moved(in).depth;
}

}  // namespace abut
