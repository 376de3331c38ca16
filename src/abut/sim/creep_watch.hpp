#pragma once

#include <map>
#include <string>
#include <vector>

#include "abut/contact/patch_pool.hpp"
#include "abut/contact/patch_response.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// Contacts that should rest and slide on slowly, because fixed steps follow Coulomb's law only with a wider v_eps than
/// its own (calc_followed_coulomb): on slopes and under side loads, farther than their law would let them.
class CreepWatch {
 public:
  CreepWatch(const Model& model, double step);

  /// The forces at the beginning of a step.
  void note(const std::vector<PatchResponse>& responses, const BodyMotion& motion, const PatchPool& pool);
  void tell(std::vector<std::string>& notes) const;

  template <class Archive>
  void visit(Archive& archive) {
    archive(ways_, worst_);
  }

 private:
  /// Of the patch at a place of the pool.
  struct Way {
    double touch_time = -1.0;  ///< [s]
    Vec3 way = Vec3::Zero();   ///< crept beyond the law's own [m]
    double noted = 0.0;        ///< length of it when it was noted last [m]
  };
  struct Creep {
    double way = 0.0;       ///< [m]
    double speed = 0.0;     ///< of slip [m/s]
    double widening = 1.0;  ///< v_eps that the step follows over the law's [1]
  };

  const Model& model_;
  double step_;  ///< [s]
  bool has_coulomb_;
  std::vector<Way> ways_;
  std::map<std::string, Creep> worst_;  ///< by pair
};

}  // namespace abut
