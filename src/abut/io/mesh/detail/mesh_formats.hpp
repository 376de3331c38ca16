#pragma once

#include <string_view>

#include "abut/io/mesh/detail/mesh_builder.hpp"

namespace abut::detail {

void parse_obj(std::string_view text, MeshBuilder& builder, Progress& progress);

/// Whether the bytes can only be a binary STL: 84 + 50 n bytes with n where it belongs.
bool is_binary_stl(std::string_view bytes);
void parse_ascii_stl(std::string_view text, MeshBuilder& builder, Progress& progress);
void parse_binary_stl(std::string_view bytes, MeshBuilder& builder, Progress& progress);

/// Returns whether the body was binary.
bool parse_ply(std::string_view bytes, MeshBuilder& builder, Progress& progress);

/// COLLADA, in metres with z up whatever the file's unit and upward axis are.
void parse_dae(std::string_view text, MeshBuilder& builder);

}  // namespace abut::detail
