#include "abut/io/robot/robot_files.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include <fmt/format.h>

namespace abut {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// What the readers of meshes know.
bool is_known_extension(std::string extension) {
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  constexpr std::array<std::string_view, 4> kKnown = {".stl", ".obj", ".ply", ".dae"};
  return std::find(kKnown.begin(), kKnown.end(), extension) != kKnown.end();
}

}  // namespace

RobotFiles::RobotFiles(const std::string& scene, const std::string& robot, const RobotSpec& spec, ProblemList& problems)
    : scene_folder_(fs::path(scene).parent_path()), robot_folder_(fs::path(robot).parent_path()) {
  for (std::size_t i = 0; i < spec.packages.size(); ++i) {
    const std::string& entry = spec.packages[i];
    const std::size_t equals = entry.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == entry.size()) {
      problems.add(spec.location_of(fmt::format("packages[{}]", i)),
                   fmt::format("packages takes entries NAME=FOLDER, found \"{}\"", entry));
      continue;
    }
    packages_[entry.substr(0, equals)] = scene_folder_ / entry.substr(equals + 1);
  }
}

fs::path RobotFiles::find_package(const std::string& name, const fs::path& rest) const {
  if (const auto told = packages_.find(name); told != packages_.end()) return told->second / rest;
  std::error_code error;
  fs::path folder = fs::absolute(robot_folder_.empty() ? fs::path(".") : robot_folder_, error).lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();
  for (; !folder.empty(); folder = folder.parent_path()) {
    if (folder.filename() == name && is_there(folder / rest)) return folder / rest;
    if (is_there(folder / name / rest)) return folder / name / rest;
    if (folder == folder.parent_path()) break;
  }
  return {};
}

std::string RobotFiles::find_mesh(const std::string& uri, const SourceLocation& where, const std::string& remedy,
                                  ProblemList& problems) const {
  fs::path path;
  const std::size_t scheme = uri.find("://");
  const std::string kind = scheme == std::string::npos ? "" : uri.substr(0, scheme);
  const std::string rest = scheme == std::string::npos ? uri : uri.substr(scheme + 3);
  if (kind == "package" || kind == "model") {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string name = rest.substr(0, slash);
    const fs::path inside = rest.substr(std::min(slash + 1, rest.size()));
    path = find_package(name, inside);
    if (path.empty()) {
      problems.add(
          where,
          fmt::format("package '{}' of {} is not known, and no folder of that name above the robot's "
                      "file holds {}",
                      name, uri, inside.string()),
          fmt::format("Say where it is: packages = [\"{0}=FOLDER\"] in [[robot]], or --package {0}=FOLDER. {1}", name,
                      remedy));
      return {};
    }
  } else if (kind == "file" || kind.empty()) {
    path = fs::path(rest).is_absolute() ? fs::path(rest) : robot_folder_ / rest;
  } else {
    problems.add(where, fmt::format("{} is not on this machine: only paths, file:// and package:// are read", uri),
                 remedy);
    return {};
  }
  path = path.lexically_normal();
  if (!is_there(path)) {
    problems.add(where, fmt::format("there is no file {}", path.string()), remedy);
    return {};
  }
  if (!is_known_extension(path.extension().string())) {
    problems.add(where,
                 fmt::format("{} is of a format that is not read; known are STL, OBJ, PLY and DAE", path.string()),
                 fmt::format("Convert it to STL or OBJ. {}", remedy));
    return {};
  }
  // Found by going up: absolute, though the scene may stand near.
  std::error_code error;
  const fs::path base = path.is_absolute() && !scene_folder_.is_absolute()
                            ? fs::absolute(scene_folder_.empty() ? fs::path(".") : scene_folder_, error)
                            : scene_folder_;
  const fs::path relative =
      path.is_absolute() == base.is_absolute() ? path.lexically_relative(base.lexically_normal()) : fs::path();
  const bool is_near = !relative.empty() && !fs::path(rest).is_absolute();
  if (base.empty()) return path.string();
  return is_near ? relative.string() : fs::absolute(path, error).string();
}

}  // namespace abut
