#include "abut/io/detail/load_series.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <variant>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/series_file.hpp"

namespace abut {

namespace {

class SeriesLoader {
 public:
  SeriesLoader(const std::string& scene_path, ProblemList& problems)
      : folder_(std::filesystem::path(scene_path).parent_path()), problems_(problems) {}

  void load(MotionSpec& motion, const std::string& label) {
    auto* spec = std::get_if<FileMotionSpec>(&motion.kind);
    if (spec == nullptr || motion.is_unusable("file") || spec->file.empty() || !spec->time.empty()) return;
    const Series* series = read(spec->file, motion, label);
    if (series == nullptr || motion.is_unusable("column")) return;
    const int column = find(*series, spec->column, motion, "column", label);
    if (column < 0) return;
    if (series->time.size() < 2) {
      problems_.add(motion.location_of("file"),
                    fmt::format("'{}' has one row, a motion needs two, in {}", spec->file, label));
      return;
    }
    spec->time = series->time;
    spec->value = series->columns[static_cast<std::size_t>(column)];
  }

  void load(std::optional<TrajectorySpec>& trajectory, const std::string& label) {
    auto* spec = trajectory ? std::get_if<FileTrajectorySpec>(&trajectory->kind) : nullptr;
    if (spec == nullptr || trajectory->is_unusable("file") || spec->file.empty() || !spec->points.empty()) return;
    const Series* series = read(spec->file, *trajectory, label);
    if (series == nullptr || trajectory->is_unusable("columns")) return;
    std::vector<int> columns;
    if (spec->columns.empty()) {
      for (std::size_t i = 0; i < series->names.size(); ++i) columns.push_back(static_cast<int>(i));
    }
    for (const std::string& name : spec->columns) {
      columns.push_back(find(*series, name, *trajectory, "columns", label));
      if (columns.back() < 0) return;
    }
    spec->points.resize(series->time.size());
    for (std::size_t k = 0; k < series->time.size(); ++k) {
      spec->points[k].where = trajectory->location_of("file");
      spec->points[k].time = series->time[k];
      for (const int column : columns)
        spec->points[k].at.push_back(series->columns[static_cast<std::size_t>(column)][k]);
    }
  }

  /// The run may begin in another folder: the whole path is kept.
  void find_library(LibraryControlSpec& spec, const Located& owner, const std::string& label) {
    if (owner.is_unusable("file") || spec.file.empty()) return;
    std::error_code error;
    const std::filesystem::path path = std::filesystem::absolute(folder_ / spec.file, error);
    if (!std::filesystem::is_regular_file(path, error)) {
      problems_.add(owner.location_of("file"), fmt::format("there is no library '{}' in {}", path.string(), label));
      return;
    }
    spec.file = path.lexically_normal().string();
  }

 private:
  const Series* read(const std::string& file, const Located& owner, const std::string& label) {
    const std::string path = (folder_ / file).string();
    const auto [place, is_new] = read_.try_emplace(path);
    if (!is_new) return place->second ? &*place->second : nullptr;
    try {
      place->second = read_series(path);
      return &*place->second;
    } catch (const InvariantError&) {
      throw;
    } catch (const std::exception& error) {
      problems_.add(owner.location_of("file"), fmt::format("{} in {}", error.what(), label));
      return nullptr;
    }
  }

  int find(const Series& series, const std::string& name, const Located& owner, const char* key,
           const std::string& label) {
    const auto found = std::find(series.names.begin(), series.names.end(), name);
    if (found != series.names.end()) return static_cast<int>(found - series.names.begin());
    problems_.add(owner.location_of(key),
                  fmt::format("the file has no column '{}' in {}.{}", name, label, suggest(name, series.names)),
                  fmt::format("Its columns: {}.", list_names(series.names)), name, series.names);
    return -1;
  }

  std::filesystem::path folder_;
  ProblemList& problems_;
  std::map<std::string, std::optional<Series>> read_;
};

}  // namespace

void load_series(SceneSpec& scene, const std::string& scene_path, ProblemList& problems) {
  SeriesLoader loader(scene_path, problems);
  for (JointSpec& joint : scene.joint) {
    if (joint.motion) loader.load(*joint.motion, fmt::format("[[joint]] '{}' motion", joint.name));
  }
  for (ControllerSpec& controller : scene.controller) {
    const std::string label = fmt::format("[[controller]] '{}'", controller.name);
    std::visit(
        [&](auto& kind) {
          if constexpr (requires { kind.trajectory; }) loader.load(kind.trajectory, label);
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(kind)>, LibraryControlSpec>)
            loader.find_library(kind, controller.kind, label);
        },
        controller.kind.type);
  }
}

}  // namespace abut
