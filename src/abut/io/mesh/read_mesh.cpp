#include "abut/io/mesh/read_mesh.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "abut/base/error.hpp"
#include "abut/io/mesh/detail/mesh_formats.hpp"
#include "abut/io/mesh/detail/text_scanner.hpp"

namespace abut {
namespace {

/// Far above what a simulation can use: ten million triangles [bytes].
constexpr std::uintmax_t kMostMeshBytes = std::uintmax_t{512} << 20;

/// Only ordinary files: a pipe would hold the reader up, and a device may have no end.
std::string read_bytes(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw SystemError(fmt::format("{}: there is no such file", path));
  if (std::filesystem::is_directory(status)) throw SystemError(fmt::format("{}: is a directory, not a file", path));
  if (!std::filesystem::is_regular_file(status)) throw SystemError(fmt::format("{}: is no ordinary file", path));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) throw SystemError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  const auto require_size = [&path](std::uintmax_t size) {
    if (size > kMostMeshBytes)
      throw InputError(fmt::format("{}: larger than {} MB, too large for a mesh", path, kMostMeshBytes >> 20));
  };
  std::string bytes;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error) require_size(size);
  if (!error) bytes.reserve(size);
  std::string block(std::size_t{1} << 20, '\0');
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    bytes.append(block, 0, count);
    require_size(bytes.size());  // files of the system say that they have no bytes
  }
  if (std::ferror(file.get())) throw SystemError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  return bytes;
}

std::string make_lower_extension(const std::string& name) {
  std::string extension = std::filesystem::path(name).extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension;
}

MeshFormat find_format(std::string_view bytes, const std::string& name) {
  const std::string extension = make_lower_extension(name);
  if (bytes.substr(0, 4) == "ply\n" || bytes.substr(0, 4) == "ply\r") return MeshFormat::ply_ascii;
  if (extension == ".obj") return MeshFormat::obj;
  if (extension == ".stl" || extension.empty()) {
    if (detail::is_binary_stl(bytes)) return MeshFormat::stl_binary;
    const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
    if (begin != std::string_view::npos && bytes.substr(begin, 5) == "solid") return MeshFormat::stl_ascii;
    if (extension == ".stl") return MeshFormat::stl_binary;
  }
  if (extension == ".dae") return MeshFormat::dae;
  if (extension == ".ply") {
    throw InputError(fmt::format("{}:1: \"{}\" where a PLY file begins with \"ply\"", name,
                                 detail::make_printable(bytes.substr(0, bytes.find('\n')))));
  }
  throw InputError(
      fmt::format("{}: the extension \"{}\" and the content tell no mesh format; known are .obj, .stl, .ply and .dae",
                  name, extension));
}

void require_sound(const MeshReadOptions& options, const std::string& name) {
  if (!(options.scale > 0.0 && std::isfinite(options.scale))) {
    throw InputError(fmt::format("{}: a scale of {}; it has to be positive", name, options.scale));
  }
  if (!(options.weld_tolerance >= 0.0 && std::isfinite(options.weld_tolerance))) {
    throw InputError(
        fmt::format("{}: a welding tolerance of {} m; it has to be 0 or more", name, options.weld_tolerance));
  }
}

}  // namespace

std::string_view to_string(MeshFormat format) {
  switch (format) {
    case MeshFormat::obj:
      return "OBJ";
    case MeshFormat::stl_ascii:
      return "STL, text";
    case MeshFormat::stl_binary:
      return "STL, binary";
    case MeshFormat::ply_ascii:
      return "PLY, text";
    case MeshFormat::ply_binary:
      return "PLY, binary";
    case MeshFormat::dae:
      return "DAE";
  }
  return "unknown";
}

MeshFile parse_mesh(std::string_view bytes, const std::string& name, const MeshReadOptions& options) {
  require_sound(options, name);
  if (bytes.empty()) throw InputError(fmt::format("{}: the file is empty", name));
  MeshFile file;
  file.format = find_format(bytes, name);
  detail::MeshBuilder builder(name);
  detail::Progress progress(options.progress, bytes.size());
  switch (file.format) {
    case MeshFormat::obj:
      detail::parse_obj(bytes, builder, progress);
      break;
    case MeshFormat::stl_ascii:
      detail::parse_ascii_stl(bytes, builder, progress);
      break;
    case MeshFormat::stl_binary:
      detail::parse_binary_stl(bytes, builder, progress);
      break;
    case MeshFormat::dae:
      detail::parse_dae(bytes, builder);
      break;
    default:
      file.format = detail::parse_ply(bytes, builder, progress) ? MeshFormat::ply_binary : MeshFormat::ply_ascii;
  }
  file.mesh = builder.finish();
  for (Vec3& v : file.mesh.vertices) v *= options.scale;
  file.cleaning = clean_mesh(file.mesh, options.weld_tolerance);
  if (options.progress) options.progress(1.0);
  return file;
}

MeshFile read_mesh(const std::string& path, const MeshReadOptions& options) {
  return parse_mesh(read_bytes(path), path, options);
}

}  // namespace abut
