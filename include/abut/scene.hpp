#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "abut/api.hpp"
#include "abut/geometry.hpp"

ABUT_DOOR_BEGIN

/// What a key of a scene may be given, in SI units; words are those of docs/scene.md. Inertias are 3, 6 or 9 numbers.
using Value =
    std::variant<bool, int, double, std::string, Vector3, Quaternion, std::vector<double>, std::vector<std::string>>;

/// A key of a scene and what it is to be: {"body.ball.mass", 3.0}, {"contact[0].friction.mu_c", 0.3}, {"gravity[2]",
/// -1.62}, {"run.method", "explicit"}.
struct Change {
  std::string path;  ///< as in "path=value"; entries of lists by name or index, a contact without a name as "a-b"
  Value value;
};

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

  /// Gives one key another value, without reading anything again: microseconds. Copies made before keep theirs. An
  /// unknown key, a value of another kind or out of range throws InputError and changes nothing; what several keys say
  /// together is judged when a model is made. A law or type may be exchanged for one that takes all keys that were
  /// given; entries cannot be added or taken away.
  void set(std::string_view path, const Value& value);

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
