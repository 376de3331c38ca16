#pragma once

#include <string>
#include <vector>

#include "abut/scene/sensor_spec.hpp"

namespace abut {

struct SceneSpec;

/// A physical quantity that a sensor shows, of one number or several.
struct SensorQuantity {
  std::string name;
  std::string unit;                ///< "1" where it has none
  std::vector<std::string> parts;  ///< names of its numbers; empty: it is one number
  bool is_orientation = false;     ///< a unit quaternion (w, x, y, z)
  bool is_coordinate = false;      ///< of a joint

  std::size_t width() const { return parts.empty() ? 1 : parts.size(); }
};

/// One number of a sensor: "force_x" [N].
struct SensorChannel {
  std::string name, unit;
};

/// What a sensor shows, in the order of its numbers. The scene must be valid.
std::vector<SensorQuantity> list_quantities(const SceneSpec& scene, const SensorSpec& sensor);
std::vector<SensorChannel> list_channels(const std::vector<SensorQuantity>& quantities);
inline std::vector<SensorChannel> list_channels(const SceneSpec& scene, const SensorSpec& sensor) {
  return list_channels(list_quantities(scene, sensor));
}

/// One value for each channel from one for all, one for each quantity or one for each channel; `fallback` where none is
/// given. Empty where there are as many as fit none of these.
std::vector<double> spread_over_channels(const std::vector<double>& given,
                                         const std::vector<SensorQuantity>& quantities, double fallback);

}  // namespace abut
