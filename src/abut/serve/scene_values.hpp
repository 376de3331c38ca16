#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/scene/scene_spec.hpp"

namespace abut {

/// One value of a scene with its place, as a table of parameters shows it and as a slider changes it.
struct SceneValue {
  std::string group;  ///< "run", "body ball", "contact[0]"
  std::string key;    ///< within the group: "shape.radius"
  std::string path;   ///< of --set: "body.ball.shape.radius"
  std::string text;   ///< as TOML
  std::string unit;
  std::string doc;
  bool is_given = false;        ///< written in the scene, not a default
  std::string otherwise;        ///< what holds where nothing is given
  std::vector<double> numbers;  ///< of a number (1), a vector (3); empty for anything else
  bool is_integer = false;
  double minimum = 0.0, maximum = 0.0;  ///< infinite when unlimited
  bool is_exclusive = false;            ///< the minimum itself is not allowed
};

/// Every value of a scene that is set or has a default, in the order of the scene's reference. Orientations and tables
/// are listed as text.
std::vector<SceneValue> list_scene_values(const SceneSpec& scene);

/// The shape's keys with their values as a JSON object: type, position, orientation (w, x, y, z) and those of its type.
std::string shape_to_json(const ShapeSpec& shape);

}  // namespace abut
