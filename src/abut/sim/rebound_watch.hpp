#pragma once

#include <map>
#include <string>
#include <vector>

#include "abut/contact/law/normal_force.hpp"
#include "abut/contact/patch.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// What the linearised implicit steps of lcp.normal = "compliant" make of an isolated impact: the speed of separation
/// over that of approach, for steps of h [s] that begin half a step into the contact. `speed` [m/s], `mass` [kg].
double calc_stepped_restitution(const NormalCoefficients& law, double mass, double speed, double h);

/// The same for the held forces of perimeter contact, whose damper is as strong as steps of h [s] can follow: a force
/// linear in the depth, damped in proportion to it, moved by position Verlet.   [docs/theory/perimeter.md]
double calc_held_restitution(const NormalCoefficients& law, double mass, double speed, double h);

/// Some fixed steps give what they make of a contact's law: says so where that is not what was asked for.
class ReboundWatch {
 public:
  /// A patch of compliant contact under lcp, when it begins, at this speed of approach [m/s].
  void look(const std::string& pair, const Patch& patch, double approach, const Model& model);
  /// A patch of perimeter contact, when it is deepest and its spring has this stiffness [N/m].
  void look_held(const std::string& pair, const Patch& patch, double stiffness, const Model& model);
  /// `otherwise`: what else does, besides a shorter step.
  std::vector<std::string> make_notes(const std::string& otherwise = "") const;

  template <class Archive>
  void visit(Archive& archive) {
    archive(worst_);
  }

 private:
  /// The impact of a pair that its steps change most.
  struct Rebound {
    double speed = 0.0, by_law = 0.0, by_steps = 0.0;
    double step = 0.0;  ///< that follows the law [s]
  };
  void note(const std::string& pair, const Rebound& rebound);
  std::map<std::string, Rebound> worst_;
};

}  // namespace abut
