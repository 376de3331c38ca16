#include "audit/csv_table.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "abut/io/problem_report.hpp"
#include "abut/io/text_file.hpp"

namespace abut {

namespace {

std::string trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

std::vector<CsvCell> split_line(std::string_view line, const std::string& file, int number) {
  std::vector<CsvCell> cells;
  std::size_t at = 0;
  while (true) {
    const std::size_t start = at;
    std::string text;
    bool is_quoted = false;
    for (; at < line.size() && (is_quoted || line[at] != ','); ++at) {
      if (line[at] != '"') {
        text += line[at];
      } else if (is_quoted && at + 1 < line.size() && line[at + 1] == '"') {
        text += line[at++];
      } else {
        is_quoted = !is_quoted;
      }
    }
    CsvCell cell{trim(text), {}};
    cell.where.file = file;
    cell.where.line = number;
    cell.where.column = static_cast<int>(start) + 1;
    cell.where.length = std::max(1, static_cast<int>(at - start));
    cells.push_back(std::move(cell));
    if (at >= line.size()) return cells;
    ++at;
  }
}

}  // namespace

void CsvTable::fail_on(const std::vector<Problem>& problems) const {
  if (!problems.empty()) throw make_input_error(problems, text);
}

CsvTable CsvTable::read(const std::string& path) { return parse(read_text_file(path), path); }

CsvTable CsvTable::parse(const std::string& text, const std::string& file) {
  CsvTable table{file, text, {}, {}};
  std::vector<Problem> problems;
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) continue;
    std::vector<CsvCell> cells = split_line(line, file, number);
    if (table.headings.empty()) {
      table.headings = std::move(cells);
    } else if (cells.size() != table.headings.size()) {
      problems.push_back(
          {cells.back().where,
           fmt::format("this row has {} cells, the headings are {}", cells.size(), table.headings.size()),
           "A row that was not written to its end? Leave it out."});
    } else {
      table.rows.push_back(std::move(cells));
    }
  }
  table.fail_on(problems);
  return table;
}

double read_number(const CsvCell& cell, std::vector<Problem>& problems) {
  double value = 0.0;
  const char* const end = cell.text.data() + cell.text.size();
  const char* const begin = cell.text.data() + (cell.text.starts_with('+') ? 1 : 0);
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || rest != end || begin == end) {
    problems.push_back({cell.where, fmt::format("'{}' is not a number", cell.text), ""});
    return 0.0;
  }
  if (!std::isfinite(value)) {
    problems.push_back({cell.where, fmt::format("{} is not a finite number", cell.text), ""});
    return 0.0;
  }
  return value;
}

}  // namespace abut
