#include "abut/io/recorded_scene.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/text_file.hpp"

namespace abut {

namespace {

/// The meshes of a record as files again, for as long as the scene is read: the original ones may have gone or changed.
class MeshFolder {
 public:
  explicit MeshFolder(const std::vector<RecordedMesh>& meshes) : meshes_(meshes) {
    if (meshes.empty()) return;
    std::string pattern = (std::filesystem::temp_directory_path() / "abut-meshes-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw SystemError(fmt::format("{}: cannot create this folder: {}", pattern, std::strerror(errno)));
    folder_ = pattern;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      if (find_file(meshes[i].file) == i) write_text_file_atomically(path(i), make_obj(meshes[i]));
    }
  }
  ~MeshFolder() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  MeshFolder(const MeshFolder&) = delete;
  MeshFolder& operator=(const MeshFolder&) = delete;

  /// A mesh that was read from here becomes the recorded one again: its numbers have not been through a file.
  void restore(MeshSpec& mesh) const {
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      if (mesh.file != path(i)) continue;
      mesh.file = meshes_[i].file;
      break;
    }
    for (const RecordedMesh& known : meshes_) {
      if (mesh.file == known.file && mesh.scale == known.scale && mesh.stretch.value_or(Vec3::Ones()) == known.stretch)
        mesh.data = known.data;
    }
  }

  /// The scene with the names of the files replaced.
  std::string redirect(std::string scene_text) const {
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      if (find_file(meshes_[i].file) != i) continue;
      const std::string from = fmt::format("file = \"{}\"", meshes_[i].file);
      const std::string to = fmt::format("file = \"{}\"", path(i));
      for (std::size_t at = 0; (at = scene_text.find(from, at)) != std::string::npos; at += to.size())
        scene_text.replace(at, from.size(), to);
    }
    return scene_text;
  }

 private:
  std::string path(std::size_t index) const { return fmt::format("{}/{}.obj", folder_, index); }

  /// One file may come in several sizes, each with numbers of its own.
  std::size_t find_file(const std::string& file) const {
    return static_cast<std::size_t>(
        std::find_if(meshes_.begin(), meshes_.end(), [&](const RecordedMesh& mesh) { return mesh.file == file; }) -
        meshes_.begin());
  }

  /// In the units of the original file: the scene will scale it.
  static std::string make_obj(const RecordedMesh& mesh) {
    std::string text;
    const Vec3 factors = mesh.scale * mesh.stretch;
    const bool is_mirrored = factors.prod() < 0.0;
    for (const Vec3& v : mesh.data->vertices)
      text += fmt::format("v {:.17g} {:.17g} {:.17g}\n", v.x() / factors.x(), v.y() / factors.y(), v.z() / factors.z());
    for (const auto& t : mesh.data->triangles)
      text += fmt::format("f {} {} {}\n", t[0] + 1, t[is_mirrored ? 2 : 1] + 1, t[is_mirrored ? 1 : 2] + 1);
    return text;
  }

  const std::vector<RecordedMesh>& meshes_;
  std::string folder_;
};

template <class Variant>
void restore(const MeshFolder& meshes, Variant& type) {
  if (auto* mesh = std::get_if<MeshSpec>(&type)) meshes.restore(*mesh);
}

}  // namespace

SceneSpec read_recorded_scene(const ResultFile& file, const std::vector<std::string>& overrides,
                              const std::string& name) {
  const MeshFolder meshes(file.meshes);
  SceneSpec scene = read_scene_text(meshes.redirect(file.scene_text), name, overrides);
  for (BodySpec& body : scene.body) {
    for (ShapeSpec& shape : body.shape) {
      restore(meshes, shape.type);
      auto* cell = std::get_if<CellSpec>(&shape.type);
      if (cell == nullptr) continue;
      for (CellPartSpec& part : cell->part) restore(meshes, part.type);
    }
    for (ShapeSpec& shape : body.visual) restore(meshes, shape.type);
  }
  return scene;
}

}  // namespace abut
