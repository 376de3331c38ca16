#pragma once

#include "abut/contact/law/friction.hpp"

namespace abut {

/// force = 0.
struct NoFriction {};

inline FrictionRates calc_friction(const NoFriction&, const FrictionInput&, const Vec3&, double, const Vec3&) {
  return {};
}

}  // namespace abut
