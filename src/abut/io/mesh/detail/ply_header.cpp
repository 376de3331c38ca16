#include "abut/io/mesh/detail/ply_header.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "abut/io/mesh/detail/text_scanner.hpp"

namespace abut::detail {
namespace {

PlyType parse_type(std::string_view word, const TextScanner& scanner, const MeshBuilder& builder) {
  static constexpr std::array<std::pair<std::string_view, PlyType>, 16> kTypes = {{{"char", PlyType::int8},
                                                                                   {"int8", PlyType::int8},
                                                                                   {"uchar", PlyType::uint8},
                                                                                   {"uint8", PlyType::uint8},
                                                                                   {"short", PlyType::int16},
                                                                                   {"int16", PlyType::int16},
                                                                                   {"ushort", PlyType::uint16},
                                                                                   {"uint16", PlyType::uint16},
                                                                                   {"int", PlyType::int32},
                                                                                   {"int32", PlyType::int32},
                                                                                   {"uint", PlyType::uint32},
                                                                                   {"uint32", PlyType::uint32},
                                                                                   {"float", PlyType::float32},
                                                                                   {"float32", PlyType::float32},
                                                                                   {"double", PlyType::float64},
                                                                                   {"float64", PlyType::float64}}};
  for (const auto& [name, type] : kTypes) {
    if (name == word) return type;
  }
  builder.fail(
      scanner.line(),
      fmt::format("\"{}\" as a type; allowed are char, uchar, short, ushort, int, uint, float, double and int8 to "
                  "float64",
                  make_printable(word)));
}

PlyEncoding parse_format(TextScanner& scanner, const MeshBuilder& builder) {
  const std::string_view word = scanner.next_on_line(), version = scanner.next_on_line();
  if (version != "1.0") {
    builder.fail(scanner.line(), fmt::format("PLY version \"{}\"; only 1.0 exists", make_printable(version)));
  }
  if (word == "ascii") return PlyEncoding::ascii;
  if (word == "binary_little_endian") return PlyEncoding::little_endian;
  if (word == "binary_big_endian") return PlyEncoding::big_endian;
  builder.fail(scanner.line(), fmt::format("format \"{}\"; allowed are ascii, binary_little_endian, binary_big_endian",
                                           make_printable(word)));
}

PlyElement parse_element(TextScanner& scanner, const MeshBuilder& builder) {
  PlyElement element;
  element.line = scanner.line();
  element.name = scanner.next_on_line();
  const std::string_view word = scanner.next_on_line();
  const std::optional<long long> count = parse_integer(word);
  if (!count || *count < 0) {
    builder.fail(scanner.line(), fmt::format("\"{}\" as the number of elements \"{}\"; it has to be 0 or more",
                                             make_printable(word), make_printable(element.name)));
  }
  element.count = static_cast<std::uint64_t>(*count);
  return element;
}

PlyProperty parse_property(TextScanner& scanner, const MeshBuilder& builder) {
  PlyProperty property;
  std::string_view word = scanner.next_on_line();
  if (word == "list") {
    property.count_type = parse_type(scanner.next_on_line(), scanner, builder);
    if (*property.count_type >= PlyType::float32)
      builder.fail(scanner.line(), "the length of a list has to be an integer");
    word = scanner.next_on_line();
  }
  property.type = parse_type(word, scanner, builder);
  property.name = scanner.next_on_line();
  return property;
}

}  // namespace

std::size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::int8:
    case PlyType::uint8:
      return 1;
    case PlyType::int16:
    case PlyType::uint16:
      return 2;
    case PlyType::float64:
      return 8;
    default:
      return 4;
  }
}

int PlyElement::find(std::string_view property) const {
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].name == property) return static_cast<int>(i);
  }
  return -1;
}

PlyHeader parse_ply_header(std::string_view bytes, const MeshBuilder& builder) {
  PlyHeader header;
  TextScanner scanner(bytes);
  bool has_format = false;
  while (scanner.skip_line()) {
    const std::string_view keyword = scanner.next_on_line();
    if (keyword == "format") {
      header.encoding = parse_format(scanner, builder);
      has_format = true;
    } else if (keyword == "element") {
      header.elements.push_back(parse_element(scanner, builder));
    } else if (keyword == "property") {
      if (header.elements.empty()) builder.fail(scanner.line(), "a property before the first element");
      header.elements.back().properties.push_back(parse_property(scanner, builder));
    } else if (keyword == "end_header") {
      if (!has_format) builder.fail(scanner.line(), "the header ends without a line \"format\"");
      scanner.skip_line();
      header.body = scanner.position();
      header.body_line = scanner.line();
      return header;
    } else if (keyword != "comment" && keyword != "obj_info" && !keyword.empty()) {
      builder.fail(scanner.line(),
                   fmt::format("\"{}\" in a PLY header; allowed are format, comment, obj_info, element, "
                               "property and end_header",
                               make_printable(keyword)));
    }
  }
  builder.fail(scanner.line(), "the file ends within the PLY header");
}

}  // namespace abut::detail
