#include <fmt/format.h>

#include "abut/io/mesh/detail/mesh_formats.hpp"
#include "abut/io/mesh/detail/text_scanner.hpp"

namespace abut::detail {
namespace {

void parse_vertex(TextScanner& scanner, MeshBuilder& builder) {
  Vec3 p;
  for (int i = 0; i < 3; ++i) {
    const std::string_view word = scanner.next_on_line();
    const std::optional<double> value = parse_double(word);
    if (!value) {
      builder.fail(scanner.line(),
                   fmt::format("\"{}\" as coordinate {} of a vertex; a line \"v x y z\" has three numbers",
                               make_printable(word), i + 1));
    }
    p[i] = *value;
  }
  builder.add_vertex(p, scanner.line());
}

/// Corners are v, v/vt, v//vn or v/vt/vn; v counts from 1, or backwards from -1, the latest vertex.
void parse_face(TextScanner& scanner, MeshBuilder& builder) {
  builder.begin_polygon(scanner.line());
  for (std::string_view word = scanner.next_on_line(); !word.empty(); word = scanner.next_on_line()) {
    if (word[0] == '#') break;
    const std::optional<long long> index = parse_integer(word.substr(0, word.find('/')));
    if (!index || *index == 0) {
      builder.fail(
          scanner.line(),
          fmt::format("\"{}\" as corner of a face; allowed are v, v/vt, v//vn and v/vt/vn, where v counts from 1 "
                      "or, backwards, from -1",
                      make_printable(word)));
    }
    const long long zero_based = *index > 0 ? *index - 1 : builder.num_vertices() + *index;
    if (zero_based < 0) {
      builder.fail(scanner.line(),
                   fmt::format("a face names vertex {}, but only {} came before it", *index, builder.num_vertices()));
    }
    builder.add_corner(zero_based, scanner.line());
  }
  builder.end_polygon();
}

}  // namespace

void parse_obj(std::string_view text, MeshBuilder& builder, Progress& progress) {
  TextScanner scanner(text);
  do {
    const std::string_view keyword = scanner.next_on_line();
    if (keyword == "v") parse_vertex(scanner, builder);
    if (keyword == "f") parse_face(scanner, builder);
    progress.at(scanner.position());
  } while (scanner.skip_line());
}

}  // namespace abut::detail
