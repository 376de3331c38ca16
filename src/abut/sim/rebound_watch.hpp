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

/// Compliant contact under lcp gives what implicit steps make of its law: says so where that is not what was asked for.
class ReboundWatch {
 public:
  /// When a patch begins, at this speed of approach [m/s].
  void look(const std::string& pair, const Patch& patch, double approach, const Model& model);
  std::vector<std::string> make_notes() const;

  template <class Archive>
  void visit(Archive& archive) {
    archive(worst_);
  }

 private:
  /// The impact of a pair that its steps change most.
  struct Rebound {
    double speed = 0.0, by_law = 0.0, by_steps = 0.0;
    double duration = 0.0;  ///< of the impact [s]
  };
  std::map<std::string, Rebound> worst_;
};

}  // namespace abut
