#pragma once

#include "abut/solve/lcp/friction_contact.hpp"

namespace abut {

/// Nearest impulse that a contact allows: the normal one not negative, then the tangential one in the box, polygon or
/// circle of that size. Coulomb's law is x = projection of x - w / r for any r > 0, w the velocities: the normal part
/// is a complementarity, the tangential one says that friction opposes the slip as well as its limit allows.
struct FrictionProjection {
  Vec3 x = Vec3::Zero();
  Mat3 slope = Mat3::Zero();  ///< of x by the argument; one of them where several meet
};
FrictionProjection project_on_friction(const FrictionContact& contact, const Vec3& argument);

}  // namespace abut
