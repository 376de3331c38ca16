#include "audit/audit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/door/convert.hpp"
#include "abut/door/parts.hpp"
#include "abut/sim/compile.hpp"
#include "audit/pair_audit.hpp"

namespace abut {

namespace {

constexpr std::size_t kMostPairs = 1000;
/// Of momentum and weight: a smaller impulse is rounding, or that of an integrator in flight.
constexpr double kFlight = 1e-5;

/// The scene with a method that has forces to evaluate: which one the host has is its own affair. What only fixed steps
/// can do (perimeter contact) keeps them.
Model compile_laws(const SceneSpec& scene) {
  SceneSpec located = scene;
  located.run.method = RunSpec::Method::adaptive;
  located.run.integrator = RunSpec::Integrator::automatic;
  located.run.step.reset();
  try {
    return compile(located);
  } catch (const InputError& error) {
    if (scene.run.method == RunSpec::Method::explicit_) return compile(scene);
    throw InputError(
        fmt::format("{}\nAn audit evaluates laws of force along the motion, whatever method the scene asks for: its "
                    "contacts need a region and a law that have one, such as region = \"volume\".\nNothing was run.",
                    error.what()));
  }
}

/// Of a sphere about a body's origin that holds its shapes [m]; infinite for endless ones.
double calc_extent(const Model& model, int link) {
  double extent = 0.0;
  for (const Collider& collider : model.colliders) {
    if (collider.link == link) extent = std::max(extent, collider.X_LS.p.norm() + collider.bounding_radius);
  }
  return extent;
}

/// Whether two bodies come so near that they may touch at a sample, or within an interval.
bool come_near(const Trajectory& trajectory, int a, int b, double reach) {
  if (!std::isfinite(reach)) return true;
  const std::vector<v0::Motion>&at_a = trajectory.motions[static_cast<std::size_t>(a)],
        &at_b = trajectory.motions[static_cast<std::size_t>(b)];
  Vec3 last = Vec3::Zero();
  for (std::size_t k = 0; k < trajectory.num_samples(); ++k) {
    const Vec3 apart = to_vec(at_a[k].position) - to_vec(at_b[k].position);
    // Twice the way from the last sample: paths between samples are no straight lines.
    const double way = k == 0 ? 0.0 : 2.0 * (apart - last).norm();
    if (apart.norm() < reach + way) return true;
    last = apart;
  }
  return false;
}

std::vector<PairCourse> make_courses(const v0::Scene& scene, const Bodies& bodies) {
  const Model& model = bodies.model();
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < static_cast<int>(bodies.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(bodies.size()); ++b) {
      const BodySpec &body_a = model.scene.body[static_cast<std::size_t>(a)],
                     &body_b = model.scene.body[static_cast<std::size_t>(b)];
      if ((body_a.fixed && body_b.fixed) || body_a.shape.empty() || body_b.shape.empty()) continue;
      const std::pair<int, int> links =
          std::minmax(model.link_of_body[static_cast<std::size_t>(a)], model.link_of_body[static_cast<std::size_t>(b)]);
      const RuleMatch match = model.find_rule(links.first, links.second);
      if (match.rule < 0) continue;
      const double reach = calc_extent(model, links.first) + calc_extent(model, links.second);
      if (!come_near(bodies.trajectory(), a, b, reach)) continue;
      if (std::binary_search(model.never_touch.begin(), model.never_touch.end(), links)) continue;
      pairs.emplace_back(a, b);
    }
  }
  if (pairs.size() > kMostPairs)
    throw InputError(
        fmt::format("{} pairs of bodies come near each other: an audit goes through at most {}. Give a scene, and a "
                    "trajectory, of fewer bodies.\nNothing was run.",
                    pairs.size(), kMostPairs));
  std::vector<PairCourse> courses;
  for (const auto& [a, b] : pairs) {
    const std::pair<int, int> links =
        std::minmax(model.link_of_body[static_cast<std::size_t>(a)], model.link_of_body[static_cast<std::size_t>(b)]);
    courses.push_back(
        make_course(PairProbe(scene, bodies, a, b), model.find_rule(links.first, links.second).rule, bodies));
  }
  return courses;
}

/// What acts on the free bodies in one interval.
enum class Influence {
  none,      ///< nothing but gravity
  apart,     ///< something, though nothing touches
  pair,      ///< one contact
  together,  ///< several contacts
  driven,    ///< contact with a driven body, or with one that touches such a one: its energy comes from elsewhere
};

std::vector<Influence> find_influences(const Bodies& bodies, const std::vector<PairCourse>& courses, std::size_t k,
                                       double speed_error) {
  std::vector<Influence> out(bodies.size(), Influence::none);
  const auto at = [&](int body) -> Influence& { return out[static_cast<std::size_t>(body)]; };
  for (const PairCourse& course : courses) {
    if (!course.covers[k]) continue;
    const bool is_alone_there = is_alone(course, courses, bodies, k);
    for (const int body : {course.probe.body_a(), course.probe.body_b()})
      at(body) = is_alone_there ? Influence::pair : Influence::together;
  }
  for (int body = 0; body < static_cast<int>(bodies.size()); ++body) {
    if (bodies.kind(body) == BodyKind::driven) at(body) = Influence::driven;
  }
  for (bool changes = true; changes;) {
    changes = false;
    for (const PairCourse& course : courses) {
      const int a = course.probe.body_a(), b = course.probe.body_b();
      if (!course.covers[k] || (at(a) == Influence::driven) == (at(b) == Influence::driven)) continue;
      const int other = at(a) == Influence::driven ? b : a;
      if (bodies.kind(other) == BodyKind::still) continue;
      at(other) = Influence::driven;
      changes = true;
    }
  }
  const double h = bodies.trajectory().times[k + 1] - bodies.trajectory().times[k];
  for (int body = 0; body < static_cast<int>(bodies.size()); ++body) {
    if (bodies.kind(body) != BodyKind::free || at(body) != Influence::none) continue;
    const double mass = bodies.mass(body).mass, momentum = bodies.calc_momentum(body, k).norm();
    const double least =
        kFlight * (momentum + mass * h * bodies.model().scene.gravity.norm()) + 4.0 * mass * speed_error;
    if (bodies.calc_impulse(body, k).norm() > least) at(body) = Influence::apart;
  }
  return out;
}

/// What free bodies gain and lose in flight, and where no pair can be told that it was the one.
void sum_energies(const Bodies& bodies, const std::vector<PairCourse>& courses, double speed_error, Audit& audit) {
  const std::size_t n = audit.times.size();
  double together = 0.0, apart = 0.0, kinetic = 0.0, least = 0.0, most = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    double energy = 0.0, moving = 0.0;
    std::vector<Influence> influences;
    if (k + 1 < n) influences = find_influences(bodies, courses, k, speed_error);
    for (int body = 0; body < static_cast<int>(bodies.size()); ++body) {
      if (bodies.kind(body) != BodyKind::free) continue;
      energy += bodies.calc_energy(body, k);
      moving += bodies.calc_kinetic_energy(body, k);
      if (k + 1 == n) continue;
      const Influence influence = influences[static_cast<std::size_t>(body)];
      const double gain = bodies.calc_gain(body, k);
      if (influence == Influence::none) (gain > 0.0 ? audit.made_in_flight : audit.lost_in_flight) += std::abs(gain);
      if (influence == Influence::together) together -= gain;
      if (influence != Influence::apart) continue;
      apart -= gain;
      audit.time_apart += audit.times[k + 1] - audit.times[k];
      audit.impulse_apart += bodies.calc_impulse(body, k).norm();
    }
    audit.made_together = std::max(audit.made_together, -together);
    audit.made_apart = std::max(audit.made_apart, -apart);
    audit.energy.push_back(energy);
    kinetic = std::max(kinetic, moving);
    least = k == 0 ? energy : std::min(least, energy);
    most = k == 0 ? energy : std::max(most, energy);
  }
  audit.lost_together = together;
  audit.lost_apart = apart;
  audit.energy_start = audit.energy.front();
  audit.energy_end = audit.energy.back();
  audit.turnover = std::max(kinetic, most - least);
}

