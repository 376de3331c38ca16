#pragma once

#include <optional>

#include "audit/bodies.hpp"

namespace abut {

/// What the law makes of a touch.
struct Replay {
  double depth = 0.0, force = 0.0;  ///< of the first blow, the largest [m], [N]
  bool parts = false;               ///< within the time that was given; then:
  double duration = 0.0;            ///< of contact [s]
  double restitution = 0.0;
};

/// Two bodies from where they are at sample k until they have met and parted, under the laws of the scene and the
/// method "adaptive", with nothing else around. None where a body is driven, or the run could not go on. `start`: where
/// the run begins, at or after the sample, the bodies flying until then; `limit`: how long it may last [s].
std::optional<Replay> replay_touch(const Bodies& bodies, int body_a, int body_b, std::size_t k, double start,
                                   double limit);

}  // namespace abut
