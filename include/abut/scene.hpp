#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abut/api.hpp"

ABUT_DOOR_BEGIN

/// What a scene file says: bodies, joints, contacts, and how the motion is computed (docs/scene.md). Copies share it.
///
/// Everything that reads throws InputError with all mistakes and their places (file:line:column), SystemError where a
/// file cannot be read.
class ABUT_API Scene {
 public:
  /// `changes`: "path=value", applied before the scene is read, such as "run.step=1e-4" or "body.ball.mass=3".
  static Scene read_file(const std::string& path, const std::vector<std::string>& changes = {});
  /// From TOML in memory. `name` stands for the file in messages; files of meshes are looked for beside it.
  static Scene read_text(const std::string& text, const std::string& name = "scene",
                         const std::vector<std::string>& changes = {});

  /// TOML that reads back to the same numbers, bit for bit.
  std::string to_toml() const;
  const std::string& title() const;
  double duration() const;  ///< run.duration [s]
  std::vector<std::string> body_names() const;
  std::vector<std::string> joint_names() const;

 private:
  struct Parts;
  explicit Scene(std::shared_ptr<const Parts> parts);
  friend class Inside;  // of the library
  friend class Model;

  std::shared_ptr<const Parts> parts_;
};

ABUT_DOOR_END
