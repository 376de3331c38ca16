#include "abut/io/result_file.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <locale>
#include <sstream>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/detail/hdf5_file.hpp"

namespace abut {
namespace {

/// Frees what HDF5 allocated for a text of variable length.
std::string take_text(char* text) {
  if (text == nullptr) return {};
  std::string value = text;
  H5free_memory(text);
  return value;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.id(), false, true);
    file_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
    if (file_.id() < 0) throw InputError(fmt::format("{}: this is not an HDF5 file, or a damaged one", path));
  }

  bool has_attribute(const char* object, const char* name) const {
    return H5Aexists_by_name(file_.id(), object, name, H5P_DEFAULT) > 0;
  }

  std::string read_text(const char* object, const char* name) const {
    if (!has_attribute(object, name)) return {};
    const Hdf5Handle attribute(H5Aopen_by_name(file_.id(), object, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
    char* text = nullptr;
    if (H5Tis_variable_str(type.id()) <= 0 || H5Aread(attribute.id(), type.id(), &text) < 0) return {};
    return take_text(text);
  }

  int read_integer(const char* object, const char* name) const {
    if (!has_attribute(object, name)) return 0;
    const Hdf5Handle attribute(H5Aopen_by_name(file_.id(), object, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    int value = 0;
    H5Aread(attribute.id(), H5T_NATIVE_INT, &value);
    return value;
  }

  /// Paths of all datasets, in order of name.
  std::vector<std::string> list_datasets() const {
    std::vector<std::string> names;
    const auto visit = [](hid_t group, const char* name, const H5L_info_t*, void* list) -> herr_t {
      H5O_info_t info;
      if (H5Oget_info_by_name2(group, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 && info.type == H5O_TYPE_DATASET)
        static_cast<std::vector<std::string>*>(list)->push_back(name);
      return 0;
    };
    H5Lvisit(file_.id(), H5_INDEX_NAME, H5_ITER_INC, visit, &names);
    return names;
  }

  std::vector<std::string> read_names(const std::string& name) const {
    const Hdf5Handle dataset(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (dataset.id() < 0) fail(name);
    const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
    const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
    std::vector<char*> texts(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())), nullptr);
    if (!texts.empty() && H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) < 0) fail(name);
    std::vector<std::string> names;
    for (char* text : texts) names.push_back(take_text(text));
    return names;
  }

  /// False when the dataset does not hold numbers.
  bool read_column(const std::string& name, ResultColumn& column) const {
    const Hdf5Handle dataset(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (dataset.id() < 0) fail(name);
    const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
    const H5T_class_t kind = H5Tget_class(type.id());
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) return false;
    const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
    std::vector<hsize_t> dimensions(static_cast<std::size_t>(std::max(1, H5Sget_simple_extent_ndims(space.id()))), 1);
    H5Sget_simple_extent_dims(space.id(), dimensions.data(), nullptr);
    column.name = name;
    column.unit = read_text(name.c_str(), "unit");
    column.is_integer = kind == H5T_INTEGER;
    column.width = 1;
    for (std::size_t i = 1; i < dimensions.size(); ++i) column.width *= dimensions[i];
    column.values.resize(dimensions[0] * column.width);
    if (!column.values.empty() &&
        H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values.data()) < 0)
      fail(name);
    return true;
  }

 private:
  [[noreturn]] void fail(const std::string& name) const {
    throw SystemError(fmt::format("{}: /{} cannot be read", path_, name));
  }

  std::string path_;
  Hdf5Handle file_;
};

/// "1 -1 1", or nothing.
Vec3 to_stretch(const std::string& text) {
  Vec3 stretch = Vec3::Ones();
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  for (int i = 0; i < 3 && !text.empty(); ++i) stream >> stretch[i];
  return stretch;
}

/// /mesh/0, /mesh/1, ... with vertices, triangles and the name of the file.
std::vector<RecordedMesh> read_meshes(const Reader& reader, const std::vector<std::string>& names) {
  std::vector<RecordedMesh> meshes;
  for (const std::string& name : names) {
    const std::size_t end = name.rfind("/vertices");
    if (name.rfind("mesh/", 0) != 0 || end == std::string::npos) continue;
    const std::string group = name.substr(0, end);
    ResultColumn vertices, triangles;
    if (!reader.read_column(name, vertices) || !reader.read_column(group + "/triangles", triangles)) continue;
    MeshData data;
    for (std::size_t i = 0; i + 2 < vertices.values.size(); i += 3)
      data.vertices.emplace_back(vertices.values[i], vertices.values[i + 1], vertices.values[i + 2]);
    const auto corner = [&triangles](std::size_t i) { return static_cast<int>(triangles.values[i]); };
    for (std::size_t i = 0; i + 2 < triangles.values.size(); i += 3)
      data.triangles.push_back({corner(i), corner(i + 1), corner(i + 2)});
    const std::string scale = reader.read_text(group.c_str(), "scale");
    meshes.push_back({reader.read_text(group.c_str(), "file"), scale.empty() ? 1.0 : std::stod(scale),
                      std::make_shared<const MeshData>(std::move(data)),
                      to_stretch(reader.read_text(group.c_str(), "stretch"))});
  }
  return meshes;
}

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

/// Slices of the joints, which are no columns over time.
bool is_joint_table(const std::string& name) {
  return name == "joint/q_start" || name == "joint/num_q" || name == "joint/v_start" || name == "joint/num_v";
}

std::vector<int> to_integers(const ResultColumn& column) {
  return std::vector<int>(column.values.begin(), column.values.end());
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

ResultFile read_result_file(const std::string& path) {
  const auto lock = lock_hdf5();
  const std::string file_path = find_result(path);
  const Reader reader(file_path);
  const std::vector<std::string> names = reader.list_datasets();
  for (const char* needed : {"time", "body/name", "body/position", "body/orientation", "joint/name"}) {
    if (std::find(names.begin(), names.end(), needed) == names.end())
      throw InputError(fmt::format("{}: this is not a record of abut: it has no dataset /{}", file_path, needed));
  }
  ResultFile file;
  file.title = reader.read_text("/", "title");
  file.version = reader.read_text("/", "version");
  file.scene_text = reader.read_text("/", "scene");
  file.summary_json = reader.read_text("/", "summary");
  file.is_complete = reader.read_integer("/", "complete") == 1;
  file.body_names = reader.read_names("body/name");
  file.joint_names = reader.read_names("joint/name");
  file.meshes = read_meshes(reader, names);
  for (const std::string& name : names) {
    ResultColumn column;
    // A histogram over deadlines is no column over time; the summary has it as well.
    if (starts_with(name, "mesh/") || starts_with(name, "realtime/") || !reader.read_column(name, column)) continue;
    if (name == "joint/q_start") file.joint_q_start = to_integers(column);
    if (name == "joint/num_q") file.joint_num_q = to_integers(column);
    if (name == "joint/v_start") file.joint_v_start = to_integers(column);
    if (name == "joint/num_v") file.joint_num_v = to_integers(column);
    if (!is_joint_table(name)) file.columns.push_back(std::move(column));
  }
  make_consistent(file);
  return file;
}

}  // namespace abut
