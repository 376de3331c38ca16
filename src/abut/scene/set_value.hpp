#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "abut/scene/scene_spec.hpp"

namespace abut {

/// What a key of a scene may be given without text. A number that stands for a whole one must be whole; words are those
/// of the scene's vocabulary; vectors are three numbers, orientations four (w, x, y, z), inertias 3, 6 or 9.
using KeyValue = std::variant<bool, int, double, std::string, std::vector<double>, std::vector<std::string>>;

/// One key of a scene and what it is to be, in SI units: {"body.ball.mass", 3.0} (paths: scene_path.hpp).
struct SceneChange {
  std::string path;
  KeyValue value;
};

/// Gives one key another value, as the reader would have done from text: by the same tables of fields, with the same
/// kinds, units and ranges. Throws InputError, which says what is allowed and names the nearest key, and changes
/// nothing then. What concerns several keys at once (both of mu_s and mu_c, a name that others refer to) is judged by
/// validate(), after all changes.
///
/// A table that the scene leaves out may be begun by a key that it needs (`contact[0].friction.law`). A law or type may
/// be exchanged for another that takes all keys that were given. Tables of numbers by themselves, such as vertices, are
/// entered by index. Entries cannot be added or taken away. The triangles of a mesh whose file, scale or weld changes
/// are dropped: they have to be read again (load_meshes of io).
void set(SceneSpec& scene, std::string_view path, const KeyValue& value);

/// As TOML, for messages: 2.5, true, "a word", [0, 0, 1].
std::string describe_value(const KeyValue& value);

}  // namespace abut
