#pragma once

#include "abut/math/types.hpp"

namespace abut {

/// One point of contact between shapes A and B, in the world frame.
struct PointContact {
  double gap = 0.0;             ///< signed distance [m]: > 0 apart, < 0 penetrating, continuous through zero
  Vec3 normal = Vec3::UnitZ();  ///< unit, from B into A
  Vec3 point = Vec3::Zero();    ///< point of action of the force [m]
  /// From `point` to where the bodies' normal velocity is the rate of the gap [m]. Zero wherever the point is a fixed
  /// feature or a stationary one (the nearest, the deepest); others wander on the surface as the body turns.
  Vec3 arm = Vec3::Zero();
};

/// The same contact with A and B exchanged.
inline PointContact mirror(const PointContact& contact) {
  return {contact.gap, -contact.normal, contact.point, contact.arm};
}

}  // namespace abut
