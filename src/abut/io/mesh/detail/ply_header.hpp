#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/io/mesh/detail/mesh_builder.hpp"

namespace abut::detail {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
std::size_t size_of(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float64;
  std::optional<PlyType> count_type;  ///< of a list
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
  long line = 0;
  int find(std::string_view property) const;  ///< -1 if there is none
};

enum class PlyEncoding { ascii, little_endian, big_endian };

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;
  std::size_t body = 0;  ///< offset of the first byte after it
  long body_line = 0;
};

PlyHeader parse_ply_header(std::string_view bytes, const MeshBuilder& builder);

}  // namespace abut::detail
