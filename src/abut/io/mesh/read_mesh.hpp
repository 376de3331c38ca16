#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "abut/math/mesh_data.hpp"

namespace abut {

enum class MeshFormat { obj, stl_ascii, stl_binary, ply_ascii, ply_binary, dae };
std::string_view to_string(MeshFormat format);

struct MeshReadOptions {
  /// Metres in one unit of the file: 0.001 for millimetres.
  double scale = 1.0;
  /// Vertices closer than this on each axis become one [m]; 0 joins equal ones only.
  double weld_tolerance = 0.0;
  /// Called now and then with the part done, 0 to 1.
  std::function<void(double)> progress;
};

struct MeshFile {
  MeshData mesh;  ///< welded, without degenerate triangles [m]
  MeshCleaning cleaning;
  MeshFormat format = MeshFormat::obj;
};

/// Reads OBJ, STL (text and binary), PLY (text, binary of both byte orders) or DAE (COLLADA) in double precision. The
/// format follows from the content where that tells (a binary STL may begin with "solid"), and from the extension
/// otherwise. Polygons are cut into triangles. SystemError if the file cannot be read; InputError with file and line
/// (text) or byte offset (binary), what was found and what is allowed, if it holds anything else than a mesh.
MeshFile read_mesh(const std::string& path, const MeshReadOptions& options = {});

/// The same from memory; `name` stands for the file in messages and gives the extension.
MeshFile parse_mesh(std::string_view bytes, const std::string& name, const MeshReadOptions& options = {});

}  // namespace abut
