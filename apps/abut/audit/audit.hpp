#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/trajectory.hpp"

namespace abut {

/// One blow: from the last sample before a touch to the first after the bodies have parted.
struct ImpactAudit {
  double time = 0.0;         ///< of the touch [s]
  double speed = 0.0;        ///< at which the bodies met, along the normal [m/s]
  double restitution = 0.0;  ///< speed of parting over that
  double energy_change = 0.0;
  bool has_energy = false;   ///< whether nothing else touched them meanwhile
  bool is_one_blow = true;   ///< in and out, at the same place of the bodies: restitution means what it says
  bool is_resolved = false;  ///< whether enough samples lie within it
  double depth = 0.0;        ///< largest at a sample; of resolved ones only [m]
  double asked = 0.0;        ///< restitution that the scene asks for at that speed
  bool has_law = false;      ///< whether the law was run from the same touch:
  double law_restitution = 0.0, law_depth = 0.0, law_force = 0.0, law_duration = 0.0;
};

/// Forces against those of the law along the same motion, by sums over all samples or intervals that count.
struct ForceAudit {
  long count = 0;
  double host = 0.0, law = 0.0;  ///< means of the normal force [N]
  double difference = 0.0;       ///< root of the mean square of their difference [N]
  double ratio() const { return law > 0.0 ? host / law : 0.0; }
};

/// Stretches in which friction is not used up, the second half of each, when what was swinging has settled.
struct CreepAudit {
  double time = 0.0, distance = 0.0;  ///< how long, and how far the bodies slid all the same [s], [m]
  double allowed = 0.0;  ///< of it bristles of the law yield as the load changes, or the law creeps itself [m]
};

/// Resting at the end.
struct RestAudit {
  double depth = 0.0, load = 0.0;   ///< [m], [N]
  std::optional<double> law_depth;  ///< under that load
};

struct PairAudit {
  std::string body_a, body_b;
  /// Whether the force of its region is a function of the motion, so that sentences may be made of comparisons.
  bool is_comparable = true;
  int touches = 0;
  double time_in_contact = 0.0;  ///< at samples [s]
  double deepest = 0.0, deepest_time = 0.0;
  double share_attributed = 0.0;                ///< of that time in which all that the bodies got came from this pair
  double energy_lost = 0.0, energy_made = 0.0;  ///< while attributed [J]
  int resolved = 0;                             ///< touches along which the law could be followed; in these:
  double resolved_lost = 0.0, law_lost = 0.0;   ///< taken for good, and dissipated by the law along the same motion [J]
  std::vector<ImpactAudit> impacts;             ///< the fastest, in the order of time
  long impacts_left_out = 0;
  ForceAudit given, inferred;  ///< forces of the file; those that the motion says
  ForceAudit given_against_motion;
  double friction = 0.0;                                 ///< tangential over normal force while sliding, by means
  double law_friction = 0.0, law_static_friction = 0.0;  ///< coefficients of the scene
  double time_sliding = 0.0;                             ///< [s]
  CreepAudit creep;
  bool has_creep = false;  ///< whether forces are known, so that one can tell
  std::optional<RestAudit> rest;
  // Along the samples:
  std::vector<double> depth, host_force, law_force;  ///< [m], [N]; not a number where unknown
};

/// What somebody else's simulator made of contact.
struct Audit {
  std::string name;
  std::size_t samples = 0;
  double start = 0.0, end = 0.0, interval = 0.0;  ///< [s], the middle one of the intervals
  double energy_start = 0.0, energy_end = 0.0;    ///< kinetic and gravitational, of free bodies [J]
  double turnover = 0.0;  ///< largest kinetic energy, or range of the potential one: what energies are judged by [J]
  double made_in_flight = 0.0, lost_in_flight = 0.0;  ///< by free bodies that nothing touches [J]
  /// Free bodies that are pushed though no shapes of the scene overlap: hard contact without depth, a margin, or energy
  /// from nowhere.
  double time_apart = 0.0, impulse_apart = 0.0;     ///< [s], [N s]
  double made_apart = 0.0, lost_apart = 0.0;        ///< [J]
  double made_together = 0.0, lost_together = 0.0;  ///< while several contacts act on a body [J]
  double speed_error = 0.0;                         ///< of velocities that are differences [m/s]
  double energy_error = 0.0;                        ///< of a kinetic energy, by velocities that are differences [J]
  std::vector<PairAudit> pairs;
  std::vector<double> times, energy;
  std::vector<std::string> notes;     ///< what limits the judgement
  std::vector<std::string> findings;  ///< what is wrong, in sentences; empty where nothing is
};

/// `scene` as it was read; its laws are used, its method and start are not.
Audit make_audit(const SceneSpec& scene, const Trajectory& trajectory, const std::string& name);

/// Fills in `findings` from the numbers.
void judge(Audit& audit);

/// Those that took the most energy first.
std::vector<const PairAudit*> order_pairs(const Audit& audit);

std::string audit_to_text(const Audit& audit);
std::string audit_to_json(const Audit& audit, const std::string& version);
std::string audit_to_html(const Audit& audit);

}  // namespace abut
