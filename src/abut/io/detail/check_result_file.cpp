#include "abut/io/detail/check_result_file.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "abut/io/detail/h5_input.hpp"

namespace abut {

namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw H5Damage(fmt::format("/{}: {}", name, what));
}

void require_width(const ResultColumn& column, std::size_t width) {
  if (column.width != width) fail(column.name, fmt::format("has {} numbers in a row, not {}", column.width, width));
}

template <class Row, std::size_t N>
void require_widths(const ResultFile& file, const std::string& group, const std::array<RecordColumn<Row>, N>& table,
                    std::size_t count) {
  for (const auto& row : table) {
    if (const ResultColumn* column = file.find(group + row.name)) require_width(*column, count * row.width);
  }
}

/// Places where slices begin and end: whole numbers from 0 on that do not fall, up to `most`.
void require_starts(const ResultColumn& column, double most) {
  double before = 0.0;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const double value = column.values[i];
    if (!(value >= before) || !(value <= most) || value != std::floor(value) || (i == 0 && value != 0.0))
      fail(column.name, fmt::format("its entry {} is {}, which begins no row", i, value));
    before = value;
  }
}

void require_bodies(const ResultFile& file, const std::string& name) {
  const ResultColumn* column = file.find(name);
  if (column == nullptr) return;
  for (const double value : column->values) {
    if (!(value >= 0.0) || !(value < static_cast<double>(file.body_names.size())) || value != std::floor(value))
      fail(name, fmt::format("names body {}, and there are {}", value, file.body_names.size()));
  }
}

void require_slices(const ResultFile& file, const char* start_name, const std::vector<int>& starts,
                    const std::vector<int>& counts, const char* column_name) {
  if (starts.size() != file.joint_names.size() || counts.size() != starts.size())
    fail(start_name, fmt::format("{} entries for {} joints", starts.size(), file.joint_names.size()));
  const ResultColumn* column = file.find(column_name);
  if (column == nullptr || column->width == 0) return;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const bool fits = starts[i] >= 0 && counts[i] >= 0 &&
                      static_cast<std::size_t>(starts[i]) + static_cast<std::size_t>(counts[i]) <= column->width;
    if (!fits) fail(start_name, fmt::format("joint {} lies outside of /{}", i, column_name));
  }
}

/// JSON tells what letters are; a name that is none cannot be shown.
bool is_utf8(const std::string& text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

}  // namespace

void check_result_columns(const ResultFile& file, std::optional<std::int64_t> samples) {
  const std::size_t bodies = file.body_names.size();
  require_width(*file.find("time"), 1);
  require_widths(file, "body/", kBodyColumns, bodies);
  require_widths(file, "contact/", kContactColumns, 1);
  require_widths(file, "event/", kEventColumns, 1);
  for (const char* name : {"contact/row_start", "curve/segment_start"}) {
    if (const ResultColumn* column = file.find(name)) require_width(*column, 1);
  }
  if (const ResultColumn* column = file.find("curve/segment")) require_width(*column, 6);
  if (samples && (*samples < 0 || static_cast<std::uint64_t>(*samples) != file.find("time")->num_rows()))
    fail("time", fmt::format("has {} rows, and {} were written", file.find("time")->num_rows(), *samples));
  const bool has_starts = file.find("contact/row_start") != nullptr;
  for (const ResultColumn& column : file.columns) {
    if (column.name.rfind("contact/", 0) == 0 && !has_starts) fail(column.name, "there is no /contact/row_start");
    if (column.name.rfind("energy/", 0) == 0) require_width(column, 1);
  }
  if (file.find("curve/segment") != nullptr && file.find("curve/segment_start") == nullptr)
    fail("curve/segment", "there is no /curve/segment_start");
  for (const char* name : {"contact/row_start", "curve/segment_start"}) {
    const ResultColumn* column = file.find(name);
    if (column != nullptr && column->values.empty()) fail(name, "is empty");
    if (column != nullptr) require_starts(*column, 1e15);
  }
}

void check_result_file(ResultFile& file) {
  for (const std::vector<std::string>* names : {&file.body_names, &file.joint_names}) {
    for (const std::string& name : *names) {
      if (!is_utf8(name)) throw H5Damage("a name is no text");
    }
  }
  for (const std::string* text : {&file.title, &file.version, &file.scene_text}) {
    if (!is_utf8(*text)) throw H5Damage("title, version or scene are no text");
  }
  require_slices(file, "joint/q_start", file.joint_q_start, file.joint_num_q, "joint/q");
  require_slices(file, "joint/v_start", file.joint_v_start, file.joint_num_v, "joint/v");
  double before = -INFINITY;
  for (const double time : file.find("time")->values) {
    if (!std::isfinite(time) || time < before) fail("time", fmt::format("{} s follows {} s", time, before));
    before = time;
  }
  for (const char* name : {"contact/body_a", "contact/body_b", "event/body_a", "event/body_b"})
    require_bodies(file, name);
  if (file.summary_json.empty() || nlohmann::json::accept(file.summary_json)) return;
  file.summary_json.clear();
  file.warnings.push_back("its summary is no JSON and is left out");
}

}  // namespace abut
