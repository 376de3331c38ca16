#pragma once

#include <string>

#include "abut/math/mesh_data.hpp"

namespace abut {

/// OBJ with as many digits as each number needs: reading it back gives the same bits. SystemError when the disk
/// refuses.
void write_obj(const std::string& path, const MeshData& mesh);

/// Binary STL. The format has single precision only: coordinates are rounded.
void write_binary_stl(const std::string& path, const MeshData& mesh);

}  // namespace abut
