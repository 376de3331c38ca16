// The blows of a pair: at which speed the bodies met and parted, how deep they went, and what the law makes of that.

#include <algorithm>
#include <limits>

#include "abut/door/convert.hpp"
#include "audit/pair_audit.hpp"
#include "audit/replay.hpp"

namespace abut {

namespace {

constexpr double kNoParting = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostImpacts = 12;
/// Blows slower than this part of the fastest are left out: gravity and rounding have a share in them.
constexpr double kSlowBlow = 0.02;
/// On the way in: then the deepest of them is the depth of the blow, to some per cent.
constexpr std::size_t kSamplesOfBlow = 3;
/// Of the way at the speed of meeting, which a spring makes 0.64.
constexpr double kWayOfBlow = 0.2;

/// Of the depth of a blow: coming in again by that is another.
constexpr double kAgain = 0.2;
/// How far from it, by its distance from the body's origin, a place is another.
constexpr double kOnePoint = 0.3;

class ImpactAuditor {
 public:
  ImpactAuditor(PairCourse& course, const std::vector<char>& alone, const Bodies& bodies, PairAudit& out)
      : course_(course),
        alone_(alone),
        bodies_(bodies),
        trajectory_(bodies.trajectory()),
        rule_(bodies.model().rules[static_cast<std::size_t>(course.rule)]),
        n_(trajectory_.num_samples()),
        out_(out) {}

  void run() {
    std::vector<ImpactAudit> all;
    double fastest = 0.0;
    for (std::size_t i = 0; i < course_.episodes.size(); ++i) {
      const Episode& episode = course_.episodes[i];
      const std::size_t pad = trajectory_.has_velocity ? 0 : 1;
      if (episode.first < 1 + pad) continue;
      const std::size_t before = episode.first - 1 - pad;
      const auto meeting = course_.probe.find_meeting(before, trajectory_.times[std::min(n_ - 1, episode.first)]);
      if (!meeting || !(meeting->look.parting_speed < 0.0)) continue;
      ImpactAudit impact;
      impact.time = meeting->time;
      impact.speed = -meeting->look.parting_speed;
      impact.asked = rule_.normal.restitution.calc_coefficient(impact.speed);
      note_depth(episode, impact);
      find_parting(episode, pad, *meeting, impact);
      impact.has_energy = true;
      for (std::size_t k = before; k < std::min(n_ - 1, episode.last + 1 + pad); ++k) {
        impact.has_energy = impact.has_energy && alone_[k];
        for (const int body : {course_.probe.body_a(), course_.probe.body_b()}) {
          if (bodies_.kind(body) == BodyKind::free) impact.energy_change += bodies_.calc_gain(body, k);
        }
      }
      fastest = std::max(fastest, impact.speed);
      if (impact.speed < kSlowBlow * fastest || !impact.has_energy) {
        ++out_.impacts_left_out;
        continue;
      }
      all.push_back(impact);
      befores_.push_back(before);
    }
    keep_fastest(all);
  }

 private:
  double interval(std::size_t k) const { return trajectory_.times[k + 1] - trajectory_.times[k]; }

  /// The depth at which the blow turns, if samples show the way in: what a load presses in later is no blow.
  void note_depth(const Episode& episode, ImpactAudit& impact) const {
    std::size_t samples = 0;
    double time = 0.0;
    for (std::size_t k = episode.first; k <= episode.last && course_.looks[k].depth >= impact.depth; ++k, ++samples) {
      impact.depth = course_.looks[k].depth;
      time = trajectory_.times[k] - impact.time;
    }
    // Pressed in again before they part: not one blow.
    double shallowest = impact.depth;
    for (std::size_t k = episode.first + samples; k <= episode.last; ++k) {
      shallowest = std::min(shallowest, course_.looks[k].depth);
      if (course_.looks[k].depth > shallowest + kAgain * impact.depth) impact.is_one_blow = false;
    }
    impact.is_resolved = samples >= kSamplesOfBlow && impact.depth > kWayOfBlow * impact.speed * time;
  }

  /// Speed of parting, where the bodies that fly on from the first sample after it have come from. Not a number for
  /// bodies that stay together.
  void find_parting(const Episode& episode, std::size_t pad, const PairProbe::Meeting& meeting, ImpactAudit& impact) {
    const std::size_t after = episode.last + 1 + pad;
    impact.restitution = kNoParting;
    if (after >= n_) return;
    const double earliest = trajectory_.times[std::max<std::size_t>(1, episode.last) - 1];
    const auto parting = course_.probe.find_meeting(after, earliest);
    if (!parting) return;
    impact.restitution = parting->look.parting_speed / impact.speed;
    for (const int body : {course_.probe.body_a(), course_.probe.body_b()}) {
      if (bodies_.kind(body) != BodyKind::free) continue;
      // The place that met, where the body has carried it by then.
      const v0::Motion met = bodies_.fly(body, episode.first - 1 - pad, meeting.time);
      const v0::Motion parted = bodies_.fly(body, after, parting->time);
      const Vec3 arm = meeting.look.point - to_vec(met.position);
      const Vec3 carried = to_quat(parted.orientation) * (to_quat(met.orientation).conjugate() * arm);
      const Vec3 there = parting->look.point - to_vec(parted.position);
      // A corner stays with the body; the foot of a ball stays below it while it spins.
      const double off = std::min((there - carried).norm(), (there - arm).norm());
      if (off > kOnePoint * arm.norm()) impact.is_one_blow = false;
    }
  }

  void keep_fastest(std::vector<ImpactAudit>& all) {
    std::vector<std::size_t> order(all.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t k) { return all[i].speed > all[k].speed; });
    out_.impacts_left_out += static_cast<long>(order.size() - std::min(order.size(), kMostImpacts));
    order.resize(std::min(order.size(), kMostImpacts));
    std::sort(order.begin(), order.end());
    for (const std::size_t i : order) {
      ImpactAudit& impact = all[i];
      const std::size_t k = befores_[i];
      // Somewhat before they meet, so that the run finds the touch itself.
      const double start = std::max(trajectory_.times[k], impact.time - 0.1 * interval(k));
      const auto law =
          replay_touch(bodies_, course_.probe.body_a(), course_.probe.body_b(), k, start, 200.0 * interval(k));
      if (law) {
        impact.has_law = true;
        impact.law_depth = law->depth;
        impact.law_force = law->force;
        impact.law_duration = law->duration;
        impact.law_restitution = law->parts ? law->restitution : kNoParting;
      }
      out_.impacts.push_back(impact);
    }
  }

  PairCourse& course_;
  const std::vector<char>& alone_;
  const Bodies& bodies_;
  const Trajectory& trajectory_;
  const ContactRule& rule_;
  std::size_t n_;
  PairAudit& out_;
  std::vector<std::size_t> befores_;  ///< of each blow that counts, the last sample before it
};

}  // namespace

void audit_impacts(PairCourse& course, const std::vector<char>& alone, const Bodies& bodies, PairAudit& out) {
  ImpactAuditor(course, alone, bodies, out).run();
}

}  // namespace abut
