#include "abut/sim/peak_watch.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

/// A step is looked into where a force has come this near to the largest so far, and changes by this part of itself.
constexpr double kNearPeak = 0.9;
constexpr double kForceChange = 1e-3;
/// Peaks nearer to each other than this part of the step are one.
constexpr double kTopsApart = 1e-2;

}  // namespace

void PeakWatch::begin(const std::vector<PatchResponse>& responses) {
  forces_.assign(state_.pool.patches.size(), 0.0);
  for (std::size_t i = 0; i < responses.size(); ++i) forces_[state_.pool.active[i]] = responses[i].normal_force;
}

void PeakWatch::look_into_step(const EventDriver& driver, const std::vector<PatchResponse>& responses) {
  near_.clear();
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const int place = state_.pool.active[i];
    const double before = forces_[place], after = responses[i].normal_force;
    if (std::max(before, after) > kNearPeak * state_.pool.patches[place].peak_force &&
        std::abs(after - before) > kForceChange * std::max(before, after))
      near_.push_back(static_cast<int>(i));
  }
  if (!near_.empty()) look_inside(driver, responses);
  begin(responses);
}

/// Forces at this part of the step of the patches that are near a peak, which take note of them [N].
std::vector<double> PeakWatch::note_at(const EventDriver& driver, double part) {
  const double t = driver.step_start() + part * (driver.time() - driver.step_start());
  y_inside_.resize(dynamics_.size());
  driver.interpolate(t, y_inside_.data(), nullptr);
  dynamics_.calc_motion(t, y_inside_.data());
  std::vector<double> forces;
  for (const int i : near_) {
    const PatchResponse response = dynamics_.calc_response(i, t, y_inside_.data());
    state_.pool.patches[state_.pool.active[i]].note_peak(t, response);
    forces.push_back(response.normal_force);
  }
  return forces;
}

void PeakWatch::look_inside(const EventDriver& driver, const std::vector<PatchResponse>& last) {
  const std::vector<double> middle = note_at(driver, 0.5);
  std::vector<double> tops;
  for (std::size_t k = 0; k < near_.size(); ++k) {
    const int i = near_[k];
    const double a = forces_[state_.pool.active[i]], b = middle[k], c = last[i].normal_force;
    const double top = 0.5 + 0.25 * (c - a) / (2.0 * b - a - c);  // of the parabola
    if (2.0 * b > a + c && top > 0.0 && top < 1.0) tops.push_back(top);
  }
  std::sort(tops.begin(), tops.end());
  double done = -1.0;
  for (const double top : tops) {
    if (top - done < kTopsApart) continue;
    note_at(driver, top);
    done = top;
  }
}

}  // namespace abut
