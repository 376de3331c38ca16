#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "abut/math/archive.hpp"

namespace abut {

/// A saved run beside its record, OUT/checkpoint.bin: what run --resume goes on from.
struct CheckpointFile {
  std::map<std::string, std::int64_t> rows;       ///< of each dataset of the record at that instant
  std::map<std::string, std::int64_t> csv_sizes;  ///< of the tables beside it [bytes]; empty where there are none
  Bytes run;                                      ///< as Run::save() gave it
};

/// Replaces the file at once or not at all. SystemError when folder or disk refuse.
void write_checkpoint_file(const std::string& path, CheckpointFile& checkpoint);

/// SystemError when it is missing or cannot be read, InputError when it is no checkpoint or damaged.
CheckpointFile read_checkpoint_file(const std::string& path);

}  // namespace abut
