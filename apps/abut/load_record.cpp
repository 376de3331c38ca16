#include "load_record.hpp"

#include <filesystem>

#include "abut/io/recorded_scene.hpp"
#include "abut/sim/compile.hpp"

namespace abut {

bool is_result_path(const std::string& path) {
  std::error_code error;
  return std::filesystem::path(path).extension() == ".h5" ||
         std::filesystem::exists(std::filesystem::path(path) / "result.h5", error);
}

Model load_record(const ResultFile& file, const std::vector<std::string>& overrides) {
  return compile(read_recorded_scene(file, overrides));
}

}  // namespace abut
