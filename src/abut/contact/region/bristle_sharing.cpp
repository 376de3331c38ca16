#include "abut/contact/region/bristle_sharing.hpp"

namespace abut {

double calc_stored_in_bristles(const FrictionParameters& friction, const PatchResponse& response, const double* states,
                               int stride) {
  FrictionState state;
  if (stride >= 3) state.z = Vec3(states[0], states[1], states[2]);
  const double energy = calc_friction_energy(friction, state, response.normal, response.normal_force);
  return stride >= 5 ? energy + calc_twist_energy(friction, states[4], response.normal_force) : energy;
}

}  // namespace abut
