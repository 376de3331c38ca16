#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "abut/scene/problem_list.hpp"
#include "abut/scene/robot_spec.hpp"

namespace abut {

/// Finds the files that a robot names.
class RobotFiles {
 public:
  /// `scene` and `robot`: paths of these files. Entries of `packages` that are no NAME=FOLDER are reported.
  RobotFiles(const std::string& scene, const std::string& robot, const RobotSpec& spec, ProblemList& problems);

  /// The mesh that `uri` names, as the scene would name it (relative to its folder). Understood are paths, file://,
  /// package://NAME/PATH and model://NAME/PATH. Empty after a report at `where`; `remedy` ends its hint.
  std::string find_mesh(const std::string& uri, const SourceLocation& where, const std::string& remedy,
                        ProblemList& problems) const;

 private:
  /// Where a package is: as told, or a folder of that name at or above that of the robot. Empty when unknown.
  std::filesystem::path find_package(const std::string& name, const std::filesystem::path& rest) const;

  std::filesystem::path scene_folder_, robot_folder_;
  std::map<std::string, std::filesystem::path> packages_;
};

}  // namespace abut
