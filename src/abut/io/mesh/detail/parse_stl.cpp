#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "abut/io/mesh/detail/byte_reader.hpp"
#include "abut/io/mesh/detail/mesh_formats.hpp"
#include "abut/io/mesh/detail/text_scanner.hpp"

namespace abut::detail {
namespace {

constexpr std::size_t kHeader = 84, kRecord = 50;

void expect_word(TextScanner& scanner, const MeshBuilder& builder, std::string_view wanted) {
  const std::string_view word = scanner.next();
  if (word == wanted) return;
  builder.fail(scanner.line(), fmt::format("\"{}\" where \"{}\" has to follow",
                                           word.empty() ? "end of file" : make_printable(word), wanted));
}

Vec3 parse_vector(TextScanner& scanner, const MeshBuilder& builder, const char* what) {
  Vec3 p;
  for (int i = 0; i < 3; ++i) {
    const std::string_view word = scanner.next();
    const std::optional<double> value = parse_double(word);
    if (!value) {
      builder.fail(scanner.line(), fmt::format("\"{}\" as component {} of a {}; a number has to follow",
                                               word.empty() ? "end of file" : make_printable(word), i + 1, what));
    }
    p[i] = *value;
  }
  return p;
}

void parse_facet(TextScanner& scanner, MeshBuilder& builder) {
  expect_word(scanner, builder, "normal");
  parse_vector(scanner, builder, "normal");  // often wrong or zero in files; the corners' order decides
  expect_word(scanner, builder, "outer");
  expect_word(scanner, builder, "loop");
  builder.begin_polygon(scanner.line());
  for (int k = 0; k < 3; ++k) {
    expect_word(scanner, builder, "vertex");
    const int index = builder.num_vertices();
    builder.add_vertex(parse_vector(scanner, builder, "vertex"), scanner.line());
    builder.add_corner(index, scanner.line());
  }
  builder.end_polygon();
  expect_word(scanner, builder, "endloop");
  expect_word(scanner, builder, "endfacet");
}

}  // namespace

bool is_binary_stl(std::string_view bytes) {
  if (bytes.size() < kHeader) return false;
  const std::uint64_t count = ByteReader(bytes, false).read<std::uint32_t>(80);
  return kHeader + count * kRecord == bytes.size();
}

void parse_ascii_stl(std::string_view text, MeshBuilder& builder, Progress& progress) {
  TextScanner scanner(text);
  expect_word(scanner, builder, "solid");
  scanner.skip_line();
  for (bool is_open = true;;) {
    const std::string_view word = scanner.next();
    if (word.empty() && !is_open) return;
    if (is_open && word == "facet") {
      parse_facet(scanner, builder);
    } else if (is_open && word == "endsolid") {
      is_open = false;
      scanner.skip_line();
    } else if (!is_open && word == "solid") {
      is_open = true;
      scanner.skip_line();
    } else {
      builder.fail(scanner.line(),
                   fmt::format("\"{}\" where {} has to follow", word.empty() ? "end of file" : make_printable(word),
                               is_open ? "\"facet\" or \"endsolid\"" : "\"solid\" or the end"));
    }
    progress.at(scanner.position());
  }
}

void parse_binary_stl(std::string_view bytes, MeshBuilder& builder, Progress& progress) {
  builder.set_binary();
  if (bytes.size() < kHeader) {
    builder.fail(
        static_cast<long>(bytes.size()),
        fmt::format("the file ends; a binary STL has a header of {} bytes, and a text one begins with \"solid\"",
                    kHeader));
  }
  const ByteReader reader(bytes, false);
  const std::uint64_t count = reader.read<std::uint32_t>(80);
  const std::uint64_t available = (bytes.size() - kHeader) / kRecord;
  if (count > available) {
    builder.fail(
        80, fmt::format("the header promises {} triangles ({} bytes), but the file has {} bytes, enough for {}", count,
                        kHeader + count * kRecord, bytes.size(), available));
  }
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t record = kHeader + t * kRecord;
    builder.begin_polygon(static_cast<long>(record));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = record + 12 * (k + 1);
      const Vec3 p(reader.read<float>(at), reader.read<float>(at + 4), reader.read<float>(at + 8));
      builder.add_corner(builder.num_vertices(), static_cast<long>(at));
      builder.add_vertex(p, static_cast<long>(at));
    }
    builder.end_polygon();
    progress.at(record);
  }
}

}  // namespace abut::detail
