#include "abut/io/result_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <locale>
#include <sstream>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/detail/check_result_file.hpp"
#include "abut/io/detail/h5_reader.hpp"

namespace abut {
namespace {

double read_scale(const H5Reader& reader, const std::string& group) {
  const std::string text = reader.read_text(group, "scale").value_or("1");
  double scale = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), scale);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(scale) || !(scale > 0.0))
    throw H5Damage("the scale of a mesh is no number");
  return scale;
}

/// "1 -1 1", or nothing.
Vec3 read_stretch(const H5Reader& reader, const std::string& group) {
  const std::string text = reader.read_text(group, "stretch").value_or("1 1 1");
  Vec3 stretch = Vec3::Ones();
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  stream >> stretch.x() >> stretch.y() >> stretch.z();
  if (stream.fail() || !stretch.allFinite() || stretch.prod() == 0.0)
    throw H5Damage("the stretch of a mesh is no three numbers");
  return stretch;
}

RecordedMesh read_mesh(const H5Reader& reader, const std::string& group) {
  const std::vector<double> vertices = reader.read_numbers(group + "/vertices"),
                            triangles = reader.read_numbers(group + "/triangles");
  MeshData data;
  for (std::size_t i = 0; i + 2 < vertices.size(); i += 3)
    data.vertices.emplace_back(vertices[i], vertices[i + 1], vertices[i + 2]);
  const auto corner = [&](std::size_t i) {
    const double value = triangles[i];
    if (!(value >= 0.0) || !(value < static_cast<double>(data.vertices.size())))
      throw H5Damage("a triangle has a corner that is not there");
    return static_cast<int>(value);
  };
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3)
    data.triangles.push_back({corner(i), corner(i + 1), corner(i + 2)});
  for (const double value : vertices) {
    if (!std::isfinite(value)) throw H5Damage("a corner is not finite");
  }
  return {reader.read_text(group, "file").value_or(""), read_scale(reader, group),
          std::make_shared<const MeshData>(std::move(data)), read_stretch(reader, group)};
}

/// /mesh/0, /mesh/1, ... with vertices, triangles and the name of the file.
std::vector<RecordedMesh> read_meshes(const H5Reader& reader) {
  std::vector<RecordedMesh> meshes;
  for (const auto& [name, object] : reader.datasets()) {
    const std::size_t end = name.rfind("/vertices");
    if (name.rfind("mesh/", 0) != 0 || end == std::string::npos) continue;
    const std::string group = name.substr(0, end);
    if (reader.find(group + "/triangles") == nullptr) continue;
    meshes.push_back(reader.guard(group, [&, &group_name = group] { return read_mesh(reader, group_name); }));
  }
  return meshes;
}

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

/// Slices of the joints, which are no columns over time.
bool is_joint_table(const std::string& name) {
  return name == "joint/q_start" || name == "joint/num_q" || name == "joint/v_start" || name == "joint/num_v";
}

std::vector<int> read_integers(const H5Reader& reader, const std::string& name) {
  std::vector<int> integers;
  if (reader.find(name) == nullptr) return integers;
  for (const double value : reader.read_numbers(name)) {
    if (!(std::abs(value) <= 1e9)) reader.guard(name, [] { throw H5Damage("holds no plain numbers"); });
    integers.push_back(static_cast<int>(value));
  }
  return integers;
}

/// One row is all but the first size: [T, N, 3] has rows of 3 N.
ResultColumn read_column(const H5Reader& reader, const std::string& name, const H5Object& object) {
  ResultColumn column;
  column.name = name;
  column.unit = reader.read_text(name, "unit").value_or("");
  column.is_integer = object.type.kind == H5ValueType::Kind::integer;
  column.values = reader.read_numbers(name);
  const std::vector<std::uint64_t>& shape = *object.shape;
  if (shape.empty()) return column;
  column.width = reader.guard(name, [&] {
    return multiply_sizes({shape.begin() + 1, shape.end()}, std::numeric_limits<std::uint32_t>::max());
  });
  return column;
}

void truncate(ResultColumn& column, std::size_t rows) {
  column.values.resize(std::min(column.values.size(), rows * column.width));
}

