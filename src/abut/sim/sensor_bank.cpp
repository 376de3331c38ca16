#include "abut/sim/sensor_bank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/math/counter_noise.hpp"
#include "abut/sim/true_value.hpp"

namespace abut {

namespace {

/// Samples this near to the end of a fixed step, as a part of it, are taken there.
constexpr double kOnGrid = 1e-6;

}  // namespace

SensorBank::SensorBank(Dynamics& dynamics, State& state)
    : dynamics_(dynamics), state_(state), plans_(dynamics.model().sensors) {
  for (const SensorPlan& plan : plans_) num_channels_ += plan.num_channels();
  const RunSpec& run = dynamics.model().scene.run;
  if (has_fixed_step(run.method)) slack_ = kOnGrid * run.step.value_or(0.0);
  state_.sensors.resize(plans_.size());
}

double SensorBank::next_sample_time() const {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i].is_sampled()) next = std::min(next, plans_[i].sample_time(state_.sensors[i].next));
  }
  return next;
}

Sight SensorBank::sight(const double* y) const {
  const auto num_q = static_cast<std::size_t>(dynamics_.num_q()), num_v = static_cast<std::size_t>(dynamics_.num_v());
  return {dynamics_.model(),        dynamics_.kinematics(), {y, num_q}, {y + num_q, num_v},
          dynamics_.joint_forces(), dynamics_.responses(),  forces_};
}

/// Motion, forces and accelerations at (t, y).
void SensorBank::look(double t, const double* y) {
  dynamics_.contacts().remember(memory_);
  rates_.resize(static_cast<std::size_t>(dynamics_.size()));
  dynamics_.look_at_forces(t, y, rates_, forces_);
  dynamics_.contacts().recall(memory_);
}

void SensorBank::sample(double t, const double* y) {
  bool has_looked = false;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const SensorPlan& plan = plans_[i];
    SensorMemory& memory = state_.sensors[i];
    if (!plan.is_sampled() || plan.sample_time(memory.next) > t + slack_) continue;
    if (!has_looked) look(t, y);
    has_looked = true;
    value_.resize(static_cast<std::size_t>(plan.num_channels()));
    calc_true_value(plan, sight(y), value_.data());
    // More than one only where a run was stopped between two of them.
    while (plan.sample_time(memory.next) <= t + slack_) take(plan, t, memory);
  }
}

void SensorBank::take(const SensorPlan& plan, double t, SensorMemory& memory) {
  const auto channels = static_cast<std::size_t>(plan.num_channels());
  filter(plan, memory);
  memory.kept.resize(plan.num_kept() * channels);
  const std::size_t row = static_cast<std::size_t>(memory.next) % plan.num_kept();
  double* reading = memory.kept.data() + row * channels;
  std::copy(memory.filtered.begin(), memory.filtered.end(), reading);
  make_reading(plan, memory.next, reading);
  note_peak(plan, t, reading, memory);
  ++memory.next;
}

/// A filter of first order, exact for inputs that are straight between two samples; it begins at rest at the first.
void SensorBank::filter(const SensorPlan& plan, SensorMemory& memory) {
  if (plan.orientation >= 0 && memory.next > 0) {
    // Of the two quaternions of one orientation the one nearer to the last.
    double along = 0.0;
    for (int k = 0; k < 4; ++k) along += value_[plan.orientation + k] * memory.input[plan.orientation + k];
    for (int k = 0; k < 4 && along < 0.0; ++k) value_[plan.orientation + k] *= -1.0;
  }
  if (memory.next == 0 || !(plan.low_pass > 0.0)) {
    memory.filtered = value_;
  } else {
    const double x = 2.0 * std::numbers::pi * plan.low_pass / plan.rate, gone = -std::expm1(-x);
    for (std::size_t k = 0; k < value_.size(); ++k)
      memory.filtered[k] +=
          gone * (memory.input[k] - memory.filtered[k]) + (1.0 - gone / x) * (value_[k] - memory.input[k]);
  }
  memory.input = value_;
}

