#pragma once

#include <vector>

#include "abut/sim/model.hpp"
#include "audit/trajectory.hpp"

namespace abut {

/// What can move a body beside contacts and gravity decides what its motion says about contacts.
enum class BodyKind {
  still,   ///< fixed in the scene, and at rest in the trajectory
  free,    ///< nothing but gravity and contacts
  driven,  ///< by joints, springs, forces of the scene, or fixed there and moved here: energies are not attributed
};

/// Energies and momenta of the bodies of a trajectory, with the masses of the scene.
class Bodies {
 public:
  Bodies(const Model& model, const Trajectory& trajectory);

  std::size_t size() const { return kinds_.size(); }
  BodyKind kind(int body) const { return kinds_[static_cast<std::size_t>(body)]; }
  const std::string& name(int body) const { return model_.scene.body[static_cast<std::size_t>(body)].name; }
  const MassProperties& mass(int body) const;
  const v0::Motion& motion(int body, std::size_t k) const {
    return trajectory_.motions[static_cast<std::size_t>(body)][k];
  }
  const Trajectory& trajectory() const { return trajectory_; }
  const Model& model() const { return model_; }

  Vec3 calc_center(int body, std::size_t k) const;    ///< of mass [m]
  Vec3 calc_momentum(int body, std::size_t k) const;  ///< [kg m/s]
  double calc_kinetic_energy(int body, std::size_t k) const;
  /// Kinetic, and gravitational with the centre of mass at the world's origin as zero [J]; 0 for fixed bodies.
  double calc_energy(int body, std::size_t k) const;
  /// What contacts gave a free body from sample k to k + 1: energy [J], and momentum [N s].
  double calc_gain(int body, std::size_t k) const { return calc_energy(body, k + 1) - calc_energy(body, k); }
  Vec3 calc_impulse(int body, std::size_t k) const;
  /// Where a body would be at another time if nothing touched it after sample k, or before.
  v0::Motion fly(int body, std::size_t k, double time) const;

 private:
  const Model& model_;
  const Trajectory& trajectory_;
  std::vector<BodyKind> kinds_;
};

}  // namespace abut
