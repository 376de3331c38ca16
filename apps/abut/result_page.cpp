#include "result_page.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "abut/io/text_file.hpp"
#include "abut/serve/run_info.hpp"
#include "summary_text.hpp"

namespace abut {

namespace {

/// Two fifths of what a page may hold; a page without them computes the curves from poses and shapes.
constexpr std::size_t kMostCurveNumbers = 600'000;

void leave_out_long_curves(std::vector<ResultColumn>& columns) {
  const bool is_long = std::any_of(columns.begin(), columns.end(), [](const ResultColumn& column) {
    return column.name == "curve/segment" && column.values.size() > kMostCurveNumbers;
  });
  if (!is_long) return;
  std::erase_if(columns, [](const ResultColumn& column) { return column.name.rfind("curve/", 0) == 0; });
}

}  // namespace

PageRun make_page_run(const ResultFile& file, const std::string& name) {
  RunInfo info;
  info.name = name;
  std::string problem;
  const std::optional<Model> model = compile_recorded_scene(file, problem);
  if (!problem.empty()) info.warnings.push_back(problem);
  if (model) {
    const std::string text = describe_model(name, *model);
    info.description = file.title.empty() ? text.substr(std::min(text.size(), name.size() + 4)) : text;
  }
  // Without declared joints the coordinates say again what the bodies' poses say.
  std::vector<ResultColumn> columns = file.columns;
  if (file.joint_names.empty())
    std::erase_if(columns, [](const ResultColumn& column) { return column.name.rfind("joint/", 0) == 0; });
  leave_out_long_curves(columns);
  return {make_run_info_json(info, file, model ? &*model : nullptr), make_fitting_chunk(columns, kPageDataSize)};
}

std::string name_of_result(const std::string& path) {
  std::filesystem::path name = std::filesystem::absolute(path).lexically_normal();
  if (name.filename() == "result.h5") name = name.parent_path();
  if (!name.has_filename()) name = name.parent_path();
  return name.extension() == ".h5" ? name.stem().string() : name.filename().string();
}

std::string make_page_path(const std::string& name) {
  const std::filesystem::path folder = "out";
  std::error_code error;
  std::filesystem::create_directories(folder, error);  // where it cannot be, writing the page says so
  return (folder / (name + ".html")).string();
}

void write_page(const std::string& path, const std::string& html, bool is_quiet) {
  write_text_file_atomically(path, html);
  if (!is_quiet) fmt::print("written  {} ({:.1f} MB)\n", path, static_cast<double>(html.size()) / 1e6);
}

}  // namespace abut
