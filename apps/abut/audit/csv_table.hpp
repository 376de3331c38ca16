#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abut/scene/field.hpp"
#include "abut/scene/validate.hpp"

namespace abut {

/// One cell of a table of text, with its place for messages.
struct CsvCell {
  std::string text;  ///< without the blanks and quotes around it
  SourceLocation where;
};

/// A file of lines with commas between the cells: headings first. Empty lines and those that begin with # are passed
/// over; a cell in double quotes may hold commas, and a doubled quote stands for one.
struct CsvTable {
  std::string file, text;
  std::vector<CsvCell> headings;
  std::vector<std::vector<CsvCell>> rows;

  /// Every row must have as many cells as there are headings: InputError with each place where that is not so.
  static CsvTable read(const std::string& path);
  static CsvTable parse(const std::string& text, const std::string& file);

  /// Throws what was found, with the lines of the file, unless there is nothing.
  void fail_on(const std::vector<Problem>& problems) const;
};

/// A finite number, or a problem is noted and zero returned.
double read_number(const CsvCell& cell, std::vector<Problem>& problems);

}  // namespace abut
