#include "abut/scene/orientation_spec.hpp"

#include <numbers>

namespace abut {

Quat calc_orientation(const std::optional<Quat>& orientation, const std::optional<RotationSpec>& rotation) {
  if (orientation) return orientation->normalized();
  if (!rotation) return Quat::Identity();
  const double angle = rotation->radians.value_or(rotation->degrees.value_or(0.0) * (std::numbers::pi / 180.0));
  return Quat(Eigen::AngleAxisd(angle, rotation->axis.normalized()));
}

}  // namespace abut
