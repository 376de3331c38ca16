#include <cmath>

#include <fmt/format.h>

#include "abut/io/mesh/detail/byte_reader.hpp"
#include "abut/io/mesh/detail/mesh_formats.hpp"
#include "abut/io/mesh/detail/ply_header.hpp"
#include "abut/io/mesh/detail/text_scanner.hpp"

namespace abut::detail {
namespace {

/// Numbers of the body, one after the other, from text.
class TextBody {
 public:
  TextBody(std::string_view bytes, const PlyHeader& header, const MeshBuilder& builder)
      : scanner_(bytes.substr(header.body), header.body_line), offset_(header.body), builder_(builder) {}

  double read(PlyType) {
    const std::string_view word = scanner_.next();
    const std::optional<double> value = parse_double(word);
    if (!value) {
      builder_.fail(scanner_.line(), word.empty()
                                         ? std::string("the file ends; the header promises more")
                                         : fmt::format("\"{}\" where a number has to follow", make_printable(word)));
    }
    return *value;
  }
  long where() const { return scanner_.line(); }
  std::size_t position() const { return offset_ + scanner_.position(); }

 private:
  TextScanner scanner_;
  std::size_t offset_;
  const MeshBuilder& builder_;
};

/// The same from bytes.
class BinaryBody {
 public:
  BinaryBody(std::string_view bytes, const PlyHeader& header, const MeshBuilder& builder)
      : reader_(bytes, header.encoding == PlyEncoding::big_endian),
        position_(header.body),
        size_(bytes.size()),
        builder_(builder) {}

  double read(PlyType type) {
    const std::size_t at = position_;
    if (size_ - at < size_of(type)) builder_.fail(where(), "the file ends; the header promises more");
    position_ += size_of(type);
    switch (type) {
      case PlyType::int8:
        return reader_.read<std::int8_t>(at);
      case PlyType::uint8:
        return reader_.read<std::uint8_t>(at);
      case PlyType::int16:
        return reader_.read<std::int16_t>(at);
      case PlyType::uint16:
        return reader_.read<std::uint16_t>(at);
      case PlyType::int32:
        return reader_.read<std::int32_t>(at);
      case PlyType::uint32:
        return reader_.read<std::uint32_t>(at);
      case PlyType::float32:
        return reader_.read<float>(at);
      case PlyType::float64:
        return reader_.read<double>(at);
    }
    return 0.0;
  }
  long where() const { return static_cast<long>(position_); }
  std::size_t position() const { return position_; }

 private:
  ByteReader reader_;
  std::size_t position_, size_;
  const MeshBuilder& builder_;
};

template <class Body>
std::uint64_t read_count(Body& body, PlyType type, const MeshBuilder& builder) {
  const double count = body.read(type);
  if (!(count >= 0.0 && count <= 4294967295.0) || count != std::floor(count)) {
    builder.fail(body.where(), fmt::format("a list of {} numbers", count));
  }
  return static_cast<std::uint64_t>(count);
}

template <class Body>
void skip_property(Body& body, const PlyProperty& property, const MeshBuilder& builder) {
  const std::uint64_t count = property.count_type ? read_count(body, *property.count_type, builder) : 1;
  for (std::uint64_t i = 0; i < count; ++i) body.read(property.type);
}

template <class Body>
void read_vertex(Body& body, const PlyElement& element, const std::array<int, 3>& axes, MeshBuilder& builder) {
  const long where = body.where();
  Vec3 p = Vec3::Zero();
  for (int i = 0; i < static_cast<int>(element.properties.size()); ++i) {
    const PlyProperty& property = element.properties[i];
    int axis = -1;
    for (int k = 0; k < 3; ++k) {
      if (axes[k] == i) axis = k;
    }
    if (axis < 0) {
      skip_property(body, property, builder);
    } else {
      p[axis] = body.read(property.type);
    }
  }
  builder.add_vertex(p, where);
}

template <class Body>
void read_face(Body& body, const PlyElement& element, int list, MeshBuilder& builder) {
  for (int i = 0; i < static_cast<int>(element.properties.size()); ++i) {
    const PlyProperty& property = element.properties[i];
    if (i != list) {
      skip_property(body, property, builder);
      continue;
    }
    builder.begin_polygon(body.where());
    const std::uint64_t count = read_count(body, *property.count_type, builder);
    for (std::uint64_t k = 0; k < count; ++k) {
      const long where = body.where();
      const double index = body.read(property.type);
      if (!(std::abs(index) < 1e15) || index != std::floor(index)) {
        builder.fail(where, fmt::format("a face names vertex {}; it has to be an integer", index));
      }
      builder.add_corner(static_cast<long long>(index), where);
    }
    builder.end_polygon();
  }
}

std::array<int, 3> find_axes(const PlyElement& element, const MeshBuilder& builder) {
  const std::array<int, 3> axes = {element.find("x"), element.find("y"), element.find("z")};
  for (int k = 0; k < 3; ++k) {
    if (axes[k] < 0 || element.properties[axes[k]].count_type) {
      builder.fail(element.line, fmt::format("the vertices have no property \"{}\"", "xyz"[k]));
    }
  }
  return axes;
}

int find_corner_list(const PlyElement& element, const MeshBuilder& builder) {
  int list = element.find("vertex_indices");
  if (list < 0) list = element.find("vertex_index");
  if (list < 0 || !element.properties[list].count_type) {
    builder.fail(element.line, "the faces have no list \"vertex_indices\" or \"vertex_index\"");
  }
  return list;
}

template <class Body>
void read_body(Body& body, const PlyHeader& header, MeshBuilder& builder, Progress& progress) {
  for (const PlyElement& element : header.elements) {
    const bool is_vertex = element.name == "vertex", is_face = element.name == "face";
    const std::array<int, 3> axes = is_vertex ? find_axes(element, builder) : std::array<int, 3>{-1, -1, -1};
    const int list = is_face ? find_corner_list(element, builder) : -1;
    if (element.properties.empty()) continue;
    for (std::uint64_t i = 0; i < element.count; ++i) {
      if (is_vertex) {
        read_vertex(body, element, axes, builder);
      } else if (is_face) {
        read_face(body, element, list, builder);
      } else {
        for (const PlyProperty& property : element.properties) skip_property(body, property, builder);
      }
      progress.at(body.position());
    }
  }
}

}  // namespace

bool parse_ply(std::string_view bytes, MeshBuilder& builder, Progress& progress) {
  const PlyHeader header = parse_ply_header(bytes, builder);
  for (const PlyElement& element : header.elements) {
    if (element.name == "tristrips") {
      builder.fail(element.line, "triangle strips; only faces with lists of corners are read");
    }
  }
  if (header.encoding == PlyEncoding::ascii) {
    TextBody body(bytes, header, builder);
    read_body(body, header, builder, progress);
    return false;
  }
  // Faults of the header's content are still told by line.
  for (const PlyElement& element : header.elements) {
    if (element.name == "vertex") find_axes(element, builder);
    if (element.name == "face") find_corner_list(element, builder);
  }
  builder.set_binary();
  BinaryBody body(bytes, header, builder);
  read_body(body, header, builder, progress);
  return true;
}

}  // namespace abut::detail
