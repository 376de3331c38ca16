#include "abut/fmu/fmu_model.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/text_file.hpp"
#include "abut/scene/scene_digest.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/world.hpp"

namespace abut {

namespace {

/// FNV-1a, from two starts for two independent halves.
std::uint64_t hash_text(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

std::string make_token(const Model& model, const std::string& scene_text) {
  const std::uint64_t first = hash_text(scene_text, 14695981039346656037u);
  const std::uint64_t second = hash_text(scene_text, calc_digest(model.scene));
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", first >> 32, (first >> 16) & 0xffff, first & 0xffff,
                     second >> 48, second & 0xffffffffffff);
}

int find_joint(const Model& model, const FmuPort& port) {
  if (port.joint < 0) return -1;
  const std::string& name = model.scene.joint[static_cast<std::size_t>(port.joint)].name;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (model.joints[i].name == name) return static_cast<int>(i);
  }
  ABUT_REQUIRE(false, "joint '{}' of the scene is none of the model", name);
  return -1;
}

}  // namespace

FmuModel make_fmu_model(Model model, const std::string& scene_text) {
  FmuModel fmu;
  ProblemList problems;
  fmu.ports = find_fmu_ports(model.scene, problems);
  if (const std::vector<Problem> found = problems.take(); !found.empty()) throw to_input_error(found);
  fmu.token = make_token(model, scene_text);
  fmu.model = std::make_shared<const Model>(std::move(model));
  World world(fmu.model, 1);
  unsigned next = 1;
  for (FmuPort& port : fmu.ports) {
    fmu.references.push_back(next);
    next += static_cast<unsigned>(port.width);
    fmu.joint_of_port.push_back(find_joint(*fmu.model, port));
    // The scene's own motion gives the start.
    if (port.source == FmuPort::Source::motion || port.source == FmuPort::Source::motion_rate) {
      const std::string& joint = fmu.model->scene.joint[static_cast<std::size_t>(port.joint)].name;
      port.start = {port.source == FmuPort::Source::motion ? world.joint_position(joint) : world.joint_velocity(joint)};
    }
  }
  return fmu;
}

FmuModel load_fmu_model(const std::string& resources) {
  const std::string path = resources + (resources.ends_with('/') ? "" : "/") + kFmuSceneFile;
  const std::string text = read_text_file(path);
  return make_fmu_model(compile(read_scene_text(text, path)), text);
}

}  // namespace abut