/// From what the filter lets through to what can be read.
void SensorBank::make_reading(const SensorPlan& plan, std::int64_t sample, double* reading) const {
  const auto noise = [&](int channel) {
    const double deviation = plan.noise[static_cast<std::size_t>(channel)];
    if (deviation == 0.0) return 0.0;
    return deviation *
           calc_normal_noise(plan.noise_key, static_cast<std::uint64_t>(sample), static_cast<std::uint32_t>(channel));
  };
  if (plan.orientation >= 0) {
    double* wxyz = reading + plan.orientation;
    Quat turn = calc_unit_quaternion(wxyz);
    const Vec3 error(noise(plan.orientation), noise(plan.orientation + 1), noise(plan.orientation + 2));
    if (error.norm() > 0.0) turn = turn * Quat(Eigen::AngleAxisd(error.norm(), error.normalized()));
    const double sign = turn.w() < 0.0 ? -1.0 : 1.0;
    wxyz[0] = sign * turn.w();
    for (int k = 0; k < 3; ++k) wxyz[k + 1] = sign * turn.vec()[k];
  }
  for (int k = 0; k < plan.num_channels(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const bool is_turn = plan.orientation >= 0 && k >= plan.orientation && k < plan.orientation + 4;
    if (!is_turn) reading[k] = plan.gain[at] * reading[k] + plan.offset[at] + (plan.is_sampled() ? noise(k) : 0.0);
    if (plan.quantum[at] > 0.0)
      reading[k] = plan.quantum[at] * std::round(reading[k] / plan.quantum[at]) + 0.0;  // no -0
  }
}

void SensorBank::note_peak(const SensorPlan& plan, double t, const double* reading, SensorMemory& memory) {
  const auto channels = static_cast<std::size_t>(plan.num_channels());
  if (memory.peak.empty()) {
    memory.peak.assign(reading, reading + channels);
    memory.peak_time.assign(channels, t);
  }
  for (std::size_t k = 0; k < channels; ++k) {
    if (!(std::abs(reading[k]) > std::abs(memory.peak[k]))) continue;
    memory.peak[k] = reading[k];
    memory.peak_time[k] = t;
  }
}

void SensorBank::read(double t, const double* y, std::vector<double>& out) {
  out.resize(static_cast<std::size_t>(num_channels_));
  bool has_looked = false;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const SensorPlan& plan = plans_[i];
    const SensorMemory& memory = state_.sensors[i];
    double* shown = out.data() + plan.first;
    if (plan.is_sampled() && memory.next > 0) {
      // The last that has arrived; before any has, the first.
      const auto arrived = static_cast<std::int64_t>(std::floor((t + slack_ - plan.delay) * plan.rate * (1.0 + 1e-12)));
      const std::int64_t oldest = memory.next - std::min(memory.next, static_cast<std::int64_t>(plan.num_kept()));
      const auto row = static_cast<std::size_t>(std::clamp(arrived, oldest, memory.next - 1)) % plan.num_kept();
      std::copy_n(memory.kept.data() + row * plan.channels.size(), plan.num_channels(), shown);
      continue;
    }
    if (!has_looked) look(t, y);
    has_looked = true;
    calc_true_value(plan, sight(y), shown);
    make_reading(plan, 0, shown);
  }
}

void SensorBank::note_peaks(double t, std::span<const double> shown) {
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (!plans_[i].is_sampled()) note_peak(plans_[i], t, shown.data() + plans_[i].first, state_.sensors[i]);
  }
}

std::vector<SensorPeak> SensorBank::list_peaks() const {
  std::vector<SensorPeak> peaks;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const SensorMemory& memory = state_.sensors[i];
    for (std::size_t k = 0; k < memory.peak.size(); ++k) {
      const SensorChannel& channel = plans_[i].channels[k];
      peaks.push_back({plans_[i].name, channel.name, channel.unit, memory.peak[k], memory.peak_time[k]});
    }
  }
  return peaks;
}

}  // namespace abut
