#include "abut/sim/advice.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "abut/sim/adviser.hpp"
#include "abut/sim/look_ahead.hpp"
#include "abut/sim/start_check.hpp"

namespace abut {

namespace {

using Forecast = ContactAdvice::Forecast;

/// Of each pair of colliders the nearest point speaks for all; the nearest pairs first.
std::vector<std::pair<double, int>> list_nearest(const ContactSet& contacts) {
  std::vector<std::pair<double, int>> nearest;
  for (int point = 0; point < contacts.num_points();) {
    const Candidate& candidate = contacts.candidate_of_point(point);
    std::pair<double, int> best(contacts.point_geometry(point).gap, point);
    for (int k = 1; k < candidate.pair.num_points; ++k)
      best = std::min(best, {contacts.point_geometry(point + k).gap, point + k});
    nearest.push_back(best);
    point += candidate.pair.num_points;
  }
  std::sort(nearest.begin(), nearest.end());
  return nearest;
}

}  // namespace

double calc_curvature_radius(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return capsule->radius;
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) return ellipsoid->semi_axes.minCoeff();
  if (const auto* torus = std::get_if<Torus>(&shape)) return torus->tube_radius;
  return std::numeric_limits<double>::infinity();
}

std::vector<ContactAdvice> make_contact_advice(const Model& model, std::size_t limit, bool tries_steps) {
  ThreadPool threads(1);
  Dynamics dynamics(model, threads);
  State state = dynamics.make_initial_state();
  dynamics.bind(state);
  dynamics.contacts().set_step(model.scene.run.step.value_or(0.0));
  const auto look = [&] {
    dynamics.calc_motion(state.time, state.y.data());
    dynamics.contacts().refresh_candidates(dynamics.motion(), state.pool);
    dynamics.contacts().calc_geometry(dynamics.motion(), state.pool);
  };
  look();
  const State start = state;
  const std::vector<std::pair<double, int>> nearest = list_nearest(dynamics.contacts());
  Adviser adviser(dynamics, state, tries_steps);
  const auto pair_of = [&](int point) {
    const Candidate& candidate = dynamics.contacts().candidate_of_point(point);
    return LookAhead::Pair(candidate.collider_a, candidate.collider_b);
  };

  // Pairs that touch or will touch come before those that are only near: in a pile the nearest fall side by side.
  std::map<LookAhead::Pair, ContactAdvice> found;
  constexpr double kTouching = 1e-12;  // [m], rounding
  std::set<LookAhead::Pair> wanted;
  for (const auto& [gap, point] : nearest) {
    const LookAhead::Pair pair = pair_of(point);
    wanted.insert(pair);
    if (gap <= kTouching && found.size() < limit) found[pair] = adviser.advise(point, Forecast::touching);
  }
  LookAhead ahead(dynamics, state);
  ahead.run(wanted, [&](int point, double) {
    if (found.size() < limit) found[pair_of(point)] = adviser.advise(point, Forecast::impact);
  });
  state = start;
  look();
  for (const auto& [gap, point] : nearest) {
    const LookAhead::Pair pair = pair_of(point);
    if (found.size() >= limit) break;
    if (found.contains(pair)) continue;
    found[pair] =
        adviser.advise(point, ahead.outcome(pair) == LookedAhead::apart ? Forecast::apart : Forecast::unknown);
  }
  std::vector<ContactAdvice> advice;
  for (const auto& [gap, point] : nearest) {
    const auto one = found.find(pair_of(point));
    if (one == found.end()) continue;
    advice.push_back(std::move(one->second));
    advice.back().initial_gap = gap;
  }
  return advice;
}

std::vector<std::string> make_start_advice(const Model& model) {
  ThreadPool threads(1);
  Dynamics dynamics(model, threads);
  State state = dynamics.make_initial_state();
  dynamics.bind(state);
  dynamics.contacts().set_step(model.scene.run.step.value_or(0.0));
  dynamics.calc_motion(0.0, state.y.data());
  dynamics.contacts().refresh_candidates(dynamics.motion(), state.pool);
  dynamics.contacts().calc_geometry(dynamics.motion(), state.pool);
  std::vector<std::string> notes = find_overlapping_shapes(model);
  const std::vector<std::string> enclosed = find_enclosed_bodies(dynamics);
  notes.insert(notes.end(), enclosed.begin(), enclosed.end());
  notes.insert(notes.begin(), model.scene.notes.begin(), model.scene.notes.end());
  return notes;
}

}  // namespace abut
