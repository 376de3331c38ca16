#include "abut/contact/region/bristle_sharing.hpp"

namespace abut {

double calc_stored_in_bristles(const FrictionParameters& friction, const PatchResponse& response, const double* states,
                               int stride) {
  FrictionState state;
  if (stride >= 3) state.z = Vec3(states[0], states[1], states[2]);
  if (const auto* bristle = std::get_if<BristleParameters>(&friction)) {
    const double rim = stride >= 5 ? states[4] : 0.0;
    return calc_bristle_energy(*bristle, state, response.normal, response.normal_force) +
           0.5 * response.normal_force * bristle->sigma_0 * rim * rim;
  }
  if (const auto* lugre = std::get_if<LugreParameters>(&friction))
    return calc_lugre_energy(*lugre, state, response.normal, response.normal_force);
  return 0.0;
}

}  // namespace abut
