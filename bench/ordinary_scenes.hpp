#pragma once

#include <string>
#include <vector>

namespace abut {

/// A scene as people write them, what it should cost, and where it comes from.
struct OrdinaryScene {
  std::string name;
  std::string text;       ///< TOML
  double target_s = 0.0;  ///< processor time it should take [s]
};

/// Scenes of every day at defaults: insertion, gears, dominoes, stacks, a stool, a bearing, a hopper. Meshes are
/// written into `folder`.
std::vector<OrdinaryScene> make_ordinary_scenes(const std::string& folder);

}  // namespace abut