void note_limits(const Bodies& bodies, const Trajectory& trajectory, Audit& audit) {
  if (!trajectory.has_velocity)
    audit.notes.push_back(
        fmt::format("velocities are differences of positions: good to about {:.2g} m/s, at the worst "
                    "{:.2g} m/s",
                    trajectory.velocity_error, trajectory.worst_velocity_error));
  if (!trajectory.has_angular_velocity)
    audit.notes.push_back(
        fmt::format("angular velocities are differences of orientations: good to about {:.2g} rad/s, at "
                    "the worst {:.2g} rad/s",
                    trajectory.angular_velocity_error, trajectory.worst_angular_velocity_error));
  std::string driven;
  for (int body = 0; body < static_cast<int>(bodies.size()); ++body) {
    if (bodies.kind(body) == BodyKind::driven) driven += (driven.empty() ? "'" : ", '") + bodies.name(body) + "'";
  }
  if (!driven.empty())
    audit.notes.push_back(driven +
                          ": driven by joints, springs or forces, so that the motion alone does not say what "
                          "contacts do; their energies are left out");
  for (int body = 0; body < static_cast<int>(bodies.size()); ++body) {
    if (bodies.kind(body) != BodyKind::free) continue;
    double speed = 0.0, spin = 0.0;
    for (std::size_t k = 0; k < trajectory.num_samples(); ++k) {
      speed = std::max(speed, bodies.calc_momentum(body, k).norm());
      const v0::Vector3& w = bodies.motion(body, k).angular_velocity;
      spin = std::max(spin, std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
    }
    audit.energy_error += speed * trajectory.velocity_error +
                          bodies.mass(body).inertia.trace() * spin * trajectory.angular_velocity_error;
  }
}

const GivenForces* find_forces(const Trajectory& trajectory, int a, int b) {
  for (const GivenForces& forces : trajectory.forces) {
    if (std::minmax(forces.body_a, forces.body_b) == std::minmax(a, b)) return &forces;
  }
  return nullptr;
}

}  // namespace

Audit make_audit(const SceneSpec& scene, const Trajectory& trajectory, const std::string& name) {
  const Model model = compile_laws(scene);
  const Bodies bodies(model, trajectory);
  const v0::Scene door = v0::Inside::make_scene(model.scene, name);
  Audit audit;
  audit.name = name;
  audit.times = trajectory.times;
  audit.samples = trajectory.num_samples();
  audit.start = trajectory.times.front();
  audit.end = trajectory.times.back();
  audit.speed_error = trajectory.velocity_error;
  std::vector<double> intervals;
  for (std::size_t k = 0; k + 1 < audit.times.size(); ++k) intervals.push_back(audit.times[k + 1] - audit.times[k]);
  std::sort(intervals.begin(), intervals.end());
  audit.interval = intervals[intervals.size() / 2];
  std::vector<PairCourse> courses = make_courses(door, bodies);
  sum_energies(bodies, courses, trajectory.velocity_error, audit);
  note_limits(bodies, trajectory, audit);
  for (PairCourse& course : courses) {
    const GivenForces* given = find_forces(trajectory, course.probe.body_a(), course.probe.body_b());
    if (course.episodes.empty() && given == nullptr) continue;
    audit.pairs.push_back(audit_pair(course, courses, bodies, given));
  }
  judge(audit);
  return audit;
}

}  // namespace abut
