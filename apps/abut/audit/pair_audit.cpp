#include "audit/pair_audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
/// Friction counts as not used up below this part of what the law holds at most while sliding.
constexpr double kUnused = 0.9;
/// A law without bristles that has this part of the friction at that speed creeps itself.
constexpr double kLawCreeps = 0.8;
/// Change of forces over three intervals in which nothing else happens [1].
constexpr double kLittle = 0.2;
/// Intervals without a blow that a stretch of creep needs.
constexpr std::size_t kShortestStretch = 8;

/// Of the free bodies of a pair, by which its force is known from the motion; -1 for none.
int find_free(const PairCourse& course, const Bodies& bodies) {
  for (const int body : {course.probe.body_a(), course.probe.body_b()}) {
    if (bodies.kind(body) == BodyKind::free) return body;
  }
  return -1;
}

class PairAuditor {
 public:
  PairAuditor(PairCourse& course, const std::vector<PairCourse>& courses, const Bodies& bodies,
              const GivenForces* given)
      : course_(course),
        courses_(courses),
        bodies_(bodies),
        given_(given),
        trajectory_(bodies.trajectory()),
        rule_(bodies.model().rules[static_cast<std::size_t>(course.rule)]),
        n_(trajectory_.num_samples()) {}

  PairAudit run() {
    out_.body_a = bodies_.name(course_.probe.body_a());
    out_.body_b = bodies_.name(course_.probe.body_b());
    out_.is_comparable = !rule_.traits().is_held_over_steps;
    out_.touches = static_cast<int>(course_.episodes.size());
    out_.depth.assign(n_, 0.0);
    out_.host_force.assign(n_, kUnknown);
    out_.law_force.assign(n_, kUnknown);
    find_forces();
    note_samples();
    for (std::size_t i = 0; i < course_.episodes.size(); ++i) audit_energy(course_.episodes[i], course_.laws[i]);
    audit_impacts(course_, alone_, bodies_, out_);
    audit_friction();
    audit_rest();
    return std::move(out_);
  }

 private:
  double interval(std::size_t k) const { return trajectory_.times[k + 1] - trajectory_.times[k]; }

  /// Mean force on the first body in each interval, from momenta; where forces are given, of their ends.
  void find_forces() {
    forces_.assign(n_ - 1, Vec3::Constant(kUnknown));
    alone_.assign(n_ - 1, 0);
    const int body = find_free(course_, bodies_);
    const double sign = body == course_.probe.body_a() ? 1.0 : -1.0;
    for (std::size_t k = 0; k + 1 < n_; ++k) {
      alone_[k] = course_.covers[k] && is_alone(course_, courses_, bodies_, k);
      if (!course_.covers[k]) continue;
      const Vec3 by_motion = alone_[k] && body >= 0 ? Vec3(sign * bodies_.calc_impulse(body, k) / interval(k))
                                                    : Vec3(Vec3::Constant(kUnknown));
      forces_[k] = by_motion;
      if (given_ == nullptr) continue;
      forces_[k] = 0.5 * (given_force(k) + given_force(k + 1));
      if (alone_[k] && is_steady(k) && changes_little(k))
        note(out_.given_against_motion, forces_[k].norm(), by_motion.norm());
    }
    finish(out_.given_against_motion);
  }

  /// Whether the pair touches all through an interval and its neighbours, so that a mean of both ends says what acted.
  bool is_steady(std::size_t k) const {
    if (k == 0 || k + 2 >= n_) return false;
    return course_.looks[k - 1].touches && course_.looks[k].touches && course_.looks[k + 1].touches &&
           course_.looks[k + 2].touches;
  }

  /// Whether the forces of the file change little around a steady interval. Where they do not, a blow of other corners
  /// may lie between samples, and their mean does not say what acted.
  bool changes_little(std::size_t k) const {
    const Vec3 first = given_force(k - 1);
    for (std::size_t i = k; i <= k + 2; ++i) {
      if ((given_force(i) - first).norm() > kLittle * first.norm()) return false;
    }
    return true;
  }

  Vec3 given_force(std::size_t k) const {
    const double sign = given_->body_a == course_.probe.body_a() ? 1.0 : -1.0;
    return sign * given_->samples[k].force;
  }

  static void note(ForceAudit& audit, double host, double law) {
    ++audit.count;
    audit.host += host;
    audit.law += law;
    audit.difference += (host - law) * (host - law);
  }
  static void finish(ForceAudit& audit) {
    if (audit.count == 0) return;
    const double count = static_cast<double>(audit.count);
    audit.host /= count;
    audit.law /= count;
    audit.difference = std::sqrt(audit.difference / count);
  }

