#pragma once

#include <string>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/sim/control/tool_motion.hpp"

namespace abut {

/// Reads the wrench on a tool from a sensor, moved to the tool's point, in world axes. A sensor of contacts on bodies
/// shows it as it is. One of a joint's reaction shows what the arm does to what hangs on it: that with the other sign,
/// and less the weight of what hangs there, is the wrench from outside (and what accelerates that weight, which is not
/// taken out).
class ToolWrench {
 public:
  ToolWrench(const std::string& sensor, const ControlSite& site, const ToolMotion& tool);

  /// (force [N]; moment about the tool's point [N m]), world, on the tool.
  Vec6 read(const ControlInput& input, const ToolMotion& tool) const;

 private:
  int link_ = kWorld;  ///< of the arm, that carries the sensor's frame
  Pose X_LS_, X_WS_;   ///< the latter where the world carries it
  double sign_ = 1.0;
  Vec3 gravity_;
  std::vector<int> carried_;  ///< links of the arm whose weight a reaction holds
};

}  // namespace abut
