#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/io/text_file.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/sim/compile.hpp"
#include "commands.hpp"
#include "fmu_description.hpp"
#include "load_scene.hpp"
#include "unit_library.hpp"
#include "zip_archive.hpp"

namespace abut {

namespace {

struct ExportArguments {
  std::string scene;
  std::vector<std::string> set;
  std::string out;
  std::string version = "3.0";
  bool is_quiet = false;
};

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream bytes;
  if (stream) bytes << stream.rdbuf();
  if (!stream || bytes.fail()) throw SystemError(fmt::format("cannot read {}", path.string()));
  return std::move(bytes).str();
}

/// Meshes lie beside the scene within the unit, each once, by numbers: whatever their files were called.
class MeshCollector {
 public:
  explicit MeshCollector(const std::string& scene_path) : folder_(std::filesystem::path(scene_path).parent_path()) {}

  template <class Variant>
  void collect(Variant& type) {
    auto* mesh = std::get_if<MeshSpec>(&type);
    if (mesh == nullptr || mesh->file.empty()) return;
    std::string& name = names_[mesh->file];
    if (name.empty()) {
      const std::filesystem::path path = folder_ / mesh->file;
      name = fmt::format("mesh-{}{}", names_.size(), path.extension().string());
      files_.emplace_back(name, read_bytes(path));
    }
    mesh->file = name;
  }
  const std::vector<std::pair<std::string, std::string>>& files() const { return files_; }

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::string> names_;
  std::vector<std::pair<std::string, std::string>> files_;
};

/// The folder of the library, which names the machine; 2.0 has a word of its own for the commonest.
std::string name_platform([[maybe_unused]] FmiVersion version) {
#if defined(__x86_64__)
  return version == FmiVersion::v2 ? "linux64" : "x86_64-linux";
#elif defined(__aarch64__)
  return "aarch64-linux";
#else
#error "the standards name this machine: say how"
#endif
}

/// The name of a library: a C identifier, short.
std::string make_identifier(const std::string& out) {
  constexpr std::size_t kMost = 40;
  std::string identifier;
  for (const char c : std::filesystem::path(out).stem().string()) {
    const auto byte = static_cast<unsigned char>(c);
    identifier += byte < 0x80 && std::isalnum(byte) ? c : '_';
  }
  if (identifier.empty() || std::isdigit(static_cast<unsigned char>(identifier[0]))) identifier.insert(0, "unit_");
  return identifier.substr(0, kMost);
}

int export_fmu(const ExportArguments& arguments) {
  if (!arguments.out.ends_with(".fmu"))
    throw InputError(fmt::format("{}: the name of a unit ends in .fmu\nNothing was written.", arguments.out));
  Model model = load_scene(arguments.scene, arguments.set, arguments.is_quiet);
  SceneSpec spec = model.scene;
  MeshCollector meshes(arguments.scene);
  for (BodySpec& body : spec.body) {
    for (ShapeSpec& shape : body.shape) {
      meshes.collect(shape.type);
      if (auto* cell = std::get_if<CellSpec>(&shape.type)) {
        for (CellPartSpec& part : cell->part) meshes.collect(part.type);
      }
    }
    body.visual.clear();  // a unit draws nothing
  }
  const std::string text = scene_to_toml(spec);
  const FmuModel fmu = make_fmu_model(std::move(model), text);
  const FmiVersion version = arguments.version == "2.0" ? FmiVersion::v2 : FmiVersion::v3;
  const std::string identifier = make_identifier(arguments.out);
  const UnitLibrary library = find_unit_library();
  ZipArchive zip;
  zip.add("modelDescription.xml", make_fmu_description(fmu, identifier, version));
  zip.add(fmt::format("binaries/{}/{}.so", name_platform(version), identifier), read_bytes(library.library), true);
  zip.add(fmt::format("resources/{}", kFmuSceneFile), text);
  for (const auto& [name, bytes] : meshes.files()) zip.add("resources/" + name, bytes);
  zip.add("documentation/index.html", make_fmu_page(fmu, version));
  zip.add("documentation/licenses/license.txt", read_bytes(library.licences));
  write_text_file_atomically(arguments.out, zip.finish());
  if (arguments.is_quiet) return 0;
  const auto count = [&](FmuPort::Role role) {
    return std::count_if(fmu.ports.begin(), fmu.ports.end(), [&](const FmuPort& port) { return port.role == role; });
  };
  fmt::print("written  {} (FMI {}, co-simulation): {} parameters, {} inputs, {} outputs\n", arguments.out,
             arguments.version, count(FmuPort::Role::parameter), count(FmuPort::Role::input),
             count(FmuPort::Role::output));
  return 0;
}

}  // namespace

void add_export_fmu_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export-fmu", "write a functional mock-up unit that other simulators can run");
  command->add_option("scene", arguments->scene, "scene file (TOML)")->required();
  command->add_option("-o,--out", arguments->out, "file to write, NAME.fmu")->required();
  command->add_option("--fmi", arguments->version, "version of the standard: 2.0 or 3.0 (default)")
      ->check(CLI::IsMember({"2.0", "3.0"}));
  command->add_option("--set", arguments->set, "PATH=VALUE: change a value of the scene, as for abut run");
  command->add_flag("--quiet", arguments->is_quiet, "print nothing but errors");
  command->callback([arguments, &status] { status = export_fmu(*arguments); });
}

}  // namespace abut