  void note_samples() {
    for (std::size_t k = 0; k < n_; ++k) {
      const PairLook& look = course_.looks[k];
      out_.depth[k] = look.depth;
      if (look.depth > out_.deepest) {
        out_.deepest = look.depth;
        out_.deepest_time = trajectory_.times[k];
      }
      if (look.touches && k + 1 < n_ && course_.looks[k + 1].touches) out_.time_in_contact += interval(k);
      if (given_ != nullptr) {
        out_.host_force[k] = given_force(k).dot(look.normal);
      } else if (k + 1 < n_ && look.touches && std::isfinite(forces_[k].x())) {
        out_.host_force[k] = forces_[k].dot(look.normal);
      } else if (!look.touches) {
        out_.host_force[k] = 0.0;
      }
    }
    for (std::size_t i = 0; i < course_.episodes.size(); ++i) compare_forces(course_.episodes[i], course_.laws[i]);
    finish(out_.given);
    finish(out_.inferred);
  }

  void compare_forces(const Episode& episode, const LawStretch& law) {
    const std::size_t start = episode.first == 0 ? 0 : episode.first - 1;
    for (std::size_t i = 0; i < law.samples.size(); ++i) {
      const std::size_t k = start + i;
      const PairLook& look = course_.looks[k];
      if (!look.touches) continue;
      out_.law_force[k] = law.samples[i].force.dot(look.normal);
      if (given_ != nullptr) note(out_.given, given_force(k).dot(look.normal), out_.law_force[k]);
      // Over an interval, seen along the normal in which it ends.
      if (i == 0 || !alone_[k - 1] || !std::isfinite(forces_[k - 1].x())) continue;
      const int body = find_free(course_, bodies_);
      const double sign = body == course_.probe.body_a() ? 1.0 : -1.0;
      const Vec3 mean = sign * bodies_.calc_impulse(body, k - 1) / interval(k - 1);
      note(out_.inferred, mean.dot(look.normal), law.samples[i].mean.dot(look.normal));
    }
  }

  /// A contact gives back no more than it took: what it has taken from the bodies since the touch is never negative.
  /// From an overlap at the start it may give what the law holds there.
  void audit_energy(const Episode& episode, const LawStretch& law) {
    const std::size_t pad = trajectory_.has_velocity ? 0 : 1;
    const std::size_t begin = episode.first > 1 + pad ? episode.first - 1 - pad : 0;
    const std::size_t end = std::min(n_ - 1, episode.last + 1 + pad);
    const double credit = episode.first == 0 && !law.samples.empty() ? law.samples.front().stored : 0.0;
    double taken = credit, made = 0.0, attributed = 0.0;
    for (std::size_t k = begin; k < end; ++k) {
      if (!alone_[k]) continue;
      attributed += interval(k);
      for (const int body : {course_.probe.body_a(), course_.probe.body_b()}) {
        if (bodies_.kind(body) == BodyKind::free) taken -= bodies_.calc_gain(body, k);
      }
      made = std::max(made, -taken);
    }
    time_covered_ += trajectory_.times[end] - trajectory_.times[begin];
    time_attributed_ += attributed;
    out_.share_attributed = time_covered_ > 0.0 ? time_attributed_ / time_covered_ : 0.0;
    out_.energy_lost += taken - credit;
    out_.energy_made += made;
    if (!law.samples.empty()) {
      ++out_.resolved;
      out_.law_lost += law.samples.back().dissipated - law.samples.front().dissipated;
      // What the law still holds at the end is not lost.
      out_.resolved_lost += taken - law.samples.back().stored;
    }
  }

  /// Sliding, and creep where friction is not used up.
  void audit_friction() {
    const FrictionCoefficients mu = calc_friction_coefficients(rule_.friction);
    if (!(mu.kinetic > 0.0)) return;
    out_.law_friction = mu.kinetic;
    out_.law_static_friction = mu.statical;
    double weight = 0.0, ratio = 0.0;
    std::size_t length = 0;
    const auto end_stretch = [&](std::size_t end) {
      if (length >= kShortestStretch) audit_creep(end - length / 2, end);
      length = 0;
    };
    for (std::size_t k = 0; k + 1 < n_; ++k) {
      const Vec3& force = forces_[k];
      const PairLook &from = course_.looks[k], &to = course_.looks[k + 1];
      if (!is_steady(k) || !from.has_one_normal || !std::isfinite(force.x()) || !(force.dot(from.normal) > 0.0)) {
        end_stretch(k);
        continue;
      }
      out_.has_creep = true;
      const double normal = force.dot(from.normal), tangential = (force - normal * from.normal).norm();
      const Vec3 slip = 0.5 * (from.slip + to.slip);
      if (tangential < kUnused * mu.kinetic * normal) {
        ++length;
        continue;
      }
      end_stretch(k);
      if (slip.norm() * interval(k) == 0.0) continue;
      out_.time_sliding += interval(k);
      weight += normal * interval(k);
      ratio += tangential * interval(k);
    }
    end_stretch(n_ - 1);
    if (weight > 0.0) out_.friction = ratio / weight;
  }

