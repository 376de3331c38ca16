#pragma once

#include <string>
#include <vector>

namespace abut {

/// What a CSV file of a motion holds: a line of names, then lines of numbers, time [s] in the first column.
struct Series {
  std::vector<std::string> names;            ///< of all columns but the first
  std::vector<double> time;                  ///< increasing [s]
  std::vector<std::vector<double>> columns;  ///< one for each name
};

/// Throws SystemError or InputError with the line where it cannot be read. Separators are commas, semicolons or tabs; a
/// unit in brackets behind a name is left out; lines that begin with # are comments.
///
/// Where the file has a quaternion (qw, qx, qy, qz), the columns rx, ry, rz (rotation vector, without jumps) are added;
/// where it has these, turn_x, turn_y, turn_z: angles about x, then the turned y, then the twice turned z, for a chain
/// of three revolute joints [rad].
Series read_series(const std::string& path);
Series parse_series(const std::string& text, const std::string& name);

}  // namespace abut
