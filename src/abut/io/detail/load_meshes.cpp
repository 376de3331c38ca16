#include "abut/io/detail/load_meshes.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/mesh/read_mesh.hpp"

namespace abut {
namespace {

/// A mirrored mesh keeps its outside.
void stretch_mesh(MeshData& mesh, const Vec3& factors) {
  for (Vec3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(factors);
  if (factors.prod() > 0.0) return;
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

class MeshLoader {
 public:
  MeshLoader(const std::string& scene_path, ProblemList& problems, const MeshProgress& progress)
      : folder_(std::filesystem::path(scene_path).parent_path()), problems_(problems), progress_(progress) {}

  template <class Variant>
  void load(Variant& type, const Located& owner, const std::string& label) {
    auto* mesh = std::get_if<MeshSpec>(&type);
    // A scene built in code brings its triangles along.
    if (mesh == nullptr || mesh->data != nullptr || mesh->file.empty() || owner.is_unusable("file")) return;
    try {
      mesh->data = read((folder_ / mesh->file).string(), *mesh);
    } catch (const InvariantError&) {
      throw;
    } catch (const std::exception& error) {
      problems_.add(owner.location_of("file"), fmt::format("{} in {}", error.what(), label));
    }
  }

 private:
  std::shared_ptr<const MeshData> read(const std::string& path, const MeshSpec& spec) {
    const Vec3 stretch = spec.stretch.value_or(Vec3::Ones());
    std::shared_ptr<const MeshData>& data =
        read_[{path, spec.scale, spec.weld, {stretch.x(), stretch.y(), stretch.z()}}];
    if (data == nullptr) {
      MeshReadOptions options;
      options.scale = spec.scale;
      options.weld_tolerance = spec.weld;
      if (progress_) options.progress = [&](double part) { progress_(spec.file, part); };
      MeshData mesh = read_mesh(path, options).mesh;
      if (spec.stretch) stretch_mesh(mesh, stretch);
      data = std::make_shared<const MeshData>(std::move(mesh));
    }
    return data;
  }

  std::filesystem::path folder_;
  ProblemList& problems_;
  const MeshProgress& progress_;
  using Key = std::tuple<std::string, double, double, std::array<double, 3>>;
  std::map<Key, std::shared_ptr<const MeshData>> read_;
};

}  // namespace

namespace {

/// Calls `load` with the type of each shape, the shape, and what it is called.
template <class Load>
void visit_shapes(SceneSpec& scene, Load&& load) {
  for (BodySpec& body : scene.body) {
    const std::string label = fmt::format("[[body]] '{}' shape", body.name);
    for (ShapeSpec& shape : body.shape) {
      load(shape.type, shape, label);
      auto* cell = std::get_if<CellSpec>(&shape.type);
      if (cell == nullptr) continue;
      for (CellPartSpec& part : cell->part) load(part.type, part, label + " part");
    }
    for (ShapeSpec& shape : body.visual) load(shape.type, shape, fmt::format("[[body]] '{}' visual", body.name));
  }
}

}  // namespace

void load_meshes(SceneSpec& scene, const std::string& scene_path, ProblemList& problems, const MeshProgress& progress) {
  MeshLoader loader(scene_path, problems, progress);
  visit_shapes(scene, [&loader](auto& type, const Located& owner, const std::string& label) {
    loader.load(type, owner, label);
  });
}

void take_meshes(SceneSpec& scene, const std::vector<RecordedMesh>& meshes, ProblemList& problems) {
  visit_shapes(scene, [&](auto& type, const Located& owner, const std::string& label) {
    auto* mesh = std::get_if<MeshSpec>(&type);
    if (mesh == nullptr || mesh->file.empty()) return;
    const auto found = std::find_if(meshes.begin(), meshes.end(), [mesh](const RecordedMesh& recorded) {
      return recorded.file == mesh->file && recorded.scale == mesh->scale &&
             recorded.stretch == mesh->stretch.value_or(Vec3::Ones());
    });
    if (found != meshes.end()) {
      mesh->data = found->data;
    } else {
      problems.add(owner.location_of("file"),
                   fmt::format("the record holds no mesh {} of scale {} in {}", mesh->file, mesh->scale, label));
    }
  });
}

}  // namespace abut
