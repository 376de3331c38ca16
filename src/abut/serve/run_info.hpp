#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/io/result_file.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// What a page is told about a run besides its columns.
struct RunInfo {
  std::string name;              ///< of the scene or the folder
  std::string description;       ///< one line: bodies, contacts, method
  std::string variant;           ///< label within a comparison
  std::string differences_json;  ///< table of a comparison; empty otherwise
  std::vector<std::string> warnings;
  bool has_settings = false;  ///< lists the scene's numbers for sliders
};

/// JSON of web/src/run.ts, interface RunInfo. `model` is null where the scene of a record cannot be read any more: the
/// page then shows bodies without shapes.
std::string make_run_info_json(const RunInfo& info, const ResultFile& file, const Model* model);

/// Reads and compiles the scene that a record carries; null with the reason in `problem` when it cannot be.
std::optional<Model> compile_recorded_scene(const ResultFile& file, std::string& problem);

}  // namespace abut
