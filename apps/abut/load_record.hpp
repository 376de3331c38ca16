#pragma once

#include <string>
#include <vector>

#include "abut/io/result_file.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// Whether the path is a result.h5, or a folder with one.
bool is_result_path(const std::string& path);

/// The scene that the record was made with, to its last digit and with its meshes as they were.
Model load_record(const ResultFile& file, const std::vector<std::string>& overrides = {});

}  // namespace abut
