// When a pair touches, and what else acts then.

#include <algorithm>

#include "audit/pair_audit.hpp"

namespace abut {

namespace {

/// An impulse below this part of the momentum is rounding: nothing was met.
constexpr double kLeastBlow = 1e-5;
/// Samples within a contact from which on the path between them is known well enough for a stiff law.
constexpr std::size_t kResolved = 6;

bool gets_a_blow(const Bodies& bodies, int body, std::size_t k) {
  if (bodies.kind(body) != BodyKind::free) return false;
  const double momentum = bodies.calc_momentum(body, k).norm() + bodies.calc_momentum(body, k + 1).norm();
  return bodies.calc_impulse(body, k).norm() > kLeastBlow * momentum;
}

}  // namespace

PairCourse make_course(PairProbe probe, int rule, const Bodies& bodies) {
  const Trajectory& trajectory = bodies.trajectory();
  const std::size_t n = trajectory.num_samples(), pad = trajectory.has_velocity ? 0 : 1;
  const int a = probe.body_a(), b = probe.body_b();
  PairCourse course{std::move(probe), rule, {}, {}, std::vector<char>(n - 1, 0), {}};
  for (std::size_t k = 0; k < n; ++k) course.looks.push_back(course.probe.look(k));
  for (std::size_t k = 0; k < n; ++k) {
    const bool touches = course.looks[k].touches;
    if (touches && (k == 0 || !course.looks[k - 1].touches)) course.episodes.push_back({k, k});
    if (touches) course.episodes.back().last = k;
    if (touches || k + 1 == n || course.looks[k + 1].touches) continue;
    if (k < pad || (!gets_a_blow(bodies, a, k) && !gets_a_blow(bodies, b, k))) continue;
    // The second of two intervals over which differences of poses smear one blow.
    const bool is_smear = !course.episodes.empty() && k < course.episodes.back().last + 1 + 2 * pad;
    if (!is_smear && course.probe.find_meeting(k - pad, trajectory.times[k + 1])) course.episodes.push_back({k + 1, k});
  }
  for (const Episode& episode : course.episodes) {
    const std::size_t begin = episode.first > 1 + pad ? episode.first - 1 - pad : 0;
    const std::size_t end = std::min(n - 1, episode.last + 1 + pad);
    std::fill(course.covers.begin() + static_cast<long>(begin), course.covers.begin() + static_cast<long>(end), 1);
    const bool is_resolved = !episode.is_blow_between() && episode.last - episode.first + 1 >= kResolved;
    course.laws.push_back(
        is_resolved ? course.probe.follow(episode.first == 0 ? 0 : episode.first - 1, std::min(n - 1, episode.last + 1))
                    : LawStretch{});
  }
  return course;
}

bool is_alone(const PairCourse& course, const std::vector<PairCourse>& courses, const Bodies& bodies, std::size_t k) {
  const int own[] = {course.probe.body_a(), course.probe.body_b()};
  for (const int body : own) {
    if (bodies.kind(body) == BodyKind::driven) return false;
  }
  return std::none_of(courses.begin(), courses.end(), [&](const PairCourse& other) {
    if (&other == &course || !other.covers[k]) return false;
    return std::any_of(std::begin(own), std::end(own), [&](int body) {
      return bodies.kind(body) == BodyKind::free && (other.probe.body_a() == body || other.probe.body_b() == body);
    });
  });
}

}  // namespace abut