  /// Over the intervals begin <= k < end.
  void audit_creep(std::size_t begin, std::size_t end) {
    Vec3 way = Vec3::Zero(), way_of_law = Vec3::Zero();
    double least = std::numeric_limits<double>::infinity(), most = 0.0;
    for (std::size_t k = begin; k < end; ++k) {
      const Vec3& n = course_.looks[k].normal;
      const double tangential = tangential_part(forces_[k], n).norm();
      least = std::min(least, tangential);
      most = std::max(most, tangential);
      const Vec3 slid = 0.5 * interval(k) * (course_.looks[k].slip + course_.looks[k + 1].slip);
      way += slid;
      const LawStretch::Sample* law = find_law(k);
      if (law != nullptr && law->deflection == 0.0 && tangential_part(law->force, n).norm() >= kLawCreeps * tangential)
        way_of_law += slid;
      out_.creep.time += interval(k);
    }
    out_.creep.distance += way.norm();
    out_.creep.allowed += (most - least) * calc_yielding(begin, end) + way_of_law.norm();
  }

  static Vec3 tangential_part(const Vec3& force, const Vec3& n) { return force - force.dot(n) * n; }

  /// What the law does at a sample; null where it was not followed.
  const LawStretch::Sample* find_law(std::size_t k) const {
    for (std::size_t i = 0; i < course_.episodes.size(); ++i) {
      const std::size_t start = course_.episodes[i].first == 0 ? 0 : course_.episodes[i].first - 1;
      if (k >= start && k - start < course_.laws[i].samples.size()) return &course_.laws[i].samples[k - start];
    }
    return nullptr;
  }

  /// Deflection of the law's bristles for each newton, over these samples [m/N].
  double calc_yielding(std::size_t begin, std::size_t end) const {
    double deflection = 0.0, force = 0.0;
    for (std::size_t k = begin; k < end; ++k) {
      const LawStretch::Sample* law = find_law(k);
      if (law == nullptr) continue;
      deflection += law->deflection;
      force += tangential_part(law->force, course_.looks[k].normal).norm();
    }
    return force > 0.0 ? deflection / force : 0.0;
  }

  /// The last tenth of the samples, where the pair touches all the time and the depth stays as it is.
  void audit_rest() {
    const std::size_t start = n_ - std::max<std::size_t>(4, n_ / 10);
    if (n_ < 12) return;
    RestAudit rest;
    double least = std::numeric_limits<double>::infinity(), most = 0.0, time = 0.0;
    for (std::size_t k = start; k + 1 < n_; ++k) {
      const PairLook& look = course_.looks[k];
      if (!look.touches || !std::isfinite(forces_[k].x())) return;
      least = std::min(least, look.depth);
      most = std::max(most, look.depth);
      rest.depth += interval(k) * look.depth;
      rest.load += interval(k) * forces_[k].dot(look.normal);
      time += interval(k);
    }
    if (most - least > 0.1 * most || !(rest.load > 0.0)) return;
    rest.depth /= time;
    rest.load /= time;
    rest.law_depth = course_.probe.find_depth_under(rest.load, n_ - 2);
    out_.rest = rest;
  }

  PairCourse& course_;
  const std::vector<PairCourse>& courses_;
  const Bodies& bodies_;
  const GivenForces* given_;
  const Trajectory& trajectory_;
  const ContactRule& rule_;
  std::size_t n_;
  PairAudit out_;
  std::vector<Vec3> forces_;  ///< mean over each interval, on the first body [N]; not numbers where unknown
  std::vector<char> alone_;   ///< whether all that a free body gets in an interval comes from this pair
  double time_covered_ = 0.0, time_attributed_ = 0.0;
};

}  // namespace

PairAudit audit_pair(PairCourse& course, const std::vector<PairCourse>& courses, const Bodies& bodies,
                     const GivenForces* given) {
  return PairAuditor(course, courses, bodies, given).run();
}

}  // namespace abut
