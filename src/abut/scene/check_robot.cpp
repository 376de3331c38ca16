#include <fmt/format.h>

#include "abut/scene/check_specs.hpp"

namespace abut {

void check_whole(const RobotSpec& robot, const std::string& label, ProblemList& problems) {
  if (robot.orientation && robot.rotation)
    problems.add(robot.location_of("rotation"), fmt::format("orientation and rotation are both given in {}", label));
  if (robot.base == RobotSpec::Base::floating && robot.parent != kWorldName)
    problems.add(robot.location_of("parent"), fmt::format("a floating base has no parent but the world in {}", label));
  if (robot.name.find('/') != std::string::npos)
    problems.add(robot.location_of("name"), fmt::format("name must not contain / in {}", label),
                 "It stands between the name of the robot and those of its parts.");
}

}  // namespace abut
