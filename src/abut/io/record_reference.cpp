#include "abut/io/record_reference.hpp"

#include <fmt/format.h>

#include "abut/scene/record.hpp"

namespace abut {
namespace {

std::string describe_kinds(unsigned kinds) {
  if (kinds == 0) return "";
  std::string text;
  const auto add = [&](unsigned kind, const char* name) {
    if ((kinds & kind) != 0) text += text.empty() ? name : fmt::format(" and {}", name);
  };
  add(kVolumetric, "volumetric");
  add(kPerimetric, "perimeter");
  add(kHertzian, "Hertz's");
  return text + " contacts";
}

std::string make_row(std::string_view dataset, std::string_view shape, std::string_view unit, std::string_view kinds,
                     std::string_view doc) {
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", dataset, shape, unit, kinds, doc);
}

template <class Table>
std::string make_rows(const char* group, const char* shape, const Table& table) {
  std::string text;
  for (const auto& column : table) {
    const std::string full = column.width > 1 ? fmt::format("{}, {}", shape, column.width) : shape;
    const bool is_word = column.type == ColumnType::body;
    std::string doc = column.doc;
    if (is_word) doc += " Its place in `/body/name`.";
    if (column.parts[0] != '\0') doc += fmt::format(" `{}`.", column.parts);
    text += make_row(fmt::format("{}/{}", group, column.name), full, column.unit, describe_kinds(column.kinds), doc);
  }
  return text;
}

}  // namespace

std::string make_record_reference() {
  std::string text = "| dataset | shape | unit | of | content |\n|---|---|---|---|---|\n";
  text += make_row("/time", "T", "s", "", "Of each sample.");
  text += make_rows("/body", "T, N", kBodyColumns);
  for (const JointColumn& column : kJointColumns)
    text += make_row(fmt::format("/joint/{}", column.name), "T, ...", column.unit, "", column.doc);
  text += make_row("/contact/row_start", "T + 1", "1", "",
                   "Rows `row_start[i]` up to `row_start[i + 1]` are the contacts of sample i.");
  text += make_rows("/contact", "R", kContactColumns);
  text += make_row("/curve/segment_start", "R + 1", "1", describe_kinds(kPerimetric),
                   "Pieces `segment_start[r]` up to `segment_start[r + 1]` belong to contact row r.");
  text += make_row("/curve/segment", "S, 2, 3", "m", describe_kinds(kPerimetric),
                   "Start and end of each piece; ends meet, but the pieces come in no particular order.");
  text += make_rows("/event", "E", kEventColumns);
  return text;
}

}  // namespace abut
