#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <type_traits>

#include "abut/math/types.hpp"

namespace abut {

/// What some contacts tell and others do not. A record has a column of such contacts when some of the run may fill it.
enum ContactKind : unsigned { kVolumetric = 1, kPerimetric = 2, kHertzian = 4 };

/// How the numbers of a column are kept; a flag takes one byte. A body is its number, and its name in text.
enum class ColumnType { number, integer, flag, body };

/// How the patches of one pair act together; of vectors the longest is the largest.
enum class PatchJoining { none, sum, largest };

/// What a person writes of one column.
struct ColumnText {
  const char* name = "";  ///< of the dataset
  const char* unit = "1";
  const char* doc = "";
  unsigned kinds = 0;  ///< of contacts that have it; 0: all
  /// Names of its numbers, where they are not x, y, z; the record has them as an attribute.
  const char* parts = "";
  const char* headings = "";           ///< of its numbers in CSV, where they are not made from name and parts
  bool is_unitless_text = false;       ///< CSV names no unit
  const char* (*word)(int) = nullptr;  ///< of an integer, in text
  // On pages:
  const char* title = "";  ///< of the plot; empty: nothing to plot, but a place or a name
  int rank = 0;            ///< among the plots
  PatchJoining joining = PatchJoining::none;
  bool is_zero_apart = false;  ///< 0 while nothing touches; otherwise there is nothing to tell
  bool is_drawn = false;       ///< only drawn: few decimals do
};

/// One row of the tables of columns. HDF5, CSV, pages and docs/records.md are made from these rows, in their order.
template <class Row>
struct RecordColumn : ColumnText {
  ColumnType type = ColumnType::number;
  std::size_t width = 1;  ///< numbers in one row
  void (*read)(const Row& row, double* numbers) = nullptr;
};

inline constexpr std::size_t kMostColumnNumbers = 6;

namespace record_detail {

inline void put(double value, double* to) { *to = value; }
inline void put(const Vec3& value, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = value[i];
}
inline void put(const Quat& value, double* to) {
  to[0] = value.w();
  to[1] = value.x();
  to[2] = value.y();
  to[3] = value.z();
}
template <std::size_t N>
void put(const std::array<double, N>& value, double* to) {
  for (std::size_t i = 0; i < N; ++i) to[i] = value[i];
}

template <class Value>
consteval std::size_t width_of() {
  if constexpr (std::is_same_v<Value, Vec3>) return 3;
  if constexpr (std::is_same_v<Value, Quat>) return 4;
  if constexpr (requires { std::tuple_size<Value>::value; }) return std::tuple_size<Value>::value;
  return 1;
}

}  // namespace record_detail

/// `get` is a member of Row, or a function of it: double, int, bool, an enumerator, Vec3, Quat or std::array.
template <class Row, auto get>
consteval RecordColumn<Row> make_column(const ColumnText& text) {
  using Value = std::remove_cvref_t<std::invoke_result_t<decltype(get), const Row&>>;
  RecordColumn<Row> column{text};
  column.width = record_detail::width_of<Value>();
  static_assert(record_detail::width_of<Value>() <= kMostColumnNumbers);
  if constexpr (std::is_same_v<Value, int> || std::is_enum_v<Value>) column.type = ColumnType::integer;
  if constexpr (std::is_same_v<Value, bool>) column.type = ColumnType::flag;
  column.read = [](const Row& row, double* numbers) {
    if constexpr (std::is_enum_v<Value>) {
      record_detail::put(static_cast<double>(std::invoke(get, row)), numbers);
    } else {
      record_detail::put(std::invoke(get, row), numbers);
    }
  };
  return column;
}

/// A body is an integer that text replaces by a name.
template <class Row, auto get>
consteval RecordColumn<Row> make_body_column(const ColumnText& text) {
  RecordColumn<Row> column = make_column<Row, get>(text);
  column.type = ColumnType::body;
  return column;
}

}  // namespace abut
