#pragma once

#include <array>
#include <utility>
#include <vector>

#include "abut/sim/advice.hpp"
#include "abut/sim/dynamics.hpp"
#include "abut/sim/region_row.hpp"
#include "abut/sim/step_rehearsal.hpp"

namespace abut {

/// Makes the advice on pairs, each at the instant at which the dynamics stand.
class Adviser {
 public:
  /// `tries_steps`: also says which fixed steps would do.
  Adviser(Dynamics& dynamics, const State& state, bool tries_steps)
      : dynamics_(dynamics), model_(dynamics.model()), state_(state), tries_steps_(tries_steps) {}

  /// On the pair of a candidate point, by what was found about it.
  ContactAdvice advise(int point, ContactAdvice::Forecast forecast);

 private:
  bool stands_on_several(const Collider& a, const Collider& b, const RegionRow& region, int num_points) const;
  void describe_law(const Patch& patch, const PointContact& geometry, const Collider& a, const Collider& b,
                    ContactAdvice& advice);
  Vec3 calc_acceleration(int link_a, int link_b, const Vec3& point);
  void describe_patch(const ContactRule& rule, const Collider& a, const Collider& b, const PointContact& geometry,
                      ContactAdvice& advice) const;
  void describe_volume(const PointContact& geometry, const PatchOverlap& volume, const Collider& a, const Collider& b,
                       ContactAdvice& advice) const;
  void judge_start(const Patch& patch, const PointContact& geometry, const Collider& a, const Collider& b,
                   ContactAdvice& advice) const;
  Mat3 calc_inverse_mass(int link_a, int link_b, const Vec3& point) const;
  void advise_steps(const ContactRule& rule, const Patch& patch, const PointContact& geometry, const Collider& a,
                    const Collider& b, ContactAdvice& advice);
  void limit_to_flush(const Collider& a, const Collider& b, const Patch& patch, ContactAdvice& advice) const;

  Dynamics& dynamics_;
  const Model& model_;
  const State& state_;
  bool tries_steps_;
  Vec3 acceleration_ = Vec3::Zero();  ///< of the pair in hand, see calc_acceleration()
  std::vector<std::pair<RehearsedContact, std::array<double, 3>>> rehearsed_;
};

}  // namespace abut
