#pragma once

#include <span>
#include <vector>

#include "abut/base/function_view.hpp"
#include "abut/math/types.hpp"
#include "abut/solve/lcp/constraint_system.hpp"

namespace abut {

/// A contact that touches when impacts are resolved: a group of three rows (normal, two tangents).
struct ImpactContact {
  int row = 0;           ///< of the normal
  double mu = 0.0;       ///< of Coulomb's law
  double arrival = 0.0;  ///< > 0: it has just been reached, at this speed of approach, from which it rebounds [m/s]
  double slow = 0.0;     ///< a speed of approach that is worth a rebound, for contacts that others drive together [m/s]
};

/// What a contact went through, over all its impacts.
struct ImpactOutcomeOfContact {
  Vec3 impulse = Vec3::Zero();  ///< along its rows [N s]
  double damping = 0.0;         ///< what the coefficient of restitution takes [J]
  double friction = 0.0;        ///< [J]
  double stepping = 0.0;        ///< what stopping more than the arrival speed takes beyond that [J]
};

struct ImpactRounds {
  std::vector<ImpactOutcomeOfContact> contacts;
  int rounds = 0;
  bool is_finished = true;  ///< false: given up with contacts that still approach
};

/// Impacts one after the other, in the order of their violence: in each round the contacts that approach fastest (and
/// those as fast to a thousandth, which are one impact: the corners of a box that falls flat) rebound together with
/// Newton's restitution and Coulomb's friction, while all others wait. A blow so goes through a row of touching balls
/// as it does through the row of their springs, one pair at a time (Newton's cradle), and elastic rows keep energy and
/// momentum. A round that would make energy, as Newton's rule with friction may [Kane and Levinson 1985], is repeated
/// with less restitution. `v` are the velocities of the system's parts before, and after; offsets of rows are speeds of
/// what no impulse moves. `restitution(contact, speed)` is the coefficient at that approach.
ImpactRounds resolve_impacts(const ConstraintSystem& system, std::span<const ImpactContact> contacts,
                             const FunctionView<double(int, double)>& restitution, std::vector<double>& v);

}  // namespace abut