/// Leaves only rows that every column has: a writer may have been killed between two of them.
void make_consistent(ResultFile& file) {
  std::size_t num_samples = std::numeric_limits<std::size_t>::max(), num_rows = num_samples, num_events = num_samples,
              num_segments = num_samples;
  for (const ResultColumn& column : file.columns) {
    // Forces of joints have rows only where joints are declared.
    const bool is_unused = column.name == "joint/force" && column.values.empty();
    if (column.width == 0 || is_unused) continue;
    if (column.name == "contact/row_start") {
      num_samples = std::min(num_samples, std::max<std::size_t>(column.num_rows(), 1) - 1);
    } else if (column.name == "curve/segment_start") {
      num_rows = std::min(num_rows, std::max<std::size_t>(column.num_rows(), 1) - 1);
    } else if (column.name == "curve/segment") {
      num_segments = column.num_rows();
    } else if (starts_with(column.name, "contact/")) {
      num_rows = std::min(num_rows, column.num_rows());
    } else if (starts_with(column.name, "event/")) {
      num_events = std::min(num_events, column.num_rows());
    } else {
      num_samples = std::min(num_samples, column.num_rows());
    }
  }
  const ResultColumn* first_segment = file.find("curve/segment_start");
  if (first_segment != nullptr) {
    while (num_rows > 0 && first_segment->values[num_rows] > static_cast<double>(num_segments)) --num_rows;
  }
  const ResultColumn* start = file.find("contact/row_start");
  if (start != nullptr) {
    while (num_samples > 0 && start->values[num_samples] > static_cast<double>(num_rows)) --num_samples;
    num_rows = static_cast<std::size_t>(start->values[num_samples]);
  }
  if (first_segment != nullptr) num_segments = static_cast<std::size_t>(first_segment->values[num_rows]);
  for (ResultColumn& column : file.columns) {
    const bool is_start = column.name == "contact/row_start";
    const bool is_contact = !is_start && starts_with(column.name, "contact/");
    truncate(column, is_start                               ? num_samples + 1
                     : column.name == "curve/segment_start" ? num_rows + 1
                     : column.name == "curve/segment"       ? num_segments
                     : is_contact                           ? num_rows
                     : starts_with(column.name, "event/")   ? num_events
                                                            : num_samples);
  }
}

std::string find_result(const std::string& path) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(path, error);
  const std::string file = is_folder ? (std::filesystem::path(path) / "result.h5").string() : path;
  if (!std::filesystem::exists(file, error)) {
    throw SystemError(is_folder ? fmt::format("{}: there is no result.h5 in this folder", path)
                                : fmt::format("{}: there is no such file", path));
  }
  return file;
}

}  // namespace

const ResultColumn* ResultFile::find(const std::string& name) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&name](const auto& c) { return c.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

namespace {

ResultFile read_file(const std::string& file_path) {
  const H5Reader reader(file_path);
  for (const char* needed : {"time", "body/name", "body/position", "body/orientation", "joint/name"}) {
    if (reader.find(needed) == nullptr)
      throw InputError(fmt::format("{}: this is not a record of abut: it has no dataset /{}", file_path, needed));
  }
  ResultFile file;
  file.title = reader.read_text("", "title").value_or("");
  file.version = reader.read_text("", "version").value_or("");
  file.scene_text = reader.read_text("", "scene").value_or("");
  file.summary_json = reader.read_text("", "summary").value_or("");
  file.is_complete = reader.read_integer("", "complete") == 1;
  file.body_names = reader.read_texts("body/name");
  file.joint_names = reader.read_texts("joint/name");
  file.joint_q_start = read_integers(reader, "joint/q_start");
  file.joint_num_q = read_integers(reader, "joint/num_q");
  file.joint_v_start = read_integers(reader, "joint/v_start");
  file.joint_num_v = read_integers(reader, "joint/num_v");
  file.meshes = read_meshes(reader);
  for (const auto& [name, object] : reader.datasets()) {
    // A histogram over deadlines is no column over time; the summary has it as well.
    const bool is_column = !starts_with(name, "mesh/") && !starts_with(name, "realtime/") && !is_joint_table(name);
    if (is_column && object.type.is_number()) file.columns.push_back(read_column(reader, name, object));
  }
  reader.guard("", [&] { check_result_columns(file, reader.read_integer("", "samples")); });
  make_consistent(file);
  reader.guard("", [&] { check_result_file(file); });
  return file;
}

}  // namespace

ResultFile read_result_file(const std::string& path) {
  const std::string file_path = find_result(path);
  // A run may write while this reads: what was read is whole unless it took very long.
  constexpr int kMostTries = 3;
  for (int i = 1;; ++i) {
    std::error_code error;
    const auto before = std::filesystem::last_write_time(file_path, error);
    try {
      return read_file(file_path);
    } catch (const InputError&) {
      if (i == kMostTries || std::filesystem::last_write_time(file_path, error) == before) throw;
    }
  }
}

}  // namespace abut
