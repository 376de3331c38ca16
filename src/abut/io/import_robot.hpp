#pragma once

#include <string>
#include <vector>

#include "abut/io/robot/robot_model.hpp"
#include "abut/math/types.hpp"
#include "abut/scene/robot_spec.hpp"

namespace abut {

struct RobotImport {
  RobotSpec robot;        ///< `file` as a path from the current folder, as `packages` are
  std::string out;        ///< path of the scene to be written: names of files are relative to its folder
  double duration = 1.0;  ///< of the run [s]
  bool as_link = false;   ///< a scene with a [[robot]] in place of its bodies and joints
};

struct ImportedRobot {
  std::string text;                ///< the scene as TOML, with what was not taken over as comments on top
  std::vector<std::string> notes;  ///< the same as a list
  std::size_t num_bodies = 0, num_joints = 0;
};

/// A complete scene of one robot under gravity, which runs as it is. Throws InputError, SystemError.
ImportedRobot import_robot(const RobotImport& request);

/// The same of a robot that has been read already, from a file of another format; `as_link` has no meaning then.
ImportedRobot import_robot(const RobotImport& request, const RobotModel& robot, const Vec3& gravity);

}  // namespace abut
