#pragma once

#include <string>
#include <string_view>

#include "abut/io/robot/robot_model.hpp"

namespace abut {

struct MjcfRobot {
  RobotModel robot;
  Vec3 gravity = Vec3::Zero();  ///< [m/s^2]
};

/// Whether the text looks like MJCF: its first element is <mujoco>.
bool is_mjcf(std::string_view text);

/// Reads a file in MJCF by MuJoCo's own library, which resolves its defaults, frames, inertias and meshes; bodies,
/// joints, shapes, inertials, springs, damping, dry friction, limits and simple actuators become those of a robot whose
/// root is the world. What has no place in a scene is listed with the lines where it stands (of this file; those of
/// files it includes are not looked at). InputError where MuJoCo refuses the file, SystemError where abut was built
/// without MuJoCo's headers or the library of the same version is not installed.
MjcfRobot read_mjcf(const std::string& path, const std::string& text);

}  // namespace abut
