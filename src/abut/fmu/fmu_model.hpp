#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abut/scene/fmu_port.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// What a unit is made of, on the side of the exporter and, read again from the unit's resources, in the importer's
/// process. Never changes: instances share it.
struct FmuModel {
  std::shared_ptr<const Model> model;
  std::vector<FmuPort> ports;        ///< parameters, inputs, outputs
  std::vector<unsigned> references;  ///< value reference of the first number of each port; 0 is the time
  std::vector<int> joint_of_port;    ///< its place among the model's joints; -1 for ports of other things
  std::string token;                 ///< of the content: the same for the same scene, meshes and version

  const Model& get() const { return *model; }
};

/// Name of the scene within the resources.
inline constexpr const char* kFmuSceneFile = "scene.toml";

/// `scene_text` is what the unit holds as its scene. InputError where names of [fmu] lead nowhere.
FmuModel make_fmu_model(Model model, const std::string& scene_text);

/// Reads the scene in a folder of resources.
FmuModel load_fmu_model(const std::string& resources);

}  // namespace abut
