#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "abut/scene/record.hpp"

namespace abut {

/// One dataset of a record: rows of `width` numbers.
struct ResultColumn {
  std::string name;  ///< as in the file, without the leading slash: "contact/depth"
  std::string unit;
  std::size_t width = 1;  ///< numbers in one row; [T, N, 3] has rows of 3 N
  bool is_integer = false;
  std::vector<double> values;  ///< row after row

  std::size_t num_rows() const { return width == 0 ? 0 : values.size() / width; }
};

/// A record in memory, as Hdf5Recorder wrote it. Also one that is still growing or whose writer was killed: rows that
/// not all columns have are left out. Widths, indices and ranges are what they should be
/// (detail/check_result_file.hpp).
struct ResultFile {
  std::string title, version;
  std::string scene_text;    ///< TOML
  std::string summary_json;  ///< empty while the run goes on
  bool is_complete = false;
  std::vector<std::string> body_names, joint_names;
  std::vector<int> joint_q_start, joint_num_q, joint_v_start, joint_num_v;
  std::vector<RecordedMesh> meshes;
  std::vector<ResultColumn> columns;  ///< by name, all but those of meshes
  std::vector<std::string> warnings;  ///< what was left out, and why

  /// Null when the record has no such column.
  const ResultColumn* find(const std::string& name) const;
};

/// `path` is a result.h5, or a folder with one. SystemError when it is missing or cannot be read, InputError when it is
/// not a record of abut, or damaged.
ResultFile read_result_file(const std::string& path);

}  // namespace abut
